import Apollo
@testable import ApolloCache
import ApolloFoundation
import DiskCaches
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

/// A scalar as Apollo iOS 1 has them: an object whose numbers are any number.
private struct Place: CustomScalarType, Hashable {
  var lat, lng: Double
  var note: String?

  init(lat: Double, lng: Double, note: String? = nil) { (self.lat, self.lng, self.note) = (lat, lng, note) }

  init(_jsonValue value: JSONValue) throws {
    guard let object = value as? [String: AnyHashable], let at = object["at"] as? [String: AnyHashable],
      let lat = at["lat"] as? Double, let lng = at["lng"] as? Double
    else { throw JSONDecodingError.couldNotConvert(value: value, to: Place.self) }
    self.init(lat: lat, lng: lng, note: object["note"] as? String)
  }

  var _jsonValue: JSONValue {
    ["at": ["lat": lat, "lng": lng] as JSONObject, "note": note ?? JSONNull() as JSONValue] as JSONObject
  }
}

/// A scalar that Foundation decodes.
private struct Decoded: CustomScalarType, Hashable {
  var value: [String: Double?]

  init(_ value: [String: Double?]) { self.value = value }
  init(_jsonValue value: JSONValue) throws {
    self.value = try JSONDecoder().decode([String: Double?].self, from: JSONSerialization.data(withJSONObject: value))
  }

  var _jsonValue: JSONValue { value.mapValues { $0 ?? JSONNull() as JSONValue } }
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

  /// Reads a response from memory and from a file, and then what an app has written.
  private func check<Value: __OutputValue & __InputValue & Hashable>(
    _ text: String, is value: Value, other: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let query = ScalarQuery<Value>(), disk = try DiskCache()
    let response = #"{"data":{"item":{"__typename":"Item","id":"1","value":\#(text)}}}"#
    let memory = ApolloStore(), first = ApolloStore(cache: disk.cache)
    for store in [memory, first] {
      let data = try await store.write(response: ResponseBytes(Array(response.utf8)), for: query)
      #expect(data?.item.value == value, sourceLocation: sourceLocation)
      #expect(try await store.load(query).item.value == value, sourceLocation: sourceLocation)
    }
    try await first.flush()
    try await disk.reopen()
    let second = ApolloStore(cache: disk.cache)
    #expect(try await second.load(query).item.value == value, sourceLocation: sourceLocation)
    for store in [memory, second] {
      var changed = try await store.load(query)
      changed.item.value = other
      let after = changed
      try await store.withinReadWriteTransaction { try $0.write(data: after, for: query) }
      #expect(try await store.load(query) == after, sourceLocation: sourceLocation)
    }
    try await second.flush()
    try await disk.reopen()
    #expect(
      try await ApolloStore(cache: disk.cache).load(query).item.value == other, sourceLocation: sourceLocation)
  }

  @Test("An object whose numbers happen to be whole is read, from a response, from memory, from a file and as written")
  func wholeNumbers() async throws {
    let text = #"{"at":{"lat":52,"lng":13.5},"note":null}"#, place = Place(lat: 52, lng: 13.5)
    try await check(text, is: place, other: Place(lat: 48, lng: 2, note: "a"))
    try await check(text, is: place as Place?, other: Place(lat: 48, lng: 2))
    try await check("[\(text),null]", is: [place, nil], other: [nil, Place(lat: 1, lng: 2), place])
    try await check("[[\(text)],[]]", is: [[place], []], other: [[], [Place(lat: 0, lng: -1)]])
  }

  @Test("A scalar with nulls that Foundation decodes is read, from a response, from memory, from a file and as written")
  func nulls() async throws {
    let text = #"{"a":1,"b":null}"#, value = Decoded(["a": 1, "b": nil])
    try await check(text, is: value, other: Decoded(["c": nil, "d": 2]))
    try await check("[\(text),null]", is: [value, nil], other: [Decoded([:])])
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
