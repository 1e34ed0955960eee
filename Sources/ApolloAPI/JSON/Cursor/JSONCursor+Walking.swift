// Passing JSON without a selection: members that no selection set reads, and values of any shape.

extension JSONCursor {
  /// Passes one value of any kind, checking its grammar.
  ///
  /// It does not call itself: on a thread with a small stack, nested values could end the app.
  @inline(never) mutating func skipValue() throws(__ReadError) {
    var open = OpenContainers()
    repeat {
      skipSpace()
      switch p.byte {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"):
        try descend()
        p += 1
        open.push(isObject: true)
        if !comesNext(UInt8(ascii: "}")) {
          try skipKey()
          continue
        }
      case UInt8(ascii: "["):
        try descend()
        p += 1
        open.push(isObject: false)
        if !comesNext(UInt8(ascii: "]")) { continue }
      case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
      case UInt8(ascii: "n"): guard takeNull() else { throw error(.syntax) }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
      default: throw error(.syntax)
      }
      try skipEnds(&open)
    } while !open.isEmpty
  }

  /// Passes the ends of the containers that end here, and the characters before the next value.
  @inline(__always) private mutating func skipEnds(_ open: inout OpenContainers) throws(__ReadError) {
    while !open.isEmpty {
      if take(UInt8(ascii: ",")) {
        if open.isObject { try skipKey() }
        return
      }
      guard take(open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw error(.syntax) }
      open.pop()
      depth -= 1
    }
  }

  /// Whether the next byte after white space is this one.
  private mutating func comesNext(_ byte: UInt8) -> Bool {
    skipSpace()
    return p.byte == byte
  }

  /// Passes `"key":`.
  private mutating func skipKey() throws(__ReadError) {
    skipSpace()
    guard p.byte == UInt8(ascii: "\"") else { throw error(.syntax) }
    try skipString()
    guard take(UInt8(ascii: ":")) else { throw error(.syntax) }
  }

  /// Passes a value, and gives its range in the text.
  mutating func rangeOfValue() throws(__ReadError) -> Range<Int> {
    skipSpace()
    let first = offset
    try skipValue()
    return first..<offset
  }

  /// Passes `"name":`.
  mutating func memberName() throws(__ReadError) -> String {
    skipSpace()
    guard p.byte == UInt8(ascii: "\"") else { throw error(.syntax) }
    let name = try quotedString()
    guard take(UInt8(ascii: ":")) else { throw error(.syntax) }
    return name
  }

  /// Passes what is before the value of the next member of an object, with the name; nil at the end of the object.
  ///
  /// - Parameter isFirst: Whether the object has just begun; false afterwards.
  /// - Returns: The name of the member.
  /// - Throws: ``__ReadError`` if there is neither a member nor the end of the object.
  @inline(__always) mutating func nextMember(_ isFirst: inout Bool) throws(__ReadError) -> String? {
    if isFirst {
      guard take(UInt8(ascii: "{")) else { throw mismatch(.expectedObject) }
      try descend()
    }
    if isFirst ? !take(UInt8(ascii: "}")) : take(UInt8(ascii: ",")) {
      isFirst = false
      let name = try memberName()
      skipSpace()
      return name
    }
    guard isFirst || take(UInt8(ascii: "}")) else { throw error(.syntax) }
    depth -= 1
    return nil
  }

  /// Passes an object; `body` passes the value of each member.
  @inline(__always) mutating func forEachMember(
    _ body: (inout JSONCursor, String) throws(__ReadError) -> Void
  ) throws(__ReadError) {
    var isFirst = true
    while let name = try nextMember(&isFirst) { try body(&self, name) }
  }

  /// Passes the only value of a text, which is an object; `body` passes the value of each member.
  mutating func forEachMemberOfText(
    _ body: (inout JSONCursor, String) throws(__ReadError) -> Void
  ) throws(__ReadError) {
    try expectUTF8()
    skipByteOrderMark()
    try forEachMember(body)
    try expectEnd()
  }

  /// Passes a list; `body` passes each element.
  @inline(__always) mutating func forEachElement(
    _ body: (inout JSONCursor) throws(__ReadError) -> Void
  ) throws(__ReadError) {
    guard take(UInt8(ascii: "[")) else { throw mismatch(.expectedList) }
    try descend()
    if !take(UInt8(ascii: "]")) {
      repeat { try body(&self) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw error(.syntax) }
    }
    depth -= 1
  }
}

/// The objects and lists that were begun and not ended, a bit for each.
private struct OpenContainers {
  /// Of the innermost ones; a bit is set for an object.
  private var bits: UInt64 = 0
  /// Of 64 each of those around them.
  private var outer: [UInt64] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }
  /// Whether the innermost one is an object.
  var isObject: Bool { bits & 1 == 1 }

  @inline(__always) mutating func push(isObject: Bool) {
    if count & 63 == 0, count > 0 { outer.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    count += 1
  }

  @inline(__always) mutating func pop() {
    count -= 1
    bits >>= 1
    if count & 63 == 0, let last = outer.popLast() { bits = last }
  }
}
