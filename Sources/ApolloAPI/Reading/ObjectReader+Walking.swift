// Passing JSON without a selection: members that no selection set reads, and values of any shape.

extension __ObjectReader {
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
      case UInt8(ascii: "n"): guard takeJSONNull() else { throw error(.syntax) }
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

  @inline(__always) mutating func skipString() throws(__ReadError) {
    let q = (p + 1).endOfPlainRun
    if q.byte == UInt8(ascii: "\""), q < end { p = q + 1 } else { p = try endOfString(q) + 1 }
  }

  @inline(__always) mutating func descend() throws(__ReadError) {
    depth += 1
    guard depth <= maximumDepth else { throw error(.tooDeep) }
  }

  /// Passes an object; `body` passes the value of each member.
  @inline(__always) mutating func forEachMember(
    _ body: (inout __ObjectReader, String) throws(__ReadError) -> Void
  ) throws(__ReadError) {
    guard take(UInt8(ascii: "{")) else { throw mismatch(.expectedObject) }
    try descend()
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        guard p.byte == UInt8(ascii: "\"") else { throw error(.syntax) }
        let name = try string()
        guard take(UInt8(ascii: ":")) else { throw error(.syntax) }
        skipSpace()
        try body(&self, name)
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw error(.syntax) }
    }
    depth -= 1
  }

  /// Passes a list; `body` passes each element.
  @inline(__always) mutating func forEachElement(
    _ body: (inout __ObjectReader) throws(__ReadError) -> Void
  ) throws(__ReadError) {
    guard take(UInt8(ascii: "[")) else { throw mismatch(.expectedList) }
    try descend()
    if !take(UInt8(ascii: "]")) {
      repeat { try body(&self) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw error(.syntax) }
    }
    depth -= 1
  }

  /// JSON does not allow a byte order mark, but some servers send one.
  mutating func skipByteOrderMark() {
    if p[0] == 0xef, p[1] == 0xbb, p[2] == 0xbf { p += 3 }
  }

  mutating func expectEnd() throws(__ReadError) {
    skipSpace()
    guard p >= end else { throw error(.trailingBytes) }
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
