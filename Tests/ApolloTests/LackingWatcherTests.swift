@testable import ApolloCache
import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("What the cache lacks is asked for, though no change says so", .everyStyle, .timeLimit(.minutes(5)))
struct LackingWatcherTests {
  typealias Way = HeldServer.Way
  private static let ways: [Way] = [.chain, .responseTransport]

  private let noHero = #"{"data":{"hero":null}}"#

  private func watch(
    _ server: HeldServer, _ names: Received<String>, _ cachePolicy: CachePolicy = .returnCacheDataElseFetch,
    _ refetchPolicy: ApolloClient.WatchRefetchPolicy = .onMiss
  ) -> GraphQLQueryWatcher<HeroQuery> {
    server.client.watch(
      query: HeroQuery(), cachePolicy: cachePolicy, refetchPolicy: refetchPolicy, callbackQueue: .callbacks
    ) { result in
      names.add((try? result.get().data).map { $0.hero?.name ?? "noHero" } ?? "failed")
    }
  }

  private func remove(_ client: ApolloClient) async throws {
    try await client.store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001") }
  }

  // MARK: What a guess hides

  @Test("What a guess has removed is asked for when the result has removed it as well", arguments: ways, [true, false])
  func confirmedRemoval(way: Way, isGuessed: Bool) async throws {
    let server = HeldServer(way), names = Received<String>(), watcher = watch(server, names)
    try await server.answer("Hero", hero())
    #expect(await names.next() == "R2-D2")
    let running = OptimisticMutationTests.perform(
      .waiting, server.client, data: nil,
      guess: { transaction, _ in if isGuessed { try transaction.removeObject(for: "Droid:2001") } },
      update: { transaction, _ in try transaction.removeObject(for: "Droid:2001") })
    let request = try await server.request("Rename")
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    request.resume(returning: hero("gone", field: "rename"))
    _ = try await running.task.value.get()
    try await server.answer("Hero", noHero)
    #expect(await names.next() == "noHero")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test("It is asked for when the cache loses it below the guess, and shown when the guess is over")
  func lossBelowGuess() async throws {
    let server = HeldServer(.responseTransport), names = Received<String>(), watcher = watch(server, names)
    let store = server.client.store
    try await server.answer("Hero", hero())
    #expect(await names.next() == "R2-D2")
    try await store.applyOptimisticUpdate(id: "gone") { try $0.removeObject(for: "Droid:2001") }
    // Nothing is seen of these, and nothing is lacking below the guess.
    try await store.publish(records: ["Droid:2001": ["name": "Artoo"]])
    try await store.publish(records: ["Droid:2001": ["height": 1.0]])
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    try await remove(server.client)
    try await server.answer("Hero", hero("new"))
    #expect(await names.isQuiet(after: server.client))
    try await store.revertOptimisticUpdate(id: "gone")
    #expect(await names.next() == "new")
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    watcher.cancel()
  }

  @Test("Who lacks nothing is told nothing of a write that changes nothing of what is seen")
  func nothingSeen() async throws {
    let server = HeldServer(.responseTransport), store = server.client.store
    let names = Received<String>(), watcher = watch(server, names), heroes = Received<Hero?>(), changes = Locked(0)
    try await server.answer("Hero", hero())
    #expect(await names.next() == "R2-D2")
    let fragments = server.client.watchFragment(Hero.self, withKey: "Droid:9", callbackQueue: .callbacks) {
      heroes.add($0)
    }
    #expect(await heroes.next() == .some(nil))
    try await store.publish(records: ["Droid:9": ["__typename": "Droid", "id": "9", "name": "nine", "height": 1.0]])
    #expect(await heroes.next()??.name == "nine")
    try await store.applyOptimisticUpdate(id: "gone") { try $0.removeObject(for: "Droid:9") }
    #expect(await heroes.next() == .some(nil))
    await store.waitUntilTold()
    let end = store.onChange { _ in changes.withLock { $0 += 1 } }
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:9") }
    try await store.revertOptimisticUpdate(id: "gone")
    #expect(await names.isQuiet(after: server.client))
    #expect(heroes.count == 0)
    #expect(changes.withLock { $0 } == 0)
    end()
    fragments.cancel()
    watcher.cancel()
  }

  // MARK: What the first answer has left out

  @Test(
    "A part of the first answer that a later operation has removed is asked for",
    arguments: ways, [ApolloClient.WatchRefetchPolicy.onMiss, .never])
  func leftOut(way: Way, refetchPolicy: ApolloClient.WatchRefetchPolicy) async throws {
    let server = HeldServer(way), names = Received<String>()
    let watcher = watch(server, names, .returnCacheDataElseFetch, refetchPolicy)
    let request = try await server.request("Hero")
    let running = OptimisticMutationTests.perform(
      .waiting, server.client, data: nil, update: { transaction, _ in try transaction.removeObject(for: "Droid:2001") })
    try await server.answer("Rename", hero("gone", field: "rename"))
    _ = try await running.task.value.get()
    request.resume(returning: hero("old"))
    #expect(await names.next() == "old")
    if refetchPolicy == .onMiss {
      try await server.answer("Hero", noHero)
      #expect(await names.next() == "noHero")
    }
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    watcher.cancel()
  }

  // MARK: What was cleared

  @Test("An answer that was asked for before the cache was cleared says that it is not stored", arguments: Way.allCases)
  func clearedAnswer(way: Way) async throws {
    for clears in [false, true] {
      let server = HeldServer(way), client = server.client
      let task = Task {
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).isStored
      }
      let request = try await server.request("Hero")
      if clears { try await client.store.clearCache() }
      request.resume(returning: hero())
      #expect(try await task.value == (!clears && way != .foreign))
    }
  }

  @Test("A watcher shows the answer to what it asked for before the cache was cleared, and asks again", arguments: ways)
  func cleared(way: Way) async throws {
    let server = HeldServer(way), names = Received<String>(), watcher = watch(server, names)
    let request = try await server.request("Hero")
    try await server.client.store.clearCache()
    request.resume(returning: hero("old"))
    #expect(await names.next() == "old")
    try await server.answer("Hero", hero("new"))
    #expect(await names.next() == "new")
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    #expect(try await server.client.store.load(HeroQuery()).hero?.name == "new")
    watcher.cancel()
  }

  @Test("It shows what the cache has instead, if that has come since, and asks for nothing", arguments: ways)
  func clearedAndFilled(way: Way) async throws {
    let server = HeldServer(way), names = Received<String>(), watcher = watch(server, names)
    let request = try await server.request("Hero")
    try await server.client.store.clearCache()
    try await server.client.store.write(response: ResponseBytes(Array(hero("new").utf8)), for: HeroQuery())
    request.resume(returning: hero("old"))
    #expect(await names.next() == "new")
    #expect(await names.isQuiet(after: server.client))
    try await server.client.store.publish(records: ["Droid:2001": ["name": "newer"]])
    #expect(await names.next() == "newer")
    #expect(server.waitingCount == 0)
    watcher.cancel()
  }

  @Test("What the app keeps out of the cache is not asked for again", arguments: ways)
  func clearedApart(way: Way) async throws {
    let server = HeldServer(way), names = Received<String>()
    let watcher = watch(server, names, .fetchIgnoringCacheCompletely)
    let request = try await server.request("Hero")
    try await server.client.store.clearCache()
    request.resume(returning: hero("old"))
    #expect(await names.next() == "old")
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    watcher.cancel()
  }
}
