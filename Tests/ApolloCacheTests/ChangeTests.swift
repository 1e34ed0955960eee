@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Changes of a store", .everyStyle, .timeLimit(.minutes(10)))
struct ChangeTests {
  let store = ApolloStore()

  /// The changes of what `body` writes.
  private func changes(_ body: () async throws -> Void) async throws -> [ApolloStore.Change] {
    let changes = store.changes
    try await body()
    let last = UUID()
    try await store.publish(records: ["Last:1": ["x": .string(last.uuidString)]], identifier: last)
    var found: [ApolloStore.Change] = []
    for await change in changes {
      if change.contextIdentifier == last { break }
      found.append(change)
    }
    return found
  }

  private func keys(_ keys: String...) -> Set<CacheDependentKey> {
    Set(
      keys.map { text in
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        return CacheDependentKey(cacheKey: parts[0], fieldName: parts[1])
      })
  }

  @Test("Each write that changes something is one element, with its fields and its writer")
  func fields() async throws {
    let writer = UUID()
    let changes = try await changes {
      try await store.publish(records: ["A:1": ["x": 1, "y": 2]], identifier: writer)
      try await store.publish(records: ["A:1": ["x": 1]])
      try await store.publish(records: ["A:1": ["x": 3], "B:1": ["z(n:1)": nil]])
    }
    #expect(
      changes == [
        ApolloStore.Change(changedKeys: keys("A:1.x", "A:1.y"), removedRecords: [], contextIdentifier: writer),
        ApolloStore.Change(changedKeys: keys("A:1.x", "B:1.z(n:1)"), removedRecords: [], contextIdentifier: nil),
      ])
    #expect(changes.first?.changedKeys.map(\.description).sorted() == ["A:1.x", "A:1.y"])
  }

  @Test("What a transaction takes back is not told: only what is different at its end")
  func takenBack() async throws {
    try await store.publish(records: ["A:1": ["x": 1, "y": 2]])
    let changes = try await changes {
      for next in [2, 2, 3] {
        try await store.withinReadWriteTransaction { transaction in
          try transaction.cache.merge(records: ["A:1": ["x": 9, "y": .int(next)], "B:1": ["z": 1]])
          try transaction.cache.merge(records: ["A:1": ["x": 1]])
          try transaction.removeObject(for: "B:1")
        }
      }
    }
    #expect(
      changes == [
        ApolloStore.Change(changedKeys: keys("A:1.y"), removedRecords: [], contextIdentifier: nil)
      ])
  }

  @Test("What is removed is told, with the fields that it had")
  func removal() async throws {
    try await store.publish(records: ["A:1": ["x": 1, "y": 2], "B:1": ["x": 1]])
    let changes = try await changes {
      try await store.withinReadWriteTransaction { try $0.removeField("y", of: "A:1") }
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "A:1") }
      try await store.clearCache()
    }
    #expect(
      changes == [
        ApolloStore.Change(changedKeys: keys("A:1.y"), removedRecords: [], contextIdentifier: nil),
        ApolloStore.Change(changedKeys: keys("A:1.x"), removedRecords: ["A:1"], contextIdentifier: nil),
        ApolloStore.Change(changedKeys: keys("B:1.x"), removedRecords: ["B:1"], contextIdentifier: nil),
      ])
  }

  @Test("The type is among the fields of a new object, whatever wrote it, and among those of one that is gone")
  func types() async throws {
    let changes = try await changes {
      try await store.publish(records: ["QUERY_ROOT": ["__typename": "Query", "a": 1], "A:1": ["__typename": "A"]])
      try await store.publish(records: ["QUERY_ROOT": ["__typename": "Query", "a": 2], "A:1": ["__typename": "B"]])
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "A:1") }
    }
    let told = changes.map { $0.changedKeys.map(\.description) }
    #expect(told.count == 4)
    #expect(told.first?.sorted() == ["A:1.__typename", "QUERY_ROOT.__typename", "QUERY_ROOT.a"])
    #expect(told.dropFirst().first?.sorted() == ["A:1.__typename", "QUERY_ROOT.a"])
    let ofResponse = told.dropFirst(2).first ?? []
    let objects = Set(ofResponse.map { $0.prefix { $0 != "." } }).subtracting(["QUERY_ROOT"])
    #expect(!objects.isEmpty && objects.allSatisfy { ofResponse.contains("\($0).__typename") }, "\(ofResponse)")
    #expect(told.last == ["A:1.__typename"])
  }

  /// Numbers that look random, and are the same each time.
  private struct Dice {
    var state: UInt64

    mutating func roll(_ count: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % count
    }
  }

  @Test("What is told is how all records differ before and after", arguments: 1...20)
  func difference(seed: UInt64) async throws {
    var dice = Dice(state: seed), model: [CacheKey: [String: Int]] = [:], expected: [Set<String>] = []
    let names = ["__typename", "x", "y(n:1)"], types = ["Human", "Droid", "Thing"]
    let changes = try await changes {
      for _ in 0..<30 {
        var next = model
        if dice.roll(6) == 0 {
          let removed = "A:\(dice.roll(3))"
          next[removed] = nil
          try await store.withinReadWriteTransaction { try $0.removeObject(for: removed) }
        } else {
          var records: RecordSet = [:]
          for key in ["A:0", "A:1", "A:2"] where dice.roll(2) == 0 {
            var record = Record(key: key)
            for name in names where dice.roll(2) == 0 {
              let value = Int(dice.roll(3))
              record[name] = name == "__typename" ? .string(types[value]) : .int(value)
              next[key, default: [:]][name] = value
            }
            records.insert(record)
          }
          try await store.publish(records: records)
        }
        var told: Set<String> = []
        for key in Set(model.keys).union(next.keys) {
          for name in names where model[key]?[name] != next[key]?[name] { told.insert("\(key).\(name)") }
        }
        if !told.isEmpty { expected.append(told) }
        model = next
      }
    }
    #expect(changes.map { Set($0.changedKeys.map(\.description)) } == expected)
  }

  @Test("A sequence gets what is written from when it was made, and costs nothing when it has ended")
  func lifetime() async throws {
    try await store.publish(records: ["A:1": ["x": 1]])
    let task = Task { [changes = store.changes] in
      for await change in changes { return change.changedKeys }
      return []
    }
    try await store.publish(records: ["A:1": ["x": 2]])
    #expect(await task.value == keys("A:1.x"))
    let ended = Task { [changes = ApolloStore().changes] in for await _ in changes {} }
    await ended.value
    let cancelled = Task { [changes = store.changes] in for await _ in changes {} }
    cancelled.cancel()
    await cancelled.value
  }

  /// As in Apollo iOS 1.x.
  private final class Subscriber1: ApolloStoreSubscriber, @unchecked Sendable {
    // One call comes after the other, and the test waits for them.
    var log: [(Set<CacheKey>, UUID?)] = []
    func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>, contextIdentifier: UUID?) {
      log.append((changedKeys, contextIdentifier))
    }
  }

  /// As in Apollo iOS 2.x.
  private final class Subscriber2: ApolloStoreSubscriber, @unchecked Sendable {
    // One call comes after the other, and the test waits for them.
    var log: [Set<CacheKey>] = []
    func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>) { log.append(changedKeys) }
  }

  private func subscribeWithoutWaiting(_ subscriber: any ApolloStoreSubscriber) { store.subscribe(subscriber) }

  /// Ends its subscription when it goes.
  private final class Leaving: ApolloStoreSubscriber, @unchecked Sendable {
    // The test sets it before anything else uses it.
    var token: ApolloStore.SubscriptionToken?
    private let store: ApolloStore
    init(_ store: ApolloStore) { self.store = store }
    deinit { if let token { store.unsubscribe(token) } }
  }

  @Test("A subscriber that goes with its subscription may use the store")
  func released() async {
    func subscribe() async -> ApolloStore.SubscriptionToken {
      let subscriber = Leaving(store), token = await store.subscribe(subscriber)
      subscriber.token = token
      return token
    }
    let token = await subscribe()
    store.unsubscribe(token)
    #expect(store.engine.state.withLock { $0.deliveries.listenerCount } == 0)
  }

  @Test("A subscriber of 1.x is told until it is removed, with the identifier of the writer")
  func firstRelease() async throws {
    let subscriber = Subscriber1(), writer = UUID()
    subscribeWithoutWaiting(subscriber)
    try await store.publish(records: ["A:1": ["x": 1]], identifier: writer)
    try await store.publish(records: ["A:1": ["x": 1]], identifier: writer)
    try await store.publish(records: ["A:1": ["x": 2]])
    await store.waitUntilTold()
    #expect(subscriber.log.map(\.0) == [["A:1.x"], ["A:1.x"]])
    #expect(subscriber.log.map(\.1) == [writer, nil])
    store.unsubscribe(subscriber)
    try await store.publish(records: ["A:1": ["x": 3]])
    await store.waitUntilTold()
    #expect(subscriber.log.count == 2)
  }

  @Test("A subscriber of 2.x is told until its token is given back")
  func secondRelease() async throws {
    let subscriber = Subscriber2()
    let token = await store.subscribe(subscriber)
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    await store.waitUntilTold()
    #expect(subscriber.log.first?.contains("Human:1000.name") == true)
    store.unsubscribe(token)
    try await store.clearCache()
    await store.waitUntilTold()
    #expect(subscriber.log.count == 1)
  }

  @Test("The order is that of the writes, however many write at once")
  func order() async throws {
    let store = store
    let changes = try await changes {
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<8 {
          group.addTask {
            for round in 1...50 {
              try? await store.publish(records: [
                "W:\(writer)": ["x": .int(round)], "All:1": ["x": .int(round * 8 + writer)],
              ])
            }
          }
        }
      }
    }
    #expect(changes.count == 400)
  }
}

@Suite("What an observer writes itself", .everyStyle)
struct OwnWriteTests {
  /// Reads as an observer that has written itself.
  private func read(_ store: ApolloStore, _ observer: ObserverID) async -> (isHit: Bool, isOvertaken: Bool) {
    await withCheckedContinuation { done in
      store.observe(HeroQuery(), for: observer) { done.resume(returning: ($0.isHit, $0.isOvertaken)) }
    }
  }

  private func records(of response: String, _ store: ApolloStore) throws -> RecordBatchTransfer {
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: bytes(response), variables: HeroQuery().variables, rootKey: "QUERY_ROOT",
      identity: store.identity)
    return try #require(contents.records)
  }

  @Test("It learns that another write has taken its data away before it has read, and only then")
  func overtaken() async throws {
    let store = ApolloStore(), origin = UUID(), told = Locked(0)
    let observer = store.addObserver(ignoring: origin) { _ in told.withLock { $0 += 1 } }
    #expect(await read(store, observer) == (false, false), "nothing was written")
    await store.publish(try records(of: r2d2, store), origin: origin)
    #expect(await read(store, observer) == (true, false))
    await store.publish(try records(of: r2d2, store), origin: origin)
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Droid:*") }
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Droid:*") }
    // (It was told of this one, as it had read before, and reads then.)
    await store.waitUntilTold()
    #expect(told.withLock { $0 } == 1)
    let second = UUID(), other = store.addObserver(ignoring: second) { _ in }
    await store.publish(try records(of: r2d2, store), origin: second)
    try await store.publish(records: ["Unrelated:1": ["x": 1]])
    #expect(await read(store, other) == (true, false), "nothing of it is gone")
    await store.publish(try records(of: r2d2.replacing("R2-D2", with: "C-3PO"), store), origin: second)
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Droid:*") }
    #expect(await read(store, other) == (false, true))
    #expect(await read(store, other) == (false, false), "it is told once")
    store.removeObserver(observer)
    store.removeObserver(other)
  }

  @Test(
    "It learns that its own write has left out what a later operation has removed, also if the write changes nothing",
    arguments: [false, true])
  func leftOut(isFilled: Bool) async throws {
    let store = ApolloStore(), origin = UUID(), observer = store.addObserver(ignoring: origin) { _ in }
    if isFilled { await store.publish(try records(of: r2d2, store)) }
    let earlier = store.beginSending(.query), mutation = store.beginSending(.mutation)
    let end = store.completion(of: OptimisticUpdate(id: nil, asked: .current, guess: nil)) {
      try $0.removeObject(for: "Droid:2001")
    }
    #expect(await store.complete(end, asked: nil, sent: mutation) == nil)
    await store.publish(try records(of: r2d2, store), origin: origin, sent: earlier)
    #expect(await read(store, observer) == (false, true))
    #expect(await read(store, observer) == (false, false), "it is told once")
    await store.publish(try records(of: r2d2, store), origin: origin, sent: store.beginSending(.query))
    #expect(await read(store, observer) == (true, false))
    withExtendedLifetime(earlier) {}
    store.removeObserver(observer)
  }

  @Test("Data that was never whole in the cache is not taken for data that is gone")
  func neverWhole() async throws {
    let store = ApolloStore(), origin = UUID(), observer = store.addObserver(ignoring: origin) { _ in }
    try await store.publish(records: ["QUERY_ROOT": ["hero": .reference("Droid:2001")]])
    _ = await store.publish(
      RecordSet(records: [Record(key: "Droid:2001", ["name": "R2-D2"])]), origin: origin, completing: nil, sent: nil)
    try await store.publish(records: ["Droid:2001": ["name": "C-3PO"]])
    #expect(await read(store, observer) == (false, false))
    store.removeObserver(observer)
  }

  @Test("It learns that its data is gone also if its own write has changed nothing")
  func overtakenAfterEqualWrite() async throws {
    let store = ApolloStore(), origin = UUID(), observer = store.addObserver(ignoring: origin) { _ in }
    await store.publish(try records(of: r2d2, store))
    await store.publish(try records(of: r2d2, store), origin: origin)
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Droid:*") }
    #expect(await read(store, observer) == (false, true))
    store.removeObserver(observer)
  }
}
