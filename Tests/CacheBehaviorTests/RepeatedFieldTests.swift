@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

/// Takes what came in.
private struct Replace: FieldPolicy.Merger {
  func merge(
    existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
  ) -> CachedValue { incoming.value }
}

private enum ReplacingSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = ReplacingConfiguration.self

  static func objectType(forTypename typename: String) -> Object? { nil }
}

private enum ReplacingConfiguration: SchemaConfiguration {
  static let fieldMergers: [String: any FieldPolicy.Merger] = ["Query.other": Replace()]
}

extension CacheBehaviorTests {
  /// Different arguments may lead to one field of a record.
  @Suite("One field of a record that is selected under several arguments", .everyStyle)
  struct RepeatedFieldTests {
    private static let schema = """
      type Query { stats(id: ID!, form: String): Stats, other: [Int] }
      type Stats { id: ID, total: Int, average: Int, inner: Stats }
      extend type Query @fieldPolicy(forField: "stats", keyArgs: "id")
      """

    @Test(
      "An object that a field policy names is found in a backend, whichever possible type it has",
      arguments: ["Book", "Pen", "Ink"])
    func abstractType(type: String) async throws {
      let types = ["Book", "Pen", "Ink"].map { name in
        #"type \#(name) implements Node @typePolicy(keyFields: "id") { id: ID!, title: String }"#
      }
      let schema =
        types.joined(separator: "\n") + """

          interface Node { id: ID!, title: String }
          type Query { all: [Node!], node(id: ID!): Node, nodes(ids: [ID!]!): [Node!] }
          extend type Query @fieldPolicy(forField: "node", keyArgs: "id") @fieldPolicy(forField: "nodes", keyArgs: "ids")
          """
      let cache = RecordsOnly()
      let first = try Scenario(schema, cache: cache)
      try await first.write(
        "query A { all { id title } }", #"{"all":[{"__typename":"\#(type)","id":"7","title":"x"}]}"#)
      let later = try Scenario(schema, cache: cache)
      #expect(try await later.read(#"query B { node(id: "7") { title } }"#).contains(#""title":"x""#))
      let last = try Scenario(schema, cache: cache)
      #expect(try await last.read(#"query C { nodes(ids: ["7"]) { title } }"#).contains(#""title":"x""#))
    }

    private func fields(_ scenario: Scenario) -> [String] {
      scenario.fields().filter { $0 != "__typename" }
    }

    @Test("An error in place of a page changes nothing, whichever comes first, and the record has the field once")
    func errors() async throws {
      for names in [["a", "b"], ["b", "a"]] {
        let cache = RecordsOnly()
        let pages = try Pages(cache)
        let selections = [
          "a": "a: letters(first: 2) { \(Pages.Selection.edges.rawValue) }",
          "b": #"b: letters(first: 2, after: "cb") { \#(Pages.Selection.edges.rawValue) }"#,
        ]
        let query = "query Q { \(names.compactMap { selections[$0] }.joined(separator: " ")) }"
        try await pages.scenario.write(
          query, #"{"a":\#(pages.data("ab", .edges)),"b":null}"#, errors: #"[{"message":"broken","path":["b"]}]"#)
        #expect(fields(pages.scenario) == ["letters"])
        #expect(try await pages.list() == "ab>")
        var later = pages.scenario
        later.store = ApolloStore(cache: cache)
        #expect(try await later.miss(pages.query("")) == nil)
      }
    }

    @Test("Null under one of the arguments is null")
    func null() async throws {
      let pages = try Pages()
      let selection = Pages.Selection.edges.rawValue
      try await pages.scenario.write(
        #"query Q { a: letters(first: 2) { \#(selection) } b: letters(first: 2, after: "cb") { \#(selection) } }"#,
        #"{"a":\#(pages.data("ab", .edges)),"b":null}"#)
      #expect(fields(pages.scenario) == ["letters"])
      #expect(pages.scenario.value("letters") == Record.Value.null)
    }

    @Test("Parts of one object are joined, also where the app merges other fields", arguments: [false, true])
    func joined(hasMergers: Bool) async throws {
      var scenario = try Scenario(Self.schema)
      if hasMergers { scenario.metadata = ReplacingSchema.self }
      let query = """
        query Q {
          a: stats(id: 1, form: "x") { total inner { total } } b: stats(id: 1, form: "y") { average inner { average } }
        }
        """
      try await scenario.write(
        query,
        """
        {"a":{"__typename":"Stats","total":1,"inner":{"__typename":"Stats","total":2}},\
        "b":{"__typename":"Stats","average":3,"inner":{"__typename":"Stats","average":4}}}
        """)
      #expect(fields(scenario).count == 1)
      #expect(try await scenario.miss(query) == nil)
    }

    @Test("So they are if only one of them has the key of the object", arguments: [false, true])
    func oneKey(hasMergers: Bool) async throws {
      var scenario = try Scenario(Self.schema)
      if hasMergers { scenario.metadata = ReplacingSchema.self }
      scenario.store.cacheKeyForObject = { $0["id"] }
      let query = #"query Q { a: stats(id: 1, form: "x") { id total } b: stats(id: 1, form: "y") { average } }"#
      try await scenario.write(
        query,
        #"{"a":{"__typename":"Stats","id":"7","total":1},"b":{"__typename":"Stats","average":3}}"#)
      #expect(try await scenario.miss(query) == nil)
      #expect(scenario.fields(of: "7").contains("average"))
    }
  }
}
