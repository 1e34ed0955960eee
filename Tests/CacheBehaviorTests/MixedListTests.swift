@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

extension CacheBehaviorTests {
  @Suite("Removed objects in lists that have objects without keys as well", .everyStyle)
  struct MixedListTests {
    private static let schema = """
      type Query { feed: [Item!]!, groups: [[Item!]!]!, counts: [Int!] }
      union Item = Post | Ad
      type Post @typePolicy(keyFields: "id") { id: ID!, text: String }
      type Ad { text: String }
      """
    private static let query = """
      query Q { feed { ... on Post { text } ... on Ad { text } } groups { ... on Post { text } ... on Ad { text } } }
      """

    private func read(_ scenario: Scenario) async throws -> [String] {
      let text = try await scenario.read(Self.query)
      return text.split(separator: "\"text\":\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    @Test("A list whose elements may not be null is without them, before and after a collection, and reopened")
    func collected() async throws {
      let cache = RecordsOnly()
      let scenario = try Scenario(Self.schema, cache: cache)
      let post = #"{"__typename":"Post","id":"1","text":"p1"},{"__typename":"Post","id":"2","text":"p2"}"#
      let list = #"[\#(post),{"__typename":"Ad","text":"ad"}]"#
      try await scenario.write(Self.query, #"{"feed":\#(list),"groups":[\#(list)]}"#)
      try await scenario.store.remove("Post:1")
      #expect(try await read(scenario) == ["p2", "ad", "p2", "ad"])
      #expect(try await scenario.store.removeDanglingReferences().removedFields.count == 2)
      #expect(try await read(scenario) == ["p2", "ad", "p2", "ad"])
      try await scenario.store.remove("Post:2")
      _ = try await scenario.store.removeDanglingReferences()
      var later = scenario
      later.store = ApolloStore(cache: cache)
      for scenario in [scenario, later] { #expect(try await read(scenario) == ["ad", "ad"]) }
    }

    @Test("A null in a list of numbers is not left out")
    func numbers() async throws {
      let scenario = try Scenario(Self.schema)
      let record = Record(key: "QUERY_ROOT", ["counts": .list([.int(1), .null])])
      try await scenario.store.publish(records: RecordSet(records: [record]))
      #expect(try await scenario.miss("query Q { counts }") != nil)
    }
  }
}
