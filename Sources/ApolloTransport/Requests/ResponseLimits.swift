public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How much a server may send. Without these limits, a server could fill the memory of an app.
///
/// Bytes of bodies are counted as they are after unpacking: a thousand bytes on the wire may be a million here. What a
/// server announces is checked before anything is received, and then each piece as it comes. Beyond a limit, the
/// request is stopped, and the operation fails with an ``Exceeded`` or a ``IncrementalResponse/DeliveryError`` that
/// names the limit.
///
///     configuration.http.limits = ResponseLimits(responseSize: 10 << 20)
///
/// `Int.max` means no limit.
public struct ResponseLimits: Hashable, Sendable {
  /// How many bytes a response may have; one with `@defer` or `@stream` with all of its parts. The body of a
  /// subscription may have any number, as it need not end. The default is 64 MiB.
  public var responseSize: Int
  /// How many bytes the body of an answer may have that is not one of success: an error, or a redirect. A GraphQL
  /// response with such a status (`application/graphql-response+json`) may have ``responseSize``. The default is 1 MiB.
  public var errorSize: Int
  /// How many parts a response with `@defer` or `@stream` may have. The default is 10,000.
  public var parts: Int
  /// How many parts of a response a server may have announced (`pending`) that have not come. The default is 10,000.
  public var announcements: Int
  /// How many bytes may wait for an app that takes them more slowly than they come: results of a sequence or a
  /// callback, counted by the responses that they were made of, and pieces of a body. One more ends the operation. A
  /// sequence whose ``RequestConfiguration/buffering`` is `unlimited` has no limit. The default is 64 MiB.
  public var waitingSize: Int

  /// Makes limits. A value that is not named is as in every client.
  ///
  /// - Parameters:
  ///   - responseSize: In bytes; see ``responseSize``. The default is 64 MiB.
  ///   - errorSize: In bytes; see ``errorSize``. The default is 1 MiB.
  ///   - parts: See ``parts``. The default is 10,000.
  ///   - announcements: See ``announcements``. The default is 10,000.
  ///   - waitingSize: In bytes; see ``waitingSize``. The default is 64 MiB.
  public init(
    responseSize: Int = 64 << 20, errorSize: Int = 1 << 20, parts: Int = 10_000, announcements: Int = 10_000,
    waitingSize: Int = 64 << 20
  ) {
    self.responseSize = responseSize
    self.errorSize = errorSize
    self.parts = parts
    self.announcements = announcements
    self.waitingSize = waitingSize
  }
}

extension ResponseLimits {
  /// A server sent more than a limit allows.
  public struct Exceeded: ApolloError, Hashable {
    /// The limits that are counted in bytes.
    public enum Limit: String, Hashable, Sendable {
      /// ``ResponseLimits/responseSize``.
      case responseSize
      /// ``ResponseLimits/errorSize``.
      case errorSize
      /// ``ResponseLimits/waitingSize``.
      case waitingSize
    }

    /// The limit.
    public let limit: Limit
    /// How many bytes it allows.
    public let bytes: Int
    /// Where the response comes from; nil if it is not known.
    public let url: URL?
    /// The status of the response; nil if it is not known.
    public let httpStatus: Int?

    package init(_ limit: Limit, _ bytes: Int, url: URL? = nil, status: Int? = nil) {
      self.limit = limit
      self.bytes = bytes
      self.url = url
      httpStatus = status
    }

    /// The kind of this error: ``ApolloErrorCode/invalidResponse``.
    public var code: ApolloErrorCode { .invalidResponse }

    /// One sentence that says what was too large, and which option allows more.
    public var message: String {
      let status = httpStatus.map { " with HTTP status \($0)" } ?? ""
      let what =
        switch limit {
        case .responseSize, .errorSize: "The response\(status) is larger than \(bytes) bytes"
        case .waitingSize: "More than \(bytes) bytes of the response wait to be taken"
        }
      let place = url.map { " (\($0.placeDescription))" } ?? ""
      return "\(what)\(place), which is the limit '\(limit.rawValue)' of ResponseLimits."
    }
  }
}
