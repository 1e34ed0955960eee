import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@Suite("A mock is a transport like any other")
struct ConformanceTests {
  @Test("With callers of every style", arguments: CallerStyle.allCases)
  func conformance(_ style: CallerStyle) async throws {
    for check in NetworkTransportConformance.allChecks {
      for failure in await check.run(style, over: MockSubject()) { Issue.record("\(check): \(failure)") }
    }
  }

  private struct MockSubject: TransportSubject {
    let inabilities: [TransportAbility: String] = [:]
    let sendsRetryAfter = true

    func withTransport(
      _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
      _ body: (any NetworkTransport) async throws -> Void
    ) async throws {
      var options = DefaultInterceptorProvider.Options()
      options.retry.retryRule = setup.retries ? .transientFailures : .never
      options.deduplicatesQueries = setup.deduplicatesQueries
      options.authenticator = setup.authenticator
      let transport = MockNetworkTransport(
        .respond { _ in Self.response(answer(0), setup.retryAfter) }, store: store, options: options)
      try await body(transport)
    }

    private static func response(_ answer: ServerAnswer, _ retryAfter: String?) -> MockResponse {
      switch answer {
      case .response(let text): .json(text)
      case .status(let status, let body):
        .status(status, body: body, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
      case .brokenOff(let text, let count): .cutOff(text, after: count)
      case .never: .never
      case .parts(let parts): .parts(parts)
      case .endless(let text):
        .parts(
          AsyncStream {
            // (The rhythm of a server, for which no test waits.)
            try? await Task.sleep(for: .milliseconds(1))
            return Task.isCancelled ? nil : text
          })
      }
    }
  }
}
