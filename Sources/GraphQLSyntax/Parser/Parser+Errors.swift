extension Parser {
  mutating func report(_ code: Diagnostic.Code, _ message: String, from start: UInt32, to end: UInt32) {
    let span = SourceSpan(source: sourceID, start: start, end: end)
    diagnostics.append(Diagnostic(code, "Syntax Error: " + message, at: span))
  }

  /// Reports something about a token.
  @inline(never)
  mutating func fail(_ code: Diagnostic.Code, _ message: String, at token: Token) -> SyntaxError {
    report(code, message, from: token.start, to: token.end)
    return SyntaxError()
  }

  /// Reports that the current token is not what the grammar has here.
  @inline(never)
  mutating func expected(_ description: String) -> SyntaxError {
    fail(.unexpectedToken, "Expected \(description), found \(describe(token)).", at: token)
  }

  /// Adds to the error at the end of a file what was opened last and not closed.
  @inline(never)
  mutating func unclosed(_ opening: Token, _ error: SyntaxError) -> SyntaxError {
    let last = diagnostics.count - 1
    if token.kind == .endOfFile, last >= 0, diagnostics[last].span.start == token.start, diagnostics[last].help == nil {
      let place = LineIndex(source).location(of: opening.start)
      diagnostics[last].help = "\(opening.kind.description) in line \(place.line) is not closed."
    }
    return error
  }

  /// Reports that nothing in the grammar continues with this token.
  @inline(never)
  mutating func unexpected(_ token: Token? = nil) -> SyntaxError {
    let token = token ?? self.token
    return fail(.unexpectedToken, "Unexpected \(describe(token)).", at: token)
  }

  @inline(never)
  mutating func invalidToken() -> SyntaxError {
    guard let failure = lexer.takeFailure() else { return unexpected() }
    diagnostics.append(failure.diagnostic(in: source, to: token.end))
    return SyntaxError()
  }

  @inline(never)
  mutating func tooManyTokens(_ maximum: Int) -> SyntaxError {
    let error = fail(
      .tooManyTokens, "Document contains more than \(maximum) tokens. Parsing aborted.", at: token)
    // Nothing after the limit is read.
    lexer.position = lexer.count
    token = lexer.next()
    return error
  }

  @inline(never)
  mutating func tooDeep() -> SyntaxError {
    fail(
      .nestingTooDeep, "Document is nested more than \(options.maximumDepth) levels deep. Parsing aborted.",
      at: token)
  }

  /// How a message shows a token: its kind, and its text where that varies.
  private func describe(_ token: Token) -> String {
    switch token.kind {
    case .name, .int, .float:
      "\(token.kind.description) \"\(String(decoding: lexer.bytes(of: token), as: UTF8.self))\""
    case .string, .blockString:
      "\(token.kind.description) \"\(stringValue(token).value)\""
    default:
      token.kind.description
    }
  }
}
