import ApolloAPI
import ApolloCache
import Fixture0005
import Fixture0012
import Testing

@Suite("Initializers of models of interfaces and unions") struct InitializerTests {
  typealias Search = SearchQuery.Data.Search

  @Test("They begin with the type of the object")
  func typename() {
    #expect(Search(__typename: "Book").__typename == "Book")
    #expect(NamedCard(__typename: "Author", name: "Ann", asBook: nil).name == "Ann")
    #expect(NodeQuery.Data.Node(__typename: "Book", id: "1").nodeCard.__typename == "Book")
  }

  @Test("A part gives the type: that of an object type, or the one that the part was given")
  func parts() throws {
    #expect(Search(asShelf: .init(label: "A")).__typename == "Shelf")
    #expect(NamedCard(name: "Dune", asBook: .init(name: "Dune", edition: 1, isbn: "2")).__typename == "Book")
    let node = Search.AsNode(__typename: "Author", id: "1")
    #expect(Search(asNode: node).__typename == "Author")
    let card = NamedCard(name: "Dune", asBook: .init(name: "Dune", edition: 1, isbn: "2"))
    let book = Search.AsBook(id: "1", name: "Dune", namedCard: card, isbn: "2", edition: 1, authors: [])
    // The part on an object type decides, whatever the others were given.
    let item = Search(asNode: node, asBook: book, asNamed: .init(id: "1", namedCard: card))
    #expect(item.__typename == "Book" && item.asNode?.__typename == "Book" && item.asBook == book)
    #expect(NodeQuery.Data.Node(id: "1", asNamed: .init(id: "1", namedCard: card)).__typename == "Book")
  }

  @Test("What is made so and written to the cache is read back with its parts")
  func written() async throws {
    let store = ApolloStore()
    let items = [Search(asShelf: .init(label: "A")), Search(__typename: "Shelf", asShelf: .init(label: "B"))]
    try await store.withinReadWriteTransaction { try $0.write(data: .init(search: items), for: SearchQuery()) }
    #expect(try await store.load(SearchQuery()).search.map(\.asShelf?.label) == ["A", "B"])
  }

  @Test("An interface or a union as the type of an object that is written is an error that says what to do")
  func abstract() async throws {
    typealias AbstractTypeError = ApolloStore.ReadWriteTransaction.AbstractTypeError
    let store = ApolloStore()
    for typename in ["Result", "Node", "Named"] {
      let data = SearchQuery.Data(search: [.init(asShelf: .init(label: "A")), .init(__typename: typename)])
      let error = await #expect(throws: AbstractTypeError.self) {
        try await store.withinReadWriteTransaction { try $0.write(data: data, for: SearchQuery()) }
      }
      #expect(error?.path == ["search", 1] && error?.typename == typename)
      #expect(error?.description.hasPrefix("'search.1' has the '__typename' \"\(typename)\", which is") == true)
    }
    #expect(store.dump() == "")
    let owner = EditListLocalCacheMutation.Data.List.Owner(name: "Ann", asPerson: .init(name: "Ann"))
    let mutation = EditListLocalCacheMutation(id: "1")
    let list = EditListLocalCacheMutation.Data.List(id: "1", title: "", items: [], owner: owner)
    try await store.withinReadWriteTransaction { try $0.write(data: .init(list: list), for: mutation) }
    let error = await #expect(throws: AbstractTypeError.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.update(mutation) { $0.list?.owner.__typename = "Owner" }
      }
    }
    #expect(error?.path == ["list", "owner"])
    let guess = await #expect(throws: AbstractTypeError.self) {
      try await store.applyOptimisticUpdate(id: "a") { transaction in
        try transaction.update(mutation) { $0.list?.owner = .init(__typename: "Owner", name: "Bea") }
      }
    }
    #expect(guess?.typename == "Owner")
  }

  @Test("A type that the schema does not know may be written, and one that an earlier version has written stays")
  func unknown() async throws {
    let store = ApolloStore()
    let data = SearchQuery.Data(search: [.init(__typename: "Magazine")])
    try await store.withinReadWriteTransaction { try $0.write(data: data, for: SearchQuery()) }
    #expect(store.dump().contains("Magazine"))
    let earlier =
      #"{"data":{"list":{"__typename":"TodoList","id":"1","title":"t","items":[],"owner":{"__typename":"Owner"}}}}"#
    let query = TodoListQuery(id: "1")
    _ = try await store.write(response: ResponseBytes(earlier.utf8), for: query)
    try await store.withinReadWriteTransaction { try $0.update(query: query) { $0.list?.title = "new" } }
    #expect(store.dump().contains(#"title: "new""#))
  }
}
