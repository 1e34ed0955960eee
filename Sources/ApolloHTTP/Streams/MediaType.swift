import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The value of a `Content-Type` field (RFC 9110, section 8.3.1): names and the type are in lower case.
struct MediaType: Hashable, Sendable {
  var type: String
  var parameters: [String: String] = [:]

  /// `multipart/mixed; boundary="-"`
  init(_ field: String) {
    // Bytes are compared, and not characters, because the type of every response is checked.
    var rest = Array(field.utf8)[...]
    type = Self.token(&rest, until: UInt8(ascii: ";")).asciiLowercased.text
    while rest.popFirst() == UInt8(ascii: ";") {
      let name = Self.token(&rest, until: UInt8(ascii: ";"), or: UInt8(ascii: "=")).asciiLowercased
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      rest = rest.drop(while: Self.isSpace)
      let value = rest.first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.token(&rest, until: UInt8(ascii: ";"))
      if parameters[name.text] == nil { parameters[name.text] = value.text }
    }
  }

  /// True for `application/json`, `text/json`, and every type that ends in `+json`.
  var isJSON: Bool { type == "application/json" || type == "text/json" || type.hasSuffix("+json") }

  /// Whether it is `application/graphql-response+json`, the type of GraphQL responses with any status (GraphQL over
  /// HTTP, section 6.4.2).
  var isGraphQLResponse: Bool { type == "application/graphql-response+json" }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func token(_ rest: inout ArraySlice<UInt8>, until first: UInt8, or second: UInt8? = nil) -> ArraySlice<
    UInt8
  > {
    let end = rest.firstIndex { $0 == first || $0 == second } ?? rest.endIndex
    var token = rest[..<end].drop(while: isSpace)
    while let last = token.last, isSpace(last) { token.removeLast() }
    rest = rest[end...]
    return token
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    rest.removeFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    rest = rest.drop { $0 != UInt8(ascii: ";") }
    return value[...]
  }
}

extension ArraySlice<UInt8> {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }

  fileprivate var asciiLowercased: ArraySlice<UInt8> {
    ArraySlice(map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 })
  }
}

extension HTTPURLResponse {
  /// The media type of the body; nil if the server does not name one.
  var mediaType: MediaType? { value(forHTTPHeaderField: "Content-Type").map(MediaType.init) }

  var isSuccess: Bool { (200..<300).contains(statusCode) }

  /// Whether the body comes in parts.
  var isStream: Bool {
    // This is checked for every response, so the field is parsed only if it may name such a type.
    guard isSuccess, let field = value(forHTTPHeaderField: "Content-Type"),
      "mMtT \t".utf8.contains(field.utf8.first ?? 0)
    else { return false }
    let type = MediaType(field).type
    return type == "multipart/mixed" || type == "text/event-stream"
  }
}
