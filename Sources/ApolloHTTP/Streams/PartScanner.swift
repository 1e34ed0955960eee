/// Finds the end of the JSON object in the body of a part, as the part arrives. Each byte is looked at once.
struct PartScanner {
  private enum Place {
    /// In a line of the header fields, which has text already or not.
    case header(hasText: Bool)
    /// Behind the header fields, before the body.
    case beforeBody
    case object
    case string
    /// Behind a backslash in a string.
    case escape
    /// Behind the object, or in a body that is something else.
    case rest
  }

  private var place = Place.header(hasText: false)
  /// How many objects are open.
  private var depth = 0

  /// Looks at the next bytes of the part, the first of which begin its first line of header fields.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: The index behind the object that the body begins with, if it ends in these bytes; otherwise nil.
  mutating func endOfObject(in bytes: ArraySlice<UInt8>) -> Int? {
    var place = place, depth = depth
    defer { (self.place, self.depth) = (place, depth) }
    for index in bytes.indices {
      let byte = bytes[index]
      switch (place, byte) {
      case (.rest, _): return nil
      case (.string, UInt8(ascii: "\"")): place = .object
      case (.string, UInt8(ascii: "\\")): place = .escape
      case (.string, _): break
      case (.escape, _): place = .string
      case (.object, UInt8(ascii: "\"")): place = .string
      case (.object, UInt8(ascii: "{")): depth += 1
      case (.object, UInt8(ascii: "}")):
        depth -= 1
        guard depth == 0 else { continue }
        place = .rest
        return index + 1
      case (.object, _): break
      case (.header(let hasText), UInt8(ascii: "\n")): place = hasText ? .header(hasText: false) : .beforeBody
      case (.header, UInt8(ascii: " ")), (.header, UInt8(ascii: "\r")): break
      case (.header, _): place = .header(hasText: true)
      case (.beforeBody, UInt8(ascii: "{")):
        place = .object
        depth = 1
      case (.beforeBody, _): if !byte.isBlank { place = .rest }
      }
    }
    return nil
  }
}

extension UInt8 {
  /// Whether it is white space of JSON.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0d || self == 0x0a }
}
