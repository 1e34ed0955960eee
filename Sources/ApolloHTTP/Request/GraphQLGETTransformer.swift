public import ApolloTransport
import ApolloAPI
public import Foundation

/// Writes the members of a request body into the query of a URL, for `GET` (GraphQL over HTTP, section 5.3).
public struct GraphQLGETTransformer {
  private let body: JSONEncodableDictionary
  private let url: URL

  /// Makes a transformer.
  ///
  /// - Parameters:
  ///   - body: The members of the request body.
  ///   - url: The address of the server. Its own query is kept.
  public init(body: JSONEncodableDictionary, url: URL) {
    self.body = body
    self.url = url
  }

  /// The address with the members in its query, after the query that it has already.
  ///
  /// The members are sorted by name. Strings are written as they are, all other values as JSON.
  ///
  /// - Returns: The address; nil if it cannot have a query, or if a member cannot be written as JSON.
  public func createGetURL() -> URL? { try? makeURL() }

  /// - Throws: ``JSONEncodingError`` for a value that JSON has no form for.
  func makeURL() throws -> URL? {
    let items = try body.sorted { $0.key < $1.key }.map { key, value in
      let text = try (value as? String) ?? String(decoding: Self.json(value), as: UTF8.self)
      return Self.encode(key) + "=" + Self.encode(text)
    }
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    let own = parts.percentEncodedQuery.map { $0.isEmpty ? [] : [$0] } ?? []
    let query = (own + items).joined(separator: "&")
    parts.percentEncodedQuery = query.isEmpty ? nil : query
    return parts.url
  }

  private static func json(_ value: JSONValue) throws(JSONEncodingError) -> [UInt8] {
    var writer = __JSONWriter()
    writer.writeJSON(value)
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }

  /// The bytes that may stand unescaped in the query of a URL (RFC 3986, section 3.4). `&`, `=`, `+`, `;` and `#` are
  /// not among them, because servers give them a meaning there.
  private static let unescaped: Set<UInt8> = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,/:?@".utf8)

  private static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count * 2)
    for byte in text.utf8 {
      if unescaped.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
