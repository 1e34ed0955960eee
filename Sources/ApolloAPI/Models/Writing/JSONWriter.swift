/// A value that can be written as JSON.
public protocol __JSONWritable {
  /// Writes the value as JSON.
  func __write(to writer: inout __JSONWriter)
}

/// A number of Foundation, as a JSON value.
///
/// An app may make such a type a scalar that writes another form. So the number does not write itself: which of two
/// conformances a cast finds depends on the order of linking.
public protocol __JSONNumberConvertible: Sendable {
  /// The number; nil if it is not finite.
  var __jsonNumber: JSONNumber? { get }
}

/// A type of values for GraphQL input: a scalar, an enum, an input object, or a list of them.
public protocol __InputValue: __JSONWritable, Sendable {}

/// Writes JSON: the variables of an operation, or a selection set as the response it came from.
///
/// The output is deterministic: members are in the order of the schema or of the document.
public struct __JSONWriter: ~Copyable {
  var output = JSONBuffer()
  var object = OpenObject()
  var outerObjects: [OpenObject] = []
  /// Whether the variables of an operation are written, so that each of them is noted.
  var notesMembers = false
  /// The variables that were written.
  var writtenMembers: [Variables.Member] = []
  /// Why a value could not be written; null was written in its place. If there are several such values, the first one.
  package internal(set) var failure: JSONEncodingError?

  /// The errors that were written as null, in the order in which they came, and where in the text.
  var writtenErrors: [(error: GraphQLError, offset: Int)] = []

  /// Takes values without a form in JSON, where a model is made of values; nil: they cannot be written.
  var standIns: StandIns?

  /// Whether a `Double` is written with a fraction, `2.0`, so that the text is read back as a `Double`.
  var keepsFractions = false

  /// Records the written values, in place of writing text.
  var recorder: ModelRecorder?

  /// The variables, which decide whether a nil field with `@include` or `@skip` is absent or null.
  var variables: Variables?

  /// Makes an empty writer.
  public init() {}

  /// Makes an empty writer with room for so many bytes.
  package init(capacity: Int) { output.reserve(capacity) }

  /// Makes an empty writer that knows the variables of an operation. Without them, nil fields with `@include` or
  /// `@skip` are left out, even if the server sent null for them.
  ///
  /// - Parameter variables: The variables of the operation.
  public init(variables: Variables) {
    self.variables = variables
  }

  /// The JSON written so far, in UTF-8.
  public var bytes: [UInt8] { output.array }

  /// The JSON written so far.
  public var text: String { output.text }

  // MARK: Scalars

  /// Writes null.
  public mutating func writeNull() {
    guard recorder == nil else { return record(.null) }
    output.append("null")
  }

  /// Writes null in the place of a value that has an error, and keeps the error.
  public mutating func write(_ error: GraphQLError) {
    guard recorder == nil else { return record(.error(CachedError(error, suffix: []))) }
    writtenErrors.append((error, output.count))
    writeNull()
  }

  /// Writes `true` or `false`.
  public mutating func write(_ value: Bool) {
    guard recorder == nil else { return record(.bool(value)) }
    output.append(value ? "true" : "false")
  }

  /// Writes an integer.
  public mutating func write(_ value: Int) {
    guard recorder == nil else { return record(.int(value)) }
    append(Int64(value))
  }

  /// Writes an integer as a number, also one that an `Int` cannot hold.
  mutating func write(unsigned value: UInt64) {
    if let value = Int(exactly: value) { return write(value) }
    writeRaw(String(value).utf8)
  }

  @inline(__always) private mutating func append(_ value: Int64) {
    if value >= 0, value < 10 { return output.append(0x30 + UInt8(value)) }
    output.append(decimal: value)
  }

  /// Writes null in place of a value that cannot be written, and notes the error, so that the JSON is not used.
  mutating func fail(_ error: JSONEncodingError) {
    if failure == nil { failure = error }
    writeNull()
  }

  /// Writes the shortest text that reads back as an equal number. The writer fails for a number that is infinite or
  /// NaN.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return fail(.notFinite(value)) }
    guard recorder == nil else { return record(.double(value)) }
    if !keepsFractions, let integer = value.writtenInteger {
      append(integer)
    } else {
      writeRaw(value.description.utf8)
    }
  }

  /// Writes a string, with escapes where JSON needs them.
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

  /// Writes a list.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - write: Writes one element.
  @inlinable public mutating func writeList<Element>(
    _ elements: [Element], _ write: (inout __JSONWriter, Element) -> Void
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
