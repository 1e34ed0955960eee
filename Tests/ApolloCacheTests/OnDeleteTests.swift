@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

/// A schema with `@onDelete(cascade: true)` on some fields.
private enum LibrarySchema: SchemaMetadata {
  enum Configuration: SchemaConfiguration {}

  static let configuration: any SchemaConfiguration.Type = Configuration.self

  static func objectType(forTypename typename: String) -> Object? {
    switch typename {
    case "Book": Object(typename: "Book", keyFields: ["id"], cascadingFields: ["chapters", "cover", "root"])
    case "Chapter": Object(typename: "Chapter", keyFields: ["id"], cascadingFields: ["notes", "book"])
    case "Part": Object(typename: "Part", cascadingFields: ["page"])
    case "Note": Object(typename: "Note", keyFields: ["id"])
    default: nil
    }
  }
}

/// `{ __typename }`
private struct TypeQuery: GraphQLQuery {
  static let operationName = "Type"
  static let operationDocument = OperationDocument("query Type { __typename }")

  struct Data: SelectionSet, Hashable {
    static let __fields = __FieldTable(version: 1, "")
    static var schema: (any SchemaMetadata.Type)? { LibrarySchema.self }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {}
    func __writeFields(to writer: inout __JSONWriter) {}
  }
}

@Suite("Removal of what fields with @onDelete lead to")
struct OnDeleteTests {
  static let records: [CacheKey: Record.Fields] = [
    "QUERY_ROOT": ["__typename": "Query", "book": .reference("Book:1")],
    "Book:1": [
      "__typename": "Book", "chapters(first:1)": [.reference("Chapter:1")],
      "chapters(first:9)": [[.reference("Chapter:2"), nil]], "author": .reference("Author:1"),
      "cover": ["__typename": "Cover", "image": .reference("Image:1")],
      "parts": [["__typename": "Part", "page": .reference("Page:1"), "next": .reference("Page:2")]],
      "root": .reference("QUERY_ROOT"), "chapter": .reference("Chapter:3"), "chaptersOf": .reference("Chapter:3"),
    ],
    "Author:1": ["__typename": "Author", "book": .reference("Book:1")],
    "Chapter:1": ["__typename": "Chapter", "notes": [.reference("Note:1")], "next": .reference("Chapter:3")],
    "Chapter:2": ["__typename": "Chapter", "book": .reference("Book:1"), "notes": .reference("Note:9")],
    "Chapter:3": ["__typename": "Chapter"],
    "Note:1": ["__typename": "Note", "book": .reference("Book:2")],
    "Book:2": ["__typename": "Book"], "Image:1": ["x": 1], "Page:1": ["x": 1], "Page:2": ["x": 1],
    "Other:1": ["chapters": .reference("Chapter:3")],
  ]

  static let removed: Set = ["Book:1", "Chapter:1", "Chapter:2", "Note:1", "Page:1"]

  @Test(
    "They are removed, and what their own fields lead to, in circles, with all arguments; nothing else is",
    arguments: CollectionTests.all)
  func removal(_ place: Collected.Place) async throws {
    let collected = try await Collected(place, .received(Self.records)), all = Set(Self.records.keys)
    collected.store.register(LibrarySchema.self)
    try await collected.store.remove("Book:1")
    #expect(Set(collected.records.keys) == all.subtracting(Self.removed))
    try await collected.store.remove("Other:1")
    #expect(collected.records["Chapter:3"] != nil, "A type that the schema does not know says nothing")

    let other = try await Collected(place, .received(Self.records))
    other.store.register(LibrarySchema.self)
    try await other.store.withinReadWriteTransaction { try $0.removeObject(for: "QUERY_ROOT.book.parts.0") }
    #expect(Set(other.records.keys) == all.subtracting(["Page:1"]))
    #expect(other.records["Book:1"]?["parts"] == nil)
    try await other.store.withinReadWriteTransaction { transaction in
      try await transaction.removeObject(for: "Chapter:1")
    }
    #expect(Set(other.records.keys) == all.subtracting(["Page:1", "Chapter:1", "Note:1"]))
  }

  @Test("With cascade: true, what the schema says makes no difference")
  func everything() async throws {
    let collected = try await Collected(.backend, .received(Self.records))
    collected.store.register(LibrarySchema.self)
    try await collected.store.remove("Book:1", cascade: true)
    #expect(Set(collected.records.keys) == ["QUERY_ROOT", "Other:1"])
  }

  @Test("A pattern removes the objects whose keys match it, and no others")
  func pattern() async throws {
    let collected = try await Collected(.backend, .received(Self.records))
    collected.store.register(LibrarySchema.self)
    try await collected.store.withinReadWriteTransaction { try $0.removeObjects(matching: "Book:1") }
    #expect(Set(collected.records.keys) == Set(Self.records.keys).subtracting(["Book:1"]))
  }

  enum Learning: CaseIterable { case nothing, load, write, transaction, observer }

  @Test("A store knows the schemas of the operations that it has read or written", arguments: Learning.allCases)
  func learning(_ learning: Learning) async throws {
    let collected = try await Collected(.reopened, .received(Self.records)), store = collected.store
    switch learning {
    case .nothing: break
    case .load: _ = try await store.load(TypeQuery())
    case .write: try await store.write(response: ResponseBytes(Array(#"{"data":{}}"#.utf8)), for: TypeQuery())
    case .transaction: _ = try await store.withinReadTransaction { try $0.read(query: TypeQuery()) }
    case .observer:
      let observer = store.addObserver(ignoring: UUID()) { _ in }
      await withCheckedContinuation { done in store.observe(TypeQuery(), for: observer) { _ in done.resume() } }
      store.removeObserver(observer)
    }
    try await store.remove("Book:1")
    let removed = learning == .nothing ? ["Book:1"] : Self.removed
    #expect(Set(collected.records.keys) == Set(Self.records.keys).subtracting(removed))
  }

  @Test("A removal that a backend does not take changes nothing, and what it cannot load stops it")
  func failure() async throws {
    let collected = try await Collected(.reopened, .received(Self.records))
    collected.store.register(LibrarySchema.self)
    collected.backend?.fail()
    await #expect(throws: TextCache.Failure.self) { try await collected.store.remove("Book:1") }
    collected.backend?.fail(false)
    #expect(collected.records == Self.records)
  }
}
