import ApolloCache
import GraphQLExecution
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// Objects that one operation selects in two places. Random documents have found them to be mixed up.
  @Suite("Objects that are selected in two places", .everyStyle)
  struct SharedObjectTests {
    private static let schema = """
      type Query { any: Any, all: [Any], home: Home }
      union Any = Home | Shop
      interface Named { name: String }
      type Home implements Named { name: String, rooms: Int }
      type Shop implements Named @typePolicy(keyFields: "code") { code: ID!, name: String, next: Shop, open: Boolean }
      """

    @Test("An object is one where only one of two places selects its key, whichever comes first")
    func oneKey() async throws {
      let selections = ["... on Shop { name }", "... on Named { short: name ... on Any { ...Open } }"]
      for selections in [selections, selections.reversed()] {
        let query =
          "query Q { any { \(selections.joined(separator: " ")) } } fragment Open on Named { ... on Shop { open } }"
        let scenario = try Scenario(Self.schema)
        let data =
          #"{"any":{"__typename":"Shop","code":"1","name":"Bakery","short":"Bakery","open":true}}"#
        try await scenario.write(query, data)
        #expect(scenario.fields(of: "Shop:1") == ["code", "name", "open"])
        #expect(try GraphQLValue(json: await scenario.read(query).utf8) == GraphQLValue(json: data.utf8))
      }
    }

    @Test("Two aliases of a field lead to one object, also in lists with objects that have no key")
    func aliases() async throws {
      // (The alias prevents that the key is selected in both places.)
      let query =
        "query Q { a: all { ... on Shop { name } } b: all { ... on Named { name } ... on Home { code: rooms } } }"
      let scenario = try Scenario(Self.schema)
      let data = """
        {"a":[{"__typename":"Shop","code":"1","name":"Bakery"},{"__typename":"Home"},null],\
        "b":[{"__typename":"Shop","name":"Bakery"},{"__typename":"Home","name":"Here","code":2},null]}
        """
      try await scenario.write(query, data)
      #expect(try GraphQLValue(json: await scenario.read(query).utf8) == GraphQLValue(json: data.utf8))
      #expect(scenario.fields(of: "Shop:1") == ["code", "name"])
    }

    @Test("An object is one whether a fragment on its own type selects it, or one on an interface that has no key")
    func twoResponses() async throws {
      let own = "query Q { any { ... on Shop { name } } }", other = "query Q { any { ... on Named { name } } }"
      let scenario = try Scenario(Self.schema)
      try await scenario.write(own, #"{"any":{"__typename":"Shop","code":"1","name":"Bakery"}}"#)
      try await scenario.write(other, #"{"any":{"__typename":"Shop","code":"1","name":"Butcher"}}"#)
      #expect(scenario.fields(of: "Shop:1") == ["code", "name"])
      #expect(try await scenario.read(own).contains("Butcher"))
    }

    @Test("Objects of two responses are not one because they stand in the same place")
    func anotherKey() async throws {
      let query = "query Q { any { ... on Named { name } } }"
      let scenario = try Scenario(Self.schema)
      try await scenario.write(query, #"{"any":{"__typename":"Shop","code":"1","name":"Bakery"}}"#)
      try await scenario.write(query, #"{"any":{"__typename":"Home","name":"Here"}}"#)
      try await scenario.write(query, #"{"any":{"__typename":"Shop","code":"2","name":"Butcher"}}"#)
      #expect(scenario.value("name", of: "Shop:1") == .string("Bakery"))
      #expect(scenario.value("name", of: "Shop:2") == .string("Butcher"))
    }
  }
}
