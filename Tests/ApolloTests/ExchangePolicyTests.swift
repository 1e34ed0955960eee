@testable import ApolloConcurrency
@testable import ApolloOperations
@testable import Apollo
import Foundation
import Logging
import StyledTests
import Testing
import Waiting

/// A transport of bytes that answers what a closure says, and counts.
private final class ScriptedTransport: ResponseTransport {
  private let count = Locked(0)
  private let answer: @Sendable (Int) async throws -> [String]
  var requests: Int { count.withLock { $0 } }

  init(_ answer: @escaping @Sendable (Int) async throws -> [String]) { self.answer = answer }

  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let number = count.withLock {
      $0 += 1
      return $0
    }
    for body in try await answer(number) {
      if body == "break" { throw URLError(.networkConnectionLost) }
      try await receive(TransportResponse(Data(body.restyled.utf8)))
    }
  }
}

@Suite("What a client does about exchanges over any transport of bytes", .everyStyle)
struct ExchangePolicyTests {
  private func client(
    _ transport: ScriptedTransport, _ configure: (inout ApolloClient.Configuration) -> Void = { _ in }
  ) throws -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: "http://127.0.0.1:9/")))
    configuration.retry = .automatic
    configuration.retry.baseDelay = 0.001
    configure(&configuration)
    return ApolloClient(networkTransport: transport, configuration: configuration)
  }

  @Test("A query that is asked for after a mutation has ended does not share an answer from before")
  func mutationBetween() async throws {
    let server = HeldServer(.responseTransport)
    let client = server.client
    @Sendable func ask() -> Task<String?, any Error> {
      Task {
        try await client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
          requestConfiguration: RequestConfiguration(deduplicates: true)
        ).data?.hero?.name
      }
    }
    let before = ask()
    try await server.until(waitingCount: 1)
    let mutation = Task { try await client.perform(mutation: RenameMutation()) }
    try await server.answer("Rename", hero("new", field: "rename"))
    _ = try await mutation.value
    let after = ask()
    try await server.until(waitingCount: 2)
    try await server.answer("Hero", hero("old"))
    try await server.answer("Hero", hero("new"))
    _ = try await before.value
    #expect(try await after.value == "new")
  }

  @Test("A query without an answer fails for callbacks and watchers; a subscription may end without an event")
  func noAnswer() async throws {
    let client = try client(ScriptedTransport { _ in [] })
    let codes = Received<ApolloErrorCode?>()
    @Sendable func note(_ result: Result<GraphQLResult<HeroQuery.Data>, any Error>) {
      guard case .failure(let error) = result else { return codes.add(nil) }
      codes.add((error as? any ApolloError)?.code)
    }
    client.fetch(query: HeroQuery(), queue: .callbacks) { note($0) }
    #expect(await codes.next() == .invalidResponse)
    let watcher = client.watch(query: HeroQuery()) { note($0) }
    #expect(await codes.next() == .invalidResponse)
    watcher.cancel()
    for try await _ in client.subscribe(to: CountSubscription()) { Issue.record("There is no event.") }
  }

  @Test(
    "A query that fails before an answer is tried again, as often as the client says; a mutation only if it may run twice"
  )
  func retry() async throws {
    let twice = ScriptedTransport { number in number < 3 ? ["break"] : [hero()] }
    #expect(try await client(twice).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    #expect(twice.requests == 3)
    let never = ScriptedTransport { _ in ["break"] }
    await #expect(throws: OperationError.self) { try await client(never).fetch(query: HeroQuery()) }
    #expect(never.requests == 4)
    let mutation = ScriptedTransport { number in number < 2 ? ["break"] : [hero(field: "rename")] }
    await #expect(throws: OperationError.self) { try await client(mutation).perform(mutation: RenameMutation()) }
    let configuration = RequestConfiguration(isRepeatable: true)
    let renamed = ScriptedTransport { number in number < 2 ? ["break"] : [hero(field: "rename")] }
    let result = try await client(renamed).perform(mutation: RenameMutation(), requestConfiguration: configuration)
    #expect(result.data != nil && mutation.requests == 1 && renamed.requests == 2)
  }

  @Test("What an answer has begun for is not tried again, nor what the rule does not allow, nor what is cancelled")
  func noRetry() async throws {
    let events = ScriptedTransport { _ in [#"{"data":{"count":1}}"#, "break"] }
    var counts = 0
    await #expect(throws: OperationError.self) {
      let configuration = RequestConfiguration(isRepeatable: true)
      for try await _ in try client(events).subscribe(to: CountSubscription(), requestConfiguration: configuration) {
        counts += 1
      }
    }
    #expect(counts == 1 && events.requests == 1)
    let refused = ScriptedTransport { _ in ["<html>"] }
    await #expect(throws: OperationError.self) { try await client(refused).fetch(query: HeroQuery()) }
    #expect(refused.requests == 1)
    let waiting = ScriptedTransport { _ in ["break"] }
    let slow = try client(waiting) { $0.retry.baseDelay = 600 }
    let task = Task { try await slow.fetch(query: HeroQuery()) }
    try await eventually { waiting.requests == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(waiting.requests == 1)
  }

  @Test("Identical queries that are under way are sent once, if the client or the operation says so")
  func deduplication() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _ in
      for await _ in gate.stream {}
      return [hero()]
    }
    let client = try client(transport) { $0.deduplicatesQueries = true }
    let alone = RequestConfiguration(deduplicates: false)
    let tasks = (0..<4).map { number in
      Task {
        try await client.fetch(
          query: HeroQuery(episode: number == 3 ? .some("JEDI") : .none), cachePolicy: .fetchIgnoringCacheData,
          requestConfiguration: number == 2 ? alone : nil
        ).data?.hero?.name
      }
    }
    // Two are shared, one is by itself, and one is another query.
    try await eventually { transport.requests == 3 && client.route.policies.exchanges.callerCount == 3 }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    gate.continuation.finish()
    for task in tasks.dropFirst() { #expect(try await task.value == "R2-D2") }
    #expect(transport.requests == 3)
  }

  @Test("Identical queries with different error policies share a request, and each has the result of its own")
  func sharedErrors() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _ in
      for await _ in gate.stream {}
      return [#"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero"]}]}"#]
    }
    let client = try client(transport) { $0.deduplicatesQueries = true }
    let tasks = [ErrorPolicy.none, .ignore, .all].map { policy in
      Task {
        try await client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
          requestConfiguration: RequestConfiguration(errorPolicy: policy)
        ).errors?.count ?? 0
      }
    }
    try await eventually { transport.requests == 1 && client.route.policies.exchanges.callerCount == 3 }
    gate.continuation.finish()
    await #expect(throws: OperationError.self) { try await tasks[0].value }
    #expect(try await tasks[1].value == 0)
    #expect(try await tasks[2].value == 1)
    #expect(transport.requests == 1)
    // It is in the cache, whichever of them came first.
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(cached.data != nil && cached.errors?.count == 1)
  }

  @Test("Each try is logged, without secrets")
  func logging() async throws {
    let lines = Locked<[String]>([])
    let transport = ScriptedTransport { number in number < 2 ? ["break"] : [hero()] }
    let client = try client(transport) { configuration in
      configuration.logging = {
        let logger = Logger(label: "test") { _ in MemoryLog(lines: lines, logLevel: .debug) }
        return LoggingInterceptor(logger: logger, configuration: .init(detail: .bodies))
      }
    }
    _ = try await client.fetch(query: HeroQuery(episode: .some("JEDI")))
    let logged = lines.withLock { $0 }
    #expect(logged.count == 4, "\(logged)")
    #expect(logged.first?.contains("query Hero → ScriptedTransport") == true && logged.first?.contains("JEDI") == true)
    #expect(logged.dropFirst().first?.contains("← failed after") == true)
    #expect(logged.last?.contains("bytes in") == true && logged.last?.contains("R2-D2") == true)
  }

  @Test("What a server says cannot begin a line of the log, nor command a terminal")
  func hostileLogging() async throws {
    let lines = Locked<[String]>([])
    let message = #"no\u001b[2J\n::error::x\u202e\u2028forged ##[error]y"#
    let transport = ScriptedTransport { _ in [#"{"data":{"hero":null},"errors":[{"message":"\#(message)"}]}"#] }
    let client = try client(transport) { configuration in
      configuration.logging = {
        let logger = Logger(label: "test") { _ in MemoryLog(lines: lines, logLevel: .debug) }
        return LoggingInterceptor(logger: logger, configuration: .init(detail: .bodies))
      }
    }
    _ = try? await client.fetch(query: HeroQuery())
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains(#"no\u{1b}[2J\n::error::x\u{202e}\u{2028}forged"#), "\(text)")
    #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\u{2028}"].contains($0) })
    #expect(!text.contains("\n::") && !text.contains("##["))
  }

  @Test("A deadline's error is the last that a caller gets, however close a result is")
  func deadlineRace() async throws {
    let transport = ScriptedTransport { _ in
      try await Task.sleep(for: .milliseconds(10))
      return [hero()]
    }
    let client = try client(transport), outcomes = Awaited([Int](repeating: 0, count: 100))
    for number in 0..<100 {
      // (The race of two times is what is tested: either may win.)
      client.fetch(
        query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
        requestConfiguration: RequestConfiguration(deadline: 0.0105), queue: .callbacks
      ) { _ in outcomes.change { $0[number] += 1 } }
    }
    try await outcomes.until { !$0.contains(0) }
    // An operation that takes as long comes after all that they might still bring.
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    await DispatchQueue.callbacks.drain()
    #expect(outcomes.value.allSatisfy { $0 == 1 }, "\(outcomes.value)")
  }
}
