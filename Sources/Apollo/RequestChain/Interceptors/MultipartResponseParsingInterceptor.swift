package import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes a response in parts apart: each one goes down the rest of the chain, in order.
///
/// It understands `multipart/mixed` with `@defer` and `@stream` in all forms that servers send, and with Apollo's
/// protocol for subscriptions, and `text/event-stream` (GraphQL over SSE, distinct connections mode). Every other response
/// passes. An interceptor that parses JSON must come behind it.
public struct MultipartResponseParsingInterceptor: ChainStep {
  public enum ParsingError: ApolloError, Equatable {
    case noResponseToParse
    /// Not thrown: what is wrong is one of the other cases. Of releases 1.3 to 1.25 of Apollo iOS.
    @available(*, deprecated, message: "Never thrown: see cannotParseResponseData and malformed(_:).")
    case cannotParseResponse
    case cannotParseResponseData
    /// `multipart/mixed` without a boundary.
    case missingMultipartBoundary
    /// The server follows a version of a protocol that this library does not know.
    case invalidMultipartProtocol
    /// The body is not what its type says.
    case malformed(String)
    /// A part is no JSON.
    case unsupportedContentType(type: String)
    /// The server ended a subscription and says why.
    case irrecoverableError(message: String)
    /// The body ended before its end was announced.
    case prematureEnd
    /// A part is larger than allowed.
    case partTooLarge(limit: Int)

    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse: .configuration
      case .irrecoverableError: .operationRefused
      case .prematureEnd: .network
      default: .invalidResponse
      }
    }

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

  /// - Parameter maximumPartSize: How many bytes one part may have; 64 MiB unless something else is said.
  public init(maximumPartSize: Int = 64 << 20) { self.maximumPartSize = maximumPartSize }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw ParsingError.noResponseToParse }
    let http = response.httpResponse
    guard http.isStream, let type = http.mediaType else { return .proceed(response) }
    let reader = ResponseStreamReader(
      try MessageParser(type, maximumSize: maximumPartSize), isSubscription: Operation.operationType == .subscription,
      pieces: response.pieces ?? AsyncThrowingStream(one: response.rawData))
    response.pieces = nil
    return .proceedWithEach(
      AsyncThrowingStream {
        guard let part = try await reader.next() else { return nil }
        let response = HTTPResponse<Operation>(response: http, rawData: part.bytes, parsedResponse: nil)
        response.part = part
        return response
      })
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
