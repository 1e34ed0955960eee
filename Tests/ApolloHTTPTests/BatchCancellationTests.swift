@testable import ApolloHTTP
import Apollo
import Foundation
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Never answers, and ends when it is cancelled.
private struct SilentEngine: HTTPEngine {
  func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse {
    try Task.checkCancellation()
    try await untilCancelled()
  }
}

@Suite("Batches whose operations are cancelled", .timeLimit(.minutes(5)))
struct BatchCancellationTests {
  @Test("A batch that is cancelled in the moment in which it is sent does not wait for its answer")
  func whileItIsSent() async throws {
    let batcher = RequestBatcher(interval: .zero, maximumSize: 2)
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    // Each pair meets the cancellation at another place on its way.
    for number in 0..<2_000 {
      let pair = (0..<2).map { _ in
        Task {
          _ = try await batcher.fetch(
            URLRequest(url: url), body: Data("{}".utf8), mayRepeat: false, with: SilentEngine(), ExchangeRules(),
            .system)
        }
      }
      for _ in 0..<(number % 8) { await Task.yield() }
      for task in pair { task.cancel() }
      for task in pair { await #expect(throws: CancellationError.self) { try await task.value } }
    }
  }
}
