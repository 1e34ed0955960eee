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

  /// The excerpt of a line in which `mark` is in question, at a terminal of 40 columns.
  private func excerpt(_ line: String, mark: String) -> [String] {
    let source = Source(line, name: "long.graphql")
    let start = line.utf8.distance(
      from: line.startIndex, to: line.firstRange(of: mark)?.lowerBound ?? line.startIndex)
    let span = SourceSpan(source: source.id, start: UInt32(start), end: UInt32(start + mark.utf8.count))
    var renderer = DiagnosticRenderer(.terminal(isColored: false, width: 40), sources: SourceMap([source]))
    let text = renderer.render(
      Diagnostic(Diagnostic.Code("a"), "B", at: span, labels: [.init("here", at: span)]))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Array(lines[3...4])
  }

  @Test("A line that is longer than the terminal is wide is cut around the place, and the caret stays under it")
  func width() {
    let words = (10..<40).map { "word\($0)" }.joined(separator: " ")
    #expect(
      excerpt(words, mark: "word25") == ["1 | …d23 word24 word25 word26 word27 wo…", "  |             ^^^^^^"])
    for (line, mark) in [
      (words, "word10"), (words, "word25"), (words, "word39"), (words, "word20 word21 word22 word23 word24 word25"),
      (words.replacing("word", with: "字"), "字25"), ("\t\t" + words.replacing(" ", with: "\t"), "word25"),
      (words + " \u{1F600} " + words, "\u{1F600}"),
    ] {
      let lines = excerpt(line, mark: mark)
      #expect(lines.allSatisfy { columns($0) <= 40 }, "\(lines)")
      let caret = lines[1].prefix { $0 != "^" }
      var column = 0
      let under = lines[0].drop { character in
        defer { column += columns(String(character)) }
        return column < caret.count
      }
      #expect(under.hasPrefix(mark.prefix(6)), "\(lines)")
    }
    #expect(excerpt("short line", mark: "line") == ["1 | short line", "  |       ^^^^"])
  }

  private func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value > 0x2FFF } ? 2 : 1) }
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
