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
    var rest = field[...]
    type = Self.token(&rest, until: ";").lowercased()
    while rest.popFirst() == ";" {
      let name = Self.token(&rest, until: ";=").lowercased()
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      rest = rest.drop { $0 == " " || $0 == "\t" }
      let value = rest.first == "\"" ? Self.quoted(&rest) : Self.token(&rest, until: ";")
      if parameters[name] == nil { parameters[name] = value }
    }
  }

  /// `application/json`, `application/graphql-response+json`, and everything else that says it is JSON.
  var isJSON: Bool { type == "application/json" || type == "text/json" || type.hasSuffix("+json") }

  /// A GraphQL response, whatever the status (GraphQL over HTTP, section 6.4.2).
  var isGraphQLResponse: Bool { type == "application/graphql-response+json" }

  private static func token(_ rest: inout Substring, until ends: String) -> String {
    let token = rest.prefix { !ends.contains($0) }
    rest = rest[token.endIndex...]
    return token.trimmingCharacters(in: .whitespaces)
  }

  private static func quoted(_ rest: inout Substring) -> String {
    rest.removeFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
    }
    rest = rest.drop { $0 != ";" }
    return value
  }
}

extension HTTPURLResponse {
  /// What the server says the body is; nil if it says nothing.
  var mediaType: MediaType? { value(forHTTPHeaderField: "Content-Type").map(MediaType.init) }

  var isSuccess: Bool { (200..<300).contains(statusCode) }

  /// A body that comes in parts.
  var isStream: Bool {
    guard isSuccess, let type = mediaType?.type else { return false }
    return type == "multipart/mixed" || type == "text/event-stream"
  }
}
