import GraphQLJSON
import JSONCases
import Testing

@Suite("Reading JSON")
struct JSONParsingTests {
  /// The message of the error; nil if there is none.
  static func error(_ text: some Collection<UInt8>) -> JSONSyntaxError? {
    do {
      _ = try JSONNode(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  @Test("A text is the value that it should be, or is refused", arguments: JSONCase.all)
  func cases(_ one: JSONCase) {
    #expect((try? JSONNode(parsing: one.text))?.text == one.value)
  }

  @Test("The table has the cases of JSONTestSuite")
  func suite() {
    #expect(JSONCase.suite.count == 338)
    #expect(JSONCase.suite.count { $0.value == nil } > 190)
  }

  @Test(
    "An error says what was expected, what was found, and where",
    arguments: [
      ("", "line 1, column 1: Expected a JSON value, but the text ends."),
      ("{", "line 1, column 2: Expected the name of a member, but the text ends."),
      ("[1", "line 1, column 3: Expected \",\" or \"]\", but the text ends."),
      ("[1,]", "line 1, column 4: Expected a JSON value, but found \"]\"."),
      ("{\"a\":1,}", "line 1, column 8: Expected the name of a member, but found \"}\"."),
      ("{\"a\" 1}", "line 1, column 6: Expected \":\", but found \"1\"."),
      ("{a:1}", "line 1, column 2: Expected the name of a member, but found \"a\"."),
      ("[1\r\n, 2\n3]", "line 3, column 1: Expected \",\" or \"]\", but found \"3\"."),
      ("[1\r,\r\r?]", "line 4, column 1: Expected a JSON value, but found \"?\"."),
      ("1 2", "line 1, column 3: Expected the end of the text, but found \"2\"."),
      ("1e+-.", "line 1, column 4: Expected a digit, but found \"-\"."),
      ("-", "line 1, column 2: Expected a digit, but the text ends."),
      ("1.e5", "line 1, column 3: Expected a digit, but found \"e\"."),
      ("01", "line 1, column 2: Expected the end of the text, but found \"1\"."),
      ("[1+2]", "line 1, column 3: Expected \",\" or \"]\", but found \"+\"."),
      ("+1", "line 1, column 1: Expected a JSON value, but found \"+\"."),
      ("[tru]", "line 1, column 2: Expected a JSON value, but found \"t\"."),
      ("é", "line 1, column 1: Expected a JSON value, but found \"é\"."),
      ("[\u{0}]", "line 1, column 2: Expected a JSON value, but found the character U+0000."),
      (#""\u+123""#, "line 1, column 4: Expected a hexadecimal digit, but found \"+\"."),
      (#""\ud800\x""#, "line 1, column 9: Expected a valid escape, but found \"x\"."),
      (#""\ud800\"#, "line 1, column 9: Expected the end of a string, but the text ends."),
      ("\"a\nb\"", "line 1, column 3: Expected no control character in a string, but found the character U+000A."),
    ])
  func errors(text: String, message: String) {
    #expect(Self.error(text.utf8)?.description == message)
  }

  @Test(
    "Input that is not UTF-8 is refused at its first byte",
    arguments: [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
  func encoding(_ bytes: [UInt8]) {
    let error = Self.error(Array("[1,\n\"é".utf8) + bytes + Array("\"]".utf8))
    #expect(error?.line == 2 && error?.column == 4 && error?.offset == 7)
    #expect(error?.message == "This byte is not UTF-8, which JSON is written in.")
  }

  @Test("Nesting is bounded, and the error is where it is too deep")
  func depth() throws {
    let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    _ = try JSONNode(parsing: text.utf8, maximumDepth: 100)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONNode(parsing: text.utf8, maximumDepth: 99) }
    #expect(error?.description == "line 1, column 100: No more than 99 levels of nesting are read.")
  }

  @Test("A text that is cut off is refused at its end")
  func truncated() {
    let text = Array(#"{"data": {"a": [1, -2.5e+3, true, null], "é\ud83d\ude00\n": "\u0041"}}"#.utf8)
    for end in text.indices {
      // A word that is cut off is shown where it begins.
      guard let offset = Self.error(text[..<end])?.offset else { continue }
      #expect(offset <= end && offset >= end - 4, "cut off at \(end)")
    }
  }

  @Test("A text of which any byte is another one is read or refused, at a place inside of it")
  func changed() {
    let text = Array(#"{"a": [1, -2.5e+3, true], "\ud83d\ude00\ud800\n": "\u0041"}"#.utf8)
    for index in text.indices {
      for byte in Array("\"\\u0-+.eE{}[],:dD8 \u{7f}".utf8) + [0, 0x80, 0xff] {
        var changed = text
        changed[index] = byte
        if let error = Self.error(changed) { #expect(error.offset <= text.count) }
      }
    }
  }

  @Test("Every value knows its place, and every member that of its name")
  func places() throws {
    let text = Array("\u{feff} { \"a\" : [ 1.5 , \"é\" ],\n\"b\":{}, \"c\": null }".utf8)
    let node = try JSONNode(parsing: text)
    func part(_ range: Range<Int>?) -> String { String(decoding: text[range ?? 0..<0], as: UTF8.self) }
    #expect(part(node.range) == "{ \"a\" : [ 1.5 , \"é\" ],\n\"b\":{}, \"c\": null }")
    let members = try #require(node.object)
    #expect(members.map { part($0.nameRange) } == ["\"a\"", "\"b\"", "\"c\""])
    #expect(members.map { part($0.value.range) } == ["[ 1.5 , \"é\" ]", "{}", "null"])
    #expect(node["a"]?.array?.map { part($0.range) } == ["1.5", "\"é\""])
    #expect(node["c"] == nil && members["c"] == .null && node["d"] == nil)
  }

  @Test("The bytes may be a part of others, or of a collection that has no storage")
  func collections() throws {
    let bytes = Array("xx[1]".utf8)
    #expect(try JSONNode(parsing: bytes[2...]).array?.first?.range == 1..<2)
    #expect(try JSONNode(parsing: "[1]".utf8.lazy.map { $0 }).text == "[1]")
    #expect(Self.error(bytes[1...])?.offset == 0)
  }

  @Test("A comma before the end of an object or array is passed over where it is allowed, and its place is told")
  func trailingCommas() throws {
    let text = "{\"a\": [1, 2, ] , \"b\": {\"c\": 3\n,},\n}"
    let parsed = try JSONNode.parse(allowingTrailingCommas: text.utf8)
    #expect(parsed.node.text == #"{"a":[1,2],"b":{"c":3}}"#)
    #expect(parsed.trailingCommas == [11..<12, 30..<31, 32..<33])
    #expect(parsed.replacedMembers.isEmpty)
    for text in ["{,}", "[,]", "[1,,]", "{\"a\": 1,,}", "[1,", "{\"a\": 1,", "1,", "[1],"] {
      #expect(throws: JSONSyntaxError.self, "\(text)") { try JSONNode.parse(allowingTrailingCommas: text.utf8) }
    }
  }

  @Test("Members in whose place a later one of their name counts are told, also among many")
  func replacedMembers() throws {
    let others = (0..<20).map { "\"\($0)\": 0" }.joined(separator: ", ")
    for text in ["{\"a\": 1, \"a\": [2], \"a\": 3}", "{\"a\": 1, \"a\": [2], \(others), \"a\": 3}"] {
      let parsed = try JSONNode.parse(allowingTrailingCommas: text.utf8)
      #expect(parsed.node["a"]?.text == "3")
      #expect(parsed.replacedMembers.map(\.name) == ["a", "a"])
      #expect(parsed.replacedMembers.map(\.nameRange) == [1..<4, 9..<12])
      #expect(parsed.replacedMembers.map(\.value.text) == ["1", "[2]"])
    }
  }
}
