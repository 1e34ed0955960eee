import Foundation

/// Where the objects and lists in a text end.
enum JSONBalance {
  /// Whether all of them have ended.
  static func holds(in body: Data) -> Bool {
    guard String(data: body, encoding: .utf8) != nil else { return false }
    var reader = Reader()
    for byte in body { reader.read(byte) }
    return reader.depth <= 0 && !reader.isInString
  }

  /// The end of the object or list with which some bytes begin; nil if it has none.
  static func end(in bytes: ArraySlice<UInt8>) -> Int? {
    var reader = Reader()
    for index in bytes.indices {
      reader.read(bytes[index])
      if reader.depth == 0, !reader.isInString { return index + 1 }
    }
    return nil
  }

  private struct Reader {
    var depth = 0, isInString = false
    private var isEscaped = false

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
  }
}
