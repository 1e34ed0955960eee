@testable import ApolloAPI
@testable import ApolloCache
import GraphQLExecution
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// `@embedded` and `@embeddedField`: names and meaning as Apollo Kotlin's cache has them.
  @Suite("Objects that are embedded though they have keys", .everyStyle)
  struct EmbeddedObjectTests {
    /// A book has its author and its prices inside; other fields lead to authors as records.
    private static let schema = """
      type Query { book(id: ID!): Book, author: Author, item: Item }
      interface Item @typePolicy(keyFields: "id") { id: ID!, author: Author }
      type Book implements Item @embeddedField(name: "prices") {
        id: ID!, title: String, author: Author @embedded, prices: [[Price]]
      }
      type Price @typePolicy(keyFields: "code") { code: ID!, amount: Int }
      type Author @typePolicy(keyFields: "id") { id: ID!, name: String, books: [Book] }
      """
    private static let query =
      "query Q { book(id: 1) { title author { ...A } prices { amount } } } fragment A on Author { name books { title } }"
    private static let book = """
      {"book":{"__typename":"Book","id":"1","title":"T","author":{"__typename":"Author","id":"9","name":"N",\
      "books":[{"__typename":"Book","id":"2","title":"U"}]},"prices":[[{"__typename":"Price","code":"EUR","amount":5}]]}}
      """

    let scenario: Scenario

    init() throws { scenario = try Scenario(Self.schema) }

    private var keys: [String] { scenario.store.keys.filter { $0 != "QUERY_ROOT" }.sorted() }

    @Test("They are values of the field; what they lead to has records")
    func embedded() async throws {
      try await scenario.write(Self.query, Self.book)
      #expect(keys == ["Book:1", "Book:2"])
      #expect(
        try GraphQLValue(json: await scenario.read(Self.query).utf8) == GraphQLValue(json: Self.book.utf8))
    }

    @Test("Another field leads to a record with the same key, which is another object")
    func elsewhere() async throws {
      try await scenario.write(Self.query, Self.book)
      try await scenario.write(
        "query Q { author { name } }", #"{"author":{"__typename":"Author","id":"9","name":"Other"}}"#)
      #expect(keys == ["Author:9", "Book:1", "Book:2"])
      #expect(try await scenario.read(Self.query).contains(#""name":"N""#))
      #expect(try await scenario.read("query Q { author { name } }").contains("Other"))
    }

    @Test("An edit through a model changes the object at its place, and makes no record of it")
    func edits() async throws {
      try await scenario.write(Self.query, Self.book)
      try await scenario.edit(Self.query) { data in
        data["book"]["author"]["...A"]["name"] = "M"
        data["book"]["prices"][0][0]["amount"] = 6
      }
      #expect(keys == ["Book:1", "Book:2"])
      let text = try await scenario.read(Self.query)
      #expect(text.contains(#""name":"M""#) && text.contains(#""amount":6"#))
    }

    @Test("Keys that the app tells do not count there either")
    func customKeys() async throws {
      scenario.store.cacheKeyForObject = { $0["id"] }
      try await scenario.write(Self.query, Self.book)
      #expect(keys == ["1", "2"])
    }

    @Test("An object inside of the root to which the app gives the root's key is a part of the root")
    func rootInside() async throws {
      let scenario = try Scenario(
        "type Query { a: String, b: String, node: Node } type Node { id: ID!, query: Query }")
      scenario.store.cacheKeyForObject = { $0["__typename"] as? String == "Query" ? "QUERY_ROOT" : $0["id"] }
      let query = "query Q { a node { id query { b } } }"
      try await scenario.write(
        query, #"{"a":"A","node":{"__typename":"Node","id":"1","query":{"__typename":"Query","b":"B"}}}"#)
      #expect(scenario.fields().filter { $0 != "__typename" } == ["a", "b", "node"])
      #expect(try await scenario.read(query).contains(#""b":"B""#))
    }

    @Test("A cache in which the field led to a record is read, until the next response embeds the object")
    func migration() async throws {
      try await scenario.write(Self.query, Self.book)
      let author: [String: Record.Value] = [
        "__typename": .string("Author"), "id": .string("9"), "name": .string("N"), "books": .list([]),
      ]
      try await scenario.store.publish(
        records: RecordSet(records: [
          Record(key: "Author:9", author), Record(key: "Book:1", ["author": .reference("Author:9")]),
        ]))
      #expect(scenario.value("author", of: "Book:1") == .reference("Author:9"))
      #expect(try await scenario.read(Self.query).contains(#""name":"N""#))
      try await scenario.write(Self.query, Self.book.replacing(#""N""#, with: #""M""#))
      #expect(try await scenario.read(Self.query).contains(#""name":"M""#))
      #expect(scenario.value("name", of: "Author:9") == .string("N"), "nothing was written to the old record")
    }
  }
}
