@testable import ApolloAPI
import ApolloJSON
import Foundation
import Testing

// Custom scalars of Apollo iOS 1, where the numbers in a value are `NSNumber`s, and its nulls `NSNull`.

private struct Place: CustomScalarType, Hashable {
  var lat, lng: Double

  init(_jsonValue value: JSONValue) throws {
    guard let object = value as? [String: AnyHashable], let lat = object["lat"] as? Double,
      let lng = object["lng"] as? Double
    else { throw JSONDecodingError.couldNotConvert(value: value, to: Place.self) }
    (self.lat, self.lng) = (lat, lng)
  }

  var _jsonValue: JSONValue { ["lat": lat, "lng": lng] as JSONObject }
}

private struct Numbers: CustomScalarType, Hashable {
  var values: [Double]

  init(_jsonValue value: JSONValue) throws {
    guard let values = value as? [Double] else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Numbers.self)
    }
    self.values = values
  }

  var _jsonValue: JSONValue { values as [JSONValue] }
}

/// An object in an object, with numbers of two types and a null.
private struct Area: CustomScalarType, Hashable {
  var radius: Double, corners: Int, hasName: Bool, tags: [String]

  init(_jsonValue value: JSONValue) throws {
    guard let object = value as? JSONObject, let shape = object["shape"] as? JSONObject,
      let radius = shape["radius"] as? Double, let corners = shape["corners"] as? Int,
      let tags = object["tags"] as? [String]
    else { throw JSONDecodingError.couldNotConvert(value: value, to: Area.self) }
    (self.radius, self.corners, self.tags) = (radius, corners, tags)
    hasName = !(shape["name"] is NSNull)
  }

  var _jsonValue: JSONValue {
    ["shape": ["radius": radius, "corners": corners, "name": NSNull()] as JSONObject, "tags": tags as [JSONValue]]
      as JSONObject
  }
}

/// The same with the dictionaries of Apollo iOS 1 on each level.
private struct Track: CustomScalarType, Hashable {
  var start: Double, steps: [Double]

  init(_jsonValue value: JSONValue) throws {
    guard let object = value as? [String: AnyHashable], let track = object["track"] as? [String: AnyHashable],
      let start = track["start"] as? Double, let steps = track["steps"] as? [Double]
    else { throw JSONDecodingError.couldNotConvert(value: value, to: Track.self) }
    (self.start, self.steps) = (start, steps)
  }

  var _jsonValue: JSONValue { ["track": ["start": start, "steps": steps as [JSONValue]] as JSONObject] as JSONObject }
}

/// A value that Foundation decodes.
private struct Decoded: CustomScalarType, Hashable {
  struct Content: Decodable, Hashable {
    var count: Double
    var name: String?
  }

  var content: Content

  init(_jsonValue value: JSONValue) throws {
    content = try JSONDecoder().decode(Content.self, from: JSONSerialization.data(withJSONObject: value))
  }

  var _jsonValue: JSONValue { ["count": content.count, "name": content.name ?? JSONNull() as JSONValue] as JSONObject }
}

@Suite("Custom scalars that are objects or lists") struct ScalarFormTests {
  private func read<Value: __OutputValue & Hashable>(_ type: Value.Type, _ text: String) throws -> Value {
    let bytes = ResponseBytes(Array(#"{"data":{"value":\#(text)}}"#.utf8))
    return try #require(try ResponseReader.read(FoundationScalarTests.One<Value>.self, from: bytes).data).value
  }

  private func written(_ value: some __OutputValue) -> String {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return writer.text
  }

  @Test("A number in an object or a list is of any type that holds it, also if it happens to be whole")
  func wholeNumbers() throws {
    for (lat, lng) in [("52.5", "13.4"), ("52", "13.4"), ("52", "13"), ("52.0", "13")] {
      let place = try read(Place.self, #"{"lat":\#(lat),"lng":\#(lng)}"#)
      #expect(place.lat == Double(lat) && place.lng == Double(lng))
      #expect(try read(Numbers.self, "[\(lat),\(lng)]").values == [place.lat, place.lng])
      #expect(try read(Place.self, written(place)) == place)
    }
    let area = try read(Area.self, #"{"shape":{"radius":2,"corners":4.0,"name":null},"tags":["a"]}"#)
    #expect(area.radius == 2 && area.corners == 4 && !area.hasName && area.tags == ["a"])
    #expect(try read(Area.self, written(area)) == area)
    let track = try read(Track.self, #"{"track":{"start":1,"steps":[1,2.5],"end":null}}"#)
    #expect(track.start == 1 && track.steps == [1, 2.5])
    #expect(try read(Track.self, written(track)) == track)
  }

  @Test("The same is so in lists, and where null may stand")
  func listsAndNulls() throws {
    let places = try read([Place?].self, #"[{"lat":52,"lng":13},null,{"lat":1,"lng":2.5}]"#)
    #expect(places.map { $0?.lat } == [52, nil, 1])
    #expect(try read(Place?.self, #"{"lat":52,"lng":13}"#)?.lng == 13)
    #expect(try read(Place?.self, "null") == nil)
    #expect(try read([[Numbers]].self, "[[[1,2],[3]],[]]").map { $0.map(\.values) } == [[[1, 2], [3]], []])
  }

  @Test("A value that does not fit is an error, in whatever form the type is asked")
  func errors() {
    for text in [#"{"lat":"52","lng":13}"#, #"{"lat":null,"lng":13}"#, #"{"lng":13}"#, "[52,13]"] {
      let error = #expect(throws: ResponseDecodingError.self) { try read(Place.self, text) }
      #expect(error?.reason == .invalidScalar && error?.path == ["value"])
    }
    #expect(throws: ResponseDecodingError.self) { try read(Numbers.self, #"[1,"2"]"#) }
  }

  /// On Apple's systems an `NSNumber` in an `AnyHashable` is an `Int64`.
  @Test("AnyHashables come as they are first, and with all numbers as Double last")
  func order() throws {
    let value = try ResponseReader.jsonValue(ResponseBytes(Array(#"{"a":[52,12345678901234567890,true]}"#.utf8)))
    let forms = otherForms(of: value).compactMap { $0() }
    func types(_ form: JSONValue?) -> [ObjectIdentifier] {
      let list = (form as? [String: AnyHashable])?["a"]?.base as? [AnyHashable] ?? []
      return list.map { ObjectIdentifier(type(of: $0.base)) }
    }
    #expect(types(forms.first) == [Int.self, JSONNumber.self, Bool.self].map { ObjectIdentifier($0) })
    #expect(types(forms.last) == [Double.self, Double.self, Bool.self].map { ObjectIdentifier($0) })
  }

  @Test("A value with nulls, and with numbers of any size, can be handed to JSONSerialization")
  func serialization() throws {
    #expect(try read(Decoded.self, #"{"count":1,"name":"x"}"#).content.name == "x")
    let decoded = try read(Decoded.self, #"{"count":1,"name":null,"more":[null,123456789012345678901,-1e400]}"#)
    #expect(decoded.content.count == 1 && decoded.content.name == nil)
    #expect(try read(Decoded.self, written(decoded)) == decoded)
    let json = #"{"a":null,"b":[null,123456789012345678901,18446744073709551615],"c":{"d":null}}"#
    let value = try ResponseReader.jsonValue(ResponseBytes(Array(json.utf8)))
    #expect(JSONSerialization.isValidJSONObject(value))
    let data = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
    #expect(String(decoding: data, as: UTF8.self) == json)
  }

  @Test("Nulls and numbers can be cast to those of Foundation, and keep their digits where they are written")
  func casts() throws {
    let null: JSONValue = JSONNull(), other: JSONValue = NSNull()
    #expect(null is NSNull && other is JSONNull)
    let error = GraphQLError(["extensions": ["a": JSONNull()] as JSONObject])
    #expect(error.extensions?["a"] is NSNull)
    let digits = String(repeating: "123456789", count: 6)
    let number = try ResponseReader.jsonValue(ResponseBytes(Array(digits.utf8)))
    #expect(number is JSONNumber && number is NSNumber && !(number is Int) && !(number is Double))
    #expect(try JSONSerializationFormat.serialize(value: [number] as [JSONValue]) == Data("[\(digits)]".utf8))
    let whole: JSONValue = NSNumber(value: 1)
    #expect(!(whole is JSONNumber))
  }
}
