/// Reads the tokens of a JSON text one after another ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)).
///
/// Every token is checked completely: the escapes of a string, the digits of a number, the encoding in UTF-8.
struct JSONTokenizer {
  let bytes: [UInt8]
  var position = 0

  /// Begins behind a byte order mark, if there is one.
  init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    self.bytes = bytes
    if let offset = UTF8Validation.firstInvalidOffset(in: bytes) {
      throw JSONSyntaxError("This byte is not UTF-8, which JSON is written in.", at: offset, in: bytes)
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  mutating func next() throws(JSONSyntaxError) -> JSONToken {
    skipSpace()
    let start = position
    guard let byte = peek else { return token(.end, from: start) }
    switch byte {
    case UInt8(ascii: "{"): return punctuation(.beginObject)
    case UInt8(ascii: "}"): return punctuation(.endObject)
    case UInt8(ascii: "["): return punctuation(.beginArray)
    case UInt8(ascii: "]"): return punctuation(.endArray)
    case UInt8(ascii: ":"): return punctuation(.colon)
    case UInt8(ascii: ","): return punctuation(.comma)
    case UInt8(ascii: "\""): try passString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try passNumber()
    case UInt8(ascii: "t"): return word("true", .true)
    case UInt8(ascii: "f"): return word("false", .false)
    case UInt8(ascii: "n"): return word("null", .null)
    default: return token(.unknown, from: start)
    }
    return token(byte == UInt8(ascii: "\"") ? .string : .number, from: start)
  }

  /// The text of a number, digit by digit.
  func digits(of token: JSONToken) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// An error at the token's place. Its message says what was expected there, and what was found.
  func unexpected(_ token: JSONToken, _ expected: String) -> JSONSyntaxError {
    error(expected, at: token.range.lowerBound)
  }

  /// An error at the token's place.
  func failure(_ message: String, at token: JSONToken) -> JSONSyntaxError {
    JSONSyntaxError(message, at: token.range.lowerBound, in: bytes)
  }

  // MARK: - Tokens

  private func token(_ kind: JSONToken.Kind, from start: Int) -> JSONToken {
    JSONToken(kind: kind, range: start..<position)
  }

  private mutating func punctuation(_ kind: JSONToken.Kind) -> JSONToken {
    position += 1
    return token(kind, from: position - 1)
  }

  private mutating func word(_ word: String, _ kind: JSONToken.Kind) -> JSONToken {
    let start = position
    guard bytes[start...].starts(with: word.utf8) else { return token(.unknown, from: start) }
    position += word.utf8.count
    return token(kind, from: start)
  }

  private mutating func passNumber() throws(JSONSyntaxError) {
    _ = take("-")
    // No digit follows a leading zero.
    if !take("0") { try passDigits() }
    if take(".") { try passDigits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try passDigits()
    }
  }

  private mutating func passDigits() throws(JSONSyntaxError) {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw error("Expected a digit") }
  }

  // MARK: - Bytes

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek,
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        || byte == UInt8(ascii: "\t")
    {
      position += 1
    }
  }

  func error(_ expected: String, at place: Int? = nil) -> JSONSyntaxError {
    let place = place ?? position
    // The text is UTF-8, so the first character is whole.
    let found = String(decoding: bytes[min(place, bytes.count)...].prefix(4), as: UTF8.self).unicodeScalars.first
    let message = found.map { "\(expected), but found \(Self.name(of: $0))." } ?? "\(expected), but the text ends."
    return JSONSyntaxError(message, at: place, in: bytes)
  }

  private static func name(of character: Unicode.Scalar) -> String {
    guard character.properties.generalCategory != .control else {
      return "the character U+" + String(0x10000 | character.value, radix: 16, uppercase: true).dropFirst()
    }
    return "\"\(character)\""
  }
}
