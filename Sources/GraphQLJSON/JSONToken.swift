/// A token of JSON, and where it stands.
package struct JSONToken: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case beginObject, endObject, beginArray, endArray, colon, comma
    case string, number, `true`, `false`, null
    /// The end of the text.
    case end
    /// Something that begins no token of JSON. Its range is empty, and nothing is read behind it.
    case unknown
  }

  package let kind: Kind
  /// In UTF-8 bytes from the beginning of the text. The range of a string has its quotation marks.
  package let range: Range<Int>
}
