import GraphQLSyntax
import Testing

/// `line:column message` of each diagnostic.
func findings(_ parsed: Parsed<some Any>, in source: Source) -> [String] {
  let index = LineIndex(source)
  return parsed.diagnostics.map { diagnostic in
    let location = index.location(of: diagnostic.span.start)
    return "\(location.line):\(location.column) \(diagnostic.message)"
  }
}

func syntaxErrors(_ text: String, options: Parser.Options = .init()) -> [String] {
  let source = Source(text)
  return findings(Parser.parse(source, options: options), in: source)
}

@Suite("Parser")
struct ParserTests {
  @Test("Every syntax error is reported, and what is sound is kept")
  func recovery() {
    let source = Source(
      """
      type A { x: }
      type B { y: Int }
        query Q
      type C { z: "\\q" }
      fragment F on B { y }
      """)
    let parsed = Parser.parse(source)
    #expect(
      findings(parsed, in: source) == [
        "1:13 Syntax Error: Expected Name, found \"}\".",
        "4:1 Syntax Error: Expected \"{\", found Name \"type\".",
        "4:14 Syntax Error: Invalid character escape sequence: \"\\q\".",
      ])
    #expect(parsed.value.definitions.count == 2)
  }

  @Test("A field called like a keyword does not end the recovery of its type")
  func keywordFields() {
    let parsed = Parser.parse("type A {\n  a: [Int\n  type: String\n  query(id: ID): Int\n}\n\ntype B { b: Int }")
    #expect(parsed.diagnostics.count == 1)
    #expect(parsed.value.definitions.count == 1)
  }

  @Test(
    "A text that ends too early is an error at its end",
    arguments: ["{", "{ a(", "query Q($a: [Int", "type A { b: ", "{ a(b: {c: [", "extend", "\"\"\"text\"\"\""])
  func unexpectedEnd(text: String) {
    let parsed = Parser.parse(text)
    #expect(parsed.diagnostics.count == 1)
    #expect(parsed.diagnostics[0].message.contains("<EOF>"))
  }

  @Test("An empty text is not a document", arguments: ["", "  \n", "# only a comment", "\u{FEFF},,,"])
  func empty(text: String) {
    #expect(Parser.parse(text).diagnostics.map(\.message) == ["Syntax Error: Unexpected <EOF>."])
  }

  @Test(
    "Nesting beyond the limit is an error, not a crash",
    arguments: ["{a", "{a(b:[", "{a(b:{c:", "query($a:[", "type A{a:[", "{...{", "{a{...on B{"])
  func depth(opening: String) {
    let repeated = opening.hasSuffix("[") ? opening + String(repeating: "[", count: 100_000) : ""
    for text in [String(repeating: opening, count: 100_000), repeated] where !text.isEmpty {
      let codes = Parser.parse(text).diagnostics.map(\.code)
      #expect(codes.contains(.nestingTooDeep) || codes == [.unexpectedToken])
    }
    let values = Source(String(repeating: "{a:", count: 100_000))
    #expect(Parser.parseValue(values).diagnostics.map(\.code) == [.nestingTooDeep])
  }

  @Test("The limit of nesting can be raised, and counts exactly")
  func depthLimit() {
    let nested = { (count: Int) in
      Source(String(repeating: "{a", count: count - 1) + "{b}" + String(repeating: "}", count: count - 1))
    }
    var options = Parser.Options()
    options.maximumDepth = 100
    #expect(Parser.parse(nested(100), options: options).diagnostics.isEmpty)
    #expect(Parser.parse(nested(101), options: options).diagnostics.map(\.code) == [.nestingTooDeep])
  }

  @Test("The limit of tokens counts exactly")
  func tokenLimit() {
    var options = Parser.Options()
    options.maximumTokens = 3
    #expect(syntaxErrors("{ a }", options: options).isEmpty)
    #expect(
      syntaxErrors("{ a b }", options: options) == [
        "1:7 Syntax Error: Document contains more than 3 tokens. Parsing aborted."
      ])
  }

  @Test("Bytes that are not UTF-8 are an error where they stand")
  func encoding() {
    let source = Source(utf8: Array("{ a } # ".utf8) + [0xC3, 0x28], name: "latin1.graphql")
    let parsed = Parser.parse(source)
    #expect(parsed.diagnostics.map(\.code) == [.invalidEncoding])
    #expect(parsed.diagnostics.first?.span.start == 8)
    #expect(parsed.value.definitions.count == 1)
    #expect(Parser.parse(Source(utf8: Array("{ a } # ä 😀".utf8), name: "fine")).diagnostics.isEmpty)
  }

  @Test(
    "Characters and numbers that are not tokens are named",
    arguments: [
      ("{ a ? }", "1:5 Syntax Error: Unexpected character: \"?\"."),
      (
        "{ a(b: 'c') }",
        "1:8 Syntax Error: Unexpected single quote character ('), did you mean to use a double quote (\")?"
      ),
      ("{ ä }", "1:3 Syntax Error: Invalid character: U+00E4."),
      ("{ a(b: 01) }", "1:9 Syntax Error: Invalid number, unexpected digit after 0: \"1\"."),
      ("{ a(b: 1.) }", "1:10 Syntax Error: Invalid number, expected digit but got: \")\"."),
      ("{ a(b: 1e) }", "1:10 Syntax Error: Invalid number, expected digit but got: \")\"."),
      ("{ a(b: -x) }", "1:9 Syntax Error: Invalid number, expected digit but got: \"x\"."),
      ("{ a(b: 1x) }", "1:9 Syntax Error: Invalid number, expected digit but got: \"x\"."),
      ("{ a(b: \"c\n\") }", "1:10 Syntax Error: Unterminated string."),
      ("{ a(b: \"\\u{110000}\") }", "1:9 Syntax Error: Invalid Unicode escape sequence: \"\\u{110000}\"."),
      ("{ a(b: \"\\uDEAD\") }", "1:9 Syntax Error: Invalid Unicode escape sequence: \"\\uDEAD\"."),
    ])
  func lexicalErrors(text: String, expected: String) {
    #expect(syntaxErrors(text).first == expected)
  }

  @Test("Escapes mean the characters of the specification")
  func escapes() {
    let text = #""\" \\ \/ \b \f \n \r \t A \u{1F600} 😀""#
    guard case .string(let string)? = Parser.parseValue(Source(text)).value?.kind else {
      Issue.record("no string")
      return
    }
    #expect(string.value == "\" \\ / \u{8} \u{C} \n \r \t A 😀 😀")
  }

  @Test("Operations, fragments and variables can have descriptions")
  func descriptions() {
    let document = Parser.parse(
      "\"op\" query Q(\"var\" $a: Int) { b(a: $a) ...F }\n\"\"\"fragment\"\"\" fragment F on T { c }"
    ).value
    let operation = document.operations.first { _ in true }
    #expect(operation?.description?.value == "op")
    #expect(operation?.variableDefinitions.first?.description?.value == "var")
    #expect(document.fragments.first { _ in true }?.description?.value == "fragment")
    #expect(syntaxErrors("\"no\" { a }").count == 1)
  }

  @Test("Spans cover what they stand for")
  func spans() {
    let source = Source("query Q($a: [Int!]! = [1]) { alias: b(c: $a) @d { e } }")
    let document = Parser.parse(source).value
    guard case .operation(let operation)? = document.definitions.first,
      case .field(let field)? = operation.selectionSet.selections.first
    else {
      Issue.record("no operation")
      return
    }
    let text = { (span: SourceSpan) in source.text(from: Int(span.start), to: Int(span.end)) }
    #expect(text(operation.span) == source.text)
    #expect(text(operation.variableDefinitions[0].span) == "$a: [Int!]! = [1]")
    #expect(text(operation.variableDefinitions[0].name.span) == "a")
    #expect(text(operation.variableDefinitions[0].type.span) == "[Int!]!")
    #expect(text(field.span) == "alias: b(c: $a) @d { e }")
    #expect(text(field.arguments[0].value.span) == "$a")
    #expect(text(field.directives[0].span) == "@d")
  }

  @Test("Trees are equal when they say the same, wherever it stands")
  func equality() {
    #expect(Parser.parse("{ a b }").value == Parser.parse("query {\n\ta, b }").value)
    #expect(Parser.parse("{ a b }").value != Parser.parse("{ b a }").value)
    #expect(Parser.parse("{ a(b: \"c\") }").value != Parser.parse("{ a(b: \"d\") }").value)
  }
}
