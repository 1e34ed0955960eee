/// Where the objects and lists in a text end, byte after byte.
struct JSONBalance {
  private var depth = 0, isInString = false, isEscaped = false

  /// Whether all that have begun have ended.
  var holds: Bool { depth <= 0 && !isInString }

  mutating func read(_ byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
  }

  /// The end of the object or list with which some bytes begin; nil if it has none.
  static func end(in bytes: ArraySlice<UInt8>) -> Int? {
    var balance = JSONBalance()
    for index in bytes.indices {
      balance.read(bytes[index])
      if balance.depth == 0, !balance.isInString { return index + 1 }
    }
    return nil
  }
}
