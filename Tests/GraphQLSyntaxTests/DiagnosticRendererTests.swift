import GraphQLSyntax
import Testing

@Suite("Diagnostics")
struct DiagnosticRendererTests {
  private let source = Source("query {\n\t名前: na\u{301}me @bad\n}", name: "Queries/User.graphql")

  private func diagnostic() -> Diagnostic {
    let text = source.text
    func span(of part: String) -> SourceSpan {
      let range = text.firstRange(of: part)
      let start = range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
      return SourceSpan(source: source.id, start: UInt32(start), end: UInt32(start + part.utf8.count))
    }
    return Diagnostic(
      Diagnostic.Code("unknown-directive"), "Unknown directive \"@bad\".", at: span(of: "@bad"),
      labels: [.init("in this query", at: span(of: "query"))], help: "Did you mean \"@good\"?")
  }

  private func render(_ style: DiagnosticRenderer.Style, _ diagnostic: Diagnostic) -> String {
    var renderer = DiagnosticRenderer(style, sources: SourceMap([source]))
    return renderer.render(diagnostic)
  }

  @Test("A terminal shows the line, with the caret under the place whatever the width of the characters")
  func terminal() {
    #expect(
      render(.terminal(isColored: false), diagnostic()) == """
        error[unknown-directive]: Unknown directive "@bad".
         --> Queries/User.graphql:2:12
          |
        2 |     名前: na\u{301}me @bad
          |                ^^^^
         --> Queries/User.graphql:1:1
          |
        1 | query {
          | ----- in this query
          = help: Did you mean "@good"?


        """)
  }

  @Test("Colour is there only when asked for, and control characters of a file never reach the terminal")
  func color() {
    #expect(!render(.terminal(isColored: false), diagnostic()).contains("\u{1B}"))
    #expect(render(.terminal(isColored: true), diagnostic()).contains("\u{1B}[1;31m"))
    let hostile = Source("{ a \u{1B}[2J }", name: "hostile.graphql")
    var renderer = DiagnosticRenderer(.terminal(isColored: false), sources: SourceMap([hostile]))
    #expect(!renderer.render(Parser.parse(hostile).diagnostics).contains("\u{1B}"))
  }

  @Test("Xcode gets one line for each place")
  func xcode() {
    #expect(
      render(.xcode, diagnostic()) == """
        Queries/User.graphql:2:12: error: Unknown directive "@bad". Did you mean "@good"?
        Queries/User.graphql:1:1: note: in this query

        """)
  }

  @Test("Programs get JSON, one object a line")
  func json() {
    #expect(
      render(.jsonLines, diagnostic()) == """
        {"severity":"error","code":"unknown-directive","message":"Unknown directive \\"@bad\\".","help":"Did you mean \\"@good\\"?","file":"Queries/User.graphql","line":2,"column":12,"endLine":2,"endColumn":16,"offset":24,"endOffset":28,"labels":[{"message":"in this query","file":"Queries/User.graphql","line":1,"column":1,"endLine":1,"endColumn":6,"offset":0,"endOffset":5}]}

        """)
  }

  @Test("A diagnostic about a text that is not at hand is shown without its place")
  func unknownSource() {
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap())
    #expect(renderer.render(diagnostic()).hasPrefix("error: Unknown directive"))
  }

  @Test("Lines end at line feeds, carriage returns, and both")
  func lines() {
    let index = LineIndex(Source("a\nb\r\nc\rd😀e"))
    #expect(index.lineCount == 4)
    #expect(index.location(of: 2) == SourceLocation(line: 2, column: 1))
    #expect(index.location(of: 5) == SourceLocation(line: 3, column: 1))
    #expect(index.location(of: 12) == SourceLocation(line: 4, column: 4))
    #expect(index.location(of: 999) == SourceLocation(line: 4, column: 5))
  }

  @Test("A text that was cut out of a file is located in the file")
  func origin() {
    let index = LineIndex(Source("{ a\nb }", origin: SourceLocation(line: 10, column: 5)))
    #expect(index.location(of: 2) == SourceLocation(line: 10, column: 7))
    #expect(index.location(of: 4) == SourceLocation(line: 11, column: 1))
  }

  @Test("Suggestions are the nearest names, best first")
  func suggestions() {
    #expect(Suggestions.similar(to: "nmae", among: ["name", "names", "age", "NMAE"]) == ["NMAE", "name", "names"])
    #expect(Suggestions.similar(to: "x", among: ["abcdef"]).isEmpty)
    #expect(Suggestions.similar(to: "", among: ["", "a", "ab"]) == ["", "a"])
    #expect(Suggestions.didYouMean(["a", "b", "c"]) == "Did you mean \"a\", \"b\", or \"c\"?")
    #expect(Suggestions.didYouMean("the type", ["A"]) == "Did you mean the type \"A\"?")
    #expect(Suggestions.didYouMean([]) == nil)
  }
}
