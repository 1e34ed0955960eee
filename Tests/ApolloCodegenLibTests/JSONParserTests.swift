import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

@Suite("JSON that the generator reads") struct JSONParserTests {
  static func read(_ text: String) throws -> JSON<JSONNode> {
    try JSONParser<JSONNode>.parse(Source(text, name: "file.json")).kind
  }

  /// The message of the error, with its place; nil if there is none.
  static func error(_ text: String) -> String? {
    let source = Source(text, name: "file.json")
    do {
      _ = try JSONParser<JSONNode>.parse(source)
      return nil
    } catch {
      var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
      return renderer.render(error.diagnostics)
    }
  }

  @Test(
    "A surrogate without its pair is U+FFFD, and what follows it is read as it is",
    arguments: [
      (#""\ud800""#, "\u{fffd}"), (#""\udc00""#, "\u{fffd}"), (#""\ud800\u0041""#, "\u{fffd}A"),
      (#""\ud800x""#, "\u{fffd}x"), (#""\ud800\n""#, "\u{fffd}\n"), (#""\ud800\"""#, "\u{fffd}\""),
      (#""\ud800\\""#, "\u{fffd}\\"), (#""\ud800\ud800""#, "\u{fffd}\u{fffd}"),
      (#""\ud800\ud83d\ude00""#, "\u{fffd}😀"), (#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
      (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00""#, "😀"), (#""\udbff\udfff""#, "\u{10ffff}"),
      (#""\u0000\u00e9\/""#, "\0é/"),
    ])
  func surrogates(text: String, value: String) throws {
    guard case .string(let string) = try Self.read(text) else { return #expect(Bool(false), "no string") }
    #expect(string == value)
  }

  @Test("Of members with the same name, the last one counts")
  func repeatedMembers() throws {
    guard case .object(let members) = try Self.read(#"{"a":1,"b":2,"\u0061":3,"c":4,"b":{"b":5,"b":6}}"#) else {
      return #expect(Bool(false), "no object")
    }
    #expect(members.map(\.name) == ["a", "b", "c"])
    guard case .number("3") = members[0].value.kind else { return #expect(Bool(false), "the first 'a' counts") }
    guard case .number("6") = members[1].value.member("b")?.kind else {
      return #expect(Bool(false), "the first 'b' counts")
    }
  }

  @Test("A pair of code units is read as the standard library decodes it, whatever the two are")
  func pairs() throws {
    let units: [UInt16] = [0, 0x41, 0xd7ff, 0xd800, 0xd801, 0xdbff, 0xdc00, 0xdc01, 0xdfff, 0xe000, 0xfffd, 0xffff]
    func escape(_ unit: UInt16) -> String {
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    for first in units {
      for second in units {
        guard case .string(let string) = try Self.read("\"\(escape(first))\(escape(second))\"") else { continue }
        #expect(string == String(decoding: [first, second], as: UTF16.self), "\(escape(first))\(escape(second))")
      }
    }
  }

  @Test(
    "Numbers are those of JSON",
    arguments: [
      "0", "-0", "1", "10", "-12", "1.0", "0.5", "1e3", "1E+3", "-1.25e-10", "123456789012345678901234567890",
    ])
  func numbers(text: String) throws {
    guard case .number(let digits) = try Self.read(text) else { return #expect(Bool(false), "no number") }
    #expect(digits == text)
  }

  @Test(
    "What is no JSON is refused with its place",
    arguments: [
      ("1e+-.", "file.json:1:4: error: Expected a digit, but found \"-\"."),
      ("-", "file.json:1:2: error: Expected a digit, but the file ends."),
      ("1.", "file.json:1:3: error: Expected a digit, but the file ends."),
      ("1.e5", "file.json:1:3: error: Expected a digit, but found \"e\"."),
      ("1e", "file.json:1:3: error: Expected a digit, but the file ends."),
      ("01", "file.json:1:2: error: Expected the end of the file, but found \"1\"."),
      ("[1+2]", "file.json:1:3: error: Expected \",\" or \"]\", but found \"+\"."),
      ("--1", "file.json:1:2: error: Expected a digit, but found \"-\"."),
      ("+1", "file.json:1:1: error: Expected a JSON value, but found \"+\"."),
      (#""\u+123""#, "file.json:1:4: error: Expected a hexadecimal digit, but found \"+\"."),
      (#""\u12""#, "file.json:1:6: error: Expected a hexadecimal digit, but found \"\"\"."),
      (#""\ud800\u12""#, "file.json:1:12: error: Expected a hexadecimal digit, but found \"\"\"."),
      (#""\ud800\x""#, "file.json:1:10: error: Expected a valid escape, but found \"\"\"."),
      (#""\ud800\"#, "file.json:1:9: error: Expected the end of a string, but the file ends."),
    ])
  func refused(text: String, message: String) {
    #expect(Self.error(text)?.split(separator: "\n").first.map(String.init) == message)
  }

  @Test("A comma before the end of an object or a list is passed over in configurations, with a warning at its place")
  func needlessCommas() throws {
    let source = Source("{\"a\": [1, 2, ] , \"b\": {\"c\": 3\n,},\n}", name: "file.json")
    let parsed = try JSONParser<JSONNode>.parseWithNeedlessCommas(source)
    guard case .object(let members) = parsed.value.kind else { return #expect(Bool(false), "no object") }
    #expect(members.map(\.name) == ["a", "b"])
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
    let message = "warning: Nothing follows this comma. JSON has none there, and other tools refuse it. Remove it.\n"
    #expect(
      renderer.render(parsed.diagnostics)
        == ["1:12", "2:1", "2:3"].map { "file.json:\($0): \(message)" }.joined())
    for text in ["{,}", "[,]", "[1,,]", "{\"a\": 1,,}", "[1,", "{\"a\": 1,", "1,", "[1],"] {
      #expect(throws: DiagnosticsError.self, "\(text)") {
        try JSONParser<JSONNode>.parseWithNeedlessCommas(Source(text, name: "file.json"))
      }
    }
    #expect(Self.error("[1,]") == "file.json:1:4: error: Expected a JSON value, but found \"]\".\n")
    #expect(Self.error("{\"a\": 1,}") == "file.json:1:9: error: Expected the name of a member, but found \"}\".\n")
  }

  @Test("A text that is cut off at any byte is refused, and the error is at its end")
  func truncated() {
    let text = #"{"data": {"a": [1, -2.5e+3, true, null], "é\ud83d\ude00\ud800\n": "\u0041", "b": {"c": false}}}"#
    #expect(Self.error(text) == nil)
    let bytes = Array(text.utf8)
    for end in 0..<bytes.count {
      let source = Source(utf8: bytes[..<end], name: "file.json")
      let error = #expect(throws: DiagnosticsError.self) { try JSONParser<JSONNode>.parse(source) }
      guard let span = error?.diagnostics.first?.span else {
        Issue.record("There is no place (cut off at \(end)).")
        continue
      }
      // A word that is cut off is shown where it begins.
      #expect(Int(span.start) <= end && Int(span.start) >= end - 4, "cut off at \(end)")
    }
  }

  @Test("A text of which any byte is another one is read or refused")
  func changed() {
    let bytes = Array(#"{"a": [1, -2.5e+3, true], "\ud83d\ude00\ud800\n": "\u0041"}"#.utf8)
    for index in bytes.indices {
      for byte in Array("\"\\u0-+.eE{}[],:dD8 \u{7f}".utf8) + [0, 0x80, 0xff] {
        var changed = bytes
        changed[index] = byte
        let source = Source(utf8: changed, name: "file.json")
        #expect(Self.diagnostics(source).allSatisfy { $0.span != .none && Int($0.span.start) <= bytes.count })
      }
    }
  }

  private static func diagnostics(_ source: Source) -> [Diagnostic] {
    do {
      _ = try JSONParser<JSONNode>.parse(source)
      return []
    } catch {
      return error.diagnostics
    }
  }

  @Test("Introspection and configurations with such strings are read")
  func files() throws {
    let folder = try TemporaryFolder([
      "schema.json": #"""
      {"data": {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
        {"kind": "SCALAR", "name": "String", "description": "\ud800\u0041"},
        {"kind": "OBJECT", "name": "Query", "description": "\ud800\n\ud800\"", "interfaces": [], "fields": [
          {"name": "a", "args": [], "isDeprecated": false, "type": {"kind": "SCALAR", "name": "String"}}]}]}}}
      """#,
      "A.graphql": "query A { a }",
    ])
    let report = folder.generate { $0.input.schemaSearchPaths = ["schema.json"] }
    #expect(report.errors(in: folder) == "")
    let (configuration, messages) = ConfigurationTests.read(
      ConfigurationTests.minimal(options: #"{ "customScalars": { "A\ud800\u0041": "B" } }"#))
    #expect(messages == "")
    #expect(configuration?.rendering.customScalars["A\u{fffd}A"] == .init(type: "B"))
  }
}
