extension Diagnostic.Code {
  /// A byte sequence that is not UTF-8.
  public static let invalidEncoding = Self("invalid-encoding")
  /// A character that begins no token.
  public static let invalidCharacter = Self("invalid-character")
  /// Digits that do not make a number.
  public static let invalidNumber = Self("invalid-number")
  /// A backslash in a string that escapes nothing.
  public static let invalidEscape = Self("invalid-escape")
  /// A string without its closing quote.
  public static let unterminatedString = Self("unterminated-string")
  /// A token in a place where the grammar has another.
  public static let unexpectedToken = Self("unexpected-token")
  /// A variable where the value must be constant.
  public static let variableInConstant = Self("variable-in-constant")
  /// A name that the grammar keeps for something else.
  public static let reservedName = Self("reserved-name")
  /// A description in front of something that cannot have one.
  public static let misplacedDescription = Self("misplaced-description")
  /// More levels of nesting than the parser was told to accept.
  public static let nestingTooDeep = Self("nesting-too-deep")
  /// More tokens than the parser was told to accept.
  public static let tooManyTokens = Self("too-many-tokens")
  /// More comments than the parser was told to accept.
  public static let tooManyComments = Self("too-many-comments")
  /// A text of more than four gigabytes, or one that is longer than the parser was told to accept.
  public static let sourceTooLarge = Self("source-too-large")

  /// The codes of everything that the parser reports.
  public static let syntax: [Diagnostic.Code] = [
    invalidEncoding, invalidCharacter, invalidNumber, invalidEscape, unterminatedString, unexpectedToken,
    variableInConstant, reservedName, misplacedDescription, nestingTooDeep, tooManyTokens, tooManyComments,
    sourceTooLarge,
  ]
}
