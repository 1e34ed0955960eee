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
}
