/// Collects lines of Swift, indented by two spaces for each open block.
struct CodeWriter {
  /// As bytes, of which the last ones can be taken back without a copy.
  private var bytes: [UInt8] = []
  private var indentation = ""
  /// A blank line is due before the next line, unless the block ends there.
  private var wantsBlankLine = false

  /// One line. Empty text makes no line.
  mutating func line(_ line: String) {
    guard !line.isEmpty else { return }
    if wantsBlankLine {
      bytes.append(Self.lineFeed)
      wantsBlankLine = false
    }
    bytes.append(contentsOf: indentation.utf8)
    bytes.append(contentsOf: line.utf8)
    bytes.append(Self.lineFeed)
  }

  /// All lines.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")

  mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { self.line(line) }
  }

  /// Separates what follows from what stands before it.
  mutating func blankLine() {
    wantsBlankLine = !bytes.isEmpty && !bytes.suffix(2).elementsEqual("{\n".utf8)
  }

  /// `head {`, the lines that `body` writes, and `}`. On one line where that is short enough.
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    line(head + " {")
    let end = bytes.count - 1
    indented(body)
    guard let statement = singleLine(from: end + 1),
      end - startOfLine(before: end) + statement.count + 5 <= Self.lineLength
    else { return line("}") }
    // In place: the writer holds the whole file.
    bytes.removeLast()
    bytes.replaceSubrange(end..<statement.lowerBound, with: CollectionOfOne(Self.space))
    bytes.append(contentsOf: " }\n".utf8)
    joinPreviousLine(to: startOfLine(before: end))
  }

  /// Members of one line each stand together.
  private mutating func joinPreviousLine(to start: Int) {
    guard start > 1, bytes[start - 1] == Self.lineFeed, bytes[start - 2] == Self.lineFeed else { return }
    let previous = bytes[startOfLine(before: start - 2)..<(start - 2)]
    guard previous.last == UInt8(ascii: "}"), previous.first(where: { $0 != Self.space }) != UInt8(ascii: "}") else {
      return
    }
    bytes.remove(at: start - 1)
  }

  /// Where what was written since `start` stands, if it is one statement on one line.
  private func singleLine(from start: Int) -> Range<Int>? {
    let written = bytes[start...]
    guard let end = written.firstIndex(of: Self.lineFeed), end == bytes.count - 1 else { return nil }
    let statement = written[..<end].drop { $0 == Self.space }
    return statement.starts(with: "//".utf8) || statement.starts(with: "@".utf8) ? nil : statement.indices
  }

  private func startOfLine(before end: Int) -> Int { (bytes[..<end].lastIndex(of: Self.lineFeed) ?? -1) + 1 }

  /// `head(`, the elements in lines of their own, and the tail. On one line where that is short enough.
  mutating func list(_ head: String, _ elements: [String], _ tail: String) {
    let single = head + "(" + elements.joined(separator: ", ") + ")" + tail
    guard !fits(single) else { return line(single) }
    line(head + "(")
    indented { writer in
      writer.fill(elements.enumerated().map { $0.element + ($0.offset < elements.count - 1 ? "," : "") })
    }
    line(")" + tail)
  }

  /// A function: a block whose parameters stand on lines of their own where they are many.
  mutating func function(
    _ head: String, _ parameters: [String], _ tail: String = "", _ body: (inout CodeWriter) -> Void
  ) {
    let single = head + "(" + parameters.joined(separator: ", ") + ")" + tail
    guard !fits(single + " {") else { return block(single, body) }
    list(head, parameters, tail + " {")
    indented(body)
    line("}")
  }

  /// Assignments, as many of them in one statement as a line has room for: `(self.a, self.b) = (a, b)`.
  mutating func assign(_ assignments: [(target: String, value: String)]) {
    var rest = assignments[...]
    while !rest.isEmpty {
      var count = 1
      while count < rest.count, fits(Self.assignment(rest.prefix(count + 1))) { count += 1 }
      line(Self.assignment(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
  }

  private static func assignment(_ assignments: ArraySlice<(target: String, value: String)>) -> String {
    let targets = assignments.map(\.target).joined(separator: ", ")
    let values = assignments.map(\.value).joined(separator: ", ")
    return assignments.count == 1 ? "\(targets) = \(values)" : "(\(targets)) = (\(values))"
  }

  private func fits(_ text: String) -> Bool { indentation.utf8.count + text.utf8.count <= Self.lineLength }

  /// The parts, with spaces between them, in as few lines as they need.
  mutating func fill(_ parts: [String], indentingFrom first: String = "") {
    var current = ""
    var prefix = ""
    for part in parts {
      if current.isEmpty {
        current = prefix + part
      } else if fits(current + " " + part) {
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
