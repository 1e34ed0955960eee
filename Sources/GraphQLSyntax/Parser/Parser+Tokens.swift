/// A production met an error, which has been reported.
struct SyntaxError: Error {}

extension Parser {
  // MARK: - Moving on

  /// Consumes the current token. If no token follows, an error is reported.
  @inline(__always)
  mutating func advance() throws(SyntaxError) {
    previousEnd = token.end
    token = lexer.next()
    tokenCount += 1
    if token.kind == .invalid { throw invalidToken() }
    if let maximum = options.maximumTokens, tokenCount > maximum, token.kind != .endOfFile {
      throw tooManyTokens(maximum)
    }
  }

  /// Consumes the current token when it is of this kind.
  @inline(__always)
  mutating func skip(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  @inline(__always)
  mutating func expect(_ kind: Token.Kind) throws(SyntaxError) {
    guard token.kind == kind else { throw expected(kind.description) }
    // There is no token after the end.
    if kind != .endOfFile { try advance() }
  }

  @inline(__always)
  func peekKeyword(_ keyword: StaticString) -> Bool {
    token.kind == .name && lexer.matches(token, keyword)
  }

  @inline(__always)
  mutating func skipKeyword(_ keyword: StaticString) throws(SyntaxError) -> Bool {
    guard peekKeyword(keyword) else { return false }
    try advance()
    return true
  }

  mutating func expectKeyword(_ keyword: StaticString) throws(SyntaxError) {
    guard try skipKeyword(keyword) else { throw expected("\"\(keyword)\"") }
  }

  /// `Name` — [spec](https://spec.graphql.org/September2025/#Name)
  @inline(__always)
  mutating func parseName() throws(SyntaxError) -> Name {
    guard token.kind == .name else { throw expected(Token.Kind.name.description) }
    let name = Name(names.name(token, in: lexer), span: span(of: token))
    try advance()
    return name
  }

  // MARK: - Repetition

  /// Reads items up to the closing token, after an opening token that must be there. Unless `canBeEmpty`, there is at
  /// least one item.
  @inline(__always)
  mutating func many<Node>(
    between open: Token.Kind, and close: Token.Kind, canBeEmpty: Bool = false,
    _ item: (inout Parser) throws(SyntaxError) -> Node
  ) throws(SyntaxError) -> [Node] {
    let opening = token
    try expect(open)
    var nodes: [Node] = []
    do throws(SyntaxError) {
      if canBeEmpty, try skip(close) { return nodes }
      repeat { nodes.append(try item(&self)) } while try !skip(close)
    } catch {
      throw unclosed(opening, error)
    }
    return nodes
  }

  /// Like `many`, or nothing when the opening token is not there.
  @inline(__always)
  mutating func optionalMany<Node>(
    between open: Token.Kind, and close: Token.Kind, _ item: (inout Parser) throws(SyntaxError) -> Node
  ) throws(SyntaxError) -> [Node] {
    token.kind == open ? try many(between: open, and: close, item) : []
  }

  /// Reads at least one item, with a separator between the items that may also come first.
  mutating func separated<Node>(
    by separator: Token.Kind, _ item: (inout Parser) throws(SyntaxError) -> Node
  ) throws(SyntaxError) -> [Node] {
    _ = try skip(separator)
    var nodes: [Node] = []
    repeat { nodes.append(try item(&self)) } while try skip(separator)
    return nodes
  }

  /// Reads a production that may hold itself, unless it is nested too deeply for the stack.
  @inline(__always)
  mutating func nested<Node>(
    _ production: (inout Parser) throws(SyntaxError) -> Node
  ) throws(SyntaxError) -> Node {
    guard depth < options.maximumDepth else { throw tooDeep() }
    depth += 1
    let node = try production(&self)
    depth -= 1
    return node
  }

  // MARK: - Spans

  @inline(__always)
  func span(of token: Token) -> SourceSpan {
    SourceSpan(source: sourceID, start: token.start, end: token.end)
  }

  /// From an offset to the end of the last consumed token.
  @inline(__always)
  func span(from start: UInt32) -> SourceSpan {
    SourceSpan(source: sourceID, start: start, end: previousEnd)
  }
}
