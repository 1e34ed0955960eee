extension Lexer {
  /// `StringValue` — [spec](https://spec.graphql.org/September2025/#StringValue)
  @inline(never)
  mutating func string(from start: Int) -> Token {
    if bytes[start + 1] == Ascii.quote, bytes[start + 2] == Ascii.quote {
      return blockString(from: start)
    }
    position = start + 1
    var failed = false
    while true {
      switch bytes[position] {
      case Ascii.quote:
        position += 1
        return token(failed ? .invalid : .string, from: start)
      case Ascii.backslash:
        switch QuotedString.escape(at: position, in: UnsafeBufferPointer(start: bytes, count: count + Source.padding)) {
        case .scalar(_, let length):
          position += length
        case .malformed(let length):
          if !failed { failEscape(length: length) }
          failed = true
          // At least the backslash; never over the end of the line or of the string.
          position += bytes[position + 1] == Ascii.quote || bytes[position + 1] == Ascii.backslash ? 2 : 1
        }
      case Ascii.lineFeed, Ascii.carriageReturn:
        return unterminated(from: start)
      case 0 where position >= count:
        return unterminated(from: start)
      default:
        position += 1
      }
    }
  }

  /// `BlockString` — [spec](https://spec.graphql.org/September2025/#BlockString)
  @inline(never)
  private mutating func blockString(from start: Int) -> Token {
    position = start + 3
    while true {
      skipToQuoteOrBackslash()
      if position >= count {
        position = count
        return unterminated(from: start)
      }
      if bytes[position] == Ascii.backslash {
        position += isTripleQuote(at: position + 1) ? 4 : 1
      } else if isTripleQuote(at: position) {
        position += 3
        return token(.blockString, from: start)
      } else {
        position += 1
      }
    }
  }

  @inline(__always)
  private func isTripleQuote(at offset: Int) -> Bool {
    bytes[offset] == Ascii.quote && bytes[offset + 1] == Ascii.quote && bytes[offset + 2] == Ascii.quote
  }

  /// Moves to the next quote, backslash or end, eight bytes at a time: most of a schema is descriptions.
  @inline(__always)
  private mutating func skipToQuoteOrBackslash() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = ones &* UInt64(Ascii.quote)
    let backslashes = ones &* UInt64(Ascii.backslash)
    while position < count {
      let word = UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
      // The lowest byte that equals the pattern is the lowest one whose high bit is set.
      let quote = word ^ quotes
      let backslash = word ^ backslashes
      let found = ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones << 7)
      if found != 0 {
        position += found.trailingZeroBitCount / 8
        return
      }
      position += 8
    }
  }

  private mutating func failEscape(length: Int) {
    let end = min(position + length, count)
    let text = String(decoding: UnsafeBufferPointer(start: bytes + position, count: end - position), as: UTF8.self)
    let kind = text.hasPrefix("\\u") ? "Unicode escape" : "character escape"
    failure = LexicalError(
      code: .invalidEscape, message: "Invalid \(kind) sequence: \"\(text)\".", offset: UInt32(position))
  }

  private mutating func unterminated(from start: Int) -> Token {
    failure = LexicalError(
      code: .unterminatedString, message: "Unterminated string.", offset: UInt32(truncatingIfNeeded: position))
    return token(.invalid, from: start)
  }
}
