import GraphQLSyntax
import Testing

/// Servers write introspection on one line, which may have megabytes.
@Suite("Excerpts of long lines") struct ExcerptTests {
  /// The line and the carets of each excerpt, at a terminal of `width` columns.
  private func excerpts(_ line: String, marks: [Range<Int>], width: Int) -> [(text: Substring, carets: Substring)] {
    let source = Source(line, name: "long.json")
    var renderer = DiagnosticRenderer(.terminal(isColored: false, width: width), sources: SourceMap([source]))
    return marks.map { mark in
      let span = SourceSpan(source: source.id, start: UInt32(mark.lowerBound), end: UInt32(mark.upperBound))
      let lines = renderer.render(Diagnostic(Diagnostic.Code("a"), "B", at: span)).split(separator: "\n")
      return (lines[3], lines[4])
    }
  }

  private func columns(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value > 0x2FFF } ? 2 : 1) }
  }

  /// What stands above the first caret.
  private func marked(_ excerpt: (text: Substring, carets: Substring)) -> Substring {
    let start = excerpt.carets.prefix { $0 != "^" }.count
    var column = 0
    return excerpt.text.drop { character in
      defer { column += columns(String(character)) }
      return column < start
    }
  }

  @Test(
    "The carets are under the place, wherever it is and whatever is around it",
    arguments: ["word ", "字", "ne\u{301}e ", "\t", "👩‍👩‍👧 ", "a\u{1B}b", "x\u{E0041}"])
  func places(filler: String) {
    let many = String(repeating: filler, count: 2_000), few = String(repeating: filler, count: 3)
    for (before, after) in [(many, many), ("", many), (few, many), (many, few), (many, "")] {
      for mark in ["MARK", "字M", "\u{1F600}"] {
        let start = before.utf8.count
        for width in [30, 100] {
          let excerpt = excerpts(before + mark + after, marks: [start..<start + mark.utf8.count], width: width)[0]
          #expect(marked(excerpt).hasPrefix(mark), "\(excerpt)")
          #expect(columns(excerpt.text) <= width && columns(excerpt.carets) <= width, "\(excerpt)")
          #expect(columns(excerpt.carets.filter { $0 == "^" }) == columns(mark), "\(excerpt)")
        }
      }
    }
  }

  @Test("What is left out on a side is an ellipsis, and a mark as long as the line ends where the excerpt does")
  func ellipses() {
    let many = String(repeating: "word ", count: 20_000)
    let middle = excerpts(many + "MARK " + many, marks: [100_000..<100_004], width: 40)[0]
    #expect(middle.text == "1 | … word word MARK word word word wor…")
    #expect(middle.carets == "  | " + String(repeating: " ", count: 12) + "^^^^")
    let whole = excerpts(many, marks: [0..<many.utf8.count], width: 40)[0]
    #expect(whole.text.hasPrefix("1 | word ") && whole.text.hasSuffix("…"))
    #expect(whole.carets == "  | " + String(repeating: "^", count: 35))
  }

  @Test("Columns of a long line are counted as those of a short one")
  func locations() {
    for parts in [["a"], ["é", "b"], ["字", "\u{1F600}", "c", "e\u{301}"]] {
      for end in ["", "\n", "\nlast"] {
        let line = String(repeating: parts.joined(), count: 1_400)
        let source = Source("short\n" + line + end), index = LineIndex(source)
        var offset = 6, column = 1
        for scalar in line.unicodeScalars {
          let location = index.location(of: UInt32(offset))
          guard location == SourceLocation(line: 2, column: column) else {
            Issue.record("\(offset): \(location), and not \(column)")
            break
          }
          offset += String(scalar).utf8.count
          column += String(scalar).utf16.count
        }
        #expect(index.location(of: UInt32(offset)) == SourceLocation(line: 2, column: column))
        #expect(index.location(of: 3) == SourceLocation(line: 1, column: 4))
      }
    }
    let block = LineIndex(Source(String(repeating: "a", count: 2_048)))
    #expect(block.location(of: 2_048) == SourceLocation(line: 1, column: 2_049))
  }

  // (If all of the line was measured for each mark, this would take hours.)
  @Test("Many marks on one line cost no more than on many lines", .timeLimit(.minutes(10)))
  func many() {
    let line = String(repeating: #"{"kind":"OBJECT","name":"名"},"#, count: 10_000)
    let length = line.utf8.count / 10_000
    let found = excerpts(line, marks: (0..<100).map { $0 * 100 * length..<$0 * 100 * length + 7 }, width: 100)
    #expect(found.allSatisfy { marked($0).hasPrefix(#"{"kind""#) })
  }
}
