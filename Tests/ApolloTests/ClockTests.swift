@testable import Apollo
import ApolloTestSupport
import Foundation
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers what a closure says, given the number of the request.
private struct CountingSession: ApolloURLSession {
  let count = Awaited(0)
  let answer: @Sendable (Int) async throws -> (status: Int, fields: [String: String], body: String)

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let number = count.change { count in
      count += 1
      return count
    }
    let answer = try await answer(number)
    let fields = answer.fields.merging(["Content-Type": "application/json"]) { $1 }
    let response = HTTPURLResponse(
      url: request.url!, statusCode: answer.status, httpVersion: nil, headerFields: fields)!
    return (ChunkedHTTPResponse.Chunks(Data(answer.body.utf8)), response)
  }
}

private func ok(_ number: Int) -> (status: Int, fields: [String: String], body: String) {
  (200, [:], hero("\(number)"))
}

/// Nothing here takes time: hours pass when a test says so.
@Suite("A clock that stands", .timeLimit(.minutes(5)))
struct ClockTests {
  private func client(
    _ clock: TestClock, _ session: CountingSession, _ change: (inout ApolloClient.Configuration) -> Void = { _ in }
  ) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: URL(string: "http://clock.example/")!)
    configuration.http.session = session
    configuration.clock = clock
    change(&configuration)
    return ApolloClient(configuration: configuration)
  }

  @Test("Retries wait longer and longer, and as long as a server asks for, by seconds or by a date")
  func retries() async throws {
    let clock = TestClock()
    let session = CountingSession { number in
      switch number {
      case 1, 2: throw URLError(.timedOut)
      case 3: (503, ["Retry-After": "3600"], "")
      case 4: (429, ["Retry-After": "Fri, 15 Jan 2027 10:00:00 GMT"], "")
      default: ok(number)
      }
    }
    let client = client(clock, session) {
      $0.retry = MaxRetryInterceptor.Configuration(
        maxRetries: 9, baseDelay: 60, maxDelay: 100_000, enableExponentialBackoff: true,
        enableJitter: false, retryRule: .transientFailures)
    }
    let result = Task { try await client.fetch(query: HeroQuery()) }
    var waits: [Duration] = []
    for _ in 0..<4 {
      await clock.untilWaiting()
      waits += clock.waits
      await clock.advanceToNext()
    }
    #expect(try await result.value.data?.hero?.name == "5")
    // It was 8:00 at the beginning, so after 60 + 120 + 3600 seconds, 3420 are left until 10:00.
    #expect(waits == [.seconds(60), .seconds(120), .seconds(3600), .seconds(3420)])
    #expect(session.count.value == 5)
  }

  @Test("A deadline passes, and what came in time came in time")
  func deadline() async throws {
    let clock = TestClock()
    let session = CountingSession { number in
      if number == 1 { try await untilCancelled() }
      return ok(number)
    }
    let client = client(clock, session) { $0.http.deadline = 86_400 }
    let late = Task { try await client.fetch(query: HeroQuery()) }
    try await session.count.until { $0 == 1 }
    await clock.untilWaiting()
    await clock.advance(by: .seconds(86_399))
    #expect(clock.waits == [.seconds(1)])
    await clock.advance(by: .seconds(1))
    let error = await #expect(throws: OperationError.self) { try await late.value }
    #expect(error?.message.contains("86400") == true)
    #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "2")
    await clock.advance(by: .seconds(100_000))
  }

  @Test("At its deadline the cache stands in, although a session that does not heed cancelling goes on")
  func standIn() async throws {
    let clock = TestClock(), mayAnswer = Awaited(false)
    let session = CountingSession { number in
      if number > 1 { try await Task { try await mayAnswer.until { $0 } }.value }
      return ok(number)
    }
    let client = client(clock, session) { $0.http.deadline = 60 }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    let results = Received<GraphQLResult<HeroQuery.Data>?>()
    client.fetch(query: HeroQuery(), cachePolicy: .networkFirst, queue: .callbacks) { results.add(try? $0.get()) }
    try await session.count.until { $0 == 2 }
    await clock.advance(by: .seconds(60))
    let result = await results.next() ?? nil
    #expect(result?.source == .cache)
    #expect(result?.data?.hero?.name == "1")
    let error = result?.cacheInfo.fetchError as? OperationError
    #expect((error?.cause as? URLError)?.code == .timedOut)
    mayAnswer.change { $0 = true }
  }

  @Test("A query is polled, and asked for again when its data is too old")
  func watchers() async throws {
    let clock = TestClock(), session = CountingSession { ok($0) }
    let client = client(clock, session), names = Received<String?>()
    var polled = RequestConfiguration()
    polled.pollInterval = 3600
    let watcher = client.watch(query: HeroQuery(), requestConfiguration: polled, callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "1")
    for number in 2...4 {
      // (A request that is under way takes the place of one that is polled.)
      await client.activeQueries.waitUntilAnswered()
      await clock.advanceToNext()
      #expect(await names.next() == "\(number)")
    }
    watcher.cancel()
    client.store.defaultMaxAge = 600
    let ageing = client.watch(
      query: HeroQuery(), automaticallyRefreshOnExpiry: true, callbackQueue: .callbacks
    ) { names.add((try? $0.get())?.data?.hero?.name) }
    #expect(await names.next() == "4")
    for number in 5...7 {
      await client.activeQueries.waitUntilAnswered()
      await clock.untilWaiting()
      await clock.advance(by: .seconds(600))
      #expect(await names.next() == "\(number)")
    }
    ageing.cancel()
  }

  @Test("A batch waits for others as long as the clock says")
  func batches() async throws {
    let clock = TestClock(), session = CountingSession { _ in (200, [:], "[\(hero())]") }
    let client = client(clock, session) { $0.batching = .init(interval: .seconds(3600)) }
    let result = Task { try await client.fetch(query: HeroQuery()) }
    await clock.untilWaiting()
    #expect(session.count.value == 0 && clock.waits == [.seconds(3600)])
    await clock.advanceToNext()
    #expect(try await result.value.data?.hero?.name == "R2-D2")
  }

  @Test("Garbage is collected again and again, and a token is renewed when it has expired")
  func collections() async throws {
    let clock = TestClock(), session = CountingSession { ok($0) }, renewals = Locked(0)
    let authenticator = BearerTokenAuthenticator { [clock] _ in
      renewals.withLock { $0 += 1 }
      return .init("t", expiration: clock.date.addingTimeInterval(3600))
    }
    let client = client(clock, session) { $0.authenticator = authenticator }
    let collected = Awaited(0)
    let schedule = client.store.collects(every: 86_400) { _ in collected.change { $0 += 1 } }
    for number in 1...3 {
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
      #expect(renewals.withLock { $0 } == number)
      await clock.untilWaiting()
      await clock.advance(by: .seconds(86_400))
      try await collected.until { $0 == number }
    }
    schedule.cancel()
  }

  @Test("What waits is woken in the order of its times, and a cancelled wait ends at once")
  func order() async throws {
    let clock = TestClock(), woken = Awaited<[Int]>([]), begin = clock.now
    let tasks = [30, 10, 20].map { seconds in
      Task {
        try await clock.sleep(until: begin + .seconds(seconds))
        woken.change { $0.append(seconds) }
      }
    }
    await clock.untilWaiting(3)
    #expect(clock.waits == [.seconds(10), .seconds(20), .seconds(30)])
    await clock.advanceToNext()
    try await woken.until { $0 == [10] }
    tasks[2].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[2].value }
    #expect(clock.waits == [.seconds(20)])
    await clock.advance(by: .seconds(25))
    try await woken.until { $0 == [10, 30] }
    #expect(clock.now - begin == .seconds(35) && clock.date == Date(timeIntervalSince1970: 1_800_000_035))
    try await clock.sleep(until: begin)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: .now + .seconds(1_000_000))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }
}
