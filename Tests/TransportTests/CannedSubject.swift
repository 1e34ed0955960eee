import Apollo
import ApolloTestSupport
import Foundation
import Waiting

/// A transport of bytes as an app writes it, without a network.
struct CannedSubject: TransportSubject {
  /// It answers every operation with the same bytes.
  var faulty = false

  let inabilities: [TransportAbility: String] = [
    .statuses: "It has none.", .retries: "It has no connection that could break.", .credentials: "It has none.",
  ]

  func withTransport(
    _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
    _ body: (any NetworkTransport) async throws -> Void
  ) async throws {
    try await body(
      CannedTransport {
        let wanted = answer(0)
        return faulty ? .response(#"{"data":null}"#) : wanted
      })
  }

  private final class CannedTransport: ResponseTransport {
    private let answer: @Sendable () -> ServerAnswer

    init(_ answer: @escaping @Sendable () -> ServerAnswer) { self.answer = answer }

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      switch answer() {
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
