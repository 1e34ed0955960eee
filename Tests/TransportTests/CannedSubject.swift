import Apollo
import ApolloTestSupport
import Foundation
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport of bytes as an app writes it, without a network.
struct CannedSubject: TransportSubject {
  /// It answers every operation with the same bytes.
  var faulty = false
  /// It throws the errors that one over HTTP has.
  var failsAsHTTP = false

  var inabilities: [TransportAbility: String] {
    var inabilities: [TransportAbility: String] = [.credentials: "It has none."]
    if !failsAsHTTP {
      inabilities[.statuses] = "It has none."
      inabilities[.retries] = "It has no connection that could break."
    }
    return inabilities
  }

  var sendsRetryAfter: Bool { failsAsHTTP }

  func withTransport(
    _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
    _ body: (any NetworkTransport) async throws -> Void
  ) async throws {
    try await body(
      CannedTransport(failsAsHTTP: failsAsHTTP, retryAfter: setup.retryAfter) {
        let wanted = answer(0)
        return faulty ? .response(#"{"data":null}"#) : wanted
      })
  }

  private final class CannedTransport: ResponseTransport {
    private let answer: @Sendable () -> ServerAnswer

    private let failsAsHTTP: Bool
    private let retryAfter: String?

    init(failsAsHTTP: Bool, retryAfter: String?, _ answer: @escaping @Sendable () -> ServerAnswer) {
      self.failsAsHTTP = failsAsHTTP
      self.retryAfter = retryAfter
      self.answer = answer
    }

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      switch answer() {
      case .status(let status, let body) where failsAsHTTP:
        let response = HTTPURLResponse(
          url: URL(string: "https://example.com")!, statusCode: status, httpVersion: nil,
          headerFields: retryAfter.map { ["retry-after": $0] })
        throw ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(
          response: response, rawData: Data(body.utf8))
      case .brokenOff where failsAsHTTP:
        throw URLSessionClient.URLSessionClientError.networkError(
          data: Data(), response: nil, underlying: URLError(.networkConnectionLost))
      case .response(let body), .status(_, let body): try await receive(TransportResponse(Data(body.utf8)))
      case .parts(let parts): for part in parts { try await receive(TransportResponse(Data(part.utf8))) }
      case .endless(let body):
        // (The sleep is the server's rhythm, and no test waits for it.)
        while true {
          try await receive(TransportResponse(Data(body.utf8)))
          try await Task.sleep(for: .milliseconds(1))
        }
      case .brokenOff(let body, let count): try await receive(TransportResponse(Data(body.utf8.prefix(count))))
      case .never: try await untilCancelled()
      }
    }
  }
}
