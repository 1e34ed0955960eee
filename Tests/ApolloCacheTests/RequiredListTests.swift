import ApolloAPI
import ApolloCache
import StyledTests
import Testing

@Suite("Removed objects in lists whose elements may not be null", .everyStyle)
struct RequiredListTests {
  /// `query People { people { id name } }`, where neither the list nor its elements may be null.
  private struct PeopleQuery: GraphQLQuery {
    static let operationName = "People"
    static let operationDocument = OperationDocument("query People { people { __typename id name } }")

    struct Data: SelectionSet, Hashable {
      var people: [Character.Friend]
      static let __fields = __FieldTable(version: 1, "people")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { people = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, people) }
    }
  }

  @Test("A list whose elements may not be null is without a removed object: while a guess has removed it, and for good")
  func leftOut() async throws {
    let backend = TextCache()
    for store in [ApolloStore(), ApolloStore(cache: backend)] {
      let people = (1...3).map { #"{"__typename":"Human","id":"\#($0)","name":"n\#($0)"}"# }.joined(separator: ",")
      try await store.write(response: bytes(#"{"people":[\#(people)]}"#), for: PeopleQuery())
      func names() async throws -> [String] { try await store.load(PeopleQuery()).people.map(\.name) }
      try await store.applyOptimisticUpdate(id: "removal") { try $0.removeObject(for: "Human:2") }
      #expect(try await names() == ["n1", "n3"])
      try await store.revertOptimisticUpdate(id: "removal")
      #expect(try await names() == ["n1", "n2", "n3"])
      try await store.withinReadWriteTransaction {
        for id in [1, 3] { try $0.removeObject(for: "Human:\(id)") }
      }
      #expect(try await names() == ["n2"])
      #expect(try await store.removeDanglingReferences().removedFields.count == 2)
      #expect(try await names() == ["n2"])
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "Human:2") }
      #expect(try await names().isEmpty)
    }
    #expect(try await ApolloStore(cache: backend).load(PeopleQuery()).people.isEmpty, "it was reopened")
  }

  /// `query Groups($f: Boolean!) { people @include(if: $f) { id name } groups { id name } maybe { id name } }`, where
  /// `groups` is `[[Person!]!]!` and `maybe` is `[[Person!]]!`.
  private struct GroupsQuery: GraphQLQuery {
    static let operationName = "Groups"
    static let operationDocument = OperationDocument("query Groups($f: Boolean!) { people @include(if: $f) { id } }")

    func __writeVariables(to writer: inout __JSONWriter) { writer.write("f", true) }

    struct Data: SelectionSet, Hashable {
      var people: [Character.Friend]?
      var groups: [[Character.Friend]]
      var maybe: [[Character.Friend]?]
      static let __fields = __FieldTable(version: 1, "people groups maybe ?$f")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        people = try object.read(0, if: 0)
        groups = try object.read(1)
        maybe = try object.read(2)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, people)
        writer.write(1, groups)
        writer.write(2, maybe)
      }
    }
  }

  @Test("So is a list under a condition, and each list in a list; paths of errors count what is left")
  func shapes() async throws {
    let store = ApolloStore()
    let people = (1...3).map { #"{"__typename":"Human","id":"\#($0)","name":"n\#($0)"}"# }.joined(separator: ",")
    let data = #"{"people":[\#(people)],"groups":[[\#(people)],[\#(people)]],"maybe":[[\#(people)]]}"#
    try await store.write(response: bytes(data), for: GroupsQuery())
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Human:1") }
    let found = try await store.load(GroupsQuery())
    #expect(found.people?.map(\.name) == ["n2", "n3"])
    #expect(found.groups.map { $0.map(\.name) } == [["n2", "n3"], ["n2", "n3"]])
    #expect(found.maybe.map { $0?.map(\.name) } == [["n2", "n3"]])
    try await store.withinReadWriteTransaction { try $0.removeField("name", of: "Human:3") }
    let error = await #expect(throws: ResponseDecodingError.self) { try await store.load(GroupsQuery()) }
    #expect(error?.path == ["people", 1, "name"])
  }
}
