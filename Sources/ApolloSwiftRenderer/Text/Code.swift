/// A piece of Swift, before it is printed.
///
/// Renderers build a tree of these. ``CodePrinter`` decides where lines break, when the whole tree is there.
enum Code: Sendable {
  case line(String)
  /// What follows stands apart from what is before it.
  case blankLine
  /// `head { … }`
  indirect case block(head: String, body: [Code])
  /// `head(elements)tail`
  case list(head: String, elements: [String], tail: String)
  /// `head(parameters)tail { … }`
  indirect case function(head: String, parameters: [String], tail: String, body: [Code])
  /// A computed property: `head { get { … } set { … } }`, or an observed one.
  case accessors(head: String, [Accessor])
  /// Pieces that stand further to the right.
  indirect case indented([Code])
  /// Parts with spaces between them, in as few lines as they need. The lines behind the first are indented.
  case filled([String])

  struct Accessor: Sendable {
    /// `get`
    var keyword: String
    var statements: [String]
  }
}

/// Collects the pieces of a file, or of a block in it.
struct CodeWriter {
  private(set) var pieces: [Code] = []

  /// One line. Empty text makes no line.
  mutating func line(_ line: String) {
    if !line.isEmpty { pieces.append(.line(line)) }
  }

  mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { self.line(line) }
  }

  /// Separates what follows from what stands before it.
  mutating func blankLine() { pieces.append(.blankLine) }

  /// `head {`, what `body` writes, and `}`. On one line where that is short enough.
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    pieces.append(.block(head: head, body: Self.pieces(body)))
  }

  /// `head(`, the elements in lines of their own, and the tail. On one line where that is short enough.
  mutating func list(_ head: String, _ elements: [String], _ tail: String = "") {
    pieces.append(.list(head: head, elements: elements, tail: tail))
  }

  /// A function: a block whose parameters stand on lines of their own where they are many.
  mutating func function(
    _ head: String, _ parameters: [String], _ tail: String = "", _ body: (inout CodeWriter) -> Void
  ) {
    pieces.append(.function(head: head, parameters: parameters, tail: tail, body: Self.pieces(body)))
  }

  mutating func indented(_ body: (inout CodeWriter) -> Void) { pieces.append(.indented(Self.pieces(body))) }

  /// A declaration whose value is a literal of one line or more.
  mutating func literal(_ head: String, _ lines: [String]) {
    guard lines.count > 1 else { return line(head + (lines.first ?? "")) }
    line(head.trimmingTrailingSpace)
    indented { $0.lines(lines) }
  }

  /// A computed property. On one line where that is short enough.
  ///
  /// - Parameter attribute: Of both accessors, with a space behind it.
  mutating func accessors(_ head: String, get: [String], set: [String], attribute: String = "") {
    pieces.append(
      .accessors(
        head: head,
        [.init(keyword: attribute + "get", statements: get), .init(keyword: attribute + "set", statements: set)]))
  }

  /// A stored property that is observed.
  mutating func observed(_ head: String, didSet: [String]) {
    pieces.append(.accessors(head: head, [.init(keyword: "didSet", statements: didSet)]))
  }

  mutating func fill(_ parts: [String]) { pieces.append(.filled(parts)) }

  private static func pieces(_ body: (inout CodeWriter) -> Void) -> [Code] {
    var writer = CodeWriter()
    body(&writer)
    return writer.pieces
  }

  /// All pieces as text.
  var text: String { CodePrinter.print(pieces) }
}

extension String {
  fileprivate var trimmingTrailingSpace: String { last == " " ? String(dropLast()) : self }
}
