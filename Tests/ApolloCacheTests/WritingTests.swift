@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

/// `query NicknameLCM($withID: Boolean!) @apollo_client_ios_localCacheMutation { hero { id @include(if: $withID) name nickname } }`
struct NicknameMutation: LocalCacheMutation {
  static let operationType = GraphQLOperationType.query
  var withID = true

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("withID", withID) }

  struct Data: SelectionSet, Hashable {
    var hero: Hero
    static let __fields = __FieldTable(version: 1, "hero")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Hero: SelectionSet, Hashable {
    var id: String?
    var name: String
    var nickname: String?

    static let __fields = __FieldTable(version: 1, "__typename id name nickname ?$withID")

    init(id: String?, name: String, nickname: String?) {
      self.id = id
      self.name = name
      self.nickname = nickname
    }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.includes(0) ? object.read(1) as String : nil
      name = try object.read(2)
      nickname = try object.read(3)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Droid")
      if let id { writer.write(1, id) }
      writer.write(2, name)
      writer.write(3, nickname)
    }
  }
}

@Suite("Writing models", .everyStyle)
struct WritingTests {
  let store = ApolloStore()

  func publish(_ fields: Record.Fields) async throws {
    var fields = fields
    fields["__typename"] = "Droid"
    try await store.clearCache()
    try await store.publish(records: ["QUERY_ROOT": ["hero": .object(fields)]])
  }

  func hero() throws -> Record.Fields? {
    let cache = try #require(store.cache as? InMemoryNormalizedCache)
    guard case .object(let fields)? = cache.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]?["hero"] else {
      return nil
    }
    return fields
  }

  func rename(_ nickname: String? = nil) async throws {
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(NicknameMutation()) { data in
        data.hero.name = "Artoo"
        if let nickname { data.hero.nickname = nickname }
      }
      let name = try transaction.readObject(ofType: NicknameMutation.Hero.self, withKey: "QUERY_ROOT.hero").name
      #expect(name == "Artoo", "a transaction sees its own write")
    }
  }

  @Test(
    "A record that there is not is named; a key without a type gets a hint",
    arguments: [
      "i1": "The cache has no record 'i1'. A key has the name of the type in front, as in 'Issue:i1'.",
      "Issue:i99": "The cache has no record 'Issue:i99'.",
    ])
  func missingRecord(_ key: String, _ message: String) async throws {
    try await publish(["id": "1", "name": "R2"])
    for isUpdate in [false, true] {
      let error = await #expect(throws: ResponseDecodingError.self) {
        try await store.withinReadWriteTransaction { transaction in
          if isUpdate {
            try transaction.updateObject(ofType: NicknameMutation.Hero.self, withKey: key) { $0.name = "a" }
          } else {
            _ = try transaction.readObject(ofType: NicknameMutation.Hero.self, withKey: key)
          }
        }
      }
      #expect(error?.message == message)
      #expect(error?.isCacheMiss == true)
    }
  }

  @Test("An optional field that the cache does not have is nil in an update, and stays missing")
  func missing() async throws {
    try await publish(["id": "1", "name": "R2"])
    await #expect(throws: ResponseDecodingError.self) { try await rename() }
    #expect(try hero()?["name"] == "R2", "reading it afterwards is a miss, and nothing of the transaction happened")
    try await store.withinReadWriteTransaction { try $0.update(NicknameMutation()) { $0.hero.name = "Artoo" } }
    #expect(try hero()?["name"] == "Artoo")
    #expect(try hero()?["nickname"] == nil)
    try await store.withinReadWriteTransaction { try $0.update(NicknameMutation()) { $0.hero.nickname = "x" } }
    #expect(try hero()?["nickname"] == "x")
  }

  @Test("A null stays null")
  func null() async throws {
    try await publish(["id": "1", "name": "R2", "nickname": nil])
    try await rename()
    #expect(try hero()?["nickname"] == .some(.null))
  }

  @Test("A field that may not be null has to be there")
  func required() async throws {
    try await publish(["id": "1", "nickname": nil])
    let error = await #expect(throws: ResponseDecodingError.self) { try await rename() }
    #expect(error?.path == ["hero", "name"])
    #expect(error?.reason == .cacheMiss(record: "QUERY_ROOT", field: "name"))
  }

  @Test("A model that was made by hand is written as it is, whatever its conditions say")
  func conditions() async throws {
    try await publish([:])
    let made = NicknameMutation.Hero(id: "7", name: "R2", nickname: nil)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(
        selectionSet: made, withKey: "QUERY_ROOT.hero", variables: NicknameMutation(withID: false).variables)
    }
    #expect(try hero()?["name"] == "R2")
    #expect(try hero()?["id"] == "7")
  }

  /// `APOLLO_RECORDS` says how many: a million in `make test-cache`.
  @Test("Very many records are written, found, watched, counted and removed", .asWritten, .timeLimit(.minutes(10)))
  func manyRecords() async throws {
    let wanted = Int(ProcessInfo.processInfo.environment["APOLLO_RECORDS"] ?? "") ?? 20_000
    let page = 10_000
    for start in stride(from: 0, to: wanted, by: page) {
      let friends = (start..<min(start + page, wanted)).map {
        #"{"__typename":"Human","id":"\#($0)","name":"n\#($0)"}"#
      }
      let json =
        #"{"hero":{"__typename":"Droid","id":"\#(start)","name":"a","size":null,"friends":[\#(friends.joined(separator: ","))]}}"#
      try await store.write(response: bytes(json), for: HeroQuery(episode: .some("\(start)")))
    }
    let pages = (wanted + page - 1) / page
    #expect(store.statistics.recordCount == wanted + pages + 1)
    let last = try await store.load(HeroQuery(episode: .some("\((pages - 1) * page)")))
    #expect(last.hero?.friends?.last??.name == "n\(wanted - 1)")
    let counter = Locked(0)
    let observer = store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
    await withCheckedContinuation { done in
      store.observe(HeroQuery(episode: "0"), for: observer) { _ in done.resume() }
    }
    let change = #"{"hero":{"__typename":"Human","id":"\#(page - 1)","name":"new","friends":null,"size":null}}"#
    try await store.write(response: bytes(change), for: HeroQuery(episode: "other"))
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 1)
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Droid:*") }
    let left = try await store.removeUnreachable()
    #expect(left >= wanted - page - 1, "what the watcher reads is kept")
    store.removeObserver(observer)
    try await store.clearCache()
    #expect(store.statistics.recordCount == 0)
  }
}
