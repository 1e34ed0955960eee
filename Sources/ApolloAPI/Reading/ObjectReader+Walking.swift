// Passing JSON without a selection: what nobody asked for, and values of any shape.

extension ObjectReader {
  /// Passes one value of any kind, checking its grammar.
  @inline(never) mutating func skipValue() throws(ReadError) {
    skipSpace()
    switch p.byte {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"):
      try descend()
      p += 1
      if !take(UInt8(ascii: "}")) {
        repeat {
          skipSpace()
          guard p.byte == UInt8(ascii: "\"") else { throw error(.syntax) }
          try skipString()
          guard take(UInt8(ascii: ":")) else { throw error(.syntax) }
          try skipValue()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error(.syntax) }
      }
      depth -= 1
    case UInt8(ascii: "["): try forEachElement { reader throws(ReadError) in try reader.skipValue() }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
    case UInt8(ascii: "n"): guard takeJSONNull() else { throw error(.syntax) }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
    default: throw error(.syntax)
    }
  }

  @inline(__always) mutating func skipString() throws(ReadError) {
    let q = (p + 1).endOfPlainRun
    if q.byte == UInt8(ascii: "\""), q < end { p = q + 1 } else { p = try endOfString(q) + 1 }
  }

  @inline(__always) mutating func descend() throws(ReadError) {
    depth += 1
    guard depth <= maximumDepth else { throw error(.tooDeep) }
  }

  /// Passes an object; `body` passes the value of each member.
  @inline(__always) mutating func forEachMember(
    _ body: (inout ObjectReader, String) throws(ReadError) -> Void
  ) throws(ReadError) {
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
    _ body: (inout ObjectReader) throws(ReadError) -> Void
  ) throws(ReadError) {
    guard take(UInt8(ascii: "[")) else { throw mismatch(.expectedList) }
    try descend()
    if !take(UInt8(ascii: "]")) {
      repeat { try body(&self) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw error(.syntax) }
    }
    depth -= 1
  }

  /// A byte order mark is no JSON, but some servers send it.
  mutating func skipByteOrderMark() {
    if p[0] == 0xef, p[1] == 0xbb, p[2] == 0xbf { p += 3 }
  }

  mutating func expectEnd() throws(ReadError) {
    skipSpace()
    guard p >= end else { throw error(.trailingBytes) }
  }
}
