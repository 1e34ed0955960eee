@testable import ApolloAPI
import ApolloCache
import Fixture0040
import StyledTests
import Testing

@Suite("Objects of a union, by the keys of their types", .everyStyle) struct KeysOfTypesTests {
  static let shelf = """
    {"shelf":[\
    {"__typename":"Book","isbn":"1","edition":"FIRST","title":"Dune","sequel":{"__typename":"Pen","code":7}},\
    {"__typename":"Pen","code":7,"color":"red"},\
    {"__typename":"Box","id":"b"},\
    {"__typename":"Dust","grams":3}],\
    "named":{"__typename":"Pen","code":8,"name":"Quill"}}
    """

  static func store(_ data: String = shelf, full: Bool = true) async throws -> ApolloStore {
    let store = ApolloStore()
    try await write(data, ShelfQuery(full: .some(full)), to: store)
    return store
  }

  static func write(_ data: String, _ query: some GraphQLQuery, to store: ApolloStore) async throws {
    try await store.write(response: ResponseBytes(Array("{\"data\":\(data)}".restyled.utf8)), for: query)
  }

  @Test("Fields that are read for the key only are not members, and are written back")
  func roundTrips() throws {
    let data = try roundTrip(ShelfQuery(), Self.shelf)
    #expect(
      data.shelf[0].asBook?.isbn == "1" && data.shelf[1].asPen?.color == "red" && data.shelf[3].asDust?.grams == 3)
    #expect(data.named?.name == "Quill")
    _ = try roundTrip(
      FoundQuery(),
      #"{"found":[{"__typename":"Book","isbn":"1","edition":"SECOND","title":"T","pages":null,"name":"N","label":"N"},{"__typename":"Box","id":"b"}]}"#
    )
  }

  @Test("Each object is a record with the key of its type, and one without a key stays where it is")
  func records() async throws {
    #expect(
      try await Self.store().dump() == """
        Book:1+FIRST
          __typename: "Book"
          edition: "FIRST"
          isbn: "1"
          sequel: → Pen:7
          title: "Dune"
        Box:b
          __typename: "Box"
          id: "b"
        Pen:7
          __typename: "Pen"
          code: 7
          color: "red"
        Pen:8
          __typename: "Pen"
          code: 8
          name: "Quill"
        QUERY_ROOT
          named: → Pen:8
          shelf: [→ Book:1+FIRST, → Pen:7, → Box:b, {__typename: "Dust", grams: 3}]
        """)
  }

  @Test("The key is there also where a condition leaves out the fragment on the type")
  func condition() async throws {
    let data = #"{"shelf":[{"__typename":"Pen","code":7}],"named":null}"#
    let store = try await Self.store(data, full: false)
    #expect(store.dump().contains("shelf: [→ Pen:7]"))
    #expect(try await store.load(ShelfQuery(full: false)).shelf[0].asPen == nil)
  }

  @Test("What one operation learns of an object, another reads through its own union, and what it lacks is a miss")
  func sharing() async throws {
    let store = try await Self.store()
    try await Self.write(
      #"{"found":[{"__typename":"Book","isbn":"1","edition":"FIRST","title":"Dune II","pages":9,"name":"D","label":"D"},{"__typename":"Box","id":"b"}]}"#,
      FoundQuery(text: "d"), to: store)
    #expect(try await store.load(ShelfQuery(full: true)).shelf[0].asBook?.title == "Dune II")
    #expect(store.dump().contains(#"found(text:"d"): [→ Book:1+FIRST, → Box:b]"#))
    await #expect(throws: (any Error).self) { try await store.load(FoundQuery(text: "x")) }
  }

  @Test("A key field that a record lacks is not a miss")
  func missingKeyField() async throws {
    let store = try await Self.store()
    try await store.withinReadWriteTransaction { try $0.removeField("id", of: "Box:b") }
    #expect(try await store.load(ShelfQuery(full: true)).shelf.count == 4)
  }

  @Test("An object keeps its key when an app sorts the list, or writes the data of a response elsewhere")
  func edits() async throws {
    let store = try await Self.store()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: ShelfQuery(full: true)) { $0.shelf.reverse() }
    }
    #expect(store.dump().contains(#"shelf: [{__typename: "Dust", grams: 3}, → Box:b, → Pen:7, → Book:1+FIRST]"#))
    let other = ApolloStore(), data = try await store.load(ShelfQuery(full: true))
    try await other.withinReadWriteTransaction { try $0.write(data: data, for: ShelfQuery(full: true)) }
    #expect(other.dump() == store.dump())
  }

  @Test("Another key in a fragment makes it another object")
  func changedKey() async throws {
    let store = try await Self.store()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: ShelfQuery(full: true)) { $0.shelf[1].asPen?.code = 9 }
    }
    #expect(store.dump().contains("shelf: [→ Book:1+FIRST, → Pen:9, → Box:b"))
    try await store.withinReadWriteTransaction { transaction in
      var data = try transaction.read(query: ShelfQuery(full: true))
      data.shelf[1].asPen?.code = 10
      try transaction.write(data: data, for: ShelfQuery(full: true))
    }
    #expect(store.dump().contains("shelf: [→ Book:1+FIRST, → Pen:10, → Box:b"))
  }

  @Test(
    "A server that leaves out the key, or sends null, makes an object without a key", arguments: ["", #","id":null"#])
  func noKey(id: String) async throws {
    let store = try await Self.store("{\"shelf\":[{\"__typename\":\"Box\"\(id)}],\"named\":null}")
    #expect(store.dump().contains(#"shelf: [{__typename: "Box""#))
  }

  @Test("A type that the app does not know has no key")
  func unknownType() async throws {
    let store = try await Self.store(#"{"shelf":[{"__typename":"Robot","id":"r","code":3}],"named":null}"#)
    #expect(store.dump().contains(#"shelf: [{__typename: "Robot"}]"#))
  }
}
