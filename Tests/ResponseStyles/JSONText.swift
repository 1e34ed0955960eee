/// A JSON value, read by a parser that shares nothing with the one that is tested.
///
/// Strings are UTF-16, so that half a surrogate pair, which JSON can spell, is kept.
indirect enum JSONText {
  case object([(name: [UInt16], value: JSONText)])
  case list([JSONText])
  case string([UInt16])
  /// The text of a number.
  case number(String)
  /// `true`, `false` or `null`.
  case word(String)

  /// nil if the text is not JSON, or if it is nested more than 600 levels deep.
  init?(_ text: [UInt8]) {
    guard String(validating: text, as: UTF8.self) != nil else { return nil }
    var parser = Parser(text: text)
    guard let value = parser.value(depth: 0) else { return nil }
    parser.skipSpace()
    guard parser.position == text.count else { return nil }
    self = value
  }

  private struct Parser {
    let text: [UInt8]
    var position = 0

    var byte: UInt8? { position < text.count ? text[position] : nil }

    mutating func skipSpace() {
      while let byte, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
    }

    mutating func take(_ character: Character) -> Bool {
      skipSpace()
      guard byte == character.asciiValue else { return false }
      position += 1
      return true
    }

    mutating func value(depth: Int) -> JSONText? {
      guard depth < 600 else { return nil }
      skipSpace()
      switch byte {
      case UInt8(ascii: "{"): return object(depth)
      case UInt8(ascii: "["): return list(depth)
      case UInt8(ascii: "\""): return string().map { .string($0) }
      default: return bare()
      }
    }

    private mutating func object(_ depth: Int) -> JSONText? {
      position += 1
      var members: [(name: [UInt16], value: JSONText)] = []
      if take("}") { return .object([]) }
      repeat {
        skipSpace()
        guard byte == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth + 1) else {
          return nil
        }
        members.append((name, value))
      } while take(",")
      return take("}") ? .object(members) : nil
    }

    private mutating func list(_ depth: Int) -> JSONText? {
      position += 1
      var elements: [JSONText] = []
      if take("]") { return .list([]) }
      repeat {
        guard let value = value(depth: depth + 1) else { return nil }
        elements.append(value)
      } while take(",")
      return take("]") ? .list(elements) : nil
    }

    private mutating func bare() -> JSONText? {
      let start = position
      while let byte, !Array(",]} \t\r\n".utf8).contains(byte) { position += 1 }
      let word = String(decoding: text[start..<position], as: UTF8.self)
      if ["true", "false", "null"].contains(word) { return .word(word) }
      return word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil ? .number(word) : nil
    }

    private mutating func string() -> [UInt16]? {
      position += 1
      var units: [UInt16] = []
      while let byte, byte != UInt8(ascii: "\"") {
        guard byte >= 0x20 else { return nil }
        if byte == UInt8(ascii: "\\") {
          guard let unit = escape() else { return nil }
          units.append(unit)
        } else {
          let start = position
          while let byte = self.byte, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            position += 1
          }
          units += String(decoding: text[start..<position], as: UTF8.self).utf16
        }
      }
      guard byte != nil else { return nil }
      position += 1
      return units
    }

    private mutating func escape() -> UInt16? {
      guard position + 1 < text.count else { return nil }
      let letter = text[position + 1]
      position += 2
      switch letter {
      case UInt8(ascii: "n"): return 0x0a
      case UInt8(ascii: "r"): return 0x0d
      case UInt8(ascii: "t"): return 0x09
      case UInt8(ascii: "b"): return 0x08
      case UInt8(ascii: "f"): return 0x0c
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(letter)
      case UInt8(ascii: "u"):
        guard position + 4 <= text.count else { return nil }
        let digits = String(decoding: text[position..<(position + 4)], as: UTF8.self)
        position += 4
        return digits.hasPrefix("+") || digits.hasPrefix("-") ? nil : UInt16(digits, radix: 16)
      default: return nil
      }
    }
  }
}
