@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Watchers whose results are kept out of the cache", .everyStyle, .timeLimit(.minutes(5)))
struct UnstoredWatchTests {
  private static let unwritten = RequestConfiguration(writeResultsToCache: false)

  private static func watch(
    _ client: ApolloClient, _ policy: CachePolicy, _ configuration: RequestConfiguration?
  ) -> (names: Received<String?>, watcher: GraphQLQueryWatcher<HeroQuery>) {
    let names = Received<String?>()
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: policy, requestConfiguration: configuration, callbackQueue: .callbacks
    ) { names.add((try? $0.get())?.data?.hero?.name) }
    return (names, watcher)
  }

  private static func rename(_ client: ApolloClient, _ name: String) async throws {
    try await client.store.withinReadWriteTransaction { transaction in
      try await transaction.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = name }
    }
  }

  @Test("What the cache has does not replace what is shown, and what it lacks stays unasked", arguments: [true, false])
  func apart(ignoresCache: Bool) async throws {
    let (client, server) = FakeServer.client { _, count in hero("server \(count)") }
    try await client.store.write(response: ResponseBytes(Array(hero("cache").restyled.utf8)), for: HeroQuery())
    let (names, watcher) = Self.watch(
      client, ignoresCache ? .fetchIgnoringCacheCompletely : .fetchIgnoringCacheData,
      ignoresCache ? nil : Self.unwritten)
    #expect(await names.next() == "server 1")
    try await Self.rename(client, "changed")
    #expect(await names.isQuiet(after: client))
    try await client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:2001") }
    #expect(await names.isQuiet(after: client))
    #expect(server.count == 1)
    watcher.cancel()
  }

  @Test("From the next result on that is in the cache, changes of the cache are shown")
  func together() async throws {
    let (client, _) = FakeServer.client { _, count in hero("server \(count)") }
    let (names, watcher) = Self.watch(client, .fetchIgnoringCacheData, Self.unwritten)
    #expect(await names.next() == "server 1")
    watcher.refetch(requestConfiguration: RequestConfiguration())
    #expect(await names.next() == "server 2")
    try await Self.rename(client, "changed")
    #expect(await names.next() == "changed")
    watcher.cancel()
  }

  @Test("What a watcher sends by itself is sent as the app has asked last")
  func lastConfiguration() async throws {
    let (client, _) = FakeServer.client { _, count in hero("server \(count)") }
    let (names, watcher) = Self.watch(client, .fetchIgnoringCacheCompletely, nil)
    #expect(await names.next() == "server 1")
    watcher.refetch(requestConfiguration: Self.unwritten)
    #expect(await names.next() == "server 2")
    #expect(await client.refetch(matching: .watched) == 1)
    #expect(await names.next() == "server 3")
    watcher.askAgain()
    #expect(await names.next() == "server 4")
    await client.settle()
    watcher.proceed { $0.poll() }
    #expect(await names.next() == "server 5")
    #expect(client.store.keys.isEmpty)
    watcher.refetch()
    #expect(await names.next() == "server 6")
    #expect(await client.refetch(matching: .watched) == 1)
    #expect(await names.next() == "server 7")
    #expect(try await client.store.load(HeroQuery()).hero?.name == "server 7")
    watcher.cancel()
  }

  @Test("What an app asks a watcher for again is asked for again and again, if the configuration says so")
  func polling() async throws {
    let (client, _) = FakeServer.client { _, count in hero("server \(count)") }
    let names = Received<String?>()
    let watcher = GraphQLQueryWatcher(
      client: client, query: HeroQuery(), requestConfiguration: RequestConfiguration(pollInterval: 30),
      callbackQueue: .callbacks
    ) { names.add((try? $0.get())?.data?.hero?.name) }
    #expect(watcher.state.withLock { $0.polling == nil })
    watcher.askAgain()
    #expect(await names.next() == "server 1")
    #expect(watcher.state.withLock { $0.polling != nil })
    watcher.cancel()
  }

  @Test("A watcher is not told of what the one writes that may take its place, until it disowns that")
  func replacement() async throws {
    let (client, _) = FakeServer.client { _, count in hero("server \(count)") }
    let (names, watcher) = Self.watch(client, .fetchIgnoringCacheData, nil)
    #expect(await names.next() == "server 1")
    let later = Received<String?>()
    func replacement() -> GraphQLQueryWatcher<HeroQuery> {
      GraphQLQueryWatcher(client: client, query: HeroQuery(), queue: .callbacks, writingAs: watcher) {
        later.add((try? $0.get())?.data?.hero?.name)
      }
    }
    let first = replacement(), second = replacement()
    await first.start(CachePolicy.fetchIgnoringCacheData).value
    #expect(await later.next() == "server 2")
    #expect(await names.isQuiet(after: client))
    first.cancel()
    second.cancel()
    watcher.disownWrites()
    #expect(await names.next() == "server 2")
    try await Self.rename(client, "changed")
    #expect(await names.next() == "changed")
    watcher.refetch()
    #expect(await names.next() == "server 3")
    #expect(await names.isQuiet(after: client))
    watcher.cancel()
  }

  @Test("So they are from an answer on that is in the cache, and of which a guess hides a part")
  func hidden() async throws {
    let (client, _) = FakeServer.client { _, count in hero("server \(count)") }
    let (names, watcher) = Self.watch(client, .fetchIgnoringCacheData, Self.unwritten)
    #expect(await names.next() == "server 1")
    try await client.store.write(response: ResponseBytes(Array(hero("cache").restyled.utf8)), for: HeroQuery())
    try await client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Droid:2001") }
    watcher.refetch(requestConfiguration: RequestConfiguration())
    #expect(await names.isQuiet(after: client))
    try await client.store.revertOptimisticUpdate(id: "a")
    #expect(await names.next() == "server 2")
    watcher.cancel()
  }
}
