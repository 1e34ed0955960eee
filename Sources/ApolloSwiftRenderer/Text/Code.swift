/// A piece of Swift, before it is printed.
///
/// Renderers build a tree of these. ``CodePrinter`` decides where lines break, when the whole tree is there.
enum Code: Sendable {
  case line(String)
  /// A line that belongs to the code after it: a comment or an attribute.
  case annotation(String)
  /// A declaration or a statement with a body, on one line: `head { body }`.
  case member(head: String, body: String?)
  /// An empty line between the code before and after.
  case blankLine
  /// A block: `head { … }`.
  indirect case block(head: String, body: [Code])
  /// A list in parentheses: `head(elements)`.
  case list(head: String, elements: [String])
  /// A function: `head(parameters)tail { … }`.
  indirect case function(head: String, parameters: [String], tail: String, body: [Code])
  /// A computed property: `head { get { … } set { … } }`, or an observed one.
  case accessors(head: String, [Accessor])
  /// Code with a greater indentation.
  indirect case indented([Code])
  /// Parts with spaces between them, in as few lines as possible. The lines after the first are indented.
  case filled([String])

  struct Accessor: Sendable {
    /// The keyword, such as `get`.
    var keyword: String
    var statements: [String]
  }
}

/// Collects the code of a file, or of a block in it.
struct CodeWriter {
  private(set) var pieces: [Code] = []

  /// Adds a line. Empty text adds no line.
  mutating func line(_ line: String) {
    if !line.isEmpty { pieces.append(.line(line)) }
  }

  mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { self.line(line) }
  }

  /// Adds a comment or an attribute of the code after it. Empty text adds nothing.
  mutating func annotation(_ line: String) {
    if !line.isEmpty { pieces.append(.annotation(line)) }
  }

  mutating func annotations(_ lines: [String]) {
    for line in lines { annotation(line) }
  }

  /// Adds a declaration or a statement with a body of one statement, always on one line. nil: the body is empty.
  mutating func member(_ head: String, _ body: String?) { pieces.append(.member(head: head, body: body)) }

  /// Adds an empty line between the code before and after.
  mutating func blankLine() { pieces.append(.blankLine) }

  /// Adds a block, on one line if it is short enough.
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    pieces.append(.block(head: head, body: Self.pieces(body)))
  }

  /// Adds a list, on one line if it is short enough, and otherwise with each element on a line.
  mutating func list(_ head: String, _ elements: [String]) {
    pieces.append(.list(head: head, elements: elements))
  }

  /// Adds a function, whose parameters are on separate lines if there are many.
  mutating func function(
    _ head: String, _ parameters: [String], tail: String = "", body: (inout CodeWriter) -> Void
  ) {
    pieces.append(.function(head: head, parameters: parameters, tail: tail, body: Self.pieces(body)))
  }

  mutating func indented(_ body: (inout CodeWriter) -> Void) { pieces.append(.indented(Self.pieces(body))) }

  /// Adds a constant whose value is a literal of one or more lines.
  mutating func constant(_ head: String, _ value: [String]) {
    guard value.count > 1 else { return line("\(head) = \(value.first ?? "")") }
    line("\(head) =")
    indented { $0.lines(value) }
  }

  /// Adds a computed property, on one line if it is short enough.
  ///
  /// - Parameters:
  ///   - head: The declaration.
  ///   - get: The statements of the getter.
  ///   - set: The statements of the setter.
  ///   - attribute: An attribute of both accessors, with a space after it. By default none.
  mutating func accessors(_ head: String, get: [String], set: [String], attribute: String = "") {
    pieces.append(
      .accessors(
        head: head,
        [.init(keyword: attribute + "get", statements: get), .init(keyword: attribute + "set", statements: set)]))
  }

  /// Adds a stored property with an observer.
  mutating func observed(_ head: String, didSet: [String]) {
    pieces.append(.accessors(head: head, [.init(keyword: "didSet", statements: didSet)]))
  }

  mutating func fill(_ parts: [String]) { pieces.append(.filled(parts)) }

  private static func pieces(_ body: (inout CodeWriter) -> Void) -> [Code] {
    var writer = CodeWriter()
    body(&writer)
    return writer.pieces
  }

  /// The collected code as text.
  var text: String { CodePrinter.print(pieces) }
}
