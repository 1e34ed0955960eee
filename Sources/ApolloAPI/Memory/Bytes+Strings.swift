// Strings of JSON (RFC 8259, section 7).
//
// **Invariant.** A run ends at the zeros after the end at the latest; a string is decoded only after its escapes and
// its closing quote were found.

extension Bytes {
  /// The first place from here on that ends a run of plain string bytes: a quote, a backslash or a control character.
  ///
  /// It reads eight bytes at a time: the high bit of each byte of `m` tells whether that byte ends the run. A borrow
  /// can set further bits above the first one, which do not matter. The zeros after the end are control characters.
  @inline(__always) var endOfPlainRun: Bytes {
    var q = self
    while true {
      let x = q.word64
      let quote = x ^ 0x2222_2222_2222_2222, backslash = x ^ 0x5c5c_5c5c_5c5c_5c5c
      let m =
        ((quote &- 0x0101_0101_0101_0101) & ~quote | (backslash &- 0x0101_0101_0101_0101) & ~backslash
          | (x &- 0x2020_2020_2020_2020) & ~x) & 0x8080_8080_8080_8080
      if m != 0 { return q + m.trailingZeroBitCount &>> 3 }
      q += 8
    }
  }

  /// True if one of the next eight bytes is one that cache keys escape (``CacheKeyEscaping/isSpecial(_:)``).
  @inline(__always) var hasSpecialKeyByte: Bool {
    let plus = word64 ^ 0x2b2b_2b2b_2b2b_2b2b, backslash = word64 ^ 0x5c5c_5c5c_5c5c_5c5c
    return ((plus &- 0x0101_0101_0101_0101) & ~plus | (backslash &- 0x0101_0101_0101_0101) & ~backslash)
      & 0x8080_8080_8080_8080 != 0
  }

  /// The four hexadecimal digits at this place; nil if there are others.
  var hexDigits: UInt32? {
    var value: UInt32 = 0
    for i in 0..<4 {
      guard let digit = Character(UnicodeScalar(self[i])).hexDigitValue, self[i] < 0x80 else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Decodes the string from here to its closing quote, the escapes of which were checked.
  func unescapedText(to close: Bytes) -> String {
    // What an escape stands for is never longer than the escape.
    String(unsafeUninitializedCapacity: close - self) { out in
      guard let room = out.baseAddress else { return 0 }
      var n = 0, q = self
      while q < close {
        let run = min(q.endOfPlainRun, close)
        q.copy(run - q, to: room + n)
        n += run - q
        q = run
        if q < close { n += Self.decodeEscape(&q, into: room + n) }
      }
      return n
    }
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
      var code = q.hexDigits ?? 0xfffd
      q += 4
      if code & 0xfc00 == 0xd800, q[0] == UInt8(ascii: "\\"), q[1] == UInt8(ascii: "u"),
        let low = (q + 2).hexDigits, low & 0xfc00 == 0xdc00
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
