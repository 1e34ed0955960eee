/// One lexical token and where it stands — [spec](https://spec.graphql.org/September2025/#Token)
public struct Token: Sendable, Hashable {
  public enum Kind: UInt8, Sendable {
    case endOfFile
    case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
    case leftBracket, rightBracket, leftBrace, pipe, rightBrace
    case name, int, float, string, blockString
    /// Something that is no token.
    case invalid

    /// The characters of a punctuator, or `nil` for the other kinds.
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

    /// What an error message calls this kind.
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

  public var kind: Kind
  /// The UTF-8 offset of its first byte.
  public var start: UInt32
  /// The UTF-8 offset after its last byte.
  public var end: UInt32
}

extension Source {
  /// The tokens of the text, without the end of the file, such as for colouring it. What is no token is reported, and is
  /// in the list as ``Token/Kind/invalid``.
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

/// Why a run of characters is not a token.
struct LexicalError {
  var code: Diagnostic.Code
  var message: String
  /// The UTF-8 offset of the offending character.
  var offset: UInt32
}

extension LexicalError {
  /// - Parameter end: Where the token ends that could not be read; `nil` to point at one place.
  func diagnostic(in source: Source, to end: UInt32? = nil) -> Diagnostic {
    let span = SourceSpan(source: source.id, start: offset, end: max(end ?? offset, offset))
    return Diagnostic(code, "Syntax Error: " + message, at: span)
  }
}
