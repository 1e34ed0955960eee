/// What can be sent as a header field: [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#name-fields).
enum HeaderRule {
  /// Checks a header field. A message has no value, and no name that is wrong: both may be a credential.
  static func check(name: String, value: String) throws(DownloadFailure) {
    guard !name.isEmpty else { throw DownloadFailure("A header has no name.") }
    if let wrong = name.unicodeScalars.first(where: { !isOfName($0) }) {
      let hex = String(wrong.value, radix: 16, uppercase: true)
      let code = String(repeating: "0", count: max(4 - hex.count, 0)) + hex
      throw DownloadFailure("The name of a header has the character U+\(code), which no name has.")
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw DownloadFailure("The value of the header \"\(name)\" has a line break or another control character.")
    }
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
    }
  }
}
