@testable import ApolloAPI
import StyledTests
import Testing

@Suite("The scalar that is any JSON", .everyStyle) struct JSONScalarTests {
  static let text = #"""
    {"a":[1,2.5,-0.5,1e400,123456789012345678901234567890],"b":{"c":null,"d":true},"e":"\u00e9 \"q\"","f":[],"g":{}}
    """#

  static func read(_ text: String) throws -> JSONScalar {
    try JSONScalar(_jsonValue: ResponseReader.jsonValue(ResponseBytes(text.utf8)))
  }

  @Test("What is read is written again, number by number")
  func writes() throws {
    let value = try Self.read(Self.text)
    #expect(
      value.description
        == #"{"a":[1,2.5,-0.5,1e400,123456789012345678901234567890],"b":{"c":null,"d":true},"e":"é \"q\"","f":[],"g":{}}"#
    )
    #expect(try Self.read(value.description) == value)
    #expect(try JSONScalar(_jsonValue: value) == value)
  }

  @Test("Members and elements are found, and nothing is found in a value of another kind")
  func looks() throws {
    let value = try Self.read(Self.text)
    #expect(value["a"]?[0]?.int == 1 && value["a"]?[0]?.double == 1)
    #expect(value["a"]?[1]?.double == 2.5 && value["a"]?[1]?.int == nil)
    #expect(value["a"]?[3]?.double == nil && value["a"]?[4]?.int == nil)
    #expect(value["a"]?[4]?.double == 1.2345678901234568e29)
    #expect(value["a"]?[5] == nil && value["a"]?[-1] == nil && value["a"]?["b"] == nil)
    #expect(value["b"]?["c"]?.isNull == true && value["b"]?["d"]?.bool == true)
    #expect(value["e"]?.string == "é \"q\"" && value["e"]?.array == nil)
    #expect(value["f"]?.array == [] && value["g"]?.object == [:])
    #expect(value["h"] == nil && value[0] == nil && value.string == nil)
    #expect(JSONScalar.double(2).int == 2 && JSONScalar.double(.infinity).int == nil)
  }

  @Test("Literals make the values that reading makes")
  func literals() throws {
    let value: JSONScalar = ["a": [1, 2.5, true, "x", .null], "b": [:], "n": "\(1)2"]
    #expect(try value == Self.read(#"{"a":[1,2.5,true,"x",null],"b":{},"n":"12"}"#))
    let doubled: JSONScalar = .object(["a": 2])
    #expect(doubled.description == #"{"a":2}"#)
  }

  @Test("A nullable variable takes literals of lists and objects")
  func nullableLiterals() {
    let object: GraphQLNullable<JSONScalar> = ["limit": 10, "tags": ["a", .null], "in": ["b": true]]
    #expect(object.unwrapped == ["limit": 10, "tags": ["a", .null], "in": ["b": true]])
    let list: GraphQLNullable<JSONScalar> = [1, "a", ["b": 2.5]]
    #expect(list.unwrapped == [1, "a", ["b": 2.5]])
    let none: GraphQLNullable<JSONScalar> = [:], text: GraphQLNullable<JSONScalar> = "x"
    #expect(none.unwrapped == .object([:]) && text.unwrapped == "x")
    let counts: GraphQLNullable<[String: Int]> = ["a": 1, "b": 2]
    #expect(counts.unwrapped == ["a": 1, "b": 2])
    #expect([String: Int]([("a", 1), ("a", 3)]) == ["a": 3])
  }

  @Test("Numbers are compared by what they are: a list that was written and read again is equal")
  func numbers() throws {
    let value: JSONScalar = ["ratio": [1.0, 2.5], "n": 1]
    #expect(try Self.read(value.description) == value)
    #expect(Set([value, try Self.read(value.description)]).count == 1)
    #expect(JSONScalar.int(.max) != .double(0x1p63) && JSONScalar.int(1) != .bool(true))
  }

  @Test("A model may be nested as deep as a response, with its JSON")
  func depth() throws {
    let text = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let bytes = ResponseBytes("{\"value\":\(text)}".utf8)
    var deep = try ResponseReader.readObject(Deep.self, from: bytes, maximumDepth: 1000).data
    let data = deep.__data
    deep.__data = data
    #expect(deep.value.description == text)
    #expect(throws: ResponseDecodingError.self) { _ = try ResponseReader.jsonValue(bytes) }
  }

  private struct Deep: SelectionSet {
    var value: JSONScalar
    static let __fields = __FieldTable(version: 1, "value")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { value = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, value) }
  }

  @Test("A value that is not JSON is an error that names it")
  func foreign() {
    struct Other: Sendable {}
    let error = #expect(throws: JSONDecodingError.self) { _ = try JSONScalar(_jsonValue: [Other()] as [JSONValue]) }
    #expect(error?.description.contains("Other() could not be converted to JSONScalar") == true)
  }
}
