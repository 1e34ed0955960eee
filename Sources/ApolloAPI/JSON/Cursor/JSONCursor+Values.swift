// JSON values in Swift's own types.

extension JSONCursor {
  /// Parses a whole text. If several members of an object have one name, the last one is used.
  static func value(of bytes: ResponseBytes) throws(ResponseDecodingError) -> JSONValue {
    var cursor = JSONCursor(bytes, maximumDepth: defaultMaximumDepth)
    do throws(__ReadError) {
      try cursor.expectUTF8()
      cursor.skipByteOrderMark()
      let value = try cursor.value()
      try cursor.expectEnd()
      return value
    } catch {
      throw cursor.describe(error)
    }
  }

  /// Parses a whole text.
  static func value(of text: String) throws(ResponseDecodingError) -> JSONValue {
    try value(of: ResponseBytes(text.utf8))
  }

  /// Reads the value at the cursor, of any type.
  ///
  /// It does not call itself: on a thread with a small stack, nested values could end the app.
  mutating func value() throws(__ReadError) -> JSONValue {
    var open: [OpenContainer] = []
    while true {
      skipSpace()
      var value: JSONValue
      switch p.byte {
      case UInt8(ascii: "{"):
        try descend()
        p += 1
        if !take(UInt8(ascii: "}")) {
          open.append(.object([:], name: try memberName()))
          continue
        }
        depth -= 1
        value = JSONObject()
      case UInt8(ascii: "["):
        try descend()
        p += 1
        if !take(UInt8(ascii: "]")) {
          open.append(.list([]))
          continue
        }
        depth -= 1
        value = [JSONValue]()
      default: value = try leaf()
      }
      // The value may be the last one of its container, and that the last one of its own.
      while true {
        guard let container = open.popLast() else { return value }
        if let unfinished = try end(container, adding: value, &value) {
          open.append(unfinished)
          break
        }
      }
    }
  }

  private enum OpenContainer {
    case object(JSONObject, name: String)
    case list([JSONValue])
  }

  /// Adds a value to a container.
  ///
  /// - Returns: The container, if another value comes. nil if it ends here; then `whole` is the container's value.
  private mutating func end(
    _ container: consuming OpenContainer, adding value: JSONValue, _ whole: inout JSONValue
  ) throws(__ReadError) -> OpenContainer? {
    switch consume container {
    case .object(var object, let name):
      object[name] = value
      if take(UInt8(ascii: ",")) { return .object(object, name: try memberName()) }
      guard take(UInt8(ascii: "}")) else { throw error(.syntax) }
      whole = object
    case .list(var list):
      list.append(value)
      if take(UInt8(ascii: ",")) { return .list(list) }
      guard take(UInt8(ascii: "]")) else { throw error(.syntax) }
      whole = list
    }
    depth -= 1
    return nil
  }

  private mutating func leaf() throws(__ReadError) -> JSONValue {
    switch p.byte {
    case UInt8(ascii: "\""): return try quotedString()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try bool()
    case UInt8(ascii: "n"):
      guard takeNull() else { throw error(.syntax) }
      return JSONNull()
    default: return try number()
    }
  }

  /// Reads a number: an `Int` if it is spelled as one and fits, a ``JSONNumber`` if it is spelled as one and does not fit
  /// or is beyond the range of `Double`, and otherwise a `Double`.
  private mutating func number() throws(__ReadError) -> JSONValue {
    guard p.byte == UInt8(ascii: "-") || p.byte &- 0x30 < 10 else { throw error(.syntax) }
    let start = p
    try skipNumber()
    let text = start.text(to: p)
    if let integer = Int(text) { return integer }
    if text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }) { return JSONNumber(text: text) }
    guard let value = Double(text), value.isFinite else { return JSONNumber(text: text) }
    return value
  }
}
