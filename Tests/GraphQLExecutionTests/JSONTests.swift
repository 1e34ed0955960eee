import GraphQLExecution
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

  @Test("White space may stand between all tokens")
  func whiteSpace() throws {
    #expect(try GraphQLValue(json: " \t\r\n{ \"a\" : [ 1 , 2 ] } \n".utf8) == ["a": [1, 2]])
  }

  @Test("Escapes are resolved, surrogate pairs too")
  func escapes() throws {
    #expect(try GraphQLValue(json: #""\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00""#.utf8) == "\"\\/\u{8}\u{C}\n\r\té😀")
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
    "Each kind of bad text is refused with the place of the defect",
    arguments: [
      ("", "Unexpected end at byte 0"),
      ("{", "Unexpected end at byte 1"),
      ("[1", "Unexpected end at byte 2"),
      ("[1,]", "Unexpected \"]\" at byte 3"),
      ("{\"a\":1,}", "Unexpected \"}\" at byte 7"),
      ("{\"a\" 1}", "Unexpected \"1\" at byte 5"),
      ("{a:1}", "Unexpected \"a\" at byte 1"),
      ("1 2", "Unexpected \"2\" at byte 2"),
      ("01", "Unexpected \"1\" at byte 1"),
      ("1.", "Unexpected end at byte 2"),
      ("-", "Unexpected end at byte 1"),
      ("1e", "Unexpected end at byte 2"),
      ("1e999", "A number that is too large at byte 0"),
      ("tru", "Unexpected \"t\" at byte 0"),
      ("é", "Unexpected \"é\" at byte 0"),
      ("\"a", "Unexpected end at byte 2"),
      ("\"\\x\"", "Unexpected \"x\" at byte 2"),
      ("\"\\u12g4\"", "Unexpected \"g\" at byte 5"),
      ("\"\\ud800\"", "A surrogate without its pair at byte 1"),
      ("\"\\ud800\\u0041\"", "A surrogate without its pair at byte 1"),
      ("\"\\udc00\"", "A surrogate without its pair at byte 1"),
      ("\"a\nb\"", "A control character in a string at byte 2"),
    ])
  func defects(_ text: String, _ message: String) {
    #expect(throws: (any Error).self) { try GraphQLValue(json: text.utf8) }
    do {
      _ = try GraphQLValue(json: text.utf8)
    } catch {
      #expect(error.description == message)
    }
  }

  @Test(
    "Bytes that are not UTF-8 are refused", arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]])
  func invalidEncoding(_ bytes: [UInt8]) {
    #expect(throws: JSONSyntaxError.self) { try GraphQLValue(json: bytes) }
  }

  @Test("Nesting is bounded", arguments: ["[", "{\"a\":"])
  func nesting(_ opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect {
      try GraphQLValue(json: text.utf8)
    } throws: { error in
      "\(error)".hasPrefix("More than 256 levels of nesting")
    }
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
