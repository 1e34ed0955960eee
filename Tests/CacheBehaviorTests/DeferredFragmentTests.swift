@testable import ApolloAPI
@testable import ApolloCache
import Testing

// MARK: - What the app says

private struct Failure: Error, Equatable {}

private struct Title: FieldPolicy.Reader {
  func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? {
    guard case .string(let nick)? = object["nick"] else { throw Failure() }
    return .string("Dr. \(nick)")
  }
}

private enum DeferSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = DeferConfiguration.self

  static func objectType(forTypename typename: String) -> Object? { Object(typename: typename) }
}

private enum DeferConfiguration: SchemaConfiguration, FieldPolicy.Provider {
  static let fieldReaders: [String: any FieldPolicy.Reader] = ["Person.title": Title()]

  static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent]
  ) -> CacheKeyInfo? {
    #expect(path == [.field("person"), .field("colleague")])
    return try? CacheKeyInfo(jsonValue: inputData["id"], uniqueKeyGroup: "Person")
  }

  static func cacheKeyList(
    for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent]
  ) -> [CacheKeyInfo]? { nil }
}

// MARK: - Models

/// `query Person { person { id ... @defer(label: "part") { … } } }`
private struct PersonQuery<Part: SelectionSet & Hashable & Sendable>: GraphQLQuery {
  static var operationName: String { "Person" }
  static var operationDocument: OperationDocument { OperationDocument("query Person { person { id } }") }

  struct Data: SelectionSet, Hashable, Sendable {
    var person: Person?

    static var schema: (any SchemaMetadata.Type)? { DeferSchema.self }
    static var __fields: __FieldTable { __FieldTable(version: 1, "person") }

    init(__reading object: inout __ObjectReader) throws(__ReadError) { person = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, person) }
  }

  struct Person: SelectionSet, Hashable, Sendable {
    var id: String
    var part: DeferredFragment<Part>

    static var __fields: __FieldTable { __FieldTable(version: 1, "__typename id!# @defer ...") }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(1)
      part = try object.deferred(2, "part")
    }

    func __writeFields(to writer: inout __JSONWriter) { writer.write(1, id) }
  }
}

/// `{ id nick }`
private struct Friend: SelectionSet, Hashable {
  var id: String
  var nick: String

  static let __fields = __FieldTable(version: 1, "__typename id!# nick")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    nick = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(1, id)
    writer.write(2, nick)
  }
}

/// `{ friends { id nick } }`
private struct Friends: SelectionSet, Hashable {
  var friends: [Friend]

  static let __fields = __FieldTable(version: 1, "friends")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { friends = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, friends) }
}

/// `{ title }`
private struct Titled: SelectionSet, Hashable {
  var title: String?

  static let __fields = __FieldTable(version: 1, "title")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { title = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, title) }
}

/// `{ colleague(id: "3") { id nick } }`
private struct Colleague: SelectionSet, Hashable {
  var colleague: Friend?

  static let __fields = __FieldTable(version: 1, "colleague(id:\"3\")")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { colleague = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, colleague) }
}

/// `{ nick @catch(to: THROW) }`
private struct Strict: SelectionSet, Hashable {
  var nick: String?

  static let __fields = __FieldTable(version: 5, "__typename nick{0}")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { nick = try object.read(1) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(1, nick) }
}

/// `{ friend @catch(to: NULL) { nick @catch(to: THROW) } }`
private struct Lenient: SelectionSet, Hashable {
  var friend: Strict?

  static let __fields = __FieldTable(version: 1, "friend")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { friend = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, friend) }
}

/// `query Named { person { id nick @catch(to: THROW) ... @defer(label: "part") { friends { id nick } } } }`
private struct NamedQuery: GraphQLQuery {
  static let operationName = "Named"
  static let operationDocument = OperationDocument("query Named { person { id } }")

  struct Data: SelectionSet, Hashable, Sendable {
    var person: Person?

    static let __fields = __FieldTable(version: 1, "person")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { person = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, person) }
  }

  struct Person: SelectionSet, Hashable, Sendable {
    var id: String
    var nick: String?
    var part: DeferredFragment<Friends>

    static let __fields = __FieldTable(version: 5, "__typename id!# nick{0} @defer ...")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(1)
      nick = try object.read(2)
      part = try object.deferred(3, "part")
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(1, id)
      writer.write(2, nick)
    }
  }
}

/// Counts how often records are asked for.
private final class CountingCache: NormalizedCache {
  let records = RecordsOnly()
  let loads = Locked(0)

  func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    loads.withLock { $0 += 1 }
    return records.loadRecords(forKeys: keys)
  }

  func merge(records: RecordSet) -> Set<CacheKey> { self.records.merge(records: records) }
  func removeRecord(for key: CacheKey) { records.removeRecord(for: key) }
  func removeRecords(matching pattern: CacheKey) { records.removeRecords(matching: pattern) }
  func clear() { records.clear() }
}

// MARK: - Tests

extension CacheBehaviorTests {
  @Suite("Deferred fragments that are read from the cache")
  struct DeferredFragmentTests {
    /// A person with four friends, of whom one may lack a name.
    private func records(lacking missing: Int? = nil) -> RecordSet {
      let friends = 2...5
      var records = [
        Record(key: "QUERY_ROOT", ["person": .reference("Person:1")]),
        Record(
          key: "Person:1",
          [
            "__typename": "Person", "id": "1", "nick": "Ada",
            "friends": .list(friends.map { .reference("Person:\($0)") }),
          ]),
      ]
      for id in friends {
        var fields: Record.Fields = ["__typename": "Person", "id": .string("\(id)")]
        if id != missing { fields["nick"] = .string("n\(id)") }
        records.append(Record(key: "Person:\(id)", fields))
      }
      return RecordSet(records: records)
    }

    private func part<Part>(_ type: Part.Type, in store: ApolloStore) async throws -> DeferredFragment<Part>?
    where Part: SelectionSet & Hashable & Sendable {
      try await store.load(PersonQuery<Part>()).person?.part
    }

    // MARK: Backends

    @Test("What a fragment needs is loaded from a backend, all objects of a list at once")
    func backend() async throws {
      let cache = CountingCache()
      try await ApolloStore(cache: cache).publish(records: records())
      cache.loads.withLock { $0 = 0 }
      let store = ApolloStore(cache: cache)
      #expect(try await part(Friends.self, in: store)?.value?.friends.map(\.nick) == ["n2", "n3", "n4", "n5"])
      // The root, the person, and the friends.
      #expect(cache.loads.withLock { $0 } == 3)
    }

    @Test("If a backend does not have all of a fragment, the fragment is pending")
    func pending() async throws {
      let cache = CountingCache()
      try await ApolloStore(cache: cache).publish(records: records(lacking: 4))
      cache.loads.withLock { $0 = 0 }
      let store = ApolloStore(cache: cache)
      for _ in 0..<2 { #expect(try await part(Friends.self, in: store) == .pending) }
      #expect(cache.loads.withLock { $0 } == 3)
    }

    // MARK: Functions of the app

    @Test("Fields of a fragment are computed, whether they are stored or not", arguments: [false, true])
    func computed(isStored: Bool) async throws {
      let store = ApolloStore()
      try await store.publish(records: records())
      if isStored {
        try await store.publish(records: RecordSet(records: [Record(key: "Person:1", ["title": "stored"])]))
      }
      #expect(try await part(Titled.self, in: store)?.value?.title == "Dr. Ada")
    }

    @Test("If computing a field of a fragment fails, the read fails with an error that names the field")
    func failing() async throws {
      let store = ApolloStore()
      let records = RecordSet(records: [
        Record(key: "QUERY_ROOT", ["person": .reference("Person:1")]),
        Record(key: "Person:1", ["__typename": "Person", "id": "1"]),
      ])
      try await store.publish(records: records)
      let reading = await store.read(PersonQuery<Titled>())
      let error = #expect(throws: ResponseDecodingError.self) { try reading.data.get() }
      #expect(error?.reason == .failedFieldReader(record: "Person:1", field: "title"))
      #expect(error?.path == ["person", "title"])
      #expect(error?.underlyingError is Failure)
    }

    @Test("A provider of keys is asked what a field of a fragment leads to")
    func provider() async throws {
      let store = ApolloStore()
      try await store.publish(records: records())
      #expect(try await part(Colleague.self, in: store)?.value?.colleague?.nick == "n3")
    }

    // MARK: Parts in which they have not come

    // (The form of 2022 does not announce them: the mark is our own, and stands before the data.)

    @Test(
      "A part that lacks a fragment is stored also where it has errors with paths, or hints for the cache",
      arguments: [
        #""errors":[{"message":"broken","path":["person","other"]}]"#,
        #""extensions":{"cacheControl":{"version":1,"hints":[{"path":["person"],"maxAge":60}]}}"#,
      ])
    func withErrors(members: String) async throws {
      let store = ApolloStore(), query = PersonQuery<Friends>()
      store.serverCacheControl = [.fieldHints]
      let text = #"{"@defer":"pending","data":{"person":{"__typename":"Person","id":"1"}},\#(members),"hasNext":true}"#
      let result = try await store.write(response: ResponseBytes(text.utf8), for: query)
      #expect(result?.person?.part == .pending)
      #expect(try await store.load(query).person == result?.person)
    }

    @Test("It is stored also where an error in it leaves no data")
    func withUnhandledError() async throws {
      let store = ApolloStore()
      let person = #"{"__typename":"Person","id":"1","nick":null}"#
      let errors = #"[{"message":"broken","path":["person","nick"]}]"#
      let text = #"{"@defer":"pending","data":{"person":\#(person)},"errors":\#(errors),"hasNext":true}"#
      _ = try? await store.write(response: ResponseBytes(text.utf8), for: NamedQuery())
      #expect(try await store.load(PersonQuery<Friends>()).person?.id == "1")
      #expect(try await part(Friends.self, in: store) == .pending)
    }

    // MARK: Errors

    /// What a response makes, and what the cache makes of it afterwards.
    private func both<Part>(_ type: Part.Type, _ members: String, error path: String) async throws -> (
      response: PersonQuery<Part>.Data?, cache: PersonQuery<Part>.Data
    ) where Part: SelectionSet & Hashable & Sendable {
      let store = ApolloStore(), query = PersonQuery<Part>()
      let data = #"{"person":{"__typename":"Person","id":"1",\#(members)}}"#
      let text = #"{"data":\#(data),"errors":[{"message":"broken","path":[\#(path)]}]}"#
      let bytes = ResponseBytes(text.utf8)
      try await store.write(response: bytes, for: query)
      let contents = try ResponseReader.read(PersonQuery<Part>.Data.self, from: bytes)
      return (contents.data, try await store.load(query))
    }

    @Test("An error that is caught inside of a fragment leaves the fragment ready")
    func caughtInside() async throws {
      let friend = #""friend":{"__typename":"Person","id":"2","nick":null}"#
      let (response, cache) = try await both(Lenient.self, friend, error: #""person","friend","nick""#)
      let person = try #require(response?.person)
      #expect(person.part.value != nil && person.part.value?.friend == nil)
      #expect(cache == response)
    }

    @Test("An error that is caught outside of a fragment makes null what catches it")
    func caughtOutside() async throws {
      let (response, cache) = try await both(Strict.self, #""nick":null"#, error: #""person","nick""#)
      #expect(response != nil && response?.person == nil)
      #expect(cache == response)
    }
  }
}
