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

  /// `head {`, the lines that `body` writes, and `}`. On one line where that is short enough.
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    line(head + " {")
    let end = text.utf8.count
    indented(body)
    guard let statement = singleLine(from: end),
      statement.utf8.count + 4 + lastLineLength(before: end) <= Self.lineLength
    else { return line("}") }
    text.removeSubrange(text.utf8.index(text.startIndex, offsetBy: end - 1)..<text.endIndex)
    text += " " + statement + " }\n"
  }

  /// What was written since `start`, if it is one statement on one line.
  private func singleLine(from start: Int) -> Substring? {
    let written = text.utf8[text.utf8.index(text.startIndex, offsetBy: start)...]
    guard let end = written.firstIndex(of: UInt8(ascii: "\n")), written.index(after: end) == written.endIndex else {
      return nil
    }
    let statement = text[written.startIndex..<end].drop { $0 == " " }
    return statement.hasPrefix("//") || statement.hasPrefix("@") ? nil : statement
  }

  /// Without the line feed that ends before `end`.
  private func lastLineLength(before end: Int) -> Int {
    let line = text.utf8.prefix(end - 1)
    return line.distance(from: line.lastIndex(of: UInt8(ascii: "\n")) ?? line.startIndex, to: line.endIndex)
  }

  /// `head(`, the elements in lines of their own, and the tail. On one line where that is short enough.
  mutating func list(_ head: String, _ elements: [String], _ tail: String) {
    let single = head + "(" + elements.joined(separator: ", ") + ")" + tail
    guard indentation.utf8.count + single.utf8.count > Self.lineLength else { return line(single) }
    line(head + "(")
    indented { writer in
      writer.fill(elements.enumerated().map { $0.element + ($0.offset < elements.count - 1 ? "," : "") })
    }
    line(")" + tail)
  }

  /// The parts, with spaces between them, in as few lines as they need.
  mutating func fill(_ parts: [String], indentingFrom first: String = "") {
    var current = ""
    var prefix = ""
    for part in parts {
      if current.isEmpty {
        current = prefix + part
      } else if indentation.utf8.count + current.utf8.count + 1 + part.utf8.count <= Self.lineLength {
        current += " " + part
      } else {
        line(current)
        prefix = first
        current = prefix + part
      }
    }
    line(current)
  }

  mutating func indented(_ body: (inout CodeWriter) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
    wantsBlankLine = false
  }

  private static let lineLength = 120
}
