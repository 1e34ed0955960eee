import GraphQLSyntax
import Testing

@Suite("The draft of the next edition: syntax")
struct DraftTests {
  private func options(_ change: (inout Parser.Options) -> Void) -> Parser.Options {
    var options = Parser.Options()
    change(&options)
    return options
  }

  private func messages(_ text: String, _ change: (inout Parser.Options) -> Void) -> [String] {
    syntaxErrors(text, options: options(change))
  }

  @Test(
    "Directive definitions have directives, and extensions add some",
    arguments: [
      "directive @a(x: Int) @b(y: 1) @deprecated repeatable on FIELD",
      "directive @a @b on DIRECTIVE_DEFINITION | FIELD",
      "extend directive @a @b @c(x: [1])",
      "directive @on on FIELD",
    ])
  func directiveDefinitions(text: String) {
    let parsed = Parser.parse(text)
    #expect(parsed.diagnostics.isEmpty)
    #expect(Printer.print(parsed.value) == text)
  }

  @Test(
    "Half of an extension is an error at its end",
    arguments: [
      ("extend directive", "1:17 Syntax Error: Expected \"@\", found <EOF>."),
      ("extend directive @a", "1:20 Syntax Error: Unexpected <EOF>."),
      ("extend directive @a on FIELD", "1:21 Syntax Error: Unexpected Name \"on\"."),
      ("extend directive @a(x: Int) @b", "1:20 Syntax Error: Unexpected \"(\"."),
      ("directive @a repeatable @b on FIELD", "1:25 Syntax Error: Expected \"on\", found \"@\"."),
    ])
  func brokenExtensions(text: String, error: String) {
    #expect(syntaxErrors(text) == [error])
  }

  @Test("Selection sets are empty only if the option says so, and print as braces")
  func emptySelectionSets() {
    let text = "{ viewer { } ... on User {} }"
    #expect(syntaxErrors(text).first == "1:12 Syntax Error: Expected Name, found \"}\".")
    let parsed = Parser.parse(Source(text), options: options { $0.allowsEmptySelectionSets = true })
    #expect(parsed.diagnostics.isEmpty)
    #expect(Printer.print(parsed.value) == "{\n  viewer {}\n  ... on User {}\n}")
    // What may be empty here may be empty nowhere else.
    #expect(messages("type A { }") { $0.allowsEmptySelectionSets = true }.count == 1)
    #expect(messages("{ a() }") { $0.allowsEmptySelectionSets = true }.count == 1)
  }

  @Test("Comments are limited apart from tokens, and nothing after the limit is read")
  func comments() {
    let text = "# 1\n{ # 2\n  a } # 3"
    #expect(messages(text) { $0.maximumComments = 3 } == [])
    let expected = ["3:7 Syntax Error: Document contains more than 2 comments. Parsing aborted."]
    #expect(messages(text) { $0.maximumComments = 2 } == expected)
    #expect(messages(text + "\n\"\\q") { $0.maximumComments = 2 } == expected)
    #expect(messages("{ a(b: \"# no comment\") }") { $0.maximumComments = 0 } == [])
    #expect(messages(text) { $0.maximumTokens = 3 } == [])
  }

  @Test("The length is limited in Unicode scalars, before the first token is read")
  func length() {
    #expect(messages("{ é😀 }") { $0.maximumLength = 6 } == ["1:3 Syntax Error: Invalid character: U+00E9."])
    let expected = "Syntax Error: Source contains more than 4 code points. Parsing aborted."
    #expect(messages("{ é😀 }") { $0.maximumLength = 4 } == ["1:6 \(expected)"])
    #expect(messages("") { $0.maximumLength = 0 } == ["1:1 Syntax Error: Unexpected <EOF>."])
    let value = Parser.parseValue(Source("[12345]"), options: options { $0.maximumLength = 4 })
    #expect(value.value == nil && value.diagnostics.map(\.message) == [expected])
  }

  @Test("Descriptions of variables are read and printed")
  func descriptions() {
    let text = "query Q(\n\"How many\"\n$first: Int\n) {\n  a\n}"
    let parsed = Parser.parse(text)
    #expect(parsed.diagnostics.isEmpty)
    #expect(Array(parsed.value.operations).first?.variableDefinitions.first?.description?.value == "How many")
    #expect(Printer.print(parsed.value) == text)
  }
}
