extension Source {
  /// Whether the text has comments. A `#` in a string begins none.
  package var hasComments: Bool {
    Lexer.run(on: self) { lexer in
      var lexer = lexer
      var end = 0
      while true {
        let token = lexer.next()
        // What is between two tokens is white space, commas and comments.
        for position in end..<max(end, Int(token.start)) where lexer.bytes[position] == Ascii.hash { return true }
        if token.kind == .endOfFile || token.kind == .invalid { return false }
        end = Int(token.end)
      }
    }
  }
}
