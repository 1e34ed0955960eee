/// A lexical token and its place — [spec](https://spec.graphql.org/September2025/#Token)
public struct Token: Sendable, Hashable {
  /// The kinds of token.
  public enum Kind: UInt8, Sendable {
    case endOfFile
    case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
    case leftBracket, rightBracket, leftBrace, pipe, rightBrace
    case name, int, float, string, blockString
    /// Characters that are not a token.
    case invalid

    /// The characters of a punctuator; nil for other kinds.
    public var punctuator: String? {
      switch self {
      case .bang: "!"
      case .dollar: "$"
      case .ampersand: "&"
      case .leftParenthesis: "("
      case .rightParenthesis: ")"
      case .spread: "..."
      case .colon: ":"
      case .equals: "="
      case .at: "@"
      case .leftBracket: "["
      case .rightBracket: "]"
      case .leftBrace: "{"
      case .pipe: "|"
      case .rightBrace: "}"
      case .endOfFile, .name, .int, .float, .string, .blockString, .invalid: nil
      }
    }

    /// The name of this kind in error messages.
    var description: String {
      if let punctuator { return "\"\(punctuator)\"" }
      return switch self {
      case .name: "Name"
      case .int: "Int"
      case .float: "Float"
      case .string: "String"
      case .blockString: "BlockString"
      default: "<EOF>"
      }
    }
  }

  /// The kind of the token.
  public var kind: Kind
  /// The UTF-8 offset of the first byte.
  public var start: UInt32
  /// The UTF-8 offset after the last byte.
  public var end: UInt32
}

extension Source {
  /// The tokens of the text, without the end of the file, for instance for colouring the text. Characters that are not
  /// a token are reported, and are in the list as ``Token/Kind/invalid``.
  public func tokens() -> Parsed<[Token]> {
    Lexer.run(on: self) { lexer in
      var lexer = lexer
      var tokens: [Token] = []
      tokens.reserveCapacity(lexer.count / 16)
      var diagnostics: [Diagnostic] = []
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile { return Parsed(tokens, diagnostics: diagnostics) }
        if let failure = lexer.takeFailure() { diagnostics.append(failure.diagnostic(in: self)) }
        tokens.append(token)
      }
    }
  }
}

/// Why some characters are not a token.
struct LexicalError {
  var code: Diagnostic.Code
  var message: String
  /// The UTF-8 offset of the character that is wrong.
  var offset: UInt32
}

extension LexicalError {
  /// The error as a diagnostic.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - end: The UTF-8 offset at which the invalid token ends. nil, the default: the diagnostic is about one position.
  /// - Returns: The diagnostic.
  func diagnostic(in source: Source, to end: UInt32? = nil) -> Diagnostic {
    let span = SourceSpan(source: source.id, start: offset, end: max(end ?? offset, offset))
    return Diagnostic(code, "Syntax Error: " + message, at: span)
  }
}
