/// The variables of one execution, as JSON.
public struct Variables: Hashable, Sendable {
  /// A JSON object. Variables without a value are absent.
  public let json: [UInt8]
  private let ranges: [String: Range<Int>]

  package init(json: [UInt8], ranges: [String: Range<Int>]) {
    self.json = json
    self.ranges = ranges
  }

  init(_ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.writeObject(write)
    self.init(json: writer.bytes, ranges: writer.topLevelRanges)
  }

  /// Variables of an operation whose type is not known, as `JSONSerialization` or a dictionary literal gives them.
  ///
  /// ``JSONNull`` stands for null. What is no JSON is null, too.
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
    self.init(json: writer.bytes, ranges: ranges)
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

extension Variables: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.writeRaw(json) }
}
