// JSON values at the cursor (RFC 8259).

@inline(__always) func load64(_ q: Bytes) -> UInt64 { UnsafeRawPointer(q).loadUnaligned(as: UInt64.self) }

/// The first byte at or after `start` that ends a run of plain string bytes: a quote, a backslash or a control character.
///
/// Eight bytes at a time: the high bit of each byte of `m` tells whether it is one of them. A borrow can set further
/// bits above the first one, which do not matter.
@inline(__always) func plainRun(_ start: Bytes) -> Bytes {
  var q = start
  while true {
    let x = load64(q)
    let quote = x ^ 0x2222_2222_2222_2222, backslash = x ^ 0x5c5c_5c5c_5c5c_5c5c
    let m =
      ((quote &- 0x0101_0101_0101_0101) & ~quote | (backslash &- 0x0101_0101_0101_0101) & ~backslash
        | (x &- 0x2020_2020_2020_2020) & ~x) & 0x8080_8080_8080_8080
    if m != 0 { return q + m.trailingZeroBitCount &>> 3 }
    q += 8
  }
}

let jsonNull: UInt32 = 0x6c6c_756e
private let true_: UInt32 = 0x6575_7274
private let fals: UInt32 = 0x736c_6166

extension ObjectReader {
  @inline(__always) func skipSpace(_ q: inout Bytes) {
    while q.pointee <= 0x20, q.pointee == 0x20 || q.pointee == 0x0a || q.pointee == 0x0d || q.pointee == 0x09 { q += 1 }
  }

  @inline(__always) mutating func skipSpace() {
    var q = p
    skipSpace(&q)
    p = q
  }

  /// Passes one byte of punctuation, if it is there.
  @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard p.pointee == byte else { return false }
    p += 1
    return true
  }

  @inline(__always) mutating func takeJSONNull() -> Bool {
    if p.pointee <= 0x20 { skipSpace() }
    guard UnsafeRawPointer(p).loadUnaligned(as: UInt32.self) == jsonNull else { return false }
    p += 4
    return true
  }

  /// The value at the cursor is of the wrong kind.
  @inline(never) func mismatch(_ expected: ReadError.Code) -> ReadError {
    switch p.pointee {
    case UInt8(ascii: "n"): error(UnsafeRawPointer(p).loadUnaligned(as: UInt32.self) == jsonNull ? .null : .syntax)
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"):
      error(expected)
    default: error(.syntax)
    }
  }

  @inline(__always) mutating func bool() throws(ReadError) -> Bool {
    if p.pointee <= 0x20 { skipSpace() }
    let word = UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)
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

  @inline(__always) mutating func string() throws(ReadError) -> String {
    if p.pointee <= 0x20 { skipSpace() }
    guard p.pointee == UInt8(ascii: "\"") else { throw mismatch(.expectedString) }
    let start = p + 1, q = plainRun(start)
    if q.pointee == UInt8(ascii: "\"") {
      p = q + 1
      return String(decoding: UnsafeBufferPointer(start: start, count: q - start), as: UTF8.self)
    }
    return try escapedString(start, q)
  }

  /// Decodes a string that starts at `start` and whose first byte that is not plain is at `firstEscape`.
  @inline(never) mutating func escapedString(_ start: Bytes, _ firstEscape: Bytes) throws(ReadError) -> String {
    let close = try endOfString(firstEscape)
    let text = String(unsafeUninitializedCapacity: close - start) { out in
      var n = 0, q = start
      while q < close {
        let run = min(plainRun(q), close)
        for i in 0..<(run - q) { out[n + i] = q[i] }
        n += run - q
        q = run
        if q < close { n += Self.decodeEscape(&q, into: out.baseAddress! + n) }
      }
      return n
    }
    p = close + 1
    return text
  }

  /// Passes a string whose escapes are checked here; returns its closing quote.
  @inline(never) mutating func endOfString(_ from: Bytes) throws(ReadError) -> Bytes {
    var q = from
    while q.pointee != UInt8(ascii: "\"") {
      guard q < end, q.pointee == UInt8(ascii: "\\") else { p = q; throw error(.syntax) }
      switch q[1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        q = plainRun(q + 2)
      case UInt8(ascii: "u"):
        guard Self.hexDigits(q + 2) != nil else { p = q; throw error(.badEscape) }
        q = plainRun(q + 6)
      default: p = q; throw error(.badEscape)
      }
    }
    guard q < end else { p = q; throw error(.truncated) }
    return q
  }

  private static func hexDigits(_ q: Bytes) -> UInt32? {
    var value: UInt32 = 0
    for i in 0..<4 {
      guard let digit = Character(UnicodeScalar(q[i])).hexDigitValue, q[i] < 0x80 else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Decodes the escape at `q`, which was checked, and returns how many bytes were written.
  ///
  /// A surrogate without its other half becomes U+FFFD: one broken emoji must not cost the whole response.
  private static func decodeEscape(_ q: inout Bytes, into out: UnsafeMutablePointer<UInt8>) -> Int {
    let letter = q[1]
    q += 2
    switch letter {
    case UInt8(ascii: "n"): out[0] = 0x0a
    case UInt8(ascii: "r"): out[0] = 0x0d
    case UInt8(ascii: "t"): out[0] = 0x09
    case UInt8(ascii: "b"): out[0] = 0x08
    case UInt8(ascii: "f"): out[0] = 0x0c
    case UInt8(ascii: "u"):
      var code = hexDigits(q) ?? 0xfffd
      q += 4
      if code & 0xfc00 == 0xd800, q[0] == UInt8(ascii: "\\"), q[1] == UInt8(ascii: "u"),
        let low = hexDigits(q + 2), low & 0xfc00 == 0xdc00
      {
        code = 0x10000 + (code & 0x3ff) << 10 + low & 0x3ff
        q += 6
      }
      let scalar = Unicode.Scalar(code) ?? "\u{fffd}"
      var n = 0
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        out[n] = byte
        n += 1
      }
      return n
    default: out[0] = letter
    }
    return 1
  }
}
