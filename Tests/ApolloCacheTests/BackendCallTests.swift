@testable import ApolloAPI
@testable import ApolloCache
import ApolloTestSupport
import Foundation
import Testing
import Waiting

/// Blocks its thread in each call until it is told to go on, and counts who is inside. (It is a thread of the store's
/// queue for backends. That it is none of the tasks' threads is what is tested.)
private final class BlockingCache: NormalizedCache, @unchecked Sendable {
  // (What the condition guards is touched while it is locked only.)
  private let condition = NSCondition()
  private var isOpen: Bool
  private var inside = (reads: 0, writes: 0)
  private var most = (reads: 0, writes: 0, together: 0)
  let calls = Event()
  private var records = RecordSet()

  init(isOpen: Bool = false) { self.isOpen = isOpen }

  var mostInside: (reads: Int, writes: Int, together: Int) { condition.withLock { most } }

  func set(open: Bool) {
    condition.withLock {
      isOpen = open
      condition.broadcast()
    }
  }

  private func call<T>(_ kind: WritableKeyPath<(reads: Int, writes: Int), Int>, _ body: () -> T) -> T {
    condition.lock()
    defer { condition.unlock() }
    calls.happen()
    inside[keyPath: kind] += 1
    most = (
      max(most.reads, inside.reads), max(most.writes, inside.writes),
      max(most.together, inside.reads + inside.writes)
    )
    while !isOpen { condition.wait() }
    inside[keyPath: kind] -= 1
    return body()
  }

  func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    call(\.reads) { records.storage.filter { keys.contains($0.key) } }
  }
  func merge(records new: RecordSet) -> Set<CacheKey> { call(\.writes) { records.merge(records: new) } }
  func removeRecord(for key: CacheKey) { call(\.writes) { records.removeRecord(for: key) } }
  func removeRecords(matching pattern: CacheKey) { call(\.writes) { records.removeRecords(matching: pattern) } }
  func clear() { call(\.writes) { records.clear() } }
}

/// A backend whose functions suspend.
private actor SuspendingCache: NormalizedCache {
  private var records = RecordSet()

  func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] {
    await Task.yield()
    return records.storage.filter { keys.contains($0.key) }
  }
  func merge(records new: RecordSet) async throws -> Set<CacheKey> {
    await Task.yield()
    return records.merge(records: new)
  }
  func removeRecord(for key: CacheKey) async throws { records.removeRecord(for: key) }
  func removeRecords(matching pattern: CacheKey) async throws { records.removeRecords(matching: pattern) }
  func clear() async throws { records.clear() }
}

/// Does not load one of its records for a task that was cancelled.
private actor HeedingCache: NormalizedCache {
  private var records = RecordSet(records: [Record(key: "A:1", ["x": 1]), Record(key: "A:2", ["x": 5])])

  func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] {
    if keys.contains("A:2") { try Task.checkCancellation() }
    return records.storage.filter { keys.contains($0.key) }
  }
  func merge(records new: RecordSet) async throws -> Set<CacheKey> { records.merge(records: new) }
  func removeRecord(for key: CacheKey) async throws { records.removeRecord(for: key) }
  func removeRecords(matching pattern: CacheKey) async throws { records.removeRecords(matching: pattern) }
  func clear() async throws { records.clear() }
}

@Suite("Calls of a backend", .timeLimit(.minutes(10)))
struct BackendCallTests {
  @Test("A backend that blocks holds no thread of the tasks, and never has two calls inside")
  func blocking() async throws {
    let backend = BlockingCache()
    let stores = (0..<2).map { _ in ApolloStore(cache: backend) }
    let store = stores[0]
    let finished = Locked(0)
    let waiting = Task {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask {
            let query = HeroQuery(episode: .some("\(number)"))
            if number % 2 == 0 {
              _ = try? await store.load(query)
            } else {
              _ = try? await store.write(response: bytes(r2d2), for: query)
            }
            finished.withLock { $0 += 1 }
          }
        }
      }
    }
    try await backend.calls.wait()
    // If the pool's threads were all inside of the backend, these would never end.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await Task.yield() } }
    }
    #expect(finished.withLock { $0 } == 0)
    backend.set(open: true)
    await waiting.value
    #expect(finished.withLock { $0 } == 64)
    let most = backend.mostInside
    #expect(most.reads == 1 && most.writes == 1 && most.together == 1, "\(most)")
    #expect(try await store.load(HeroQuery(episode: "63")).hero?.name == "R2-D2")
  }

  @Test("Two stores that both block leave the pool's two threads to others, transactions that wait too")
  func twoStores() async throws {
    let backends = (0..<2).map { _ in BlockingCache() }
    let stores = backends.map { ApolloStore(cache: $0) }
    let reads = stores.map { store in
      Task { try? await store.withinReadTransaction { try $0.read(query: HeroQuery()) } }
    }
    let writes = stores.map { store in Task { try? await store.publish(records: ["A:1": ["x": 1]]) } }
    for backend in backends { try await backend.calls.wait() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await Task.yield() } }
    }
    for backend in backends { backend.set(open: true) }
    for read in reads { #expect(await read.value == nil) }
    for write in writes { #expect(await write.value != nil) }
  }

  @Test("An actor with functions that suspend is a backend", arguments: NormalizedCacheConformance.allChecks)
  func actor(check: NormalizedCacheConformance) async throws { try await check.run { SuspendingCache() } }

  @Test("A read never sees half of a write, while the backend has other records than the memory")
  func halves() async throws {
    let backend = SuspendingCache()
    func json(_ value: Int) -> String {
      let friend = #"{"__typename":"Human","id":"f","name":"\#(value)"}"#
      return #"{"hero":{"__typename":"Droid","id":"h","name":"\#(value)","friends":[\#(friend)],"size":null}}"#
    }
    try await ApolloStore(cache: backend).write(response: bytes(json(0)), for: HeroQuery())
    for round in 1...100 {
      // Nothing is in its memory.
      let store = ApolloStore(cache: backend)
      async let write = store.write(response: bytes(json(round)), for: HeroQuery())
      async let reading = store.load(HeroQuery())
      let hero = try await reading.hero
      #expect(hero?.name == hero?.friends?.first??.name)
      _ = try await write
      #expect(try await store.load(HeroQuery()).hero?.name == "\(round)")
    }
  }

  @Test("A write of a task that was cancelled leaves out no guess of others which runs again above it")
  func cancelledBelowGuess() async throws {
    let store = ApolloStore(cache: HeedingCache()), key = Locked<CacheKey>("A:1"), failures = Locked<[String]>([])
    store.onOptimisticFailure = { id, _ in failures.withLock { $0.append(id) } }
    try await store.applyOptimisticUpdate(id: "a") { transaction in
      try Guess(transaction: transaction).add(1, to: "x", of: key.withLock { $0 })
    }
    // It needs another record when it runs again.
    key.withLock { $0 = "A:2" }
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try? await store.publish(records: ["B:1": ["y": 1]])
    }.value
    #expect(failures.withLock { $0 }.isEmpty)
    let seen = try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: ["A:2"]) }
    #expect(seen["A:2"]?.fields["x"].map { "\($0)" } == "6")
  }

  @Test("What was removed while a read waited for it does not come back")
  func removed() async throws {
    let backend = BlockingCache(isOpen: true)
    try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    for _ in 0..<20 {
      let store = ApolloStore(cache: backend)
      backend.set(open: false)
      let read = Task { try? await store.load(HeroQuery()) }
      let clear = Task { try await store.clearCache() }
      await Task.yield()
      backend.set(open: true)
      _ = await read.value
      try await clear.value
      await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
      try await store.write(response: bytes(r2d2), for: HeroQuery())
    }
  }

  @Test(
    "A date of a backend that is not a number, or out of bounds, is taken",
    arguments: [Double.nan, .infinity, -1e300, 1e300])
  func dates(seconds: Double) async throws {
    let backend = BlockingCache(isOpen: true)
    let date = Date(timeIntervalSince1970: seconds)
    _ = backend.merge(
      records: RecordSet(records: [Record(key: "QUERY_ROOT", ["hero": .null], receivedAt: date)]))
    let store = ApolloStore(cache: backend)
    #expect(try await store.load(HeroQuery()).hero == nil)
    _ = await store.read(HeroQuery()).date
    try await store.publish(records: RecordSet(records: [Record(key: "A:1", ["x": 1], receivedAt: date)]))
  }
}
