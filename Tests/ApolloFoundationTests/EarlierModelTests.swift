import ApolloAPI
import ApolloJSON
import Foundation
import Testing

// Models made of JSON, and looked into, as in earlier releases of Apollo iOS.

/// `query Hero($full: Boolean!) { hero { name height @include(if: $full) friends { name } } }`
private struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero($full: Boolean!) { hero { name } }")
  var full: Bool

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("full", full) }

  struct Data: SelectionSet, Hashable {
    var name: String?
    var height: Double?
    var friends: [Friend?]

    static let __fields = __FieldTable(version: 1, "name height friends ?$full")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      name = try object.read(0)
      height = try object.includes(0) ? object.read(1) as Double : nil
      friends = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, name)
      if let height { writer.write(1, height) }
      writer.write(2, friends)
    }
  }

  struct Friend: SelectionSet, Hashable {
    var name: String?

    static let __fields = __FieldTable(version: 1, "name")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
  }
}

/// `fragment Named on Hero { name }`
private struct Named: SelectionSet, Hashable {
  var name: String?

  static let __fields = __FieldTable(version: 1, "name")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
}

/// `fragment Card on Hero { name }`, for which the app has an initializer of its own.
private struct Card: SelectionSet, Hashable {
  var name: String?

  static let __fields = __FieldTable(version: 1, "name")

  init(name: String?) { self.name = name }
  init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
}

extension Card {
  init(_ hero: HeroQuery.Data?) throws { self.init(name: "a card of \(hero?.name ?? "")") }
  init(_ named: some HasName) { self.init(name: "\(named.name ?? "") has a name") }
}

private protocol HasName {
  var name: String? { get }
}

extension Named: HasName {}

@Suite("Models and JSON as in earlier releases") struct EarlierModelTests {
  private let json: JSONObject = [
    "name": "R2-D2", "height": 1.5, "friends": [["name": NSNull()] as JSONObject, NSNull()] as [JSONValue],
  ]

  @Test("Variables are nil, or those of an operation as JSON")
  func variables() throws {
    let full = HeroQuery(full: true), short = HeroQuery(full: false)
    #expect(try HeroQuery.Data(data: json, variables: full.__variables).height == 1.5)
    #expect(try HeroQuery.Data(jsonObject: json, variables: full.__variables).height == 1.5)
    #expect(try HeroQuery.Data(data: json, variables: short.__variables).height == nil)
    let map: GraphQLMap? = nil
    for data in [
      try HeroQuery.Data(data: json, variables: nil), try HeroQuery.Data(jsonObject: json, variables: nil),
      try HeroQuery.Data(data: json, variables: map), try HeroQuery.Data(data: json, variables: .none),
      try HeroQuery.Data(data: json),
    ] {
      #expect(data.name == "R2-D2" && data.height == nil)
    }
    #expect(try HeroQuery.Data(data: json, variables: ["full": true]).height == 1.5)
  }

  @Test("A model is made of another one that has its fields")
  func conversion() throws {
    let hero = try HeroQuery.Data(data: json, variables: ["full": true])
    #expect(try Named(hero).name == "R2-D2")
    #expect(throws: ResponseDecodingError.self) { try HeroQuery.Data(Named(hero)) }
  }

  @Test("A field under a condition is there if the other model has it")
  func conditions() throws {
    let hero = try HeroQuery.Data(data: json, variables: ["full": true])
    #expect(try HeroQuery.Data(hero) == hero)
    let short = try HeroQuery.Data(data: json, variables: ["full": false])
    #expect(try HeroQuery.Data(short) == short)
  }

  @Test("An app's own initializer from another model is called")
  func ownInitializers() throws {
    let hero = try HeroQuery.Data(data: json, variables: ["full": true])
    #expect(try Card(hero).name == "a card of R2-D2")
    #expect(try [hero].map(Card.init)[0].name == "a card of R2-D2")
    let named = try Named(hero)
    #expect(Card(named).name == "R2-D2 has a name")
    #expect(try Card(Card(name: "C-3PO")).name == "C-3PO")
  }

  @Test("The map of a result has nil for null, on every level")
  func resultMap() throws {
    let hero = try HeroQuery.Data(data: json, variables: ["full": true])
    #expect(hero.resultMap["name"] as? String == "R2-D2")
    let friends = try #require(hero.resultMap["friends"] as? [ResultMap?])
    #expect(friends.count == 2 && friends[1] == nil)
    let name = try #require(friends[0]?["name"])
    #expect(name == nil)
  }

  @Test("A Double is one in each of the forms of a model, also if it is whole")
  func wholeNumbers() throws {
    for height in [2.0, 1.5, -0.0, 1e300] {
      var object = json
      object["height"] = height
      let hero = try HeroQuery.Data(data: object, variables: ["full": true])
      #expect(hero.jsonObject["height"] as? Double == height)
      #expect(hero.__data._data["height"] as? Double == height)
      #expect(hero.resultMap["height"] as? Double == height)
      #expect(try HeroQuery.Data(data: hero.jsonObject, variables: ["full": true]) == hero)
      #expect(HeroQuery.Data(_dataDict: hero.__data) == hero)
    }
    var dict = DataDict(data: [:])
    dict["height"] = 2.0
    #expect(dict._data["height"] as? Double == 2 && dict["height"] == 2)
    // What is sent and stored is as short as it can be.
    var writer = __JSONWriter()
    writer.write(2.0)
    #expect(writer.text == "2")
  }

  @Test("What can be encoded is serialized as the JSON that it is")
  func serialization() throws {
    let values: [any JSONEncodable] = ["a", 1, true]
    let texts = try values.map { String(decoding: try JSONSerializationFormat.serialize(value: $0), as: UTF8.self) }
    #expect(texts == [#""a""#, "1", "true"])
    #expect(try JSONSerializationFormat.serialize(value: "a") == Data(#""a""#.utf8))
    #expect(try JSONSerializationFormat.serialize(value: ["a": 1] as JSONObject) == Data(#"{"a":1}"#.utf8))
  }
}
