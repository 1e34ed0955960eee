extension JSONParser {
  /// Reads a string whose opening quote is the next byte.
  mutating func parseString() throws(JSONSyntaxError) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        index += 1
        text.append(contentsOf: Character(try parseEscape()).utf8)
      case 0..<0x20:
        throw JSONSyntaxError(message: "A control character in a string", offset: index)
      default:
        text.append(byte)
        index += 1
      }
    }
    throw unexpected()
  }

  private mutating func parseEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let scalar: Unicode.Scalar
    switch peek {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape()
    default: throw unexpected()
    }
    index += 1
    return scalar
  }

  /// Reads `uXXXX`, or two of them that make a surrogate pair.
  private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = index - 1
    let first = try parseCodeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), bytes[index...].starts(with: "\\u".utf8) {
      index += 1
      let second = try parseCodeUnit()
      if UTF16.isTrailSurrogate(second) {
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
      }
    }
    throw JSONSyntaxError(message: "A surrogate without its pair", offset: start)
  }

  private mutating func parseCodeUnit() throws(JSONSyntaxError) -> UInt16 {
    index += 1
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw unexpected() }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
