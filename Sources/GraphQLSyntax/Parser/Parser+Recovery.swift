extension Parser {
  /// Skips what is left of a definition with an error, up to something that looks like the next one: a definition's
  /// keyword that opens a line no further in than the broken definition, or that follows a closing brace.
  mutating func skipToDefinition(after start: Token) {
    let margin = column(of: start)
    var isBehindBrace = false
    while token.kind != .endOfFile {
      if token.start > start.start {
        let opensLine = isFirstOnLine(token) && column(of: token) <= margin
        if opensLine || isBehindBrace, beginsDefinition() { return }
      }
      isBehindBrace = token.kind == .rightBrace
      token = lexer.next()
      // Errors inside were reported once already.
      _ = lexer.takeFailure()
    }
  }

  /// Whether the current token begins a definition. If the token alone does not decide it, the next one is read: a
  /// field may be called `type`, but then a colon or an argument list follows.
  private mutating func beginsDefinition() -> Bool {
    if token.kind == .leftBrace { return isFirstOnLine(token) && column(of: token) == 0 }
    if token.kind == .string || token.kind == .blockString { return column(of: token) == 0 }
    guard Self.keywords.contains(where: { lexer.matches(token, $0) }) else { return false }
    let position = lexer.position
    let next = lexer.next()
    lexer.position = position
    _ = lexer.takeFailure()
    return next.kind == .name || next.kind == .leftBrace || next.kind == .at
  }

  private static let keywords: [StaticString] = [
    "query", "mutation", "subscription", "fragment", "extend", "schema", "scalar", "type", "interface", "union",
    "enum", "input", "directive",
  ]

  private func isFirstOnLine(_ token: Token) -> Bool {
    var offset = Int(token.start)
    while offset > 0 {
      let byte = lexer.bytes[offset - 1]
      if byte == Ascii.lineFeed || byte == Ascii.carriageReturn { return true }
      guard byte == Ascii.space || byte == Ascii.tab else { return false }
      offset -= 1
    }
    return true
  }

  /// The number of bytes before a token on its line. It is limited, so that long lines do not take long.
  private func column(of token: Token) -> Int {
    let start = Int(token.start)
    var offset = start
    while offset > 0, start - offset < 256, lexer.bytes[offset - 1] != Ascii.lineFeed,
      lexer.bytes[offset - 1] != Ascii.carriageReturn
    {
      offset -= 1
    }
    return start - offset
  }
}
