@testable import ApolloCache
import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("When watchers are told", .everyStyle, .timeLimit(.minutes(5)))
struct WatcherOrderTests {
  @Test("A writer has its result before those who watch are told")
  func writerDoesNotWait() async throws {
    let (client, _) = FakeServer.client { _, count in hero("\(count)") }
    let store = client.store
    let gate = AsyncStream<Void>.makeStream(), told = Received<Bool>()
    try await client.store.write(response: ResponseBytes(Array(hero("0").restyled.utf8)), for: HeroQuery())
    let observer = store.addObserver(ignoring: UUID()) { _ in
      for await _ in gate.stream {}
      told.add(true)
    }
    await withCheckedContinuation { done in store.observe(HeroQuery(), for: observer) { _ in done.resume() } }
    for count in 1...3 {
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.data?.hero?.name == "\(count)")
      #expect(try await store.load(HeroQuery()).hero?.name == "\(count)")
    }
    #expect(told.count == 0)
    gate.continuation.finish()
    for _ in 1...3 { #expect(await told.next() == true) }
    store.removeObserver(observer)
  }

  @Test("Of many writers at once, each watcher is told every write, in the order of the writes")
  func manyWriters() async throws {
    let (client, _) = FakeServer.client { _, _ in hero("0") }
    let queue = DispatchQueue(label: "handlers")
    let logs = (0..<4).map { _ in Received<String?>() }
    let watchers = logs.map { log in
      client.watch(query: HeroQuery(), callbackQueue: queue) { log.add(try? $0.get().data?.hero?.name) }
    }
    for log in logs { #expect(await log.next() == "0") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try await client.store.withinReadWriteTransaction { transaction in
              try transaction.update(query: HeroQuery()) { data in
                let number = data.hero.flatMap { Int($0.name) } ?? -1
                data.hero?.name = "\(number + 1)"
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for log in logs {
      for count in 1...200 { #expect(await log.next() == "\(count)") }
      #expect(await log.isQuiet(after: client))
    }
    for watcher in watchers { watcher.cancel() }
  }

  @Test("A watcher over a backend is told of an object that only the backend has, once")
  func backend() async throws {
    let backend = FailingBackendTests.Backend()
    try await ApolloStore(cache: backend).write(
      response: ResponseBytes(Array(hero("Luke", id: "1000").restyled.utf8)), for: HeroQuery(episode: "EMPIRE"))
    let (client, server) = FakeServer.client(cache: backend) { _, _ in hero() }
    let received = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      received.add(try? $0.get().data?.hero?.name)
    }
    #expect(await received.next() == "R2-D2")
    try await client.store.publish(records: ["QUERY_ROOT": ["hero": .reference("Droid:1000")]])
    #expect(await received.next() == "Luke")
    #expect(await received.isQuiet(after: client))
    #expect(server.count == 1)
    watcher.cancel()
  }

  /// A backend that a test holds a write back from.
  private final class Holding: NormalizedCache {
    let held = Awaited<[CheckedContinuation<Void, Never>]>([])
    private let name: Record.Value
    private let inner = InMemoryNormalizedCache()

    /// - Parameter name: The name of the hero in the write that is held back.
    init(_ name: String) { self.name = .string(name) }

    func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] { inner.loadRecords(forKeys: keys) }
    func merge(records: RecordSet) async throws -> Set<CacheKey> {
      if records.storage["Droid:2001"]?["name"] == name {
        await withCheckedContinuation { next in held.change { $0.append(next) } }
      }
      return try inner.merge(records: records)
    }
    func removeRecord(for key: CacheKey) throws { try inner.removeRecord(for: key) }
    func removeRecords(matching pattern: CacheKey) throws { try inner.removeRecords(matching: pattern) }
    func clear() { inner.clear() }
  }

  @Test("A watcher is told of what a request has written that another one has taken the place of")
  func superseded() async throws {
    let backend = Holding("2"), server = HeldServer(.chain, cache: backend), client = server.client
    let received = Received<String>()
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, callbackQueue: .callbacks
    ) { received.add((try? $0.get().data?.hero?.name) ?? "failed") }
    try await server.answer("Hero", hero("1"))
    #expect(await received.next() == "1")
    watcher.refetch()
    try await server.answer("Hero", hero("2"))
    let write = try await backend.held.take { $0.isEmpty ? nil : $0.removeFirst() }
    watcher.refetch()
    try await server.fail("Hero")
    #expect(await received.next() == "failed")
    write.resume()
    #expect(await received.next() == "2")
    #expect(await received.isQuiet(after: client))
    watcher.cancel()
  }
}
