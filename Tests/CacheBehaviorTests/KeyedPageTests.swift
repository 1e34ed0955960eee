import Foundation
@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

extension CacheBehaviorTests {
  @Suite("Pages that are objects with keys", .everyStyle)
  struct KeyedPageTests {
    private static let schema = """
      type Query {
        feed(offset: Int, limit: Int, order: String): Feed
        log(since: String): Feed
        first: Feed
      }
      type Feed @typePolicy(keyFields: "id") { id: ID!, name: String, items: [Letter!] }
      type Letter @typePolicy(keyFields: "id") { id: ID! }
      extend type Query
        @pagination(forField: "feed", style: OFFSET)
        @pagination(forField: "log", style: APPEND, args: "since")
      """

    private let scenario: Scenario

    init() throws { scenario = try Scenario(Self.schema) }

    private func load(_ letters: String, _ field: String) async throws {
      let items = letters.map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ",")
      let feed = #"{"__typename":"Feed","id":"1","name":"N","items":[\#(items)]}"#
      try await scenario.write(
        "query Q { \(field) { id name items { id } } }", #"{"\#(field.prefix { $0 != "(" })":\#(feed)}"#)
    }

    private func list(_ field: String) async throws -> String {
      let text = try await scenario.read("query Q { \(field) { id items { id } } }")
      let start = try #require(text.range(of: "\"items\"")?.upperBound)
      return String(text[start...].split(separator: "\"id\":\"").dropFirst().compactMap(\.first))
    }

    @Test("Pages are joined, whether the schema tells the key or the app", arguments: [false, true])
    func joined(byCode: Bool) async throws {
      if byCode { scenario.store.cacheKeyForObject = { $0["id"] } }
      try await load("ab", "feed(offset: 0, limit: 2)")
      try await load("cd", "feed(offset: 2, limit: 2)")
      #expect(try await list("feed") == "abcd")
      try await load("xy", #"feed(offset: 0, limit: 2, order: "NEW")"#)
      #expect(try await list(#"feed(order: "NEW")"#) == "xy")
      #expect(try await list("feed") == "abcd", "two fields are two lists, though their objects have one key")
      try await load("p", "log")
      try await load("q", #"log(since: "1")"#)
      #expect(try await list("log") == "pq")
      #expect(!scenario.store.keys.contains(byCode ? "1" : "Feed:1"))
    }

    @Test("A field without pages leads to a record of that key")
    func elsewhere() async throws {
      try await load("ab", "feed(offset: 0, limit: 2)")
      try await load("z", "first")
      #expect(scenario.store.keys.contains("Feed:1"))
      #expect(try await list("feed") == "ab")
      #expect(try await list("first") == "z")
    }

    @Test("An edit through a model changes the list at its place")
    func edit() async throws {
      try await load("ab", "feed(offset: 0, limit: 2)")
      try await scenario.edit("query Q { feed { name } }") { $0["feed"]["name"] = "M" }
      #expect(try await scenario.read("query Q { feed { name } }").contains(#""name":"M""#))
      #expect(try await list("feed") == "ab")
      #expect(!scenario.store.keys.contains("Feed:1"))
    }
  }
}
