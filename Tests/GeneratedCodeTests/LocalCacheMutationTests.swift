@testable import ApolloAPI
import ApolloCache
import Fixture0012
import StyledTests
import Testing

@Suite("A generated local cache mutation", .everyStyle) struct LocalCacheMutationTests {
  @Test("Every member that can be set is written: of objects, lists, fragments and inline fragments")
  func edit() async throws {
    let store = ApolloStore()
    let mutation = EditListLocalCacheMutation(id: "1")
    let list = EditListLocalCacheMutation.Data.List(
      id: "1", title: "old",
      items: [.init(itemRow: ItemRow(id: "a", text: "milk", isDone: false))],
      owner: .init(name: "Ann", asPerson: .init(name: "Ann", mail: nil)))
    try await store.withinReadWriteTransaction { try $0.write(data: .init(list: list), for: mutation) }
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { data in
        data.list?.title = "new"
        data.list?.items[0].fragments.itemRow.isDone = true
        data.list?.items.append(.init(itemRow: ItemRow(id: "b", text: "tea", isDone: false)))
        data.list?.owner.name = "Bea"
        data.list?.owner.asPerson?.mail = "bea@example.com"
      }
    }
    #expect(
      store.dump() == """
        Item:a
          __typename: "Item"
          id: "a"
          isDone: true
          text: "milk"
        Item:b
          __typename: "Item"
          id: "b"
          isDone: false
          text: "tea"
        QUERY_ROOT
          list(id:"1"): → TodoList:1
        TodoList:1
          __typename: "TodoList"
          id: "1"
          items: [→ Item:a, → Item:b]
          owner: {__typename: "Person", mail: "bea@example.com", name: "Bea"}
          title: "new"
        """)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { data in
        #expect(data.list?.owner.asPerson?.name == "Bea", "the copy is that of what was written")
      }
    }
    // What a query selects is there as well.
    #expect(try await store.load(TodoListQuery(id: "1")).list?.items.map(\.itemRow.text) == ["milk", "tea"])
  }
}
