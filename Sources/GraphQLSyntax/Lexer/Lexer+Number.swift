extension Lexer {
  /// `IntValue` and `FloatValue` — [spec](https://spec.graphql.org/September2025/#IntValue)
  @inline(never)
  mutating func number(from start: Int) -> Token {
    var isFloat = false
    if bytes[position] == Ascii.minus { position += 1 }
    if bytes[position] == Ascii.zero {
      position += 1
      if Ascii.isDigit(bytes[position]) {
        let message = "Invalid number, unexpected digit after 0: \(describeCharacter(at: position))."
        return invalidNumber(message, from: start)
      }
    } else if !digits() {
      return missingDigit(from: start)
    }
    if bytes[position] == Ascii.dot {
      isFloat = true
      position += 1
      guard digits() else { return missingDigit(from: start) }
    }
    if bytes[position] | 0x20 == UInt8(ascii: "e") {
      isFloat = true
      position += 1
      if bytes[position] == Ascii.plus || bytes[position] == Ascii.minus { position += 1 }
      guard digits() else { return missingDigit(from: start) }
    }
    // A number must not run into a name or another number.
    if bytes[position] == Ascii.dot || Ascii.isNameStart(bytes[position]) { return missingDigit(from: start) }
    return token(isFloat ? .float : .int, from: start)
  }

  /// Steps over digits. False when there are none.
  private mutating func digits() -> Bool {
    let start = position
    while Ascii.isDigit(bytes[position]) { position += 1 }
    return position > start
  }

  private mutating func missingDigit(from start: Int) -> Token {
    let message = "Invalid number, expected digit but got: \(describeCharacter(at: position))."
    return invalidNumber(message, from: start)
  }

  /// Reports the character that is not allowed, and continues after everything that looks like part of the number.
  private mutating func invalidNumber(_ message: String, from start: Int) -> Token {
    let offset = position
    _ = invalid(.invalidNumber, message, at: offset)
    position = offset
    while Ascii.isNameStart(bytes[position]) || Ascii.isDigit(bytes[position]) || bytes[position] == Ascii.dot {
      position += 1
    }
    return token(.invalid, from: start)
  }
}
