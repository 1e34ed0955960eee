/// The members of a JSON object as ranges of its text: an envelope can be opened while what is in it stays text.
package struct JSONMembers: Sendable {
  package let bytes: ResponseBytes
  private var ranges: [String: Range<Int>] = [:]

  /// Checks the grammar of the whole object (RFC 8259).
  package init(_ bytes: ResponseBytes) throws(ResponseDecodingError) {
    self.bytes = bytes
    var reader = __ObjectReader(bytes, mode: .json)
    do throws(__ReadError) {
      if let offset = bytes.firstInvalidUTF8() { throw __ReadError(.invalidUTF8, offset: offset) }
      var ranges: [String: Range<Int>] = [:]
      try reader.readEnvelope { reader, name throws(__ReadError) in
        let start = reader.p - reader.base
        try reader.skipValue()
        ranges[name] = start..<(reader.p - reader.base)
      }
      self.ranges = ranges
    } catch {
      throw reader.describe(error)
    }
  }

  /// The names of the members, sorted.
  package var names: [String] { ranges.keys.sorted() }

  /// The text of a member; nil if there is none of that name.
  package func text(of name: String) -> ResponseBytes? {
    ranges[name].map { ResponseBytes(bytes, $0) }
  }

  /// The value of a member; nil if there is none of that name.
  package func value(of name: String) -> JSONValue? {
    text(of: name).flatMap { try? ResponseReader.jsonValue($0) }
  }
}
