/// A value that can be written as JSON.
public protocol JSONWritable: Sendable {
  func write(to writer: inout JSONWriter)
}

/// A value of a GraphQL input type: a scalar, an enum, an input object, or a list of them.
public protocol InputValue: JSONWritable {}

/// Writes JSON: the variables of an operation, or a selection set as the response it came from.
///
/// The output is deterministic: members stand in the order of the schema or of the document.
public struct JSONWriter {
  package internal(set) var bytes: [UInt8] = []
  var objects: [OpenObject] = []
  /// Where the value of each member of the outermost object is.
  var topLevelRanges: [String: Range<Int>] = [:]

  public init() {}

  /// The text written so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Scalars

  public mutating func writeNull() { append("null") }

  public mutating func write(_ value: Bool) { append(value ? "true" : "false") }

  public mutating func write(_ value: Int) {
    var value = value
    if value >= 0, value < 10 { return bytes.append(0x30 + UInt8(value)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      let isNegative = value < 0
      repeat {
        start -= 1
        digits[start] = 0x30 + UInt8((value % 10).magnitude)
        value /= 10
      } while value != 0
      if isNegative {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: digits[start...])
    }
  }

  /// Writes the shortest text that reads back as the same number; null for what JSON has no number for.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return writeNull() }
    if let integer = Int(exactly: value), integer.magnitude < 1 << 53, integer != 0 || value.sign == .plus {
      write(integer)
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  public mutating func write(_ value: String) {
    var value = value
    value.withUTF8 { writeString($0) }
  }

  /// Writes text that is JSON already.
  public mutating func writeRaw(_ json: some Sequence<UInt8>) { bytes.append(contentsOf: json) }

  @usableFromInline mutating func writeString(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: text[start..<index])
      writeEscape(byte)
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      append("u00")
      let digits: StaticString = "0123456789abcdef"
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  // MARK: Lists

  @inlinable public mutating func writeList<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    openList()
    for (index, element) in elements.enumerated() {
      if index > 0 { comma() }
      write(&self, element)
    }
    closeList()
  }

  @usableFromInline mutating func openList() { bytes.append(UInt8(ascii: "[")) }
  @usableFromInline mutating func comma() { bytes.append(UInt8(ascii: ",")) }
  @usableFromInline mutating func closeList() { bytes.append(UInt8(ascii: "]")) }
}
