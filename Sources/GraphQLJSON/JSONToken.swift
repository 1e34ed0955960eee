/// A token of JSON, and where it stands.
struct JSONToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case beginObject, endObject, beginArray, endArray, colon, comma
    case string, number, `true`, `false`, null
    /// The end of the text.
    case end
    /// Something that begins no token of JSON. Its range is empty, and nothing is read behind it.
    case unknown
  }

  let kind: Kind
  /// In UTF-8 bytes from the beginning of the text. The range of a string has its quotation marks.
  let range: Range<Int>
}
