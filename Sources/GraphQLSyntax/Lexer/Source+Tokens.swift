extension Source {
  /// Whether the text has no tokens: it is empty, or has only spaces, commas, comments and a byte order mark. A document
  /// has at least one definition, so this is not a document.
  package var hasNoTokens: Bool {
    guard firstInvalidOffset == nil else { return false }
    return Lexer.run(on: self) { lexer in
      var lexer = lexer
      return lexer.next().kind == .endOfFile
    }
  }
}
