import ApolloCache
public import ApolloOperations
public import ApolloTransport
package import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Splits a response into its parts, if it has parts. The rest of the chain is called once for each part, in order.
///
/// It understands `multipart/mixed` with `@defer` and `@stream` in all forms that servers send, and with Apollo's
/// protocol for subscriptions. It also understands `text/event-stream` (GraphQL over SSE, distinct connections mode).
/// It passes on every other response unchanged. Where one JSON object has all parts, because an intermediary has put
/// them together, they are joined. An interceptor that parses JSON must come after it.
public struct MultipartResponseParsingInterceptor: ChainStep {
  /// Why a response cannot be split into its parts.
  public enum ParsingError: ApolloError, Equatable {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse
    /// Never thrown. A case of Apollo iOS 1.3 to 1.25.
    @available(*, deprecated, message: "Never thrown: see cannotParseResponseData and malformed(_:).")
    case cannotParseResponse
    /// A part is not valid UTF-8.
    case cannotParseResponseData
    /// The response is `multipart/mixed`, but its `Content-Type` has no boundary.
    case missingMultipartBoundary
    /// The server uses a protocol, or a version of one, that this library does not know.
    case invalidMultipartProtocol
    /// The body does not have the form that its type announces. The text says what is wrong.
    case malformed(String)
    /// A part is not JSON.
    case unsupportedContentType(type: String)
    /// The server ended the subscription, for the reason in the message, which is that of its first error. All errors
    /// with their extensions are in the `rawData` of the response that an `ApolloErrorInterceptor` gets with this one,
    /// and in the `graphQLErrors` of the ``OperationError`` that `async` callers get.
    case irrecoverableError(message: String)
    /// The body ended before its last part.
    case prematureEnd
    /// A part is larger than the limit in bytes.
    case partTooLarge(limit: Int)

    /// The kind of this error; it depends on the case.
    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse: .configuration
      case .irrecoverableError: .operationRefused
      case .prematureEnd: .network
      default: .invalidResponse
      }
    }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .cannotParseResponse: "The response cannot be parsed."
      case .cannotParseResponseData: "A part of the response is not valid UTF-8."
      case .missingMultipartBoundary: "The response is multipart, but its Content-Type has no boundary."
      case .invalidMultipartProtocol: "The response is multipart of a protocol or version that is not supported."
      case .malformed(let what): "The response in parts is malformed: \(what)."
      case .unsupportedContentType(let type): "A part of the response is of type '\(type)', and not JSON."
      case .irrecoverableError(let message): "The server ended the subscription: \(message)"
      case .prematureEnd: "The response in parts broke off before its end."
      case .partTooLarge(let limit): "A part of the response is larger than \(limit) bytes, which is the limit."
      }
    }
  }

  private let maximumPartSize: Int

  /// Makes an interceptor.
  ///
  /// - Parameter maximumPartSize: How many bytes one part may have. The default is 64 MiB.
  public init(maximumPartSize: Int = 64 << 20) { self.maximumPartSize = maximumPartSize }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response = response?.asHTTP, let http = response.status else { throw ParsingError.noResponseToParse }
    guard http.isStream, let type = http.mediaType else {
      if Operation.hasDeferredFragments { try response.joinParts(passage.limits, passage.clock) }
      return .proceed(response)
    }
    let reader = ResponseStreamReader(
      try MessageParser(type, maximumSize: maximumPartSize), isSubscription: Operation.operationType == .subscription,
      mayStream: Operation.mayStream, limits: passage.limits, clock: passage.clock,
      pieces: response.pieces ?? AsyncThrowingStream(one: response.rawData))
    response.pieces = nil
    return .proceedWithEach(
      AsyncThrowingStream(unfolding: { () async throws -> OperationResponse<Operation>? in
        do {
          guard let part = try await reader.next() else { return nil }
          passage.notePart(http, part.bytes)
          let each = HTTPResponse<Operation>(response: http, rawData: part.bytes, parsedResponse: nil)
          each.part = part
          return each
        } catch let end as ResponseStreamReader.ServerEnd {
          // (Steps that are told of the error get this response with it.)
          response.rawData = end.message
          passage.endResponse = response
          throw ParsingError.irrecoverableError(message: end.reason.description)
        }
      }))
  }
}

extension OperationPassage {
  /// How much a response in parts may have.
  fileprivate var limits: ResponseLimits { asHTTP?.rules.limits ?? ResponseLimits() }
}

extension HTTPResponse {
  /// Joins the parts that are in a body of one piece, if there are any. What is not JSON is for the parser to tell.
  ///
  /// - Parameters:
  ///   - limits: How much a response in parts may have.
  ///   - clock: By which time passes between parts.
  /// - Throws: An error that says what is wrong with the parts.
  fileprivate func joinParts(_ limits: ResponseLimits, _ clock: any ClientClock) throws {
    let bytes = ResponseBytes(rawData)
    guard let members = try? JSONMembers(bytes),
      members.text(of: "pending") != nil || members.text(of: "incremental") != nil
    else { return }
    var merged = IncrementalResponse(limits: limits, mayStream: Operation.mayStream, clock: clock)
    guard let whole = try merged.merge(bytes) else { return }
    part = ResponsePart(bytes: rawData, response: Data(whole.text.utf8))
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// A stream of one element.
  init(one element: Element) {
    self.init {
      $0.yield(element)
      $0.finish()
    }
  }
}
