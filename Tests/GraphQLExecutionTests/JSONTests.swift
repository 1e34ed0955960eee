import GraphQLExecution
import GraphQLJSON
import Testing

@Suite("JSON")
struct JSONTests {
  @Test(
    "What is written is what was read",
    arguments: [
      "null", "true", "false", "0", "-1", "1.5", "-2.5e-07", "9223372036854775807", "\"\"", "[]", "{}", "[1,[2,[]]]",
      #"{"b":1,"a":{"c":null}}"#, #""a\"b\\c\nd\u0001é😀""#,
    ])
  func roundTrip(_ text: String) throws {
    #expect(String(decoding: try GraphQLValue(json: text.utf8).json, as: UTF8.self) == text)
  }

  @Test("Numbers written as integers are integers while they fit")
  func numbers() throws {
    #expect(try GraphQLValue(json: "[1, 1.0, 1e2, 9223372036854775808]".utf8).list?.map(\.int) == [1, nil, nil, nil])
    #expect(try GraphQLValue(json: "9223372036854775808".utf8).double == 9_223_372_036_854_775_808)
  }

  @Test("A whole Double is written without a fraction, as JavaScript servers do")
  func wholeDouble() {
    #expect(
      String(decoding: GraphQLValue.list([.double(3), .double(1e300), .double(-0.5)]).json, as: UTF8.self)
        == "[3,1e+300,-0.5]")
  }

  @Test("What JSON cannot hold is written as null")
  func unrepresentable() {
    #expect(
      String(decoding: GraphQLValue.list([.double(.nan), .double(.infinity), .opaque(1)]).json, as: UTF8.self)
        == "[null,null,null]")
  }

  @Test(
    "A value that is not JSON is refused with its place",
    arguments: [
      ("[1,\n]", "line 2, column 1: Expected a JSON value, but found \"]\"."),
      ("[1,\n-1e999]", "line 2, column 1: The number is too large."),
    ])
  func defects(_ text: String, _ message: String) {
    #expect(throws: (any Error).self) { try GraphQLValue(json: text.utf8) }
    do {
      _ = try GraphQLValue(json: text.utf8)
    } catch {
      #expect(error.description == message)
    }
  }

  @Test("The deepest nesting that is read fits a small stack")
  func nesting() throws {
    let text = String(repeating: "[{\"a\":", count: 256) + "1" + String(repeating: "}]", count: 256)
    #expect(try GraphQLValue(json: text.utf8).json == Array(text.utf8))
  }

  @Test("Of two members with one name the last wins, and objects of any size find their members")
  func members() throws {
    #expect(try GraphQLValue(json: #"{"a":1,"b":2,"a":3}"#.utf8).json == Array(#"{"a":3,"b":2}"#.utf8))
    var object = GraphQLValue.Object((0..<100).map { ("k\($0)", .int($0)) })
    object["k50"] = nil
    object["k99"] = "last"
    #expect(object.count == 99)
    #expect(object["k50"] == nil)
    #expect(object["k51"] == 51)
    #expect(object.keys.suffix(2) == ["k98", "k99"])
    #expect(object["k99"] == "last")
  }
}
