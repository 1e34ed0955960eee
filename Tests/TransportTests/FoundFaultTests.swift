import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

@Suite("What the checks of transports find")
struct FoundFaultTests {
  private static func check(_ beginning: String) throws -> NetworkTransportConformance {
    try #require(NetworkTransportConformance.allChecks.first { $0.description.hasPrefix(beginning) })
  }

  @Test(
    "A transport that never writes a mutation's result, and one that always does",
    arguments: [CachePolicy.fetchIgnoringCacheCompletely, .fetchIgnoringCacheData])
  func mutations(policy: CachePolicy) async throws {
    let failures = try await Self.check("A mutation is sent").run(.awaited, over: MutationSubject(policy: policy))
    #expect(failures.count == 1)
    #expect(failures.first?.description.hasPrefix("the cached name") == true, "\(failures)")
  }

  @Test("A transport that sends the first of identical queries twice")
  func repeated() async throws {
    let failures = try await Self.check("Identical queries at once are sent").run(.awaited, over: RepeatingSubject())
    #expect(failures.map(\.description) == ["requests of ten queries and another one: expected 2, found 3"])
  }

  @Test("A check that is cancelled has failed, and ends what it has begun")
  func cancelled() async throws {
    let subject = StuckSubject(), check = try Self.check("A response becomes typed data")
    let running = Task { await check.run(.awaited, over: subject) }
    try await subject.begins.wait()
    running.cancel()
    let failures = await running.value
    #expect(failures.map(\.description) == ["It was cancelled."])
    try await subject.ends.wait()
  }

  /// A chain that sends mutations with one policy for the cache, whatever the app says.
  private struct MutationSubject: TransportSubject {
    let policy: CachePolicy
    var inabilities: [TransportAbility: String] { [:] }

    func withTransport(
      _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
      _ body: (any NetworkTransport) async throws -> Void
    ) async throws {
      try await HTTPSubject(.chain).withTransport(setup, store: store, answer: answer) { transport in
        try await body(OnePolicy(transport, policy))
      }
    }
  }

  private final class OnePolicy: NetworkTransport {
    private let transport: any NetworkTransport
    private let policy: CachePolicy

    init(_ transport: any NetworkTransport, _ policy: CachePolicy) {
      self.transport = transport
      self.policy = policy
    }

    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      transport.send(
        operation: operation, cachePolicy: Operation.operationType == .mutation ? policy : cachePolicy,
        contextIdentifier: contextIdentifier, context: context, callbackQueue: callbackQueue,
        completionHandler: completionHandler)
    }
  }

  /// Its server is asked twice for the first answer.
  private struct RepeatingSubject: TransportSubject {
    var inabilities: [TransportAbility: String] { [:] }

    func withTransport(
      _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
      _ body: (any NetworkTransport) async throws -> Void
    ) async throws {
      let requests = Event()
      let twice: @Sendable (Int) -> ServerAnswer = { number in
        let wanted = answer(number)
        let count = requests.change { value -> Int in
          value += 1
          return value
        }
        if count == 1 { _ = answer(number) }
        return wanted
      }
      try await CannedSubject().withTransport(setup, store: store, answer: twice, body)
    }
  }

  /// A transport that is never there.
  private struct StuckSubject: TransportSubject {
    let begins = Event(), ends = Event()
    var inabilities: [TransportAbility: String] { [:] }

    func withTransport(
      _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
      _ body: (any NetworkTransport) async throws -> Void
    ) async throws {
      begins.happen()
      defer { ends.happen() }
      try await untilCancelled()
    }
  }
}
