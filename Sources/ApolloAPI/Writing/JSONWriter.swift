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
  /// Why a value could not be written; null was written in its place. The first one, if there are more.
  package internal(set) var failure: JSONEncodingError?

  /// Takes apart what is written, in place of text.
  var recorder: ModelRecorder?

  /// Decide whether a field with `@include` or `@skip` that is nil is absent or null.
  private(set) var variables: Variables?

  public init() {}

  /// - Parameter variables: Those of the operation. Without them, fields with `@include` or `@skip` that are nil are
  ///   left out, also where the server sent null for them.
  public init(variables: Variables) {
    self.variables = variables
  }

  /// What was written so far.
  public var bytes: [UInt8] { output.array }

  public var text: String { output.text }

  // MARK: Scalars

  public mutating func writeNull() {
    guard recorder == nil else { return record(.null) }
    output.append("null")
  }

  public mutating func write(_ value: Bool) {
    guard recorder == nil else { return record(.bool(value)) }
    output.append(value ? "true" : "false")
  }

  public mutating func write(_ value: Int) {
    guard recorder == nil else { return record(.int(value)) }
    if value >= 0, value < 10 { return output.append(0x30 + UInt8(value)) }
    output.append(decimal: value)
  }

  /// Writes null in place of a value that cannot be written, so that nothing can be made of the JSON.
  mutating func fail(_ error: JSONEncodingError) {
    if failure == nil { failure = error }
    writeNull()
  }

  /// Writes the shortest text that reads back as the same number. JSON has none for what is not finite: that cannot be sent.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return fail(.notFinite(value)) }
    guard recorder == nil else { return record(.double(value)) }
    if let integer = Int(exactly: value), integer.magnitude < 1 << 53, integer != 0 || value.sign == .plus {
      write(integer)
    } else {
      writeRaw(value.description.utf8)
    }
  }

  public mutating func write(_ value: String) {
    guard recorder == nil else { return record(.string(value)) }
    output.append(string: value)
  }

  /// Writes text that is JSON already.
  public mutating func writeRaw(_ json: some Sequence<UInt8>) {
    let start = output.count
    let isContiguous: Void? = json.withContiguousStorageIfAvailable { output.append($0) }
    if isContiguous == nil { for byte in json { output.append(byte) } }
    if recorder != nil { takeJSON(from: start) }
  }

  /// Writes a part of a text that is JSON already.
  mutating func writeRaw(_ json: ResponseBytes, _ range: Range<Int>) {
    output.append(json, range)
  }

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

  @usableFromInline mutating func openList() {
    if let recorder { recorder.openList() } else { output.append(UInt8(ascii: "[")) }
  }

  @usableFromInline mutating func comma() {
    if recorder == nil { output.append(UInt8(ascii: ",")) }
  }

  @usableFromInline mutating func closeList() {
    if let recorder { recorder.closeList() } else { output.append(UInt8(ascii: "]")) }
  }
}
