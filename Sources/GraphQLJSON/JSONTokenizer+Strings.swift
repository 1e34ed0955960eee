extension JSONTokenizer {
  /// Passes a string whose first quotation mark is the next byte.
  mutating func passString() throws(JSONSyntaxError) {
    position += 1
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"): try passEscape()
      case 0..<0x20: throw error("Expected no control character in a string")
      default: position += 1
      }
    }
    throw error("Expected the end of a string")
  }

  private mutating func passEscape() throws(JSONSyntaxError) {
    position += 1
    switch peek {
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard let byte = peek, Self.hexDigit(byte) != nil else { throw error("Expected a hexadecimal digit") }
        position += 1
      }
    case let byte? where Self.shortEscape(byte) != nil: position += 1
    case nil: throw error("Expected the end of a string")
    default: throw error("Expected a valid escape")
    }
  }

  /// The value of a string.
  ///
  /// A surrogate without its pair is U+FFFD, as Unicode replaces it; what follows it is read by itself.
  func string(of token: JSONToken) -> String {
    var rest = bytes[token.range].dropFirst().dropLast()
    var result = ""
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
      result += String(decoding: rest[..<escape], as: UTF8.self)
      let byte = rest[escape + 1]
      if let short = Self.shortEscape(byte) {
        result.unicodeScalars.append(short)
        rest = rest[(escape + 2)...]
        continue
      }
      let first = Self.codeUnit(rest[(escape + 2)...])
      rest = rest[(escape + 6)...]
      if UTF16.isLeadSurrogate(first), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        let second = Self.codeUnit(rest.dropFirst(2))
        if UTF16.isTrailSurrogate(second) {
          result.unicodeScalars.append(UTF16.decode(UTF16.EncodedScalar([first, second])))
          rest = rest.dropFirst(6)
          continue
        }
      }
      result.unicodeScalars.append(Unicode.Scalar(first) ?? "\u{fffd}")
    }
    return result.isEmpty
      ? String(decoding: rest, as: UTF8.self) : result + String(decoding: rest, as: UTF8.self)
  }

  /// What an escape of one letter stands for; nil for others.
  private static func shortEscape(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(byte)
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{c}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  /// The number that four checked hexadecimal digits stand for.
  private static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt16 {
    digits.prefix(4).reduce(0) { $0 << 4 | UInt16(hexDigit($1) ?? 0) }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
