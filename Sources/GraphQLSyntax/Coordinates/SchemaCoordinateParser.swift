/// Reads `Name`, `Name.Name`, `Name.Name(Name:)`, `@Name` and `@Name(Name:)` —
/// [spec](https://spec.graphql.org/September2025/#SchemaCoordinate)
///
/// It does not use the lexer, because coordinates have their own tokens, without white space between them.
struct SchemaCoordinateParser {
  private let source: Source
  private let bytes: ArraySlice<UInt8>
  private var position = 0
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: Source) {
    self.source = source
    bytes = source.utf8
  }

  mutating func parse() throws(SyntaxError) -> SchemaCoordinate {
    let isDirective = skip(UInt8(ascii: "@"))
    let name = try parseName()
    let member = !isDirective && skip(Ascii.dot) ? try parseName() : nil
    let mayHaveArgument = isDirective || member != nil
    let argument = mayHaveArgument && skip(UInt8(ascii: "(")) ? try parseArgument() : nil
    guard position == bytes.count else { throw expected(Token.Kind.endOfFile.description) }
    switch (member, argument) {
    case (let field?, let argument?): return .argument(type: name, field: field, name: argument)
    case (let member?, nil): return .member(type: name, name: member)
    case (nil, let argument?): return .directiveArgument(directive: name, name: argument)
    case (nil, nil): return isDirective ? .directive(name) : .type(name)
    }
  }

  private mutating func parseArgument() throws(SyntaxError) -> String {
    let name = try parseName()
    guard skip(UInt8(ascii: ":")) else { throw expected("\":\"") }
    guard skip(UInt8(ascii: ")")) else { throw expected("\")\"") }
    return name
  }

  private mutating func parseName() throws(SyntaxError) -> String {
    let start = position
    guard position < bytes.count, Ascii.isNameStart(bytes[position]) else {
      throw expected(Token.Kind.name.description)
    }
    while position < bytes.count, Ascii.isNameStart(bytes[position]) || Ascii.isDigit(bytes[position]) {
      position += 1
    }
    return source.text(from: start, to: position)
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func expected(_ description: String) -> SyntaxError {
    let rest = source.text(from: position, to: min(position + 4, bytes.count))
    let found = rest.unicodeScalars.first.map { "\"\($0)\"" } ?? Token.Kind.endOfFile.description
    let span = SourceSpan(source: source.id, start: UInt32(position), end: UInt32(min(position + 1, bytes.count)))
    diagnostics.append(
      Diagnostic(.unexpectedToken, "Syntax Error: Expected \(description), found \(found).", at: span))
    return SyntaxError()
  }
}
