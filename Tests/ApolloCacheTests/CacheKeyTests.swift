@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

@Suite("Keys and paths")
struct CacheKeyTests {
  let store = ApolloStore()

  func friend(_ key: CacheKey) async throws -> String? {
    try await store.withinReadTransaction {
      try $0.readObject(ofType: Character.Friend.self, withKey: key).name
    }
  }

  @Test("Keys of any length that differ in one byte are of different records")
  func similarKeys() async throws {
    var names: [CacheKey: String] = [:]
    for length in 1...40 {
      for place in 0..<length {
        var bytes = Array(repeating: UInt8(ascii: "a"), count: length)
        bytes[place] = UInt8(ascii: "b")
        names[String(decoding: bytes, as: UTF8.self)] = "\(length), \(place)"
      }
    }
    try await store.publish(
      records: RecordSet(
        records: names.map { Record(key: $0, ["__typename": "Human", "id": "1", "name": .string($1)]) }))
    #expect(names.count == 820)
    for (key, name) in names { #expect(try await friend(key) == name) }
  }

  @Test("A key with very many dots is divided at some from its start and from its end")
  func manyDots() async throws {
    #expect(CacheKeyPath.divisions(of: ".a.b.c").map(\.prefix) == [".a.b", ".a"])
    #expect(CacheKeyPath.divisions(of: ".a.b.c").map(\.rest) == ["c", "b.c"])
    let dots = String(repeating: ".a", count: 50_000), key = "Human:7\(dots)"
    let prefixes = CacheKeyPath.divisions(of: key).map(\.prefix)
    #expect(prefixes.count == 2 * CacheKeyPath.dotLimit)
    #expect(prefixes.last == "Human:7" && prefixes.first == String(key.dropLast(2)))

    let store = ApolloStore(cache: TextCache()), circle = String(repeating: ".self", count: 20_000)
    try await store.publish(records: ["Human:7": ["self": .reference("Human:7")]])
    let count = store.engine.table.records.keyCount
    for key in [key, "Human:7\(circle).gone"] {
      try await store.publish(records: [key: ["x": 1]])
      #expect(store.engine.table.exported([key])[key]?["x"] == 1)
    }
    #expect(store.engine.table.records.keyCount - count <= 4 * CacheKeyPath.dotLimit + 2)
  }

  @Test("A path is followed whatever dots are in its arguments")
  func dotsInArguments() async throws {
    let field = "friends(after:\"\(String(repeating: "x.", count: 100))\")"
    try await store.publish(records: ["Human:7": [field: [.reference("Human:8")]], "Human:8": ["id": "8"]])
    let nodes = try await store.withinReadWriteTransaction { try $0.connection(at: "Human:7.\(field)").nodes }
    #expect(nodes == ["Human:8"])
  }

  func configuredKeys(_ id: String) async throws -> [String] {
    var writer = __JSONWriter()
    writer.write(id)
    let json = #"{"hero":{"__typename":"Droid","id":\#(writer.text),"name":"a"}}"#
    try await Configured.$current.withValue({ _, object in try? CacheKeyInfo(jsonValue: object["id"]) }) {
      _ = try await store.write(response: bytes(json), for: ConfiguredQuery())
    }
    return store.keys.filter { !$0.hasSuffix("_ROOT") }
  }

  static let ids = ["1.2.3", "a(b.c", #"a"b.c)"#, "a+b\\c", "", ".", "x.name", "friends.0"]

  @Test("The key of an id that an app tells is the type, a colon and the id as it is", arguments: ids)
  func anyID(_ id: String) async throws {
    #expect(try await configuredKeys(id) == ["Droid:" + id])
    #expect(try await friend("Droid:" + id) == "a")
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: Character.Friend.self, withKey: "Droid:" + id) { $0.name = "b" }
    }
    #expect(store.keys.filter { !$0.hasSuffix("_ROOT") } == ["Droid:" + id])
    #expect(try await friend("Droid:" + id) == "b")
  }

  @Test("Points and brackets of a key make no path, and a path may begin at such a key", arguments: ids)
  func pathsFromKeys(_ id: String) async throws {
    let records: RecordSet = [
      "Droid:\(id)": [
        "__typename": "Droid", "friends": [.reference("Human:\(id)")],
        "best(of:\"a.b)\")": ["__typename": "Human", "id": "0", "name": "best"],
      ],
      "Human:\(id)": ["__typename": "Human", "id": .string(id), "name": "friend"],
      "Droid": ["__typename": "Droid"],
    ]
    try await store.publish(records: records)
    #expect(try await friend("Human:\(id)") == "friend")
    #expect(try await friend("Droid:\(id).friends.0") == "friend")
    #expect(try await friend("Droid:\(id).best(of:\"a.b)\")") == "best")
  }

  @Test("A path leads through records that only a backend has")
  func pathsInBackends() async throws {
    let cache = TextCache()
    try await ApolloStore(cache: cache).publish(records: [
      "QUERY_ROOT": ["hero": .reference("Droid:1.5")],
      "Droid:1.5": ["__typename": "Droid", "friends": [nil, .reference("Human:1")]],
      "Human:1": ["__typename": "Human", "id": "1", "name": "a"],
    ])
    for key in ["QUERY_ROOT.hero.friends.1", "Droid:1.5.friends.1", "Human:1"] {
      let store = ApolloStore(cache: cache)
      let name = try await store.withinReadTransaction {
        try $0.readObject(ofType: Character.Friend.self, withKey: key).name
      }
      #expect(name == "a", "\(key)")
    }
    let store = ApolloStore(cache: cache)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: Character.Friend.self, withKey: "QUERY_ROOT.hero.friends.1") {
        $0.name = "b"
      }
    }
    let other = ApolloStore(cache: cache)
    let name = try await other.withinReadTransaction {
      try $0.readObject(ofType: Character.Friend.self, withKey: "Human:1").name
    }
    #expect(name == "b")
    #expect(cache.keys == ["QUERY_ROOT", "Droid:1.5", "Human:1"])
  }

  @Test("Records that are published under a path change what the path leads to, and observers are told")
  func publishing() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    let counter = Locked(0)
    let observer = store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
    await withCheckedContinuation { done in store.observe(HeroQuery(), for: observer) { _ in done.resume() } }
    try await store.publish(records: ["QUERY_ROOT.hero": ["name": "Artoo"]])
    #expect(try await store.load(HeroQuery()).hero?.name == "Artoo")
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 1)
    try await store.publish(records: [
      "QUERY_ROOT.hero.size": ["meters": 2], "QUERY_ROOT.hero.friends.0": ["name": "L"],
    ])
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == 2)
    #expect(try await store.load(HeroQuery()).hero?.friends?.last??.name == "L")
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 2)
    #expect(store.keys == ["Droid:2001", "Human:1000", "QUERY_ROOT"], "no record has the path for its key")
  }

  @Test("Records under paths that refer to each other are records, as older releases kept them")
  func recordsByPath() async throws {
    try await store.publish(records: [
      "QUERY_ROOT": ["hero": .reference("QUERY_ROOT.hero")],
      "QUERY_ROOT.hero": ["__typename": "Droid", "id": "1", "name": "a", "friends": nil, "size": nil],
    ])
    #expect(try await store.load(HeroQuery()).hero?.name == "a")
    try await store.publish(records: ["QUERY_ROOT.hero": ["name": "b"]])
    #expect(try await store.load(HeroQuery()).hero?.name == "b")
  }

  @Test("An empty pattern matches no key, in a store, a set of records and a backend")
  func emptyPattern() async throws {
    #expect(!CacheKeyPattern("").matches("A:1") && !CacheKeyPattern("").matches(""))
    #expect(CacheKeyPattern("*").matches("A:1"))
    var records: RecordSet = ["A:1": ["x": 1], "QUERY_ROOT": ["a": .reference("A:1")]]
    let backend = TextCache()
    for store in [ApolloStore(), ApolloStore(cache: backend)] {
      try await store.publish(records: records)
      try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "") }
      #expect(store.keys == ["A:1", "QUERY_ROOT"])
    }
    #expect(backend.keys == ["A:1", "QUERY_ROOT"])
    records.removeRecords(matching: "")
    #expect(records.keys == ["A:1", "QUERY_ROOT"])
  }

  @Test("A list of an object whose key has a parenthesis or a dot is found, also behind arguments that have them")
  func listsOfAnyKey() async throws {
    let key = "User:a(b.c", field = FieldKey.text(of: "friends", arguments: ["q": "1.5)"]), backend = TextCache()
    let list = Record.Value.list([.reference("User:1")])
    let records = RecordSet(records: [
      Record(key: key, ["friends": list, field: list]), Record(key: "User:1", ["x": 1]),
      Record(key: "User:2", ["x": 2]),
    ])
    try await ApolloStore(cache: backend).publish(records: records)
    let memory = ApolloStore()
    try await memory.publish(records: records)
    for store in [memory, ApolloStore(cache: backend)] {
      try await store.withinReadWriteTransaction {
        try $0.connection("friends", of: key).append("User:2")
        try $0.connection("friends", arguments: ["q": "1.5)"], of: key).append("User:2")
      }
      let record = store.engine.table.exported([key])[key]
      let expected = Record.Value.list([.reference("User:1"), .reference("User:2")])
      #expect(record?["friends"] == expected && record?[field] == expected)
      let error = await #expect(throws: ApolloStore.Error.self) {
        try await store.withinReadWriteTransaction { try $0.connection("none", of: key).append("User:2") }
      }
      guard case .noList? = error else { Issue.record("\(String(describing: error))"); continue }
    }
  }

  @Test(
    "A date that is not a number, or out of range, is not a date or the last one that can be kept",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, -1, 1e10])
  func dates(_ seconds: Double) async throws {
    final class Dated: NormalizedCache {
      let seconds: Double
      init(_ seconds: Double) { self.seconds = seconds }
      func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
        var records: [CacheKey: Record] = [:]
        for key in keys {
          records[key] = Record(
            key: key, ["hero": nil], receivedAt: Date(timeIntervalSince1970: seconds))
        }
        return records
      }
      func merge(records: RecordSet) throws -> Set<CacheKey> { [] }
      func removeRecord(for key: CacheKey) throws {}
      func removeRecords(matching pattern: CacheKey) throws {}
      func clear() throws {}
    }
    let store = ApolloStore(cache: Dated(seconds))
    #expect(try await store.load(HeroQuery()).hero == nil)
    let record = Record(key: "Human:1", ["name": "a"], receivedAt: Date(timeIntervalSince1970: seconds))
    try await store.publish(records: RecordSet(records: [record]))
  }
}
