import ApolloAPI
import ApolloCache
import Fixture0051
import Testing

@Suite("Generated code of a schema with @onDelete, without a SchemaConfiguration") struct OnDeleteTests {
  @Test("What belongs to an object is deleted with it")
  func deletion() async throws {
    let store = ApolloStore(), query = BookQuery(id: "1")
    let book =
      #"{"__typename":"Book","id":"1","title":"Dune","chapters":[{"__typename":"Chapter","id":"2","title":"I"}]}"#
    _ = try await store.write(response: ResponseBytes("{\"data\":{\"book\":\(book)}}".utf8), for: query)
    #expect(store.dump().contains("Chapter:2"))
    try await store.remove("Book:1")
    #expect(!store.dump().contains("Chapter:2"))
  }
}
