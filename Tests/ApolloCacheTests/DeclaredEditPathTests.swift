@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

/// `mutation Remove { remove { ... on RemovedItem { id @deleteRecord(type: "Item") }`
/// `  ... on RemovedNote { id @deleteRecord(type: "Note") } ... on Failure { id: code } } }`
private struct RemoveMutation: GraphQLMutation {
  static let operationName = "Remove"
  static let operationDocument = OperationDocument("mutation Remove { remove { __typename } }")

  var __listEdits: [__ListEdit] {
    [
      __ListEdit(.deleteRecord, at: ["remove", "id"], on: [[], ["RemovedItem"]], typename: "Item"),
      __ListEdit(.deleteRecord, at: ["remove", "id"], on: [[], ["RemovedNote", "RemovedPage"]], typename: "Note"),
    ]
  }

  struct Data: SelectionSet, Hashable {
    var remove: Removed?

    static let __fields = __FieldTable(version: 1, "remove")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { remove = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, remove) }
  }

  struct Removed: SelectionSet, Hashable {
    var __typename: String
    var id: String?

    static let __fields = __FieldTable(version: 1, "__typename id")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
    }
  }
}

/// `mutation Mark { mark { ...Texts ...Marks } }`
/// `fragment Texts on Payload { posts { text } }`
/// `fragment Marks on Payload { posts { item @appendNode(connections: ["QUERY_ROOT.list"]) { id } } }`
private struct MarkMutation: GraphQLMutation {
  static let operationName = "Mark"
  static let operationDocument = OperationDocument("mutation Mark { mark { __typename } }")

  var __listEdits: [__ListEdit] {
    [__ListEdit(.appendNode, at: ["mark", "posts", "item"], connections: ["QUERY_ROOT.list"])]
  }

  struct Data: SelectionSet, Hashable {
    var mark: Payload?

    static let __fields = __FieldTable(version: 1, "mark")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { mark = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, mark) }
  }

  struct Payload: SelectionSet, Hashable {
    var texts: Texts
    var marks: Marks

    static let __fields = __FieldTable(version: 1, "__typename ...")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      texts = try object.fragment()
      marks = try object.fragment()
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Payload")
      writer.write(fragment: texts)
      writer.write(fragment: marks)
    }
  }

  struct Texts: Fragment, Hashable {
    var posts: [Post]?

    static let __fields = __FieldTable(version: 1, "__typename posts")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { posts = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Payload")
      writer.write(1, posts)
    }

    struct Post: SelectionSet, Hashable {
      var text: String

      static let __fields = __FieldTable(version: 1, "__typename text")

      init(__reading object: inout __ObjectReader) throws(__ReadError) { text = try object.read(1) }

      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, "Post")
        writer.write(1, text)
      }
    }
  }

  struct Marks: Fragment, Hashable {
    var posts: [Post]?

    static let __fields = __FieldTable(version: 1, "__typename posts")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { posts = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Payload")
      writer.write(1, posts)
    }

    struct Post: SelectionSet, Hashable {
      var item: Item?

      static let __fields = __FieldTable(version: 1, "__typename item")

      init(__reading object: inout __ObjectReader) throws(__ReadError) { item = try object.read(1) }

      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, "Post")
        writer.write(1, item)
      }
    }

    struct Item: SelectionSet, Hashable {
      var id: String

      static let __fields = __FieldTable(version: 1, "__typename id!#")

      init(__reading object: inout __ObjectReader) throws(__ReadError) { id = try object.read(1) }

      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, "Item")
        writer.write(1, id)
      }
    }
  }
}

@Suite("The way to the field that changes lists", .everyStyle)
struct DeclaredEditPathTests {
  private let store = ApolloStore()

  private func start(_ types: [String: [CacheKey]]) async throws {
    var records = RecordSet(
      records: types.flatMap { type, keys in keys.map { Record(key: $0, ["__typename": .string(type)]) } })
    let list = types["Item"] ?? []
    records.insert(Record(key: "QUERY_ROOT", ["list": .list(list.map { .reference($0) })]))
    try await store.publish(records: records)
  }

  /// Writes the answer to a mutation, with what it does to lists.
  private func answer<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ body: String
  ) async throws where Mutation.Data: Sendable {
    let contents = try ResponseReader.read(
      Mutation.Data.self, from: bytes(body), variables: mutation.variables, rootKey: "MUTATION_ROOT",
      identity: store.identity)
    let data = try #require(contents.data)
    let completion = store.completion(nil) { _ = try $0.applyListEdits(of: data, for: mutation) }
    let records = try #require(contents.records)
    let error = await store.publish(records, completing: completion, sent: nil)
    #expect(error == nil)
  }

  /// Writes the guess of a mutation's answer, with what it does to lists.
  private func guess<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ body: String
  ) async throws where Mutation.Data: Sendable {
    let data = try #require(
      try ResponseReader.read(Mutation.Data.self, from: bytes(body), variables: mutation.variables).data)
    try await store.applyOptimisticUpdate(id: "guess") {
      try $0.write(data: data, for: mutation)
      _ = try $0.applyListEdits(of: data, for: mutation)
    }
  }

  private func list() async throws -> [CacheKey] {
    try await store.withinReadWriteTransaction { try $0.connection(at: "QUERY_ROOT.list").nodes }
  }

  /// The type of what was removed, and the records that are there afterwards.
  private static let removals: [(String, [CacheKey])] = [
    ("RemovedItem", ["Note:7"]), ("RemovedNote", ["Item:7"]), ("RemovedPage", ["Item:7"]),
    ("Failure", ["Item:7", "Note:7"]), ("Unheard", ["Item:7", "Note:7"]),
  ]

  private func kept() async throws -> [CacheKey] {
    try await store.withinReadTransaction {
      try $0.readOnlyCache.loadRecords(forKeys: ["Item:7", "Note:7"]).keys.sorted()
    }
  }

  @Test("The directive of a fragment counts for objects of its type only", arguments: removals)
  func types(type: String, left: [CacheKey]) async throws {
    try await start(["Item": ["Item:7"], "Note": ["Note:7"]])
    try await answer(RemoveMutation(), #"{"remove":{"__typename":"\#(type)","id":"7"}}"#)
    #expect(try await kept() == left)
  }

  @Test("So does that of a guess", arguments: removals)
  func typesOfGuesses(type: String, left: [CacheKey]) async throws {
    try await start(["Item": ["Item:7"], "Note": ["Note:7"]])
    try await guess(RemoveMutation(), #"{"remove":{"__typename":"\#(type)","id":"7"}}"#)
    #expect(try await kept() == left)
    try await store.revertOptimisticUpdate(id: "guess")
    #expect(try await kept() == ["Item:7", "Note:7"])
  }

  @Test("A field that several fragments select has what each of them selects")
  func fragments() async throws {
    try await start(["Item": ["Item:1"]])
    let posts = ["2", nil, "3"].map { id in
      let item = id.map { #"{"__typename":"Item","id":"\#($0)"}"# } ?? "null"
      return #"{"__typename":"Post","text":"x","item":\#(item)}"#
    }
    let body = #"{"mark":{"__typename":"Payload","posts":[\#(posts.joined(separator: ","))]}}"#
    try await answer(MarkMutation(), body)
    #expect(try await list() == ["Item:1", "Item:2", "Item:3"])
  }
}
