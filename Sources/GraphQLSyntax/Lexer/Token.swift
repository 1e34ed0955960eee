/// One lexical token and where it stands — [spec](https://spec.graphql.org/September2025/#Token)
struct Token {
  enum Kind: UInt8 {
    case endOfFile
    case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
    case leftBracket, rightBracket, leftBrace, pipe, rightBrace
    case name, int, float, string, blockString
    /// Something that is no token. The lexer's `failure` says why.
    case invalid

    /// The characters of a punctuator, or `nil` for the other kinds.
    var punctuator: String? {
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

  var kind: Kind
  var start: UInt32
  var end: UInt32
}

/// Why a run of characters is not a token.
struct LexicalError {
  var code: Diagnostic.Code
  var message: String
  /// The UTF-8 offset of the offending character.
  var offset: UInt32
}
