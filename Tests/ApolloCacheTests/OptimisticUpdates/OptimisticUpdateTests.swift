import ApolloConcurrency
import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

// By behaviour: Relay's `RelayPublishQueue-test` and `…ApplyUpdate`, Apollo Client's `optimistic.ts` and
// `cache/inmemory/__tests__/optimistic.ts`, and Apollo Kotlin's `OptimisticCacheTest`.

@Suite("Optimistic updates", .timeLimit(.minutes(5)))
struct OptimisticUpdateTests {
  private static let records = RecordSet.received(["A:1": ["x": .int(1), "y": .int(2)], "A:2": ["x": .int(5)]])
  private static let start = ["A:1.x = 1", "A:1.y = 2", "A:2.x = 5"]

  private func store(_ place: Collected.Place, _ records: RecordSet = Self.records) async throws -> GuessedStore {
    try await GuessedStore(place, records)
  }

  // MARK: What is seen

  @Test("A guess is seen until it is taken back, and is not kept", arguments: Collected.Place.allCases)
  func guess(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    #expect(try await store.seen == ["A:1.x = 10", "A:1.y = 2", "A:2.x = 5"])
    #expect(try await store.kept == Self.start)
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == Self.start)
    #expect(try await store.kept == Self.start)
  }

  @Test("Two guesses are taken back in their order", arguments: Collected.Place.allCases)
  func revertInOrder(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    try await store.guess("b") { try $0.set("y", 20) }
    #expect(try await store.seen == ["A:1.x = 10", "A:1.y = 20", "A:2.x = 5"])
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == ["A:1.x = 1", "A:1.y = 20", "A:2.x = 5"])
    try await store.store.revertOptimisticUpdate(id: "b")
    #expect(try await store.seen == Self.start)
  }

  @Test("Two guesses of one field are taken back in reverse order", arguments: Collected.Place.allCases)
  func revertInReverse(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    try await store.guess("b") { try $0.set("x", 20) }
    #expect(try await store.seen.first == "A:1.x = 20")
    try await store.store.revertOptimisticUpdate(id: "b")
    #expect(try await store.seen.first == "A:1.x = 10")
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == Self.start)
  }

  @Test("A guess sees those below it, and runs again when one of them goes", arguments: Collected.Place.allCases)
  func rebaseOnRevert(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    try await store.guess("b") { try $0.add(1, to: "x") }
    try await store.guess("c") { try $0.set("y", $0.int("x") * 2) }
    #expect(try await store.seen == ["A:1.x = 11", "A:1.y = 22", "A:2.x = 5"])
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == ["A:1.x = 2", "A:1.y = 4", "A:2.x = 5"])
  }

  @Test("A guess runs again on what is written below it", arguments: Collected.Place.allCases)
  func rebaseOnWrite(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.add(1, to: "x") }
    #expect(try await store.seen.first == "A:1.x = 2")
    try await store.set("x", 40)
    #expect(try await store.seen.first == "A:1.x = 41")
    #expect(try await store.kept.first == "A:1.x = 40")
    try await store.store.withinReadWriteTransaction { try Guess(transaction: $0).add(2, to: "x") }
    #expect(try await store.seen.first == "A:1.x = 43")
    #expect(try await store.kept.first == "A:1.x = 42")
    try await store.store.clearCache()
    #expect(try await store.seen == [])
    try await store.set("x", 7)
    #expect(try await store.seen == ["A:1.x = 7"], "a guess of before the clearing is gone")
    #expect(store.store.optimisticUpdates == [])
  }

  @Test("A guess of the same name is replaced, and the new one is on top", arguments: Collected.Place.allCases)
  func replace(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    try await store.guess("b") { try $0.add(1, to: "x") }
    try await store.guess("a") { try $0.add(100, to: "x") }
    #expect(store.store.optimisticUpdates == ["b", "a"])
    #expect(try await store.seen.first == "A:1.x = 102")
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen.first == "A:1.x = 2")
  }

  @Test("A name that there is none of is taken back without an effect")
  func unknownName() async throws {
    let store = try await store(.memory)
    store.listen()
    try await store.store.revertOptimisticUpdate(id: "unknown")
    #expect(try await store.seen == Self.start)
    #expect(await store.takeTold().isEmpty)
  }

  @Test("A write transaction sees what is kept, and not the guesses", arguments: Collected.Place.allCases)
  func transactions(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    let x = try await store.store.withinReadWriteTransaction { try Guess(transaction: $0).int("x") }
    #expect(x == 1)
  }

  @Test("A guess removes objects and fields; they are there again after it", arguments: Collected.Place.allCases)
  func removal(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.transaction.removeObject(for: "A:2") }
    try await store.guess("b") { try $0.transaction.removeField("y", of: "A:1") }
    #expect(try await store.seen == ["A:1.x = 1"])
    #expect(try await store.kept == Self.start)
    try await store.set("x", 6, of: "A:2")
    #expect(try await store.seen == ["A:1.x = 1"])
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == ["A:1.x = 1", "A:2.x = 6"])
    try await store.store.revertOptimisticUpdate(id: "b")
    #expect(try await store.seen == ["A:1.x = 1", "A:1.y = 2", "A:2.x = 6"])
  }

  @Test(
    "A guess removes all objects of a pattern, and can write one of them again", arguments: Collected.Place.allCases)
  func removalByPattern(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") {
      try $0.transaction.removeObjects(matching: "A:*")
      try $0.set("x", 3, of: "A:2")
    }
    #expect(try await store.seen == ["A:2.x = 3"])
    await #expect(throws: ResponseDecodingError.self) { try await store.store.load(HeroQuery()) }
    #expect(try await store.kept == Self.start)
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == Self.start)
  }

  @Test("A new object is there as long as its guess is", arguments: Collected.Place.allCases)
  func newObject(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") {
      try $0.set("x", 9, of: "A:3")
      try $0.refer("list", to: ["A:3", "A:1"])
    }
    #expect(try await store.seen.suffix(2) == ["A:3.x = 9", "QUERY_ROOT.list = [→ A:3, → A:1]"])
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(try await store.seen == Self.start)
  }

  // MARK: What is told

  @Test("Each commit is told once, with what is seen differently", arguments: Collected.Place.allCases)
  func told(place: Collected.Place) async throws {
    let store = try await store(place)
    _ = try await store.seen
    store.listen()
    try await store.guess("a") { try $0.add(1, to: "x") }
    #expect(await store.takeTold() == [["A:1.x"]])
    try await store.set("x", 5)
    #expect(await store.takeTold() == [["A:1.x"]])
    try await store.set("y", 6)
    #expect(await store.takeTold() == [["A:1.y"]])
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(await store.takeTold() == [["A:1.x"]])
    try await store.guess("a") { try $0.transaction.removeObject(for: "A:2") }
    // A backend that was not asked for the record before may have had any fields.
    let isKnown = place == .memory || place == .backend || place == .disk
    #expect(await store.takeTold() == [["-A:2"] + (isKnown ? ["A:2.x"] : [])])
    try await store.store.revertOptimisticUpdate(id: "a")
    #expect(await store.takeTold() == [["A:2.x"]])
  }

  @Test("What is seen as before is not told", arguments: Collected.Place.allCases)
  func notTold(place: Collected.Place) async throws {
    let store = try await store(place)
    _ = try await store.seen
    try await store.guess("a") { try $0.set("x", 10) }
    store.listen()
    // Hidden by the guess, and then as the guess has it.
    try await store.set("x", 5)
    try await store.set("x", 10)
    try await store.store.revertOptimisticUpdate(id: "a")
    try await store.guess("b") { try $0.set("x", 10) }
    try await store.guess("c") { _ in }
    try await store.store.revertOptimisticUpdate(id: "b")
    #expect(await store.takeTold().isEmpty)
  }

  // MARK: What throws

  @Test("A guess that throws when it is made has not happened", arguments: Collected.Place.allCases)
  func failsFirst(place: Collected.Place) async throws {
    let store = try await store(place), reports = Locked(0)
    store.store.onOptimisticFailure = { _, _ in reports.withLock { $0 += 1 } }
    try await store.guess("a") { try $0.set("x", 10) }
    await #expect(throws: Guess.Failure()) {
      try await store.guess("a") {
        try $0.set("y", 10)
        throw Guess.Failure()
      }
    }
    #expect(store.store.optimisticUpdates == ["a"])
    #expect(try await store.seen == ["A:1.x = 10", "A:1.y = 2", "A:2.x = 5"])
    #expect(reports.withLock { $0 } == 0)
  }

  @Test(
    "A guess that throws later is left out, told once, and made again when it can be",
    arguments: Collected.Place.allCases)
  func failsLater(place: Collected.Place) async throws {
    let store = try await store(place), reports = Locked<[String]>([])
    store.store.onOptimisticFailure = { id, error in
      reports.withLock { $0.append("\(id) \(error is Guess.Failure)") }
    }
    try await store.guess("a") {
      try $0.set("y", 100)
      if try $0.int("x") > 5 { throw Guess.Failure() }
    }
    try await store.guess("b") { try $0.add(1, to: "y") }
    try await store.set("x", 6)
    #expect(try await store.seen == ["A:1.x = 6", "A:1.y = 3", "A:2.x = 5"])
    try await store.set("x", 7)
    #expect(reports.withLock { $0 } == ["a true"])
    #expect(store.store.optimisticUpdates == ["a", "b"])
    try await store.set("x", 5)
    #expect(try await store.seen == ["A:1.x = 5", "A:1.y = 101", "A:2.x = 5"])
    try await store.set("x", 6)
    #expect(reports.withLock { $0 } == ["a true", "a true"])
  }

  // MARK: Backends

  @Test(
    "What a guess needs of a backend is loaded, also if the body catches errors",
    arguments: [Collected.Place.reopened, .unlisted, .reopenedDisk])
  func loads(place: Collected.Place) async throws {
    let store = try await store(place), runs = Locked(0)
    try await store.guess("a") {
      runs.withLock { $0 += 1 }
      let x = (try? $0.int("x", of: "A:2")) ?? -1
      try $0.set("sum", x + ((try? $0.int("x", of: "A:1")) ?? -1), of: "A:3")
    }
    #expect(try await store.seen == Self.start + ["A:3.sum = 6"])
    #expect(runs.withLock { $0 } <= 4)
  }

  @Test("A guess that needs what a backend does not give is left out, and made when it does")
  func backendFails() async throws {
    let store = try await store(.reopened), backend = try #require(store.backend), reports = Locked(0)
    store.store.onOptimisticFailure = { _, _ in reports.withLock { $0 += 1 } }
    try await store.guess("a") { try $0.set("x", 3, of: "A:3") }
    backend.fail(true)
    await #expect(throws: (any Error).self) { try await store.guess("b") { try $0.add(1, to: "x") } }
    backend.fail(false)
    try await store.guess("b") { try $0.add(1, to: "x") }
    #expect(try await store.seen.first == "A:1.x = 2")
  }

  // MARK: Memory

  @Test("A collection keeps what guesses have changed, and what they refer to", arguments: Collected.Place.allCases)
  func collection(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.add(1, to: "x") }
    try await store.guess("b") { try $0.refer("list", to: ["A:2"]) }
    try await store.store.collectGarbage()
    #expect(try await store.seen == ["A:1.x = 2", "A:1.y = 2", "A:2.x = 5", "QUERY_ROOT.list = [→ A:2]"])
    try await store.store.revertOptimisticUpdate(id: "b")
    try await store.store.collectGarbage()
    #expect(try await store.kept.filter { $0.hasPrefix("A:1") } == ["A:1.x = 1", "A:1.y = 2"])
    if place != .unlisted { #expect(try await store.kept.count == 2) }
  }

  @Test("A limit of memory keeps what guesses have changed, and the guesses do not bring back what was dropped")
  func memoryLimit() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 20_000))
    try await store.publish(records: Self.records)
    try await store.applyOptimisticUpdate(id: "a") { try Guess(transaction: $0).add(1, to: "x") }
    for number in 0..<1000 {
      try await store.publish(records: RecordSet(records: [Record(key: "B:\(number)", ["x": .int(number)])]))
    }
    #expect(store.statistics.evictions > 100)
    #expect(store.statistics.byteCount <= 20_000)
    let seen = try await store.withinReadTransaction { try Guess.int("x", of: "A:1", in: $0) }
    #expect(seen == 2)
    let dump = store.dump().split(separator: "\n").count { $0.hasPrefix("B:") }
    #expect(dump < 500)
    try await store.revertOptimisticUpdate(id: "a")
    #expect(try await store.withinReadTransaction { try Guess.int("x", of: "A:1", in: $0) } == 1)
  }

  @Test("Keys are given new numbers after the last guess has gone, and not before")
  func compaction() async throws {
    let store = ApolloStore()
    try await store.publish(records: Self.records)
    try await store.applyOptimisticUpdate(id: "a") { try Guess(transaction: $0).add(1, to: "x") }
    for number in 0..<3000 {
      let key = "B:\(number)"
      try await store.publish(records: RecordSet(records: [Record(key: key, ["x": .int(number)])]))
      try await store.remove(key)
    }
    #expect(store.keyCount > 3000)
    #expect(try await store.withinReadTransaction { try Guess.int("x", of: "A:1", in: $0) } == 2)
    try await store.revertOptimisticUpdate(id: "a")
    #expect(store.keyCount < 1100)
    #expect(try await store.withinReadTransaction { try Guess.int("x", of: "A:1", in: $0) } == 1)
  }

  // MARK: Calls

  @Test("In the body, a call that waits for its end is an error that names it")
  func callsInBody() async throws {
    let cache = InMemoryNormalizedCache(), store = ApolloStore(cache: cache)
    await #expect(
      throws: ApolloStore.Error.isWithinTransaction(call: "merge(records:)", transaction: "optimistic update 'a'")
    ) {
      try await store.applyOptimisticUpdate(id: "a") { _ in try cache.merge(records: Self.records) }
    }
    await #expect(throws: ApolloStore.Error.self) {
      try await store.withinReadWriteTransaction { _ in
        try await store.applyOptimisticUpdate(id: "a") { _ in }
      }
    }
  }

  @Test("A transaction that the body keeps is of no use after it")
  func keptTransaction() async throws {
    let store = try await store(.memory), kept = Locked<Handoff<ApolloStore.ReadWriteTransaction>?>(nil)
    try await store.guess("a") { guess in kept.withLock { $0 = Handoff(guess.transaction) } }
    let transaction = try #require(kept.withLock { $0 })
    #expect(throws: ApolloStore.Error.notWithinReadTransaction) { try transaction.value.removeObject(for: "A:1") }
  }

  @Test("The forms with a completion do what those with await do")
  func completions() async throws {
    let store = try await store(.memory).store
    try await withCheckedThrowingContinuation { done in
      store.applyOptimisticUpdate(id: "a") {
        try Guess(transaction: $0).set("x", 10)
      } completion: {
        done.resume(with: $0)
      }
    }
    #expect(try await store.withinReadTransaction { try Guess.int("x", of: "A:1", in: $0) } == 10)
    await #expect(throws: Guess.Failure()) {
      try await withCheckedThrowingContinuation { done in
        store.applyOptimisticUpdate(id: "b") { _ in
          throw Guess.Failure()
        } completion: {
          done.resume(with: $0)
        }
      }
    }
    try await withCheckedThrowingContinuation { done in
      store.revertOptimisticUpdate(id: "a") { done.resume(with: $0) }
    }
    #expect(store.optimisticUpdates.isEmpty)
  }

  @Test("A guess leaves the dates of what it does not change", arguments: Collected.Place.allCases)
  func dates(place: Collected.Place) async throws {
    let store = try await store(place)
    try await store.guess("a") { try $0.set("x", 10) }
    let record = try await store.store.withinReadTransaction {
      try $0.readOnlyCache.loadRecords(forKeys: ["A:1"])["A:1"]
    }
    #expect(record?.cachedField(for: "y")?.writtenAt == 1_000_000)
  }
}

extension Guess {
  static func int(_ name: String, of key: CacheKey, in transaction: ApolloStore.ReadTransaction) throws -> Int {
    guard case .int(let value)? = try transaction.readOnlyCache.loadRecords(forKeys: [key])[key]?.fields[name] else {
      throw Failure()
    }
    return value
  }
}
