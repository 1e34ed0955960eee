@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

extension CacheBehaviorTests {
  @Suite("What the schema says is for one user", .everyStyle)
  struct PrivateFieldTests {
    private static let schema = """
      type Query { me: User @cacheControl(scope: PRIVATE), books: [Book], node: Node, shop: Shop, any: Any }
      interface Node { id: ID! }
      union Any = Book | Account
      type User implements Node @typePolicy(keyFields: "id") { id: ID!, name: String, favorite: Book }
      type Book implements Node @typePolicy(keyFields: "id") {
        id: ID!, title: String, note: String @cacheControl(maxAge: 60, scope: PRIVATE), buyer: Account
      }
      type Account implements Node @typePolicy(keyFields: "id") @cacheControl(scope: PRIVATE) { id: ID!, mail: String, size: Size }
      type Shop { name: String, keeper: Account, stock: Stock @cacheControl(scope: PUBLIC) }
      type Stock { count: String, mine: String }
      type Size { width: String }
      extend type Stock @cacheControlField(name: "mine", scope: PRIVATE)
      """

    /// What a query brings; private texts begin with `secret`. (A shop has no key, so it is kept as a whole or not at all.)
    static let answers = [
      (
        "{ me { id name favorite { id title note } } books { id title } }",
        #"""
        {"me":{"__typename":"User","id":"secret1","name":"secretAda","favorite":{"__typename":"Book","id":"secret7","title":"secretDune",
        "note":"secret"}},"books":[{"__typename":"Book","id":"open8","title":"openEmma"}]}
        """#
      ),
      (
        "{ books { id ...B buyer { id mail size { width } } } } fragment B on Book { id title note }",
        #"""
        {"books":[{"__typename":"Book","id":"open8","title":"openEmma","note":"secretNote","buyer":{"__typename":"Account",
        "id":"secret2","mail":"secret@a.test","size":{"__typename":"Size","width":"secretWidth"}}}]}
        """#
      ),
      (
        "{ node { id ... on Account { mail } } any { ... on Account { id mail } ... on Book { title } } }",
        #"""
        {"node":{"__typename":"Account","id":"secret3","mail":"secret@b.test"},"any":{"__typename":"Account","id":"secret4",
        "mail":"secret@c.test"}}
        """#
      ),
      (
        "{ shop { name keeper { id mail } stock { count mine } } }",
        #"""
        {"shop":{"__typename":"Shop","name":"part of the shop","keeper":{"__typename":"Account","id":"secret5","mail":"secret@d.test"},
        "stock":{"__typename":"Stock","count":"part of the stock","mine":"secretStock"}}}
        """#
      ),
    ]

    private func texts(_ dump: String) -> Set<String> {
      Set(dump.split { !$0.isLetter && !$0.isNumber && $0 != "@" && $0 != "." }.map(String.init))
    }

    @Test("A shared store has none of it, and all else", arguments: answers)
    func shared(query: String, data: String) async throws {
      for isShared in [true, false] {
        let scenario = try Scenario(Self.schema)
        scenario.store.isShared = isShared
        try await scenario.write(query.hasPrefix("{") ? "query Q \(query)" : query, data)
        expect(scenario.store, isShared: isShared, of: data)
      }
    }

    private func expect(_ store: ApolloStore, isShared: Bool, of data: String) {
      let found = texts(store.dump()), brought = texts(data)
      for text in brought where text.hasPrefix("secret") {
        #expect(!isShared || !found.contains { $0.contains(text) }, "\(text) in \(store.dump())")
      }
      for text in brought
      where text.hasPrefix("open") && text != "part of the stock" || !isShared && text.hasPrefix("secretA") {
        #expect(found.contains { $0.contains(text) }, "\(text) not in \(store.dump())")
      }
    }

    @Test("So has one whose answers have been read by an interceptor, or were published by the app", arguments: answers)
    func records(query: String, data: String) async throws {
      for isPublishedByApp in [true, false] {
        let scenario = try Scenario(Self.schema), store = scenario.store
        store.isShared = true
        let operation = try scenario.prepare(query.hasPrefix("{") ? "query Q \(query)" : query)
        let contents = try ResponseReader.read(
          Model<First>.self, from: ResponseBytes(Array(#"{"data":\#(data)}"#.restyled.utf8)),
          variables: operation.variables, rootKey: "QUERY_ROOT", identity: store.identity,
          lifetimes: store.lifetimeRules)
        let batch = try #require(contents.records)
        let records = RecordSet(batch, receivedAt: Date(timeIntervalSince1970: 1_000_000))
        if isPublishedByApp {
          try await store.publish(records: records)
        } else {
          let error = await store.publish(records, origin: nil, completing: nil, sent: nil)
          #expect(error == nil)
        }
        expect(store, isShared: true, of: data)
      }
    }
  }
}
