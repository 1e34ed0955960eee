@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Answers to what was sent before a mutation, and that come after its end", .everyStyle)
struct LateAnswerTests {
  /// Whether an answer is written as it was read, or as records that an interceptor has read.
  enum Way: CaseIterable { case read, own }

  /// Whether the mutation has records for the cache.
  enum End: CaseIterable { case withRecords, withoutRecords }

  private static func records(_ way: Way, _ name: String, friends: [String]) throws -> ResponseRecords {
    let list = friends.map { #"{"__typename":"Human","id":"\#($0)","name":"n"}"# }.joined(separator: ",")
    let body = #"{"hero":{"__typename":"Droid","id":"2001","name":"\#(name)","friends":[\#(list)],"size":null}}"#
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: bytes(body), variables: HeroQuery().variables, rootKey: "QUERY_ROOT",
      identity: ObjectIdentity())
    let batch = try #require(contents.records)
    return way == .read ? .read(batch) : .own(RecordSet(batch, receivedAt: Date(timeIntervalSince1970: 1000)))
  }

  private static func answer(
    _ way: Way = .read, _ name: String = "R2-D2", friends: [String] = ["1", "3"], to ticket: SendingTicket?,
    in store: ApolloStore
  ) async throws {
    let error = await store.publish(
      try records(way, name, friends: friends), origin: nil, leavesOutNulls: false, lifetime: nil, completing: nil,
      sent: ticket)
    #expect(error == nil)
  }

  /// Ends a mutation, which changes the cache in a way of its own.
  private static func end(
    _ ticket: SendingTicket, _ end: End, _ way: Way, in store: ApolloStore,
    _ update: @escaping OptimisticUpdate.Change
  ) async throws {
    let completion = store.completion(nil, after: update)
    switch end {
    case .withoutRecords: #expect(await store.complete(completion, asked: ticket.asked, sent: ticket) == nil)
    case .withRecords:
      let error = await store.publish(
        try records(way, "R2-D2", friends: ["1", "3"]), origin: nil, leavesOutNulls: false, lifetime: nil,
        completing: completion, sent: ticket)
      #expect(error == nil)
    }
  }

  private static func friends(_ store: ApolloStore) async throws -> [CacheKey] {
    try await store.withinReadWriteTransaction { try $0.connection(at: "Droid:2001.friends").nodes }
  }

  @Test("They do not undo an edit of a list, or a change of the app", arguments: Way.allCases, End.allCases)
  func edits(way: Way, end: End) async throws {
    for store in [ApolloStore(), ApolloStore(cache: TextCache())] {
      try await Self.answer(to: nil, in: store)
      try await store.publish(records: ["Human:2": ["__typename": "Human", "id": "2", "name": "n"]])
      let query = store.beginSending(.query), mutation = store.beginSending(.mutation)
      try await Self.end(mutation, end, way, in: store) { transaction in
        let list = transaction.connection(at: "Droid:2001.friends")
        try list.prepend("Human:2")
        try list.remove("Human:3")
        try transaction.updateObject(ofType: Character.self, withKey: "Droid:2001") { $0.name = "Artoo" }
      }
      try await Self.answer(way, to: query, in: store)
      #expect(try await Self.friends(store) == ["Human:2", "Human:1"])
      #expect(try await store.load(HeroQuery()).hero?.name == "Artoo")
      try await Self.answer(way, to: store.beginSending(.query), in: store)
      #expect(try await Self.friends(store) == ["Human:1", "Human:3"], "what is sent later counts")
      #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    }
  }

  @Test("They do not bring back what was removed, and what is sent later does", arguments: Way.allCases, End.allCases)
  func removals(way: Way, end: End) async throws {
    for store in [ApolloStore(), ApolloStore(cache: TextCache())] {
      try await Self.answer(to: nil, in: store)
      let query = store.beginSending(.query), mutation = store.beginSending(.mutation)
      try await Self.end(mutation, end, way, in: store) { transaction in
        try transaction.removeObject(for: "Human:1")
        try transaction.removeField("size", of: "Droid:2001")
      }
      try await Self.answer(way, to: query, in: store)
      let cached = try await store.withinReadTransaction {
        try $0.readOnlyCache.loadRecords(forKeys: ["Droid:2001", "Human:1", "Human:3"])
      }
      #expect(Set(cached.keys) == ["Droid:2001", "Human:3"] && cached["Droid:2001"]?["size"] == nil)
      try await Self.answer(way, to: store.beginSending(.query), in: store)
      #expect(try await store.load(HeroQuery()).hero?.friends?.map { $0?.id } == ["1", "3"])
    }
  }

  @Test(
    "What was removed by a pattern does not come back, also if only a backend had it, or none", arguments: Way.allCases,
    End.allCases)
  func patterns(way: Way, end: End) async throws {
    let cache = TextCache()
    try await Self.answer(to: nil, in: ApolloStore(cache: cache))
    for store in [ApolloStore(), ApolloStore(cache: cache)] {
      let query = store.beginSending(.query), mutation = store.beginSending(.mutation)
      try await Self.end(mutation, end, way, in: store) { try $0.removeObjects(matching: "Human:*") }
      try await Self.answer(way, to: query, in: store)
      let cached = try await store.withinReadTransaction {
        try $0.readOnlyCache.loadRecords(forKeys: ["Droid:2001", "Human:1", "Human:3"])
      }
      #expect(Set(cached.keys) == ["Droid:2001"])
      try await Self.answer(way, to: store.beginSending(.query), in: store)
      #expect(try await store.load(HeroQuery()).hero?.friends?.map { $0?.id } == ["1", "3"])
    }
  }

  @Test("A removal holds back what was sent before it, and not what was sent later", arguments: Way.allCases)
  func laterThanRemoval(way: Way) async throws {
    let store = ApolloStore(), first = store.beginSending(.query), mutation = store.beginSending(.mutation)
    let second = store.beginSending(.query), third = store.beginSending(.query)
    try await Self.answer(way, to: third, in: store)
    try await Self.end(mutation, .withoutRecords, way, in: store) { try $0.removeField("size", of: "Droid:2001") }
    func hasSize() async throws -> Bool {
      try await store.withinReadTransaction {
        try $0.readOnlyCache.loadRecords(forKeys: ["Droid:2001"])["Droid:2001"]?["size"] != nil
      }
    }
    try await Self.answer(way, to: first, in: store)
    #expect(try await !hasSize())
    try await Self.answer(way, to: second, in: store)
    #expect(try await hasSize())
  }

  enum Removal: CaseIterable { case field, object, pattern }

  @Test(
    "What was removed, and written by a later query, is not overwritten by an earlier mutation",
    arguments: Way.allCases, Removal.allCases)
  func writtenAfterRemoval(way: Way, removal: Removal) async throws {
    let store = ApolloStore()
    try await Self.answer(to: nil, in: store)
    let first = store.beginSending(.mutation), second = store.beginSending(.mutation)
    let query = store.beginSending(.query)
    try await Self.end(second, .withoutRecords, way, in: store) { transaction in
      switch removal {
      case .field: try transaction.removeField("name", of: "Droid:2001")
      case .object: try transaction.removeObject(for: "Droid:2001")
      case .pattern: try transaction.removeObjects(matching: "Droid:*")
      }
    }
    try await Self.answer(way, "new", to: query, in: store)
    try await Self.answer(way, "old", friends: ["2"], to: first, in: store)
    let hero = try await store.load(HeroQuery()).hero
    // (The list was not removed alone, and the result of a mutation counts before that of a query.)
    let friends: [String?] = removal == .field ? ["2"] : ["1", "3"]
    #expect(hero?.name == "new" && hero?.friends?.map { $0?.id } == friends)
    try await Self.answer(way, "newest", to: store.beginSending(.mutation), in: store)
    #expect(try await store.load(HeroQuery()).hero?.name == "newest")
  }

  @Test("A mutation counts that finds the cache as it leaves it", arguments: Way.allCases, End.allCases)
  func unchanged(way: Way, end: End) async throws {
    for store in [ApolloStore(), ApolloStore(cache: TextCache())] {
      try await Self.answer(to: nil, in: store)
      let query = store.beginSending(.query), mutation = store.beginSending(.mutation)
      try await Self.end(mutation, end, way, in: store) { transaction in
        let list = transaction.connection(at: "Droid:2001.friends")
        try list.prepend("Human:1")
        try list.remove("Human:2")
        try transaction.removeObject(for: "Human:2")
        try transaction.removeField("age", of: "Human:1")
      }
      try await Self.answer(way, friends: ["2", "3", "1"], to: query, in: store)
      #expect(try await Self.friends(store) == ["Human:1", "Human:3"])
      let there = try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: ["Human:2"]) }
      #expect(there.isEmpty)
    }
  }

  @Test("An object that was removed and written anew gets nothing back that it had before", arguments: Way.allCases)
  func removedAndWritten(way: Way) async throws {
    let store = ApolloStore()
    try await Self.answer(to: nil, in: store)
    let query = store.beginSending(.query), mutation = store.beginSending(.mutation)
    try await Self.end(mutation, .withoutRecords, way, in: store) { transaction in
      try transaction.removeObject(for: "Droid:2001")
      let fields: Record.Fields = ["__typename": "Droid", "id": "2001", "name": "Artoo"]
      try transaction.cache.merge(records: RecordSet(records: [Record(key: "Droid:2001", fields)]))
    }
    try await Self.answer(way, to: query, in: store)
    let record = try await store.withinReadTransaction {
      try $0.readOnlyCache.loadRecords(forKeys: ["Droid:2001"])["Droid:2001"]
    }
    #expect(record?.fields == ["__typename": "Droid", "id": "2001", "name": "Artoo"])
  }

  @Test("A change of the app that failed protects nothing", arguments: Way.allCases)
  func failure(way: Way) async throws {
    struct Failure: Error {}
    let store = ApolloStore()
    try await Self.answer(to: nil, in: store)
    let query = store.beginSending(.query), mutation = store.beginSending(.mutation)
    let completion = store.completion(nil) { transaction in
      try transaction.removeObject(for: "Human:1")
      throw Failure()
    }
    #expect(await store.complete(completion, asked: mutation.asked, sent: mutation) is Failure)
    try await store.remove("Human:1")
    try await Self.answer(way, to: query, in: store)
    #expect(try await store.load(HeroQuery()).hero?.friends?.map { $0?.id } == ["1", "3"])
  }

  @Test("What an answer has written is known though there are many keys without a use")
  func numbers() async throws {
    let store = ApolloStore(), first = store.beginSending(.query), second = store.beginSending(.query)
    for number in 0..<3000 { _ = store.engine.table.number(for: "Unused:\(number)") }
    try await Self.answer(.read, "new", to: second, in: store)
    try await Self.answer(.read, "old", to: first, in: store)
    #expect(try await store.load(HeroQuery()).hero?.name == "new")
  }
}
