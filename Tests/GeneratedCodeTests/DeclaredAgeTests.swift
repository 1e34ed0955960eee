import ApolloAPI
import ApolloCache
import Fixture0052
import Foundation
import Testing

@Suite("Generated code of a schema with @cacheControl, without a SchemaConfiguration") struct DeclaredAgeTests {
  @Test("A collection removes what is older than the schema says, below a root of another name too")
  func collection() async throws {
    let seconds = Counter()
    let store = ApolloStore(), query = ShopQuery()
    store.clock = { Date(timeIntervalSince1970: 1_000_000 + seconds.value) }
    let author = #"{"__typename":"Author","id":"1","name":"Frank"}"#
    let book = """
      {"__typename":"Book","id":"1","price":5,"author":\(author),"publisher":\(author)}
      """
    let shop = """
      {"name":"Corner","offer":{"__typename":"Offer","text":"Two for one"},"books":[\(book)]}
      """
    _ = try await store.write(response: ResponseBytes("{\"data\":\(shop)}".utf8), for: query)
    func removed(after time: Double) async throws -> Set<String> {
      seconds.value = time
      return Set(try await store.removeStaleFields().removedFields)
    }
    #expect(try await removed(after: 29) == [])
    #expect(try await removed(after: 30) == ["QUERY_ROOT.offer"])
    #expect(try await removed(after: 60) == ["Book:1.price"])
    #expect(try await removed(after: 600) == ["QUERY_ROOT.books", "Book:1.id", "Book:1.publisher"])
    #expect(try await removed(after: 3600) == ["Book:1.author", "Author:1.id", "Author:1.name"])
    #expect(try await removed(after: 1e6) == [])
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var seconds = 0.0

    var value: Double {
      get { lock.withLock { seconds } }
      set { lock.withLock { seconds = newValue } }
    }
  }
}
