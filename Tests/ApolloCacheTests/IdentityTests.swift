import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Keys of objects", .everyStyle)
struct IdentityTests {
  let store = ApolloStore()

  func keys(_ configuration: @escaping Configured.CacheKeyInfoFunction, _ json: String) async throws -> [String] {
    try await Configured.$current.withValue(configuration) {
      _ = try await store.write(response: bytes(json), for: ConfiguredQuery())
    }
    return store.keys.filter { !$0.hasSuffix("_ROOT") }
  }

  @Test("A configuration tells keys, and groups of types that share them")
  func cacheKeyInfo() async throws {
    let hero = #"{"hero":{"__typename":"Droid","id":"1","name":"a"}}"#
    #expect(try await keys({ _, object in try? CacheKeyInfo(jsonValue: object["id"]) }, hero) == ["Droid:1"])
    let group: Configured.CacheKeyInfoFunction = { _, object in
      try? CacheKeyInfo(jsonValue: object["id"], uniqueKeyGroup: "Character")
    }
    #expect(try await keys(group, hero) == ["Character:1", "Droid:1"])
  }

  @Test("A configuration is asked with the type of the schema, or with the name alone if the schema has none")
  func types() async throws {
    let known = #"{"hero":{"__typename":"Droid","id":"1","name":"a"}}"#
    let unknown = #"{"hero":{"__typename":"Wookiee","id":"1","name":"a"}}"#
    let ask: Configured.CacheKeyInfoFunction = { type, _ in
      CacheKeyInfo(id: type.implementedInterfaces.map(\.name).joined(), uniqueKeyGroup: type.typename)
    }
    #expect(try await keys(ask, known) == ["Droid:Character"])
    #expect(try await keys(ask, unknown) == ["Droid:Character", "Wookiee:"])
  }

  @Test(
    "Ids are strings and numbers, integers of every size; a Boolean is none, and then the object belongs to its field",
    .everyStyle(changing: [.order, .repeats]))
  func scalarIDs() async throws {
    let ask: Configured.CacheKeyInfoFunction = { _, object in
      try? CacheKeyInfo(jsonValue: object["name"], uniqueKeyGroup: "Omega")
    }
    func hero(_ name: String) -> String { #"{"hero":{"__typename":"Droid","id":"x","name":\#(name)}}"# }
    for (json, key) in [("0", "Omega:0"), ("1", "Omega:1"), (#""1""#, "Omega:1"), (#""a+b""#, "Omega:a+b")] {
      try await store.clearCache()
      #expect(try await keys(ask, hero(json)).contains(key), "\(json)")
    }
    try await store.clearCache()
    let none = try await keys(ask, hero("true"))
    #expect(none.allSatisfy { !$0.hasPrefix("Omega:t") })
    #expect(try CacheKeyInfo(jsonValue: Int32(-5)).id == "-5")
    #expect(try CacheKeyInfo(jsonValue: UInt64.max).id == "18446744073709551615")
    #expect(throws: JSONDecodingError.self) { try CacheKeyInfo(jsonValue: true) }
    #expect(throws: JSONDecodingError.self) { try CacheKeyInfo(jsonValue: nil) }
    #expect(throws: JSONDecodingError.self) { try CacheKeyInfo(jsonValue: JSONNull()) }
  }

  @Test("Where the configuration has no answer, the key fields decide")
  func fallback() async throws {
    let hero = #"{"hero":{"__typename":"Droid","id":"1","name":"a"}}"#
    #expect(try await keys({ _, _ in nil }, hero) == ["Droid:1"])
  }
}

@Suite("Field policies", .everyStyle)
struct FieldPolicyTests {
  let store = ApolloStore()

  func write(_ droids: [(id: String, name: String)]) async throws {
    for (id, name) in droids {
      let json = #"{"hero":{"__typename":"Droid","id":"\#(id)","name":"\#(name)","friends":null,"size":null}}"#
      _ = try await store.write(response: bytes(json), for: HeroQuery(episode: .some(id)))
    }
  }

  @Test("A field that no response told leads to the object that its arguments name")
  func scalar() async throws {
    try await write([("2001", "R2-D2")])
    #expect(try await store.load(DroidQuery(id: "2001")).droid?.name == "R2-D2")
    let miss = await #expect(throws: ResponseDecodingError.self) { try await store.load(DroidQuery(id: "1")) }
    #expect(miss?.path == ["droid"])
  }

  @Test("What the server said of a field counts more than its policy")
  func storedNull() async throws {
    try await write([("2001", "R2-D2")])
    _ = try await store.write(response: bytes(#"{"droid":null}"#), for: DroidQuery(id: "2001"))
    #expect(try await store.load(DroidQuery(id: "2001")).droid == nil)
  }

  @Test("A null argument, or none, names no object")
  func nulls() async throws {
    try await write([("null", "a")])
    await #expect(throws: ResponseDecodingError.self) { try await store.load(DroidQuery(id: .null)) }
    await #expect(throws: ResponseDecodingError.self) { try await store.load(DroidQuery(id: .none)) }
  }

  @Test("A list argument leads to a list, in its order and with all of it; key arguments may be Booleans")
  func lists() async throws {
    let all = ["Anakin", "Obi-Wan", "Luke"].map { #"{"__typename":"Hero","name":"\#($0)","isJedi":true}"# }
    _ = try await store.write(response: bytes(#"{"all":[\#(all.joined(separator: ","))]}"#), for: JediQuery())
    #expect(store.keys.contains("Hero:Anakin+true"))
    let heroes = try await store.load(HeroesQuery(names: ["Obi-Wan", "Anakin"], isJedi: true)).heroes
    #expect(heroes?.map { $0?.name } == ["Obi-Wan", "Anakin"])
    await #expect(throws: ResponseDecodingError.self) {
      try await store.load(HeroesQuery(names: ["Anakin"], isJedi: false))
    }
    let miss = await #expect(throws: ResponseDecodingError.self) {
      try await store.load(HeroesQuery(names: ["Anakin", "Yoda"], isJedi: true))
    }
    #expect(miss?.path == ["heroes", 1])
    await #expect(throws: ResponseDecodingError.self) {
      try await store.load(HeroesQuery(names: ["Anakin", nil], isJedi: true))
    }
    #expect(try await store.load(HeroesQuery(names: [], isJedi: true)).heroes == [])
  }

  @Test("A key argument may be a member of an input object")
  func members() async throws {
    let luke = #"{"all":[{"__typename":"Hero","name":"Luke","isJedi":true}]}"#
    _ = try await store.write(response: bytes(luke), for: JediQuery())
    #expect(try await store.load(NestedArgumentQuery(name: "Luke")).nested?.name == "Luke")
    await #expect(throws: ResponseDecodingError.self) { try await store.load(NestedArgumentQuery(name: "Leia")) }
  }

  @Test("A value that came with other arguments is found by those that name the object")
  func otherArguments() async throws {
    _ = try await store.write(response: bytes(#"{"droid":null}"#), for: SizedDroidQuery(id: "1", size: 1))
    #expect(try await store.load(SizedDroidQuery(id: "1", size: 2)).droid == nil, "the server has said so")
    await #expect(throws: ResponseDecodingError.self) { try await store.load(SizedDroidQuery(id: "2", size: 1)) }
    // Without the argument that names the object, the others count.
    _ = try await store.write(response: bytes(#"{"droid":null}"#), for: SizedDroidQuery(id: .none, size: 1))
    #expect(try await store.load(SizedDroidQuery(id: .none, size: 1)).droid == nil)
    await #expect(throws: ResponseDecodingError.self) { try await store.load(SizedDroidQuery(id: .none, size: 2)) }
  }

  @Test("A schema configuration can tell the keys, of lists as well")
  func provider() async throws {
    try await write([("1", "a"), ("2", "b")])
    let data = try await store.load(ProviderQuery(id: "1"))
    #expect(data.friend?.name == "a")
    #expect(data.friends.map(\.name) == ["a", "b"])
    await #expect(throws: ResponseDecodingError.self, "a group counts more than the type of the field") {
      try await store.load(ProviderQuery(id: "1", group: "Human"))
    }
  }

  @Test("An observer of an object that is not there yet is told when it comes")
  func observer() async throws {
    let count = Locked(0)
    let observer = store.addObserver(ignoring: UUID()) { _ in count.withLock { $0 += 1 } }
    await withCheckedContinuation { done in store.observe(DroidQuery(id: "7"), for: observer) { _ in done.resume() } }
    try await write([("7", "a")])
    await store.waitUntilTold()
    #expect(count.withLock { $0 } == 1)
  }
}
