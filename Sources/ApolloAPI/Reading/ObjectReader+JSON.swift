// JSON values at the cursor (RFC 8259).

let jsonNull: UInt32 = 0x6c6c_756e
private let true_: UInt32 = 0x6575_7274
private let fals: UInt32 = 0x736c_6166

extension __ObjectReader {
  @inline(__always) func skipSpace(_ q: inout Bytes) {
    while q.byte <= 0x20, q.byte == 0x20 || q.byte == 0x0a || q.byte == 0x0d || q.byte == 0x09 { q += 1 }
  }

  @inline(__always) mutating func skipSpace() {
    var q = p
    skipSpace(&q)
    p = q
  }

  /// Passes one byte of punctuation, if it is there.
  @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard p.byte == byte else { return false }
    p += 1
    return true
  }

  @inline(__always) mutating func takeJSONNull() -> Bool {
    if p.byte <= 0x20 { skipSpace() }
    guard p.word32 == jsonNull else { return false }
    p += 4
    return true
  }

  /// The value at the cursor is of the wrong kind.
  @inline(never) func mismatch(_ expected: __ReadError.Code) -> __ReadError {
    switch p.byte {
    case UInt8(ascii: "n"): error(p.word32 == jsonNull ? .null : .syntax)
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"):
      error(expected)
    default: error(.syntax)
    }
  }

  @inline(__always) mutating func bool() throws(__ReadError) -> Bool {
    if p.byte <= 0x20 { skipSpace() }
    let word = p.word32
    if word == true_ {
      p += 4
      return true
    }
    if word == fals, p[4] == UInt8(ascii: "e") {
      p += 5
      return false
    }
    throw mismatch(.expectedBoolean)
  }

  // MARK: Strings

  @inline(__always) mutating func string() throws(__ReadError) -> String {
    if p.byte <= 0x20 { skipSpace() }
    guard p.byte == UInt8(ascii: "\"") else { return try textOfOtherScalar() }
    let start = p + 1, q = start.endOfPlainRun
    if q.byte == UInt8(ascii: "\"") {
      p = q + 1
      return start.text(to: q)
    }
    return try escapedString(start, q)
  }

  /// The text of a number or a Boolean that was sent where a string is expected: custom scalars without a Swift type
  /// are strings, and servers send numbers for an `ID`.
  ///
  /// The text is the one in the response. Only a number for an `ID` is normalized, so that `1` and `1.0` are one
  /// identifier.
  @inline(never) private mutating func textOfOtherScalar() throws(__ReadError) -> String {
    let start = p
    switch p.byte {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try skipNumber()
      if !frames.isEmpty, frames.top.field < frames.top.fields.count, frames.top.fields[frames.top.field].isID {
        let text = start.text(to: p)
        return integerDigits(text) ?? text
      }
    default: throw mismatch(.expectedString)
    }
    return start.text(to: p)
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
