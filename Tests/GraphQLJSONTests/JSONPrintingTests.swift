import GraphQLJSON
import JSONCases
import Testing

@Suite("Writing JSON")
struct JSONPrintingTests {
  @Test(
    "What is written is read as the same value, in either style", arguments: JSONCase.all.filter { $0.value != nil })
  func roundTrip(_ one: JSONCase) throws {
    let node = try JSONNode(parsing: one.text)
    #expect(try JSONNode(parsing: node.text.utf8) == node)
    #expect(try JSONNode(parsing: node.indentedText.utf8) == node)
  }

  @Test("Only what JSON demands is escaped, by the short escape where there is one")
  func escapes() {
    let text = String(String.UnicodeScalarView((0..<0x24).compactMap { Unicode.Scalar($0) })) + "/\\\u{7f}é😀\u{2028}"
    #expect(
      JSONNode.string(text).text
        == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"#
        + " !\\\"#/\\\\\u{7f}é😀\u{2028}\"")
  }

  @Test("Numbers are the shortest digits that read as the same")
  func numbers() {
    let numbers: [JSONNode] = [
      .number(3), .number(3.0), .number(-0.5), .number(1e300), .number(0.1), .number(.infinity), .number(.nan),
      .number(UInt64.max),
    ]
    #expect(JSONNode.array(numbers).text == "[3,3,-0.5,1e+300,0.1,null,null,18446744073709551615]")
  }

  @Test("The indented style has one value a line, and empty ones stay on theirs")
  func indented() {
    let node: JSONNode = .object([
      "a": .array([.number(1), .object([:])]), "b": .object(["c": .array([])]), "d": .null,
    ])
    #expect(
      node.indentedText == """
        {
          "a": [
            1,
            {}
          ],
          "b": {
            "c": []
          },
          "d": null
        }
        """)
    #expect(JSONNode.string("a").indentedText == "\"a\"")
  }

  @Test("Values are equal in any order of members and at any place")
  func equality() throws {
    let node = try JSONNode(parsing: #" {"b": [true, 1.50], "a": "x"}"#.utf8)
    var digits = JSONNode.object(["a": .string("x"), "b": .array([.boolean(true), JSONNode(.number("1.50"))])])
    #expect(node == digits && node.hashValue == digits.hashValue)
    digits = .object(["a": .string("x"), "b": .array([.boolean(true), .number(1.5)])])
    #expect(node != digits)
  }
}
