@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

/// A client with a store whose clock the test sets. A hero's name may be 60 seconds old.
private struct AgedClient {
  let client: ApolloClient
  let server: FakeServer
  private let time = Locked(1_000_000.0)
  /// The timer has looked at the clock, and nothing was due.
  private let looks = Event()

  init(maxAge: TimeInterval = 60, _ answer: @escaping FakeServer.Answer = { _, count in hero("\(count)") }) {
    (client, server) = FakeServer.client(answer)
    client.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Droid.name": maxAge])
    client.store.engine.expiryTimer.clock = SleepFunction { [looks] _ in
      looks.happen()
      try await untilCancelled()
    }
    wait(0)
  }

  /// Waits for less than the time after which the watcher's data is too old.
  func waitInVain(_ seconds: Double) async throws {
    let count = looks.value
    wait(seconds)
    try await looks.wait(for: count + 1)
  }

  func wait(_ seconds: Double) {
    let now = time.withLock { time in
      time += seconds
      return Date(timeIntervalSince1970: time)
    }
    client.store.clock = { now }
  }
}

private struct Offline: Error {}

@Suite("Reading by age", .everyStyle)
struct AgeTests {
  @Test("cacheFirst asks the server when the data is too old")
  func cacheFirst() async throws {
    let aged = AgedClient()
    _ = try await aged.client.fetch(query: HeroQuery())
    aged.wait(59)
    let fresh = try await aged.client.fetch(query: HeroQuery())
    #expect(fresh.source == .cache && !fresh.cacheInfo.isStale)
    #expect(fresh.cacheInfo.earliestExpiry == Date(timeIntervalSince1970: 1_000_060))
    aged.wait(1)
    let refreshed = try await aged.client.fetch(query: HeroQuery())
    #expect(refreshed.source == .server && refreshed.data?.hero?.name == "2")
    #expect(try await aged.client.fetch(query: HeroQuery()).source == .cache)
    #expect(aged.server.count == 2)
  }

  @Test("cacheOnly has no result when the data is too old, unless the configuration allows it")
  func cacheOnly() async throws {
    let aged = AgedClient()
    _ = try await aged.client.fetch(query: HeroQuery())
    aged.wait(100)
    #expect(try await aged.client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) == nil)
    let error = await #expect(throws: OperationError.self) {
      try await aged.client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    }
    #expect(error?.code == .cacheMiss)
    #expect(error?.description.contains("it is 100 s old, and it may be 60 s old") == true, "\(error as Any)")
    for configuration in [RequestConfiguration(ttlEnforcement: .permissive), RequestConfiguration(maxStale: 41)] {
      let result = try await aged.client.fetch(
        query: HeroQuery(), cachePolicy: .cacheOnly, requestConfiguration: configuration)
      #expect(result?.cacheInfo.staleFields == ["Droid:2001.name"])
      #expect(result?.cacheInfo.isStale == true)
    }
    #expect(
      try await aged.client.fetch(
        query: HeroQuery(), cachePolicy: .cacheOnly, requestConfiguration: RequestConfiguration(maxStale: 40)) == nil)
    #expect(aged.server.count == 1)
  }

  @Test(
    "revalidateCache: fresh data alone, stale data and then the server's, or the server's alone",
    arguments: [
      (0, RequestConfiguration(), ["cache 1"]), (100, RequestConfiguration(), ["cache 1 stale", "server 2"]),
      (100, RequestConfiguration(maxStale: 41), ["cache 1 stale", "server 2"]),
      (100, RequestConfiguration(maxStale: 40), ["server 2"]),
      (100, RequestConfiguration(ttlEnforcement: .permissive), ["cache 1 stale"]),
      (nil, RequestConfiguration(), ["server 1"]),
      (nil, RequestConfiguration(ttlEnforcement: .permissive), ["server 1"]),
    ] as [(Double?, RequestConfiguration, [String])])
  func revalidate(age: Double?, configuration: RequestConfiguration, expected: [String]) async throws {
    let aged = AgedClient()
    if let age {
      _ = try await aged.client.fetch(query: HeroQuery())
      aged.wait(age)
    }
    var results: [String] = []
    for try await result in try aged.client.fetch(
      query: HeroQuery(), cachePolicy: .revalidateCache, requestConfiguration: configuration)
    {
      let stale = result.cacheInfo.isStale ? " stale" : ""
      results.append("\(result.source) \(result.data?.hero?.name ?? "")\(stale)")
    }
    #expect(results == expected)
  }

  @Test("Data of any age stands in for a server that does not answer; strictness can be asked for")
  func standIn() async throws {
    let aged = AgedClient { _, count in
      if count > 1 { throw Offline() }
      return hero()
    }
    _ = try await aged.client.fetch(query: HeroQuery())
    aged.wait(100)
    let result = try await aged.client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    #expect(result.source == .cache && result.cacheInfo.isStale && result.cacheInfo.fetchError is Offline)
    await #expect(throws: OperationError.self) {
      try await aged.client.fetch(
        query: HeroQuery(), cachePolicy: .networkFirst,
        requestConfiguration: RequestConfiguration(ttlEnforcement: .strict))
    }
  }

  @Test("A limit that is not a number of seconds fails the operation", arguments: [-1, .nan])
  func badLimit(limit: Double) async throws {
    let aged = AgedClient()
    let error = await #expect(throws: OperationError.self) {
      try await aged.client.fetch(query: HeroQuery(), requestConfiguration: RequestConfiguration(maxStale: limit))
    }
    #expect(error?.code == .invalidRequest)
    #expect(aged.server.count == 0)
  }

  // MARK: Watching

  @Test("A watcher reads data of any age after a change, and says that it is stale")
  func change() async throws {
    let aged = AgedClient()
    let results = Received<(String?, Bool)>()
    let watcher = aged.client.watch(query: HeroQuery()) {
      let result = try? $0.get()
      results.add((result?.data?.hero?.name, result?.cacheInfo.isStale ?? false))
    }
    #expect(try #require(await results.next()) == ("1", false))
    aged.wait(100)
    try await aged.client.store.withinReadWriteTransaction {
      try $0.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.height = 2 }
    }
    #expect(try #require(await results.next()) == ("1", true))
    #expect(await results.isQuiet(after: aged.client))
    #expect(aged.server.count == 1)
    watcher.cancel()
  }

  @Test("A watcher that refreshes asks the server once for each expiry, and again after the next")
  func refresh() async throws {
    let aged = AgedClient()
    let names = Received<String?>()
    let watcher = aged.client.watch(query: HeroQuery(), automaticallyRefreshOnExpiry: true) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "1")
    try await aged.waitInVain(59)
    #expect(await names.isQuiet(after: aged.client))
    aged.wait(1)
    #expect(await names.next() == "2")
    #expect(await names.isQuiet(after: aged.client))
    aged.wait(60)
    #expect(await names.next() == "3")
    watcher.cancel()
    aged.wait(60)
    #expect(await names.isQuiet(after: aged.client))
    #expect(aged.server.count == 3)
  }

  @Test("A response that confirms the data moves the expiry, although the watcher is not told of it")
  func confirmed() async throws {
    let aged = AgedClient { _, count in hero(count < 3 ? "same" : "new") }
    let names = Received<String?>()
    let watcher = aged.client.watch(query: HeroQuery(), automaticallyRefreshOnExpiry: true) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "same")
    aged.wait(30)
    _ = try await aged.client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    try await aged.waitInVain(40)
    #expect(await names.isQuiet(after: aged.client))
    #expect(aged.server.count == 2)
    aged.wait(20)
    #expect(await names.next() == "new")
    watcher.cancel()
  }

  @Test("A server that does not answer is not asked again and again")
  func failing() async throws {
    let aged = AgedClient { _, count in
      if count > 1 { throw Offline() }
      return hero()
    }
    let results = Received<Bool>()
    let watcher = aged.client.watch(query: HeroQuery(), automaticallyRefreshOnExpiry: true) {
      results.add((try? $0.get()) != nil)
    }
    #expect(await results.next() == true)
    aged.wait(60)
    #expect(await results.next() == false)
    aged.wait(600)
    #expect(await results.isQuiet(after: aged.client))
    #expect(aged.server.count == 2)
    watcher.cancel()
  }

  @Test("A field that may have no age is never refreshed by time")
  func noAge() async throws {
    let aged = AgedClient(maxAge: 0)
    let names = Received<String?>()
    let watcher = aged.client.watch(query: HeroQuery(), automaticallyRefreshOnExpiry: true) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "1")
    aged.wait(1000)
    #expect(await names.isQuiet(after: aged.client))
    #expect(aged.server.count == 1)
    #expect(try await aged.client.fetch(query: HeroQuery()).source == .server)
    watcher.cancel()
  }
}
