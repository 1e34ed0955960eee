/// The members of a JSON object as ranges of its text: an envelope can be opened while what is in it stays text.
package struct JSONMembers: Sendable {
  let bytes: ResponseBytes
  private var ranges: [String: Range<Int>] = [:]

  /// Checks the grammar of the whole object (RFC 8259).
  package init(_ bytes: ResponseBytes) throws(ResponseDecodingError) {
    self.bytes = bytes
    var cursor = JSONCursor(bytes, maximumDepth: JSONCursor.defaultMaximumDepth)
    do throws(__ReadError) {
      var ranges: [String: Range<Int>] = [:]
      try cursor.forEachMemberOfText { cursor, name throws(__ReadError) in ranges[name] = try cursor.rangeOfValue() }
      self.ranges = ranges
    } catch {
      throw cursor.describe(error)
    }
  }

  /// The names of the members, sorted.
  var names: [String] { ranges.keys.sorted() }

  /// The text of a member; nil if there is none of that name.
  package func text(of name: String) -> ResponseBytes? {
    ranges[name].map { ResponseBytes(bytes, $0) }
  }

  /// The value of a member; nil if there is none of that name.
  package func value(of name: String) -> JSONValue? {
    text(of: name).flatMap { try? JSONCursor.value(of: $0) }
  }
}
