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
