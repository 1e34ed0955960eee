/// Collects lines of Swift, indented by two spaces for each open block.
struct CodeWriter {
  private(set) var text = ""
  private var indentation = ""
  /// A blank line is due before the next line, unless the block ends there.
  private var wantsBlankLine = false

  /// One line. Empty text makes no line.
  mutating func line(_ line: String) {
    guard !line.isEmpty else { return }
    if wantsBlankLine {
      text += "\n"
      wantsBlankLine = false
    }
    text += indentation + line + "\n"
  }

  mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { self.line(line) }
  }

  /// Separates what follows from what stands before it.
  mutating func blankLine() {
    wantsBlankLine = !text.isEmpty && !text.hasSuffix("{\n")
  }

  /// `head {`, the lines that `body` writes, and `}`.
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  /// `head(`, one element a line, and the tail. On one line where that is short enough.
  mutating func list(_ head: String, _ elements: [String], _ tail: String) {
    let single = head + "(" + elements.joined(separator: ", ") + ")" + tail
    guard indentation.count + single.count > Self.lineLength else { return line(single) }
    line(head + "(")
    indented { writer in
      for (index, element) in elements.enumerated() { writer.line(element + (index < elements.count - 1 ? "," : "")) }
    }
    line(")" + tail)
  }

  mutating func indented(_ body: (inout CodeWriter) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
    wantsBlankLine = false
  }

  private static let lineLength = 120
}
