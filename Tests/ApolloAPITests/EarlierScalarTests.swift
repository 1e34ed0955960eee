import ApolloAPI
import Testing

// Custom scalars as the pages of Apollo iOS have them.

/// A JSON scalar of Apollo iOS 1, where every value of JSON is an `AnyHashable`.
private enum HashableJSON: CustomScalarType, Hashable, @unchecked Sendable {
  // Sendable: the values are JSON.
  case object([String: AnyHashable])
  case list([AnyHashable])

  init(_jsonValue value: JSONValue) throws {
    if let object = value as? [String: AnyHashable] {
      self = .object(object)
    } else if let list = value as? [AnyHashable] {
      self = .list(list)
    } else {
      throw JSONDecodingError.couldNotConvert(value: value, to: HashableJSON.self)
    }
  }

  var _jsonValue: JSONValue {
    switch self {
    case .object(let object): (object as Any) as? JSONObject ?? [:]
    case .list(let list): (list as Any) as? [JSONValue] ?? []
    }
  }
}

/// A JSON scalar of Apollo iOS 2, which is compared by its JSON.
private enum ComparedJSON: CustomScalarType, Hashable {
  case dictionary(JSONObject)
  case array([JSONValue])

  init(_jsonValue value: JSONValue) throws {
    if let object = value as? JSONObject {
      self = .dictionary(object)
    } else if let array = value as? [JSONValue] {
      self = .array(array)
    } else {
      throw JSONDecodingError.couldNotConvert(value: value, to: ComparedJSON.self)
    }
  }

  var _jsonValue: JSONValue {
    switch self {
    case .dictionary(let object): object
    case .array(let array): array
    }
  }

  @available(*, deprecated)
  static func == (lhs: Self, rhs: Self) -> Bool { AnyHashable(lhs._jsonValue) == AnyHashable(rhs._jsonValue) }
  @available(*, deprecated)
  func hash(into hasher: inout Hasher) { hasher.combine(_jsonValue) }
}

private struct GeoPoint: CustomScalarType, Hashable {
  let x: Float, y: Float

  init(_jsonValue value: JSONValue) throws {
    let coordinates = try (value as? [JSONValue] ?? []).map { try Float(_jsonValue: $0) }
    guard coordinates.count == 2 else { throw JSONDecodingError.couldNotConvert(value: value, to: GeoPoint.self) }
    (x, y) = (coordinates[0], coordinates[1])
  }

  var _jsonValue: JSONValue { [x._jsonValue, y._jsonValue] as [JSONValue] }
}

private struct Filter: InputObject {
  var episode: GraphQLNullable<GraphQLEnum<Episode>> = nil
  var first: Int
  var height: GraphQLNullable<Double> = nil

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write("episode", episode)
    writer.write("first", first)
    writer.write("height", height)
  }
}

@Suite("Custom scalars as earlier releases have them") struct EarlierScalarTests {
  private func read<Value: __OutputValue & Hashable>(_ type: Value.Type, _ text: String) throws -> Value {
    let bytes = ResponseBytes(Array("{\"data\":{\"value\":\(text)}}".utf8))
    return try #require(try ResponseReader.read(NumberTests.One<Value>.self, from: bytes).data).value
  }

  private func written(_ value: some __JSONWritable) -> String {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return writer.text
  }

  @Test(
    "A scalar that asks for dictionaries and lists of AnyHashable gets them on every level",
    arguments: [
      #"{"a":1}"#, #"{"a":{"b":[1,null,{"c":true}]}}"#, #"[1,"a",[2.5]]"#, "[]", #"{"a":{"b":12345678901234567890}}"#,
    ])
  func hashables(_ json: String) throws {
    let value = try read(HashableJSON.self, json)
    #expect(written(value) == json)
    guard case .object(let object) = value, let inner = object["a"]?.base as? [String: AnyHashable] else { return }
    #expect(inner["b"] != nil)
  }

  @Test("A value of another kind is still an error, whatever the scalar asks for")
  func otherKinds() {
    #expect(throws: ResponseDecodingError.self) { try read(HashableJSON.self, #""text""#) }
  }

  @available(*, deprecated)
  @Test("JSON values can be compared and hashed")
  func comparing() throws {
    let texts = [#"{"a":{"b":[1,null]}}"#, #"{"a":{"b":[1,true]}}"#, "[1]", "[[1]]"]
    let values = try texts.map { try read(ComparedJSON.self, $0) }
    #expect(Set(values).count == texts.count)
    for text in texts { #expect(Set(values).contains(try read(ComparedJSON.self, text))) }
    let number: JSONValue = 1, text: JSONValue = "1"
    #expect(AnyHashable(number) == AnyHashable(1) && AnyHashable(number) != AnyHashable(text))
  }

  @Test("The scalars of GraphQL are made of JSON, and are JSON")
  func builtIn() throws {
    #expect(try read(GeoPoint.self, "[1, 2.5]") == GeoPoint(_jsonValue: [1, 2.5] as [JSONValue]))
    #expect(written(try read(GeoPoint.self, "[1, 2.5]")) == "[1,2.5]")
    #expect(throws: ResponseDecodingError.self) { try read(GeoPoint.self, "[1, \"2\"]") }
    #expect(try String(_jsonValue: "a") == "a" && String(jsonValue: 7) == "7")
    #expect(try Int(_jsonValue: 7.0) == 7 && Int(jsonValue: 7) == 7 && Double(_jsonValue: 7) == 7)
    #expect(try Bool(_jsonValue: true) && !Bool(jsonValue: false))
    for read: () throws -> Any in [
      { try String(_jsonValue: true) }, { try Int(_jsonValue: "7") }, { try Int(_jsonValue: 7.5) },
      { try Int(_jsonValue: true) }, { try Double(_jsonValue: JSONNull()) }, { try Bool(_jsonValue: 1) },
      { try Float(_jsonValue: 1e300) },
    ] {
      #expect(throws: JSONDecodingError.self) { _ = try read() }
    }
  }

  @Test("Scalars, enums and input objects are values of a dictionary of what can be encoded")
  func encodable() throws {
    let filter = Filter(episode: .init(.empire), first: 2)
    let values: [String: any JSONEncodable] = [
      "a": "b", "n": 1, "r": 0.5, "t": true, "e": Episode.newHope, "g": GraphQLEnum(Episode.empire), "f": filter,
    ]
    var writer = __JSONWriter()
    writer.writeJSON(values.mapValues(\._jsonValue))
    #expect(
      writer.text
        == #"{"a":"b","e":"NEWHOPE","f":{"episode":"EMPIRE","first":2},"g":"EMPIRE","n":1,"r":0.5,"t":true}"#)
    #expect(filter.graphQLMap["first"] as? Int == 2 && filter.graphQLMap.count == 2)
    let tall = Filter(first: 2, height: 3)
    #expect(tall.graphQLMap["height"] as? Double == 3 && tall.__data["height"] as? Double == 3)
    #expect(written(tall) == #"{"first":2,"height":3}"# && written(tall.__data) == written(tall))
    let sent: Variables = ["filter": Filter(first: 2, height: .some(.infinity)).__data]
    #expect(sent.failure != nil)
    #expect(Episode.empire.jsonValue as? String == "EMPIRE")
    #expect(try GraphQLEnum<Episode>(_jsonValue: "EMPIRE") == .empire)
  }

  @Test("Errors of scalars are equal if their cases, types and values are")
  func errors() {
    let error = JSONDecodingError.couldNotConvert(value: [1, JSONNull()] as [JSONValue], to: Int.self)
    #expect(error == .couldNotConvert(value: [1, JSONNull()] as [JSONValue], to: Int.self))
    #expect(error != .couldNotConvert(value: [1, JSONNull()] as [JSONValue], to: String.self))
    #expect(error != .couldNotConvert(value: [2] as [JSONValue], to: Int.self))
    #expect(JSONDecodingError.missingValue == .missingValue && JSONDecodingError.missingValue != .nullValue)
    #expect(Set([error, .wrongType, .notImplemented(Int.self), error]).count == 3)
  }
}
