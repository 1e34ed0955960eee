/// The members of a JSON object as ranges of its text: an envelope can be opened while what is in it stays text.
package struct JSONMembers: Sendable {
  package let bytes: ResponseBytes
  private var ranges: [String: Range<Int>] = [:]

  /// Checks the grammar of the whole object (RFC 8259).
  package init(_ bytes: ResponseBytes) throws(ResponseDecodingError) {
    self.bytes = bytes
    var reader = ObjectReader(bytes: bytes.start, count: bytes.count, mode: .json, variables: .none)
    do throws(ReadError) {
      if let offset = bytes.firstInvalidUTF8() { throw ReadError(.invalidUTF8, offset: offset) }
      var ranges: [String: Range<Int>] = [:]
      try reader.readEnvelope { reader, name throws(ReadError) in
        let start = reader.p - bytes.start
        try reader.skipValue()
        ranges[name] = start..<(reader.p - bytes.start)
      }
      self.ranges = ranges
    } catch {
      throw reader.describe(error)
    }
    withExtendedLifetime(bytes) {}
  }

  /// The text of a member; nil if there is none of that name.
  package func text(of name: String) -> ResponseBytes? {
    ranges[name].map { range in
      ResponseBytes(UnsafeRawBufferPointer(start: bytes.start + range.lowerBound, count: range.count))
    }
  }

  /// The value of a member; nil if there is none of that name.
  package func value(of name: String) -> JSONValue? {
    text(of: name).flatMap { try? ResponseReader.jsonValue($0) }
  }
}

extension ResponseBytes {
  /// The bytes as text.
  package var text: String {
    defer { withExtendedLifetime(self) {} }
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
