/// Prints pieces of Swift, indented by two spaces for each open block, in lines of 120 columns if possible.
struct CodePrinter {
  private var bytes: [UInt8] = []
  private var depth = 0
  /// Whether a blank line comes before the next line, unless the block ends there.
  private var wantsBlankLine = false
  /// The last line that was printed.
  private var last = LastLine.openingBrace

  private enum LastLine {
    case openingBrace
    /// A member on one line that ends with a brace. Such members have no blank lines between them.
    case closedMember
    case other
  }

  static func print(_ pieces: [Code]) -> String {
    var printer = CodePrinter()
    printer.print(pieces)
    return String(decoding: printer.bytes, as: UTF8.self)
  }

  private mutating func print(_ pieces: [Code]) {
    for piece in pieces { print(piece) }
  }

  private mutating func print(_ piece: Code) {
    switch piece {
    case .line(let text), .annotation(let text): line(text)
    case .member(let head, let body): line(Self.member(head, body), then: .closedMember)
    case .blankLine: wantsBlankLine = last != .openingBrace
    case .block(let head, let body): block(head, body)
    case .list(let head, let elements): list(head, elements)
    case .function(let head, let parameters, let tail, let body):
      let single = head + "(" + parameters.joined(separator: ", ") + ")" + tail
      if fits(single + " {") {
        block(single, body)
      } else {
        list(head, parameters, tail: tail + " {", then: .openingBrace)
        indented(body)
        line("}")
      }
    case .accessors(let head, let accessors): print(accessors, head)
    case .indented(let body): indented(body)
    case .filled(let parts): fill(parts, indentation: "  ")
    }
  }

  /// Prints a line. Its kind decides about blank lines after it.
  private mutating func line(_ text: String, then kind: LastLine = .other) {
    if wantsBlankLine { bytes.append(UInt8(ascii: "\n")) }
    wantsBlankLine = false
    for _ in 0..<depth { bytes.append(contentsOf: "  ".utf8) }
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    last = kind
  }

  private static func member(_ head: String, _ body: String?) -> String {
    body.map { "\(head) { \($0) }" } ?? head + " {}"
  }

  private mutating func block(_ head: String, _ body: [Code]) {
    if let statement = singleLine(body) {
      let text = Self.member(head, statement)
      if fits(text) {
        if last == .closedMember { wantsBlankLine = false }
        return line(text, then: .closedMember)
      }
    }
    line(head + " {", then: .openingBrace)
    indented(body)
    line("}")
  }

  /// The statement in a block, if it is the only one and fits on one line.
  private func singleLine(_ body: [Code]) -> String? {
    var statement: String?
    for piece in body {
      let text: String?
      switch piece {
      case .blankLine: continue
      case .line(let line): text = line
      case .member(let head, let body): text = Self.member(head, body)
      case .block(let head, let body): text = singleLine(body).map { Self.member(head, $0) }
      case .list(let head, let elements): text = head + "(" + elements.joined(separator: ", ") + ")"
      case .filled(let parts): text = parts.joined(separator: " ")
      case .annotation, .function, .indented, .accessors: text = nil
      }
      guard statement == nil, let text else { return nil }
      statement = text
    }
    return statement
  }

  private mutating func list(_ head: String, _ elements: [String], tail: String = "", then kind: LastLine = .other) {
    let single = head + "(" + elements.joined(separator: ", ") + ")" + tail
    guard !fits(single) else { return line(single, then: kind) }
    line(head + "(")
    depth += 1
    fill(elements.enumerated().map { $0.element + ($0.offset < elements.count - 1 ? "," : "") })
    depth -= 1
    line(")" + tail, then: kind)
  }

  private mutating func print(_ accessors: [Code.Accessor], _ head: String) {
    let single = accessors.map { "\($0.keyword) { \($0.statements.joined(separator: "; ")) }" }.joined(separator: " ")
    if accessors.allSatisfy({ $0.statements.count == 1 }), fits(Self.member(head, single)) {
      return line(Self.member(head, single), then: .closedMember)
    }
    line(head + " {", then: .openingBrace)
    indented(accessors.map { .block(head: $0.keyword, body: $0.statements.map { .line($0) }) })
    line("}")
  }

  private mutating func fill(_ parts: [String], indentation: String = "") {
    var current = ""
    var prefix = ""
    for part in parts {
      if current.isEmpty {
        current = prefix + part
      } else if fits(current + " " + part) {
        current += " " + part
      } else {
        line(current)
        prefix = indentation
        current = prefix + part
      }
    }
    if !current.isEmpty { line(current) }
  }

  private mutating func indented(_ body: [Code]) {
    depth += 1
    print(body)
    depth -= 1
    wantsBlankLine = false
  }

  private func fits(_ text: String) -> Bool {
    2 * depth + text.utf8.count <= Self.lineLength
  }

  private static let lineLength = 120
}
