/// The variables of one execution, as JSON.
public struct Variables: Hashable, Sendable {
  /// A JSON object. Variables without a value are absent.
  public let json: [UInt8]
  private let ranges: [String: Range<Int>]
  /// Why one of them could not be written as JSON.
  package let failure: JSONEncodingError?

  package init(json: [UInt8], ranges: [String: Range<Int>], failure: JSONEncodingError? = nil) {
    self.json = json
    self.ranges = ranges
    self.failure = failure
  }

  init(_ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.writeObject(write)
    self.init(json: writer.bytes, ranges: writer.topLevelRanges, failure: writer.failure)
  }

  /// Variables of an operation whose type is not known, as `JSONSerialization` or a dictionary literal gives them.
  ///
  /// ``JSONNull`` stands for null. An operation with a value that is no JSON cannot be sent.
  public init(_ values: JSONObject) {
    var writer = JSONWriter()
    var ranges: [String: Range<Int>] = [:]
    writer.writeRaw("{".utf8)
    for name in values.keys.sorted() {
      if !ranges.isEmpty { writer.writeRaw(",".utf8) }
      writer.write(name)
      writer.writeRaw(":".utf8)
      let start = writer.bytes.count
      writer.writeJSON(values[name] ?? JSONNull())
      ranges[name] = start..<writer.bytes.count
    }
    writer.writeRaw("}".utf8)
    self.init(json: writer.bytes, ranges: ranges, failure: writer.failure)
  }

  public static let none = Variables(json: Array("{}".utf8), ranges: [:])

  public var isEmpty: Bool { ranges.isEmpty }

  /// The JSON of one variable; nil where it has no value.
  package subscript(name: String) -> ArraySlice<UInt8>? {
    ranges[name].map { json[$0] }
  }

  func isBoolean(_ value: Bool, _ name: String) -> Bool {
    self[name].map { $0.elementsEqual((value ? "true" : "false").utf8) } ?? false
  }
}

extension Variables {
  public static func == (lhs: Variables, rhs: Variables) -> Bool { lhs.json == rhs.json }

  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension Variables: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    if let failure { return writer.fail(failure) }
    writer.writeRaw(json)
  }
}
