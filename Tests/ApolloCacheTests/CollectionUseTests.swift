@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing
import Waiting

@Suite("Collecting while the cache is in use")
struct CollectionUseTests {
  private static func old(_ place: Collected.Place) async throws -> Collected {
    let collected = try await Collected(place, [:])
    try await collected.store.write(response: bytes(r2d2), for: HeroQuery())
    try await collected.store.write(response: bytes(r2d2.replacing("2001", with: "7")), for: HeroQuery(episode: "JEDI"))
    collected.store.defaultMaxAge = 60
    collected.wait(100)
    return collected
  }

  // MARK: What stays

  @Test(
    "What is watched stays, however old it is; other fields of the same records do not", arguments: CollectionTests.all)
  func watched(_ place: Collected.Place) async throws {
    let collected = try await Self.old(place), store = collected.store
    let observer = await watch(Character.Friend.self, "Droid:2001", in: store)
    let garbage = try await store.collectGarbage()
    #expect(Set(garbage.removedRecords).isSuperset(of: ["Human:1000", "Droid:7"]))
    #expect(collected.records["Droid:2001"] == ["__typename": "Droid", "id": "2001", "name": "R2-D2"])
    store.removeObserver(observer)
    try await store.collectGarbage()
    #expect(collected.records.keys.allSatisfy { $0 == "QUERY_ROOT" })
  }

  @Test("What a retained operation reads stays, however old it is", arguments: CollectionTests.all)
  func retained(_ place: Collected.Place) async throws {
    let collected = try await Self.old(place), store = collected.store
    store.releaseBufferSize = 0
    let retention = store.retain(HeroQuery())
    let garbage = try await store.collectGarbage()
    #expect(garbage.removedRecords == ["Droid:7"])
    #expect(try await store.load(HeroQuery(), ttlEnforcement: .permissive).hero?.friends?.count == 3)
    retention.release()
    #expect(try await Set(store.collectGarbage().removedRecords) == ["Droid:2001", "Human:1000"])
  }

  @Test("A retained operation keeps what is behind a missing value, too", arguments: CollectionTests.all)
  func retainedBehindMiss(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, [:]), store = collected.store
    let three = r2d2.replacing(
      "null", with: #"{"__typename":"Human","id":"1001","name":"Han"},{"__typename":"Human","id":"1002","name":"Leia"}"#
    )
    try await store.write(response: bytes(three), for: HeroQuery())
    try await store.withinReadWriteTransaction { try $0.removeField("name", of: "Human:1001") }
    store.defaultMaxAge = 60
    collected.wait(100)
    let retention = store.retain(HeroQuery())
    let garbage = try await store.collectGarbage()
    #expect(garbage.removedRecords.isEmpty)
    #expect(collected.records["Human:1002"]?["name"] == "Leia")
    #expect(collected.records["Droid:2001"]?["size"] != nil, "it is behind the list")
    withExtendedLifetime(retention) {}
  }

  @Test("A retention sees what its operation reads at the time of the collection")
  func retainedLater() async throws {
    let store = ApolloStore(), retention = store.retain(HeroQuery())
    store.clock = { Collected.start }
    store.defaultMaxAge = 60
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    store.clock = { Collected.start.addingTimeInterval(100) }
    #expect(try await store.collectGarbage().isEmpty)
    withExtendedLifetime(retention) {}
  }

  @Test("The operations that were released last stay for a while, each once")
  func releaseBuffer() async throws {
    let store = ApolloStore()
    #expect(store.releaseBufferSize == 10)
    store.releaseBufferSize = 2
    store.clock = { Collected.start }
    store.defaultMaxAge = 60
    func isThere(_ episode: String) async -> Bool {
      (try? await store.load(HeroQuery(episode: .some(episode)), ttlEnforcement: .permissive)) != nil
    }
    for episode in ["a", "b", "c"] {
      let json = r2d2.replacing("2001", with: episode).replacing("1000", with: episode)
      try await store.write(response: bytes(json), for: HeroQuery(episode: .some(episode)))
    }
    store.clock = { Collected.start.addingTimeInterval(100) }
    for episode in ["a", "b"] { store.retain(HeroQuery(episode: .some(episode))).release() }
    // It is released, because nothing holds it.
    for _ in 0..<3 { _ = store.retain(HeroQuery(episode: "b")) }
    try await store.collectGarbage()
    #expect(await [isThere("a"), isThere("b"), isThere("c")] == [true, true, false])
    _ = store.retain(HeroQuery(episode: "d"))
    try await store.collectGarbage()
    #expect(await [isThere("a"), isThere("b")] == [false, true])
    store.releaseBufferSize = 0
    try await store.collectGarbage()
    #expect(store.keys.isEmpty || store.keys == ["QUERY_ROOT"])
  }

  // MARK: Errors

  @Test("A collection whose backend fails says so, and loses nothing; the next one does it")
  func failure() async throws {
    let collected = try await Self.old(.backend), store = collected.store, before = collected.records
    collected.backend?.fail()
    await #expect(throws: TextCache.Failure.self) { try await store.collectGarbage() }
    collected.backend?.fail(false)
    #expect(collected.records == before)
    #expect(try await store.load(HeroQuery(), ttlEnforcement: .permissive).hero?.name == "R2-D2")
    #expect(try await store.collectGarbage().removedRecords.count == 3)
  }

  @Test("In the body of a transaction it is an error, and a cancelled task ends it")
  func notPossible() async throws {
    let store = ApolloStore()
    try await store.withinReadWriteTransaction { _ in
      let error = await #expect(throws: ApolloStore.Error.self) { try await store.collectGarbage() }
      #expect(
        error
          == .isWithinTransaction(call: "collectGarbage(maxStale:)", transaction: "withinReadWriteTransaction"))
      await Task.yield()
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.removeUnreachable()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: Schedule

  @Test("A schedule collects until it is cancelled, or until the store is released")
  func schedule() async throws {
    var store: ApolloStore? = ApolloStore()
    let results = AsyncStream<Int>.makeStream()
    try await store?.publish(records: ["A:1": ["x": 1]])
    let schedule = store?.collects(every: 0.1) { result in
      results.continuation.yield((try? result.get().removedRecords.count) ?? -1)
    }
    var found: [Int] = []
    for await result in results.stream {
      found.append(result)
      if found.count == 2 { break }
    }
    #expect(found == [1, 0])
    schedule?.cancel()
    weak let released = store
    store?.collects(every: 0.1)
    store = nil
    try await eventually("the store is gone") { released == nil }
  }

  // MARK: Cascade

  @Test("Removal with all that an object refers to, in circles and to itself", arguments: CollectionTests.all)
  func cascade(_ place: Collected.Place) async throws {
    let records: [CacheKey: Record.Fields] = [
      "QUERY_ROOT": ["a": .reference("A:1"), "c": .reference("A:3")],
      "A:1": ["self": .reference("A:1"), "list": [.reference("A:2"), nil], "root": .reference("QUERY_ROOT")],
      "A:2": ["back": .reference("A:1"), "in": ["it": .reference("A:3")], "gone": .reference("A:0")],
      "A:3": ["x": 1], "A:4": ["to": .reference("A:1")],
    ]
    let collected = try await Collected(place, .received(records))
    try await collected.store.withinReadWriteTransaction { try $0.removeObject(for: "A:1", cascade: true) }
    #expect(Set(collected.records.keys) == ["QUERY_ROOT", "A:4"])
    let other = try await Collected(place, .received(records))
    try await other.store.withinReadWriteTransaction { transaction in
      try await transaction.removeObject(for: "A:2.in", cascade: true)
    }
    #expect(Set(other.records.keys) == ["QUERY_ROOT", "A:1", "A:2", "A:4"])
    #expect(other.records["A:2"]?["in"] == nil)
    try await other.store.withinReadWriteTransaction { try $0.removeObject(for: "A:1") }
    #expect(Set(other.records.keys) == ["QUERY_ROOT", "A:2", "A:4"])
  }

  @Test("Removal by the store alone, with and without what an object refers to", arguments: CollectionTests.all)
  func storeRemoval(_ place: Collected.Place) async throws {
    let records: [CacheKey: Record.Fields] = [
      "QUERY_ROOT": ["a": .reference("A:1")], "A:1": ["next": .reference("A:2"), "in": ["x": 1, "y": 2]],
      "A:2": ["next": .reference("A:3"), "root": .reference("QUERY_ROOT")], "A:3": ["x": 1],
    ]
    let collected = try await Collected(place, .received(records)), store = collected.store
    try await store.remove("A:0", cascade: true)
    #expect(collected.records == records)
    try await store.remove("A:1.in")
    #expect(collected.records["A:1"] == ["next": .reference("A:2")])
    try await store.remove("A:1")
    #expect(Set(collected.records.keys) == ["QUERY_ROOT", "A:2", "A:3"])
    try await store.remove("A:2", cascade: true)
    #expect(Set(collected.records.keys) == ["QUERY_ROOT"])
    try await store.withinReadWriteTransaction { _ in
      let error = await #expect(throws: ApolloStore.Error.self) { try await store.remove("A:1") }
      #expect(error == .isWithinTransaction(call: "remove(_:cascade:)", transaction: "withinReadWriteTransaction"))
      await Task.yield()
    }
  }

  @Test("A removal that a backend does not take changes nothing")
  func failedRemoval() async throws {
    let collected = try await Collected(.backend, .received(["QUERY_ROOT": ["a": .reference("A:1")], "A:1": ["x": 1]]))
    collected.backend?.fail()
    await #expect(throws: TextCache.Failure.self) { try await collected.store.remove("A:1", cascade: true) }
    collected.backend?.fail(false)
    #expect(collected.records["A:1"] == ["x": 1] && collected.store.keys.contains("A:1"))
  }
}

@Suite("Limits of memory")
struct MemoryLimitTests {
  private func json(_ id: Int) -> ResponseBytes {
    bytes(r2d2.replacing("2001", with: "\(id)").replacing("R2-D2", with: String(repeating: "x", count: 1000)))
  }

  @Test("In front of a backend, memory stays within its limit, and nothing is lost")
  func backend() async throws {
    let backend = TextCache(), store = ApolloStore(cache: backend, memoryLimit: 200_000)
    let observer = store.addObserver(ignoring: UUID()) { _ in }
    for id in 0..<400 {
      try await store.write(response: json(id), for: HeroQuery(episode: .some("\(id)")))
      if id == 0 {
        await withCheckedContinuation { done in
          store.observe(HeroQuery(episode: "0"), for: observer) { _ in done.resume() }
        }
      }
      #expect(store.statistics.byteCount <= 200_000)
    }
    #expect(store.keys.contains("Droid:0"), "it is watched")
    #expect(!store.keys.contains("Droid:1") && store.statistics.evictions > 100)
    for id in 0..<400 {
      #expect(try await store.load(HeroQuery(episode: .some("\(id)"))).hero?.id == "\(id)")
      #expect(store.statistics.byteCount <= 220_000, "reads keep it as well")
    }
    #expect(backend.keys.count == 402)
    store.removeObserver(observer)
  }

  @Test("What the backend does not have stays in memory: what it failed to write, and what must not be stored")
  func unwritten() async throws {
    let backend = TextCache(), store = ApolloStore(cache: backend, memoryLimit: 50_000)
    backend.fail()
    for id in 0..<100 { try await store.write(response: json(id), for: HeroQuery(episode: .some("\(id)"))) }
    for id in 0..<100 { #expect(try await store.load(HeroQuery(episode: .some("\(id)"))).hero?.id == "\(id)") }
    backend.fail(false)
    try await store.write(response: json(100), for: HeroQuery(episode: "100"))
    #expect(backend.keys.count == 103, "they are written with the next write")
    #expect(store.statistics.byteCount <= 60_000)
    let other = ApolloStore(cache: TextCache(), memoryLimit: 50_000)
    for id in 0..<100 {
      let contents = try ResponseReader.read(
        HeroQuery.Data.self, from: json(id), variables: HeroQuery(episode: .some("\(id)")).variables,
        rootKey: "QUERY_ROOT", identity: other.identity)
      await other.publish(try #require(contents.records), lifetime: .inMemory)
    }
    #expect(other.keys.count == 102)
  }

  @Test("Records that are not used for so many seconds go with a later write; roots and what is watched stay")
  func unused() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(expiresAfter: 100)), clock = Locked(1_000_000.0)
    store.clock = { Date(timeIntervalSince1970: clock.withLock { $0 }) }
    for id in 0..<4 {
      try await store.write(response: json(id), for: HeroQuery(episode: .some("\(id)")))
    }
    let observer = await watch(Character.Friend.self, "Droid:3", in: store)
    clock.withLock { $0 += 90 }
    _ = try await store.load(HeroQuery(episode: "1"))
    try await store.write(response: json(9), for: HeroQuery(episode: "9"))
    #expect(store.keys.count == 7, "it is too early")
    clock.withLock { $0 += 20 }
    try await store.publish(records: ["A:1": ["x": 1]])
    #expect(store.keys == ["A:1", "Droid:1", "Droid:3", "Droid:9", "Human:1000", "QUERY_ROOT"])
    store.removeObserver(observer)
    clock.withLock { $0 += 300 }
    try await store.publish(records: ["A:2": ["x": 1]])
    #expect(store.keys == ["A:2", "QUERY_ROOT"])
  }

  @Test("In front of a backend, records that are not used go from memory, and are loaded when they are needed")
  func unusedInFrontOfBackend() async throws {
    let backend = TextCache(), clock = Locked(1_000_000.0)
    let store = ApolloStore(cache: backend, memoryExpiresAfter: 100)
    store.clock = { Date(timeIntervalSince1970: clock.withLock { $0 }) }
    for id in 0..<4 { try await store.write(response: json(id), for: HeroQuery(episode: .some("\(id)"))) }
    #expect(store.keys.count == 6)
    clock.withLock { $0 += 120 }
    // What is in memory only stays.
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: json(9), variables: HeroQuery(episode: "9").variables, rootKey: "QUERY_ROOT",
      identity: store.identity)
    await store.publish(try #require(contents.records), lifetime: .inMemory)
    #expect(store.keys == ["Droid:9", "Human:1000", "QUERY_ROOT"])
    for id in 0..<4 { #expect(try await store.load(HeroQuery(episode: .some("\(id)"))).hero?.id == "\(id)") }
    clock.withLock { $0 += 300 }
    try await store.publish(records: ["A:1": ["x": 1]])
    #expect(Set(store.keys).isSuperset(of: ["A:1", "Droid:9", "QUERY_ROOT"]))
    #expect(!store.keys.contains("Droid:1"))
  }
}
