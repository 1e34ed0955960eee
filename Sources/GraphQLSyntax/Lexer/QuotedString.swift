/// The escapes of a string between single quotes — [spec](https://spec.graphql.org/September2025/#EscapedCharacter)
enum QuotedString {
  /// What stands at a backslash.
  enum Escape {
    /// A character, written in this many bytes.
    case scalar(Unicode.Scalar, length: Int)
    /// Nothing that has a meaning. An error message shows this many bytes of it.
    case malformed(length: Int)
  }

  /// The characters that a checked string means.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(Ascii.backslash) else { return String(decoding: bytes, as: UTF8.self) }
    return bytes.withUnsafeBufferPointer { bytes in
      var text = ""
      text.reserveCapacity(bytes.count)
      var index = 0
      while index < bytes.count {
        let plain = bytes[index...].firstIndex(of: Ascii.backslash) ?? bytes.count
        text += String(decoding: bytes[index..<plain], as: UTF8.self)
        index = plain
        guard index < bytes.count else { break }
        switch escape(at: index, in: bytes) {
        case .scalar(let scalar, let length):
          text.unicodeScalars.append(scalar)
          index += length
        case .malformed:
          index += 1
        }
      }
      return text
    }
  }

  static func escape(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Escape {
    switch byte(index + 1, in: bytes) {
    case UInt8(ascii: "\""): .scalar("\"", length: 2)
    case UInt8(ascii: "\\"): .scalar("\\", length: 2)
    case UInt8(ascii: "/"): .scalar("/", length: 2)
    case UInt8(ascii: "b"): .scalar("\u{8}", length: 2)
    case UInt8(ascii: "f"): .scalar("\u{C}", length: 2)
    case UInt8(ascii: "n"): .scalar("\n", length: 2)
    case UInt8(ascii: "r"): .scalar("\r", length: 2)
    case UInt8(ascii: "t"): .scalar("\t", length: 2)
    case UInt8(ascii: "u"):
      byte(index + 2, in: bytes) == Ascii.leftBrace
        ? bracedEscape(at: index, in: bytes) : fixedEscape(at: index, in: bytes)
    default: .malformed(length: 2)
    }
  }

  /// `\u{` HexDigit+ `}`
  private static func bracedEscape(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Escape {
    var value: UInt32 = 0
    var length = 3
    // Twelve characters hold eight digits, which is more than any character needs and all that 32 bits can take.
    while length < 12 {
      let next = byte(index + length, in: bytes)
      length += 1
      if next == Ascii.rightBrace {
        guard length >= 5, let scalar = Unicode.Scalar(value) else { break }
        return .scalar(scalar, length: length)
      }
      guard let digit = next.flatMap(Ascii.hexValue) else { break }
      value = value << 4 | digit
    }
    return .malformed(length: length)
  }

  /// `\u` and four hexadecimal digits, or two of these that are a surrogate pair.
  private static func fixedEscape(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Escape {
    guard let value = fourDigits(at: index + 2, in: bytes) else { return .malformed(length: 6) }
    if let scalar = Unicode.Scalar(value) { return .scalar(scalar, length: 6) }
    guard (0xD800...0xDBFF).contains(value), byte(index + 6, in: bytes) == Ascii.backslash,
      byte(index + 7, in: bytes) == UInt8(ascii: "u"), let low = fourDigits(at: index + 8, in: bytes),
      (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
    else { return .malformed(length: 6) }
    return .scalar(scalar, length: 12)
  }

  private static func fourDigits(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = byte(index + offset, in: bytes).flatMap(Ascii.hexValue) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func byte(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8? {
    index < bytes.count ? bytes[index] : nil
  }
}

extension QuotedString {
  /// How a text is written between quotes. Only what must be escaped is.
  static func print(_ text: String) -> String {
    var result: [UInt8] = [Ascii.quote]
    result.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += [Ascii.backslash, Ascii.quote]
      case "\\": result += [Ascii.backslash, Ascii.backslash]
      case "\u{8}": result += "\\b".utf8
      case "\u{C}": result += "\\f".utf8
      case "\n": result += "\\n".utf8
      case "\r": result += "\\r".utf8
      case "\t": result += "\\t".utf8
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u".utf8
        result += String(repeating: "0", count: 4 - digits.count).utf8
        result += digits.utf8
      default: result += UTF8.encode(scalar) ?? .init()
      }
    }
    result.append(Ascii.quote)
    return String(decoding: result, as: UTF8.self)
  }
}
