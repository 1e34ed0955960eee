// Strings of JSON (RFC 8259, section 7).

extension JSONCursor {
  /// Reads a string whose opening quote is at the cursor.
  @inline(__always) mutating func quotedString() throws(__ReadError) -> String {
    let start = p + 1, q = start.endOfPlainRun
    if q.byte == UInt8(ascii: "\"") {
      p = q + 1
      return start.text(to: q)
    }
    return try escapedString(start, q)
  }

  @inline(__always) mutating func skipString() throws(__ReadError) {
    let q = (p + 1).endOfPlainRun
    if q.byte == UInt8(ascii: "\""), q < end { p = q + 1 } else { p = try endOfString(q) + 1 }
  }

  /// Decodes a string that starts at `start` and whose first byte that is not plain is at `firstEscape`.
  @inline(never) mutating func escapedString(_ start: Bytes, _ firstEscape: Bytes) throws(__ReadError) -> String {
    let close = try endOfString(firstEscape)
    let text = start.unescapedText(to: close)
    p = close + 1
    return text
  }

  /// Passes a string whose escapes are checked here; returns its closing quote.
  @inline(never) mutating func endOfString(_ from: Bytes) throws(__ReadError) -> Bytes {
    var q = from
    while q.byte != UInt8(ascii: "\"") {
      guard q < end, q.byte == UInt8(ascii: "\\") else { p = q; throw error(.syntax) }
      switch q[1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        q = (q + 2).endOfPlainRun
      case UInt8(ascii: "u"):
        guard (q + 2).hexDigits != nil else { p = q; throw error(.badEscape) }
        q = (q + 6).endOfPlainRun
      default: p = q; throw error(.badEscape)
      }
    }
    guard q < end else { p = q; throw error(.truncated) }
    return q
  }
}
