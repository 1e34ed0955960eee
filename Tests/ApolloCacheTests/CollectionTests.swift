@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

// What the tests of Apollo Kotlin's garbage collection ask for (ReachableCacheKeysTest, DanglingReferencesTest,
// StaleFieldsTest, GarbageCollectTest), in each place that records can be in.

@Suite("Collecting garbage")
struct CollectionTests {
  private typealias Place = Collected.Place
  static let all: [Collected.Place] = [.memory, .backend, .reopened, .disk, .reopenedDisk]

  private static let library: [CacheKey: Record.Fields] = [
    "QUERY_ROOT": ["books": [.reference("Book:1"), .reference("Book:2")], "name": "x"],
    "Book:1": ["__typename": "Book", "id": "1", "title": "a", "author": .reference("Author:1")],
    "Book:2": ["__typename": "Book", "id": "2", "title": "b", "place": ["shelf": .reference("Shelf:1")]],
    "Author:1": ["__typename": "Author", "id": "1", "name": "c", "books": [.reference("Book:1"), nil]],
    "Shelf:1": ["__typename": "Shelf", "id": "1"],
    "Book:9": ["__typename": "Book", "id": "9", "author": .reference("Author:9")],
    "Author:9": ["__typename": "Author", "id": "9", "books": [.reference("Book:9")]],
  ]

  // MARK: Reachable records

  @Test("Records that no root leads to are removed, those in a circle too", arguments: all)
  func unreachable(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, .received(Self.library))
    #expect(try await collected.store.removeUnreachable() == 2)
    #expect(Set(collected.records.keys) == Set(Self.library.keys).subtracting(["Book:9", "Author:9"]))
    #expect(try await collected.store.removeUnreachable() == 0)
    try await collected.store.withinReadWriteTransaction { try $0.removeField("books", of: "QUERY_ROOT") }
    #expect(try await collected.store.removeUnreachable() == 4)
    #expect(Set(collected.records.keys) == ["QUERY_ROOT"])
  }

  @Test("The root of subscriptions leads to records, that of mutations loses its fields; roots stay", arguments: all)
  func roots(_ place: Collected.Place) async throws {
    let collected = try await Collected(
      place,
      .received([
        "QUERY_ROOT": ["a": .reference("A:1")], "MUTATION_ROOT": ["b": .reference("A:2")],
        "SUBSCRIPTION_ROOT": ["c": .list([.list([.reference("A:3")])])], "A:1": ["x": 1], "A:2": ["x": 1],
        "A:3": ["x": 1], "A:4": ["x": 1],
      ]))
    let garbage = try await collected.store.collectGarbage()
    // These roots are never on disk.
    let lost = place == .reopenedDisk ? ["A:2", "A:3", "A:4"] : ["A:2", "A:4"]
    #expect(garbage.removedRecords.sorted() == lost)
    #expect(garbage.removedFields == (place == .reopenedDisk ? [] : ["MUTATION_ROOT.b"]))
    try await collected.store.withinReadWriteTransaction {
      for key in ["A:1", "A:3"] { try $0.removeObject(for: key) }
    }
    #expect(try await !collected.store.collectGarbage().isEmpty)
    #expect(Set(collected.records.keys).isSubset(of: ["QUERY_ROOT", "MUTATION_ROOT", "SUBSCRIPTION_ROOT"]))
  }

  @Test("Long lists and long chains are followed to their ends", arguments: all)
  func long(_ place: Collected.Place) async throws {
    var records: [CacheKey: Record.Fields] = [
      "QUERY_ROOT": ["list": .list((0..<2000).map { .reference("A:\($0)") }), "chain": .reference("B:0")]
    ]
    for index in 0..<2000 {
      records["A:\(index)"] = ["x": 1]
      records["B:\(index)"] = ["next": index < 1999 ? .reference("B:\(index + 1)") : nil]
      records["C:\(index)"] = ["x": 1]
    }
    let collected = try await Collected(place, .received(records))
    #expect(try await collected.store.removeUnreachable() == 2000)
    #expect(collected.records.count == 4001)
    if place == .reopened || place == .reopenedDisk {
      #expect(collected.store.keys.isEmpty, "what was loaded for it did not stay")
    }
  }

  @Test("Of a backend that does not list its keys, what is in memory is looked at, by all that leads to it")
  func unlisted() async throws {
    let collected = try await Collected(.unlisted, .received(Self.library))
    try await collected.store.withinReadTransaction { _ in }
    try await collected.store.publish(records: ["Shelf:1": ["x": 1], "Book:9": ["x": 1], "A:1": ["x": 1]])
    #expect(try await collected.store.removeUnreachable() == 2, "a record of the backend leads to the shelf")
    #expect(Set(collected.records.keys) == Set(Self.library.keys).subtracting(["Book:9"]))
    let dangling = try await collected.store.removeDanglingReferences()
    #expect(dangling.isEmpty, "they lead to records of the backend")
  }

  // MARK: Dangling references

  @Test("A field that leads nowhere is removed, and in a list null takes its place", arguments: all)
  func dangling(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, .received(Self.library))
    try await collected.store.withinReadWriteTransaction {
      for key in ["Author:1", "Book:2"] { try $0.removeObject(for: key) }
    }
    let garbage = try await collected.store.removeDanglingReferences()
    #expect(Set(garbage.removedFields) == ["Book:1.author", "QUERY_ROOT.books.1"])
    #expect(garbage.removedRecords.isEmpty)
    #expect(collected.records["QUERY_ROOT"]?["books"] == [.reference("Book:1"), nil])
    #expect(collected.records["Book:1"] == ["__typename": "Book", "id": "1", "title": "a"])
    #expect(try await collected.store.removeDanglingReferences().isEmpty)
  }

  @Test("A record stays that loses its last reference: it was not removed, and lists go on to have it", arguments: all)
  func danglingChain(_ place: Collected.Place) async throws {
    let collected = try await Collected(
      place,
      .received([
        "QUERY_ROOT": ["a": [.reference("A:1")], "deep": ["in": [["it": .reference("A:4"), "x": 1]]]],
        "A:1": ["__typename": "A", "b": .reference("A:4")],
      ]))
    let garbage = try await collected.store.removeDanglingReferences()
    #expect(garbage.removedRecords.isEmpty)
    #expect(Set(garbage.removedFields) == ["A:1.b", "QUERY_ROOT.deep.in.0.it"])
    #expect(
      collected.records == [
        "QUERY_ROOT": ["a": [.reference("A:1")], "deep": ["in": [["x": 1]]]], "A:1": ["__typename": "A"],
      ])
  }

  @Test("What a limit of memory has dropped is not gone: references to it stay")
  func dropped() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 1_000_000))
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let human = try #require(store.engine.table.records.number(of: "Human:1000"))
    store.engine.state.withLock { $0.table.evict(human) }
    #expect(try await store.removeDanglingReferences().isEmpty)
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
  }

  @Test("A list with a removed object is readable before the reference is collected and after", arguments: all)
  func readableList(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, [:])
    try await collected.store.write(response: bytes(r2d2), for: HeroQuery())
    try await collected.store.withinReadWriteTransaction { try $0.removeObject(for: "Human:1000") }
    #expect(try await collected.store.load(HeroQuery()).hero?.friends == [nil, nil, nil])
    #expect(try await collected.store.removeDanglingReferences().removedFields.isEmpty == false)
    #expect(try await collected.store.load(HeroQuery()).hero?.friends == [nil, nil, nil])
  }

  // MARK: Stale fields

  @Test("Fields are removed when their server's time is over, and so many seconds more", arguments: all)
  func serverFields(_ place: Collected.Place) async throws {
    let collected = try await Collected(
      place, .received(Self.library, expiring: ["Book:1.title": 60, "Book:2.title": 70]))
    let store = collected.store
    collected.wait(59)
    #expect(try await store.removeStaleFields().isEmpty)
    collected.wait(1)
    #expect(try await store.removeStaleFields(maxStale: 1).isEmpty)
    #expect(try await store.removeStaleFields().removedFields == ["Book:1.title"])
    #expect(collected.records["Book:1"] == ["__typename": "Book", "id": "1", "author": .reference("Author:1")])
    collected.wait(15)
    #expect(try await store.removeStaleFields(maxStale: 6).isEmpty)
    #expect(try await store.removeStaleFields(maxStale: .infinity).isEmpty)
    #expect(try await store.removeStaleFields(maxStale: 5).removedFields == ["Book:2.title"])
  }

  @Test("A record that has lost all fields stays while something leads to it: its object is not gone", arguments: all)
  func serverRecords(_ place: Collected.Place) async throws {
    let collected = try await Collected(
      place,
      .received(
        Self.library,
        expiring: [
          "Author:1.id": 60, "Author:1.name": 50, "Author:1.books": 50, "QUERY_ROOT.books": 60, "QUERY_ROOT.name": 60,
        ]))
    collected.wait(60)
    let garbage = try await collected.store.removeStaleFields()
    #expect(garbage.removedRecords.isEmpty)
    #expect(garbage.removedFields.count == 5)
    #expect(collected.records["Author:1"] == ["__typename": "Author"])
  }

  @Test("An object of a list whose values were too old is missing after a collection, and not nil", arguments: all)
  func staleElement(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, [:])
    collected.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Human.id": 60, "Human.name": 60])
    try await collected.store.write(response: bytes(r2d2), for: HeroQuery())
    collected.wait(60)
    #expect(try await collected.store.collectGarbage().removedFields.count == 2)
    let error = await #expect(throws: ResponseDecodingError.self) {
      try await collected.store.load(HeroQuery(), ttlEnforcement: .permissive)
    }
    #expect(error?.path.starts(with: ["hero", "friends", 0]) == true)
  }

  @Test("Ages of the app: of a field, of its type, of the type that it leads to, and of all others", arguments: all)
  func clientFields(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, .received(Self.library))
    let store = collected.store
    store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Book": 60, "Book.title": 30, "Author": 600])
    collected.wait(30)
    #expect(Set(try await store.removeStaleFields().removedFields) == ["Book:1.title", "Book:2.title"])
    collected.wait(30)
    // (The object in `place` has no type, so nothing is said of it.)
    var removed = Set(try await store.removeStaleFields().removedFields)
    #expect(removed.isSuperset(of: ["Book:1.id", "Book:2.id", "Book:9.id"]))
    #expect(
      !removed.contains("Author:1.name") && !removed.contains("Shelf:1.id") && !removed.contains("QUERY_ROOT.name"))
    store.defaultMaxAge = 60
    removed = Set(try await store.removeStaleFields().removedFields)
    #expect(removed.contains("Shelf:1.id") && removed.contains("QUERY_ROOT.name") && !removed.contains("Author:1.name"))
    collected.wait(540)
    #expect(Set(try await store.removeStaleFields().removedFields).contains("Author:1.name"))
  }

  @Test("An age of the app of a field of the root", arguments: all)
  func rootField(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, .received(Self.library))
    collected.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Query.books": 60])
    collected.wait(59)
    #expect(try await collected.store.removeStaleFields().isEmpty)
    collected.wait(1)
    #expect(try await collected.store.removeStaleFields().removedFields == ["QUERY_ROOT.books"])
  }

  /// What a schema declares: `Book` is 60 s old at most, its title 30, its author as old as the book; `Author` 600.
  private enum Ages: SchemaMetadata {
    static func objectType(forTypename typename: String) -> Object? {
      switch typename {
      case "Book": Object(typename: "Book", maxAge: 60, fieldMaxAges: ["title": 30, "author": .inherited])
      case "Author": Object(typename: "Author", maxAge: 600)
      case "Shelf": Object(typename: "Shelf", maxAge: .inherited, fieldMaxAges: ["id": .seconds(-1)])
      case "Query": Object(typename: "Query", fieldMaxAges: ["name": 90])
      default: nil
      }
    }

    static var declaresMaxAges: Bool { true }
  }

  @Test("Ages that the schema declares", arguments: all)
  func declaredAges(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, .received(Self.library))
    let store = collected.store
    func removed() async throws -> Set<String> { Set(try await store.removeStaleFields().removedFields) }
    collected.wait(29)
    #expect(try await removed() == [])
    store.register(Ages.self)
    #expect(try await removed() == ["Shelf:1.id"])
    collected.wait(1)
    #expect(try await removed() == ["Book:1.title", "Book:2.title"])
    collected.wait(30)
    // (The objects of `books` are no older than 60 s, and an author of a book is as old as the book.)
    #expect(
      try await removed() == [
        "QUERY_ROOT.books", "Author:1.books", "Author:9.books", "Book:1.id", "Book:1.author", "Book:2.id", "Book:9.id",
        "Book:9.author",
      ])
    collected.wait(30)
    #expect(try await removed() == ["QUERY_ROOT.name"])
    // What the app says goes before.
    store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Author.name": 100])
    collected.wait(10)
    #expect(try await removed() == ["Author:1.name"])
    collected.wait(500)
    #expect(try await removed() == ["Author:1.id", "Author:9.id"])
  }

  @Test(
    "A field without a date is too old if an age applies and no server has spoken, and else it is not", arguments: all)
  func dateless(_ place: Collected.Place) async throws {
    var record = Record(key: "A:1", ["x": 1, "y": 1])
    record.expirations = ["y": Date(timeIntervalSince1970: 2_000_000)]
    let collected = try await Collected(place, RecordSet(records: [record]))
    #expect(try await collected.store.removeStaleFields().isEmpty)
    collected.store.defaultMaxAge = 1e9
    #expect(try await collected.store.removeStaleFields(maxStale: 1000).removedFields == ["A:1.x"])
  }

  // MARK: All together

  @Test("Stale fields make records unreachable: one collection removes it all", arguments: all)
  func together(_ place: Collected.Place) async throws {
    let collected = try await Collected(
      place,
      .received(
        Self.library,
        expiring: ["Shelf:1.id": 60, "Book:1.author": 60, "Author:9.books": 60, "Author:9.id": 60]))
    collected.wait(60)
    let garbage = try await collected.store.collectGarbage()
    #expect(
      Set(garbage.removedFields) == [
        "Shelf:1.id", "Book:1.author", "Author:9.books", "Author:9.id",
      ])
    #expect(Set(garbage.removedRecords) == ["Author:9", "Book:9", "Author:1"])
    #expect(Set(collected.records.keys) == ["QUERY_ROOT", "Book:1", "Book:2", "Shelf:1"])
    #expect(try await collected.store.collectGarbage().isEmpty)
  }

  @Test("What a server does not let be stored goes with the next collection, unless a watcher reads it")
  func transient() async throws {
    let store = ApolloStore()
    store.serverCacheControl = [.noStore]
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: bytes(r2d2), variables: HeroQuery().variables, rootKey: "QUERY_ROOT",
      identity: store.identity)
    await store.publish(try #require(contents.records), lifetime: .notStored)
    let observer = await watch(Character.Friend.self, "Human:1000", in: store)
    let garbage = try await store.collectGarbage(maxStale: .infinity)
    #expect(garbage.removedRecords == ["Droid:2001"])
    #expect(store.keys == ["Human:1000"] || store.keys == ["Human:1000", "QUERY_ROOT"])
    store.removeObserver(observer)
    #expect(try await store.collectGarbage(maxStale: .infinity).removedRecords == ["Human:1000"])
  }
}
