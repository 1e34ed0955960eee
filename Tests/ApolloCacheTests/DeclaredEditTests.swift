@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

/// `mutation Add { add @prependNode(connections: ["QUERY_ROOT.list"]) { id name mark @client } }`
private struct AddMutation: GraphQLMutation {
  static let operationName = "Add"
  static let operationDocument = OperationDocument("mutation Add { add { __typename } }")

  var __listEdits: [__ListEdit] { [__ListEdit(.prependNode, at: ["add"], connections: ["QUERY_ROOT.list"])] }

  struct Data: SelectionSet, Hashable {
    var add: Item?

    static let __fields = __FieldTable(version: 1, "add")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { add = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, add) }
  }

  struct Item: SelectionSet, Hashable {
    var id: String
    var name: String
    var mark: Bool?

    static let __fields = __FieldTable(version: 2, "__typename id!# name mark^")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(1)
      name = try object.read(2)
      mark = try object.read(3)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Item")
      writer.write(1, id)
      writer.write(2, name)
      writer.write(3, mark)
    }
  }
}

/// `mutation Delete { gone @deleteEdge(connections: ["QUERY_ROOT.list"]) deleted @deleteRecord(type: "Item") }`
private struct DeleteMutation: GraphQLMutation {
  static let operationName = "Delete"
  static let operationDocument = OperationDocument("mutation Delete { gone deleted }")

  var __listEdits: [__ListEdit] {
    [
      __ListEdit(.deleteEdge, at: ["gone"], connections: ["QUERY_ROOT.list"]),
      __ListEdit(.deleteRecord, at: ["deleted"], typename: "Item"),
    ]
  }

  struct Data: SelectionSet, Hashable {
    var gone: String?
    var deleted: String?

    static let __fields = __FieldTable(version: 1, "gone deleted")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      gone = try object.read(0)
      deleted = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, gone)
      writer.write(1, deleted)
    }
  }
}

/// `mutation DeleteMany { gone @deleteEdge(connections: ["QUERY_ROOT.list"]) }`, with a list of IDs
private struct DeleteManyMutation: GraphQLMutation {
  static let operationName = "DeleteMany"
  static let operationDocument = OperationDocument("mutation DeleteMany { gone }")

  var __listEdits: [__ListEdit] { [__ListEdit(.deleteEdge, at: ["gone"], connections: ["QUERY_ROOT.list"])] }

  struct Data: SelectionSet, Hashable {
    var gone: [String]

    static let __fields = __FieldTable(version: 1, "gone")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { gone = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, gone) }
  }
}

/// A query with an edit, as earlier releases generated it.
private struct DeletingQuery: GraphQLQuery {
  static let operationName = "Deleting"
  static let operationDocument = OperationDocument("query Deleting { deleted }")
  typealias Data = DeleteMutation.Data

  var __listEdits: [__ListEdit] { [__ListEdit(.deleteRecord, at: ["deleted"], typename: "Item")] }
}

@Suite("Lists that mutations change, and the order of their answers", .everyStyle)
struct DeclaredEditTests {
  private let store = ApolloStore()

  private func start(_ keys: [CacheKey]) async throws {
    var records = RecordSet(records: keys.map { Record(key: $0, ["__typename": "Item"]) })
    records.insert(Record(key: "QUERY_ROOT", ["list": .list(keys.map { .reference($0) })]))
    try await store.publish(records: records)
  }

  /// Writes the answer to a mutation, with what it does to lists.
  @discardableResult
  private func answer<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ body: String, sent ticket: SendingTicket? = nil
  ) async throws -> Mutation.Data where Mutation.Data: Sendable {
    let contents = try ResponseReader.read(
      Mutation.Data.self, from: bytes(body), variables: mutation.variables, rootKey: "MUTATION_ROOT",
      identity: store.identity)
    let data = try #require(contents.data)
    let completion = store.completion(nil) { _ = try $0.applyListEdits(of: data, for: mutation) }
    let records = try #require(contents.records)
    let error = await store.publish(records, completing: completion, sent: ticket)
    #expect(error == nil)
    return data
  }

  private func list() async throws -> [CacheKey] {
    try await store.withinReadWriteTransaction { try $0.connection(at: "QUERY_ROOT.list").nodes }
  }

  private func item(_ id: String) -> String { #"{"add":{"__typename":"Item","id":"\#(id)","name":"\#(id)"}}"# }

  @Test("Equal mutations that are answered out of order each add their own object, and have results of their own")
  func order() async throws {
    try await start(["Item:1"])
    let mutation = AddMutation()
    let first = store.beginSending(.mutation), second = store.beginSending(.mutation)
    let later = try await answer(mutation, item("2"), sent: second)
    try await answer(mutation, item("3"), sent: first)
    #expect(try await list() == ["Item:3", "Item:2", "Item:1"])
    try await store.publish(records: ["Item:2": ["mark": true]])
    let completed = await store.addingLocalFields(to: later, of: mutation)
    #expect(completed?.add?.id == "2" && completed?.add?.mark == true)
  }

  @Test("An answer with an error in place of the object adds nothing that an earlier answer had there")
  func error() async throws {
    try await start(["Item:1"])
    try await answer(AddMutation(), item("2"))
    try await store.withinReadWriteTransaction { try $0.connection(at: "QUERY_ROOT.list").remove("Item:2") }
    try await answer(AddMutation(), #"{"add":null},"errors":[{"message":"No","path":["add"]}]"#)
    #expect(try await list() == ["Item:1"])
  }

  @Test("A query deletes nothing, whatever its generated code says")
  func query() async throws {
    try await start(["Item:1"])
    try await store.publish(records: RecordSet(records: [Record(key: "QUERY_ROOT", ["deleted": "1"])]))
    let body = bytes(#"{"gone":null,"deleted":"1"}"#)
    let data = try #require(
      try ResponseReader.read(DeletingQuery.Data.self, from: body, variables: DeletingQuery().variables).data)
    try await store.withinReadWriteTransaction { _ = try $0.applyListEdits(of: data, for: DeletingQuery()) }
    #expect(store.keys.contains("Item:1"))
  }

  @Test("Many objects are taken out of a long list in linear time", .timeLimit(.minutes(10)))
  func deleteMany() async throws {
    // Quadratic time would take minutes.
    let ids = (0..<10_000).map { "\($0)" }
    try await start(["Item:first"] + ids.map { "Item:\($0)" } + ["Item:last"])
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    try await answer(DeleteManyMutation(), #"{"gone":[\#(list)]}"#)
    #expect(try await self.list() == ["Item:first", "Item:last"])
  }

  @Test(
    "An object is found by its ID, whatever characters the ID has",
    arguments: [(#"q1+\Zw"#, #"Item:q1\+\\Zw"#), ("7", "Item:7"), ("room:7", "Item:room:7")])
  func delete(id: String, key: CacheKey) async throws {
    let others: [CacheKey] = ["Item:q1", "Item:hall:7"]
    try await start([key] + others)
    let text = id.replacing(#"\"#, with: #"\\"#)
    try await answer(DeleteMutation(), #"{"gone":"\#(text)","deleted":"\#(text)"}"#)
    #expect(try await list() == others)
    #expect(!store.keys.contains(key) && store.keys.contains("Item:hall:7"))
  }
}
