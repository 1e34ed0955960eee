import Apollo
@testable import ApolloCache
import ApolloFoundation
import Foundation
import Testing

/// `query Scalar { item { __typename id value } }`, with a scalar of any type.
private struct ScalarQuery<Value: __OutputValue & __InputValue & Hashable>: GraphQLQuery {
  static var operationName: String { "Scalar" }
  static var operationDocument: OperationDocument { OperationDocument("query Scalar { item { __typename id value } }") }

  struct Data: SelectionSet, Hashable {
    var item: Item
    static var __fields: __FieldTable { __FieldTable(version: 1, "item") }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { item = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, item) }
  }

  struct Item: SelectionSet, Hashable {
    var __typename: String
    var id: String
    var value: Value
    static var __fields: __FieldTable { __FieldTable(version: 1, "__typename id! value") }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
      value = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
      writer.write(2, value)
    }
  }
}

private struct Person: SelectionSet, Hashable {
  var __typename: String
  var id: UUID
  var name: String
  static let __fields = __FieldTable(version: 1, "__typename id! name")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    __typename = try object.typename()
    id = try object.read(1)
    name = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, __typename)
    writer.write(1, id)
    writer.write(2, name)
  }
}

private struct PersonData: SelectionSet, Hashable {
  var person: Person
  static let __fields = __FieldTable(version: 1, "person")
  init(__reading object: inout __ObjectReader) throws(__ReadError) { person = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, person) }
}

private struct PersonQuery: GraphQLQuery {
  static let operationName = "Person"
  static let operationDocument = OperationDocument("query Person { person { __typename id name } }")
  typealias Data = PersonData
}

private struct RenamePerson: GraphQLMutation {
  static let operationName = "RenamePerson"
  static let operationDocument = OperationDocument("mutation RenamePerson { person { __typename id name } }")
  typealias Data = PersonData
}

@Suite("Scalars in the cache") struct ScalarStoreTests {
  /// Reads a response into a store, writes its data unchanged, and then with another value.
  private func check<Value: __OutputValue & __InputValue & Hashable>(
    _ texts: String..., other: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for text in texts {
      let store = ApolloStore(), query = ScalarQuery<Value>()
      let response = #"{"data":{"item":{"__typename":"Item","id":"1","value":\#(text)}}}"#
      let before = try #require(
        try await store.write(response: ResponseBytes(Array(response.utf8)), for: query),
        sourceLocation: sourceLocation)
      let records = store.dump()
      try await store.withinReadWriteTransaction { try $0.write(data: before, for: query) }
      #expect(try await store.load(query) == before, "\(text)", sourceLocation: sourceLocation)
      #expect(store.dump() == records, "\(text)", sourceLocation: sourceLocation)
      var changed = before
      changed.item.value = other
      let after = changed
      try await store.withinReadWriteTransaction { try $0.write(data: after, for: query) }
      #expect(try await store.load(query) == after, "\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test("What an app writes unchanged leaves the cache as it is, and what it changes can be read")
  func written() async throws {
    let day = #""2026-11-21T08:46:00"#
    try await check(
      day + #"Z""#, day + #".001Z""#, day + #".517Z""#, day + #".123456Z""#,
      other: Date(timeIntervalSinceReferenceDate: 0.5))
    try await check(#""https://example.com/a?b=c%20d""#, other: try #require(URL(string: "a")))
    try await check(
      #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, other: UUID())
    try await check(#""AAEC/w==""#, other: Data([1]))
    try await check("12.30", #""12.30""#, "1e3", "-0.001", "7", other: Decimal(13))
    try await check("5", #""9007199254740993""#, other: Int64.min)
    try await check("5", #""18446744073709551615""#, other: UInt64.max - 1)
    try await check("5", "9007199254740993", "18446744073709551615", other: UInt.max - 1)
    try await check("5", "-5", other: Int32.max)
    try await check("0.1", "3", other: Float(2.5))
    try await check("1.5", "3", other: 2.5)
    try await check(#"{"a":[1,2.5,null,true]}"#, "[]", "3", other: ["ratio": [1.0, 1.5]] as JSONScalar)
  }

  @Test(
    "An object with a UUID has one record, whatever the case in which it is sent",
    arguments: ["e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"])
  func identifiers(id: String) async throws {
    let store = ApolloStore()
    let response = #"{"data":{"person":{"__typename":"Person","id":"\#(id)","name":"A"}}}"#
    let data = try #require(
      try await store.write(response: ResponseBytes(Array(response.utf8)), for: PersonQuery()))
    var changed = data
    changed.person.name = "B"
    let guess = changed
    try await store.withinReadWriteTransaction { try $0.write(data: guess, for: RenamePerson()) }
    #expect(try await store.load(PersonQuery()).person.name == "B")
    let keys = store.keys.filter { $0.hasPrefix("Person:") }
    #expect(keys == ["Person:" + id.lowercased()])
  }
}
