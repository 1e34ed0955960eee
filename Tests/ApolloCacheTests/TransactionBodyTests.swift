@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Bodies of transactions", .everyStyle, .timeLimit(.minutes(10)))
struct TransactionBodyTests {
  let memory = ApolloStore()
  let text = ApolloStore(cache: TextCache())
  var stores: [ApolloStore] { [memory, text] }

  @Test("A body that suspends keeps its turn: others write when it has ended")
  func suspending() async throws {
    for store in stores {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      let hasBegun = AsyncStream<Void>.makeStream()
      let goOn = AsyncStream<Void>.makeStream()
      async let name = store.withinReadWriteTransaction { transaction in
        hasBegun.continuation.finish()
        for await _ in goOn.stream {}
        try await transaction.update(query: HeroQuery()) { $0.hero?.name += "+" }
        return try await transaction.read(query: HeroQuery()).hero?.name
      }
      for await _ in hasBegun.stream {}
      async let other: Void = store.withinReadWriteTransaction {
        try $0.update(query: HeroQuery()) { $0.hero?.name += "!" }
      }
      #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2", "a read does not wait for it")
      goOn.continuation.finish()
      #expect(try await name == "R2-D2+")
      try await other
      #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2+!")
    }
  }

  @Test("A call that needs a turn inside of a body is an error that names both", arguments: [true, false])
  func nested(isTask: Bool) async throws {
    for store in stores {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      let calls: [(String, @Sendable () async throws -> Void)] = [
        ("withinReadWriteTransaction", { try await store.withinReadWriteTransaction { _ in } }),
        ("withinReadWriteTransaction", { try await store.withinReadWriteTransaction { _ in await Task.yield() } }),
        ("clearCache()", { try await store.clearCache() }),
        ("removeUnreachable()", { try await store.removeUnreachable() }),
        ("publish(records:)", { try await store.publish(records: ["A:1": ["x": 1]]) }),
      ]
      for (name, call) in calls {
        let error = await #expect(throws: ApolloStore.Error.self) {
          try await store.withinReadWriteTransaction { transaction in
            try await transaction.update(query: HeroQuery()) { $0.hero?.name = "never" }
            if isTask { try await Task { try await call() }.value } else { try await call() }
          }
        }
        #expect(error == .isWithinTransaction(call: name, transaction: "withinReadWriteTransaction"))
        #expect(error?.localizedDescription.contains("'\(name)'") == true)
      }
      #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2", "nothing of it happened")
      try await store.withinReadWriteTransaction { _ in
        // Another store has turns of its own, and a read needs none.
        try await ApolloStore().clearCache()
        _ = try await store.load(HeroQuery())
      }
    }
  }

  @Test("A response that comes while a body runs that waits for it is not written, and says so")
  func nestedResponse() async throws {
    let store = memory
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: bytes(r2d2), variables: HeroQuery().variables, rootKey: "QUERY_ROOT",
      identity: store.identity)
    guard let records = contents.records else { return #expect(Bool(false), "a response has records") }
    let error = try await store.withinReadWriteTransaction { _ in await store.publish(records) as? ApolloStore.Error }
    #expect(error == .isWithinTransaction(call: "publish", transaction: "withinReadWriteTransaction"))
  }

  @Test("A call with a callback inside of a body runs when the body has ended")
  func nestedCallback() async throws {
    for store in stores {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      let isDone = AsyncStream<String?>.makeStream()
      try await store.withinReadWriteTransaction { transaction in
        store.withinReadWriteTransaction({
          let name = try $0.read(query: HeroQuery()).hero?.name
          try $0.update(query: HeroQuery()) { $0.hero?.name = "second" }
          isDone.continuation.yield(name)
          isDone.continuation.finish()
        })
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "first" }
      }
      for await name in isDone.stream { #expect(name == "first") }
      try await store.withinReadWriteTransaction { _ in }
      #expect(try await store.load(HeroQuery()).hero?.name == "second")
    }
  }

  @Test("The cache in memory is not written behind the back of a transaction")
  func cacheInBody() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["x": 1]])
    let store = ApolloStore(cache: cache)
    let error = await #expect(throws: ApolloStore.Error.self) {
      try await store.withinReadWriteTransaction { _ in _ = try cache.merge(records: ["A:1": ["x": 2]]) }
    }
    #expect(
      error == .isWithinTransaction(call: "merge(records:)", transaction: "withinReadWriteTransaction"))
    try await store.withinReadWriteTransaction {
      _ = try $0.cache.merge(records: ["A:2": ["x": 2]])
      cache.clear()
      #expect(cache.loadRecords(forKeys: ["A:1"]).isEmpty, "it does not wait for the body")
    }
    #expect(cache.loadRecords(forKeys: ["A:1", "A:2"]).isEmpty, "what the body has written is removed as well")
  }

  /// A transaction that was kept.
  private final class Kept: @unchecked Sendable {
    // Set by the body, and used by the test when that has ended.
    var read: ApolloStore.ReadTransaction?
    var write: ApolloStore.ReadWriteTransaction?
  }

  @Test("A transaction that is used after its end throws, reading and writing")
  func afterTheEnd() async throws {
    for store in stores {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      let kept = Kept()
      let data = try await store.load(HeroQuery())
      try await store.withinReadTransaction { kept.read = $0 }
      try await store.withinReadWriteTransaction { kept.write = $0 }
      func check(_ transaction: ApolloStore.ReadTransaction) {
        #expect(throws: ApolloStore.Error.notWithinReadTransaction) { try transaction.read(query: HeroQuery()) }
        #expect(throws: ApolloStore.Error.notWithinReadTransaction) {
          try transaction.readObject(ofType: Character.Friend.self, withKey: "Human:1000")
        }
        #expect(throws: ApolloStore.Error.notWithinReadTransaction) {
          try transaction.readOnlyCache.loadRecords(forKeys: ["Human:1000"])
        }
      }
      func checkWrites(_ transaction: ApolloStore.ReadWriteTransaction) {
        check(transaction)
        let writes: [(ApolloStore.ReadWriteTransaction) throws -> Void] = [
          { try $0.update(query: HeroQuery()) { $0.hero = nil } },
          { try $0.write(data: data, for: HeroQuery()) },
          { try $0.removeObject(for: "Human:1000") },
          { try $0.removeObjects(matching: "Human") },
          { try $0.removeField("name", of: "Human:1000") },
          { _ = try $0.cache.merge(records: ["A:1": ["x": 1]]) },
        ]
        for write in writes {
          #expect(throws: ApolloStore.Error.notWithinReadTransaction) { try write(transaction) }
        }
      }
      if let read = kept.read { check(read) }
      if let write = kept.write { checkWrites(write) }
      #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    }
  }

  @Test("Everything that a body without await can do, a body with await can")
  func twins() async throws {
    for store in stores {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      try await store.withinReadWriteTransaction { transaction in
        let friend = try await transaction.readObject(ofType: Character.Friend.self, withKey: "Human:1000")
        #expect(friend.name == "Luke")
        try await transaction.updateObject(ofType: Character.Friend.self, withKey: "Human:1000") { $0.name = "L" }
        try await transaction.write(selectionSet: friend, withKey: "Human:7")
        #expect(try transaction.cache.loadRecords(forKeys: ["Human:7"])["Human:7"]?["name"] == "Luke")
        try await transaction.removeObject(for: "Human:7")
        try await transaction.removeObjects(matching: "Starship:*")
        let data = try await transaction.read(query: HeroQuery())
        try await transaction.write(data: data, for: HeroQuery(episode: "JEDI"))
        try await transaction.removeField("hero", arguments: ["episode": "EMPIRE"], of: "QUERY_ROOT")
      }
      let names = try await store.withinReadTransaction { transaction in
        try await transaction.read(query: HeroQuery(episode: "JEDI")).hero?.friends?.map { $0?.name }
      }
      #expect(names == ["L", nil, "L"])
    }
  }

  @Test("The records of a transaction are written with it, and taken back with it")
  func records() async throws {
    struct Failure: Error {}
    for store in stores {
      try await store.publish(records: ["A:1": ["x": 1], "B:1": ["x": 1]])
      try await store.withinReadWriteTransaction { (transaction: ApolloStore.ReadWriteTransaction) in
        #expect(try transaction.cache.merge(records: ["A:1": ["x": 2]]) == ["A:1.x"])
        try transaction.cache.removeRecord(for: "B:1")
        #expect(try Set(transaction.readOnlyCache.loadRecords(forKeys: ["A:1", "B:1"]).keys) == ["A:1"])
      }
      try await #require(throws: Failure.self) {
        try await store.withinReadWriteTransaction {
          try $0.cache.clear()
          throw Failure()
        }
      }
      let found = try await store.withinReadTransaction { (transaction: ApolloStore.ReadTransaction) in
        try transaction.readOnlyCache.loadRecords(forKeys: ["A:1", "B:1"])
      }
      #expect(found.mapValues(\.fields) == ["A:1": ["x": 2]])
      try await store.withinReadWriteTransaction { try $0.cache.clear() }
      #expect(try await store.cache.loadRecords(forKeys: ["A:1"]).isEmpty)
    }
  }

  @Test("A body with await and a callback, as in the deprecated forms of 2.x")
  func callbacks() async throws {
    for store in stores {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      func rename(_ done: @escaping (Result<String?, any Error>) -> Void) {
        store.withinReadWriteTransaction(
          { transaction in
            try await transaction.update(query: HeroQuery()) { $0.hero?.name = "Artoo" }
            return try await transaction.read(query: HeroQuery()).hero?.name
          }, callbackQueue: .global(), completion: done)
      }
      #expect(try await withCheckedThrowingContinuation { done in rename { done.resume(with: $0) } } == "Artoo")
      func read(_ done: @escaping (Result<String?, any Error>) -> Void) {
        store.withinReadTransaction(
          { try await $0.read(query: HeroQuery()).hero?.name }, callbackQueue: .global(), completion: done)
      }
      #expect(try await withCheckedThrowingContinuation { done in read { done.resume(with: $0) } } == "Artoo")
    }
  }

  @Test("What a body has removed by a pattern is missing in it, also what only the backend has")
  func removedPattern() async throws {
    let backend = TextCache()
    try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    let store = ApolloStore(cache: backend)
    let name = try await store.withinReadWriteTransaction { transaction in
      try await transaction.removeObjects(matching: "Droid:*")
      return try? await transaction.read(query: HeroQuery()).hero?.name
    }
    #expect(name == nil)
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    try await store.publish(records: ["Droid:2001": ["name": "new"]])
    #expect(store.engine.table.exported(["Droid:2001"])["Droid:2001"]?.fields == ["name": "new"])
    #expect(try backend.loadRecords(forKeys: ["Droid:2001"])["Droid:2001"]?.fields == ["name": "new"])
  }
}
