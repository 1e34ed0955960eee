/// What can be sent as a header field: [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#name-fields).
enum HeaderRule {
  /// Checks a header field. A value is never in a message: it may be a credential.
  static func check(name: String, value: String) throws(DownloadFailure) {
    guard !name.isEmpty else { throw DownloadFailure("A header has no name.") }
    guard name.utf8.allSatisfy(isOfName) else { throw DownloadFailure("\"\(name)\" is not the name of a header.") }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw DownloadFailure("The value of the header \"\(name)\" has a line break or another control character.")
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
