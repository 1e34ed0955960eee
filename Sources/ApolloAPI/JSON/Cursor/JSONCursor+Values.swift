// JSON values in Swift's own types.

extension JSONCursor {
  /// Parses a whole text. If several members of an object have one name, the last one is used.
  static func value(
    of bytes: ResponseBytes, maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> JSONValue {
    var cursor = JSONCursor(bytes, maximumDepth: maximumDepth)
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

  /// Parses a whole text that was written here, or was a part of a response. It may be nested as deep as any response.
  static func value(of text: String) throws(ResponseDecodingError) -> JSONValue {
    try value(of: ResponseBytes(text.utf8), maximumDepth: .max)
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
          open.append(OpenContainer(members: [:], name: try memberName()))
          continue
        }
        depth -= 1
        value = JSONObject()
      case UInt8(ascii: "["):
        try descend()
        p += 1
        if !take(UInt8(ascii: "]")) {
          open.append(OpenContainer())
          continue
        }
        depth -= 1
        value = [JSONValue]()
      default: value = try leaf()
      }
      // The value may be the last one of its container, and that the last one of its own.
      var isEnded = true
      while isEnded {
        guard let last = open.indices.last else { return value }
        open[last].add(value)
        isEnded = !take(UInt8(ascii: ","))
        if !isEnded {
          if open[last].members != nil { open[last].name = try memberName() }
        } else {
          guard take(open[last].end) else { throw error(.syntax) }
          value = open.removeLast().value
          depth -= 1
        }
      }
    }
  }

  /// A container whose end has not been read. (It is changed where it is, so that no value is copied for each that follows.)
  private struct OpenContainer {
    /// The members of an object; nil for a list.
    var members: JSONObject?
    /// The name of the member that is read.
    var name = ""
    /// The elements of a list.
    var elements: [JSONValue] = []

    var end: UInt8 { members == nil ? UInt8(ascii: "]") : UInt8(ascii: "}") }
    var value: JSONValue { members ?? elements }

    mutating func add(_ value: JSONValue) {
      if members == nil { elements.append(value) } else { members?[name] = value }
    }
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
