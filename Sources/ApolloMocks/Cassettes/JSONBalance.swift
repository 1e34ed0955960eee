import Foundation

/// Whether all objects and lists in a text have ended.
enum JSONBalance {
  static func holds(in body: Data) -> Bool {
    guard String(data: body, encoding: .utf8) != nil else { return false }
    var depth = 0, isInString = false, isEscaped = false
    for byte in body {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return depth <= 0 && !isInString
  }
}
