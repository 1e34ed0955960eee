/// A value that can be written as JSON.
public protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

/// A value of a GraphQL input type: a scalar, an enum, an input object, or a list of them.
public protocol InputValue: JSONWritable, Sendable {}

/// Writes JSON: the variables of an operation, or a selection set as the response it came from.
///
/// The output is deterministic: members stand in the order of the schema or of the document.
public struct JSONWriter: ~Copyable {
  var output = JSONBuffer()
  var object = OpenObject()
  var outerObjects: [OpenObject] = []
  /// Where the value of each member of the outermost object is.
  var topLevelRanges: [String: Range<Int>] = [:]
  /// A type of which a value had to be written that it has no JSON for; null was written in its place.
  package internal(set) var unwritableType: (any Any.Type)?

  /// What is being written as it was before: tells which of two copies of a field was changed.
  let baseline: [UInt8]

  /// Decide whether a field with `@include` or `@skip` that is nil is absent or null.
  private(set) var variables: Variables?

  public init() { baseline = [] }

  package init(baseline: [UInt8]) { self.baseline = baseline }

  /// - Parameter variables: Those of the operation. Without them, fields with `@include` or `@skip` that are nil are
  ///   left out, also where the server sent null for them.
  public init(variables: Variables) {
    baseline = []
    self.variables = variables
  }

  /// What was written so far.
  public var bytes: [UInt8] { Array(output.bytes) }

  public var text: String { String(decoding: output.bytes, as: UTF8.self) }

  // MARK: Scalars

  public mutating func writeNull() { append("null") }

  public mutating func write(_ value: Bool) { append(value ? "true" : "false") }

  public mutating func write(_ value: Int) {
    if value >= 0, value < 10 { return output.append(0x30 + UInt8(value)) }
    // From the last digit to the first, in room for the longest number and its sign.
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { room in
      var start = room.count, rest = value.magnitude
      repeat {
        start -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        room[start] = 0x30 + UInt8(digit)
        rest = quotient
      } while rest != 0
      if value < 0 {
        start -= 1
        room[start] = UInt8(ascii: "-")
      }
      output.append(UnsafeBufferPointer(rebasing: room.bindMemory(to: UInt8.self)[start...]))
    }
  }

  /// Writes the shortest text that reads back as the same number; null for what JSON has no number for.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return writeNull() }
    if let integer = Int(exactly: value), integer.magnitude < 1 << 53, integer != 0 || value.sign == .plus {
      write(integer)
    } else {
      var text = value.description
      text.withUTF8 { output.append($0) }
    }
  }

  public mutating func write(_ value: String) {
    var value = value
    value.withUTF8 { writeString($0) }
  }

  /// Writes text that is JSON already.
  public mutating func writeRaw(_ json: some Sequence<UInt8>) {
    for byte in json { output.append(byte) }
  }

  /// Writes a part of a text that is JSON already.
  mutating func writeRaw(_ json: ResponseBytes, _ range: Range<Int>) {
    output.append(json.start + range.lowerBound, range.count)
    withExtendedLifetime(json) {}
  }

  /// Copies the text first and looks for what must be escaped afterwards, in the copy: words may be loaded from there.
  @usableFromInline mutating func writeString(_ text: UnsafeBufferPointer<UInt8>) {
    let start = output.appendQuoted(text)
    let end = UnsafePointer(output.start) + (output.count - 1)
    let run = plainRun(UnsafePointer(output.start) + start)
    if run < end { escape(text, from: run - UnsafePointer(output.start) - start, start) }
  }

  /// Writes the text once more, from its first byte that must be escaped.
  @inline(never) private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, from first: Int, _ start: Int) {
    output.truncate(to: start + first)
    for byte in text[first...] {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      output.append(UInt8(ascii: "\\"))
      switch byte {
      case 0x0a: output.append(UInt8(ascii: "n"))
      case 0x0d: output.append(UInt8(ascii: "r"))
      case 0x09: output.append(UInt8(ascii: "t"))
      case 0x08: output.append(UInt8(ascii: "b"))
      case 0x0c: output.append(UInt8(ascii: "f"))
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
      default:
        append("u00")
        let digits: StaticString = "0123456789abcdef"
        output.append(digits.utf8Start[Int(byte >> 4)])
        output.append(digits.utf8Start[Int(byte & 15)])
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  mutating func append(_ text: StaticString) { output.append(text.utf8Start, text.utf8CodeUnitCount) }

  // MARK: Lists

  @inlinable public mutating func writeList<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    openList()
    var isFirst = true
    for element in elements {
      if !isFirst { comma() }
      isFirst = false
      write(&self, element)
    }
    closeList()
  }

  @usableFromInline mutating func openList() { output.append(UInt8(ascii: "[")) }
  @usableFromInline mutating func comma() { output.append(UInt8(ascii: ",")) }
  @usableFromInline mutating func closeList() { output.append(UInt8(ascii: "]")) }
}
