import ForeignText
import GraphQLSyntax
import Testing

@Suite("Foreign text") struct ForeignTextTests {
  @Test(
    "What is hidden is shown, and what is seen stays",
    arguments: [
      ("plain", "plain"), ("", ""), ("a\tb", "a\tb"), ("é e\u{301} 👩‍👩‍👧 🇩🇪 ‌ 漢字", "é e\u{301} 👩‍👩‍👧 🇩🇪 ‌ 漢字"),
      ("a\nb\r\nc\rd", #"a\nb\r\nc\rd"#), ("\u{1B}]0;owned\u{7}\u{1B}[2J", #"\u{1b}]0;owned\u{7}\u{1b}[2J"#),
      ("\u{9B}2J\u{85}\u{2028}\u{2029}\u{0}", #"\u{9b}2J\u{85}\u{2028}\u{2029}\u{0}"#),
      ("\u{202E}evil\u{2066}\u{61C}\u{200F}", #"\u{202e}evil\u{2066}\u{61c}\u{200f}"#),
      ("\u{FEFF}\u{200B}\u{E0041}\u{FFFE}", #"\u{feff}\u{200b}\u{e0041}\u{fffe}"#),
      ("\u{600}\n\u{600}\u{1B}", "\u{600}\\n\u{600}\\u{1b}"),
    ])
  func line(text: String, expected: String) {
    #expect(Array(text.shownOnOneLine.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(
    "No text is a command for the log of a CI service",
    arguments: [
      ("::error file=a::b", #"\u{3a}:error file=a::b"#), (" \t::x", #" \#t\u{3a}:x"#), ("a ::b", "a ::b"),
      ("see ##[error]x", #"see #\u{23}[error]x"#), ("##vso[task.x]", #"#\u{23}vso[task.x]"#),
      ("###[a] ##b ## c[", #"##\u{23}[a] ##b ## c["#),
    ])
  func commands(text: String, expected: String) { #expect(text.shownOnOneLine == expected) }

  @Test("Lines end where a compiler, a terminal or an editor may end them")
  func lines() {
    #expect(
      "a\nb\r\nc\rd\u{B}e\u{C}f\u{85}g\u{2028}h\u{2029}\u{600}\n".shownLines
        == ["a", "b", "c", "d", "e", "f", "g", "h", "\u{600}", ""])
    #expect("".shownLines == [""])
    #expect("\u{1B}[2J\n\u{202E}".shownLines == [#"\u{1b}[2J"#, #"\u{202e}"#])
  }

  @Test("Every scalar that is hidden is shown, and nothing that is shown is hidden")
  func allScalars() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), HiddenScalar.isHidden(scalar) else { continue }
      let text = "a\(scalar)\"\(scalar)"
      #expect(!text.shownOnOneLine.unicodeScalars.contains(where: HiddenScalar.isHidden))
      #expect(!text.shownLines.joined().unicodeScalars.contains(where: HiddenScalar.isHidden))
    }
  }

  @Test("In diagnostics, nothing of a text reaches a terminal or a log as a command")
  func diagnostics() {
    let hostile = "no\u{1B}]0;owned\u{7}\n::error file=a::b\u{202E} ##[error]c"
    let source = Source("query { a # \u{1B}[2J ##[group]x \u{202E} \u{9B}\n}", name: "a\n::error::b.graphql")
    let span = SourceSpan(source: source.id, start: 8, end: 9)
    let diagnostic = Diagnostic(
      Diagnostic.Code("a"), hostile, at: span, labels: [.init(hostile, at: span)], help: hostile)
    for style in [DiagnosticRenderer.Style.terminal(isColored: false), .terminal(isColored: false, width: 30), .xcode] {
      var renderer = DiagnosticRenderer(style, sources: SourceMap([source]))
      let text = renderer.render(diagnostic)
      #expect(!text.unicodeScalars.contains { $0 != "\n" && HiddenScalar.isHidden($0) }, "\(text)")
      for line in text.split(separator: "\n") {
        #expect(!line.drop { $0 == " " }.hasPrefix("::"))
        #expect(!line.contains("##["))
      }
    }
  }

  @Test("A caret stands under its place behind scalars that are hidden")
  func caret() {
    let source = Source("\u{1B}\u{202E}#\u{600} bad", name: "a")
    let start = UInt32("\u{1B}\u{202E}#\u{600} ".utf8.count)
    let span = SourceSpan(source: source.id, start: start, end: start + 3)
    var renderer = DiagnosticRenderer(.terminal(isColored: false), sources: SourceMap([source]))
    let lines = renderer.render(Diagnostic(Diagnostic.Code("a"), "B", at: span)).split(separator: "\n")
    #expect(lines[3...4] == ["1 | ??#\u{600} bad", "  |     ^^^"])
  }
}
