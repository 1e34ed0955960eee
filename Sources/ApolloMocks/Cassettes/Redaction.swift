import Foundation
import GraphQLExecution

/// Takes secrets out of what is written into a file.
struct Redaction: Sendable {
  let names: SecretNames

  private static let redacted = "REDACTED"

  /// A value in which each secret is replaced by a value of its kind, so that it can be read as before.
  func value(_ value: GraphQLValue) -> GraphQLValue { self.value(value, isSecret: false) }

  private func value(_ value: GraphQLValue, isSecret: Bool) -> GraphQLValue {
    switch value {
    case .list(let elements): .list(elements.map { self.value($0, isSecret: isSecret) })
    case .object(let members):
      .object(
        GraphQLValue.Object(
          members.map { name, value in
            (name, self.value(value, isSecret: isSecret || names.contains(name)))
          }))
    case .string(let text): .string(isSecret ? Self.redacted : text.contains("://") ? query(in: text) : text)
    case .int, .double: isSecret ? 0 : value
    case .null, .bool, .opaque: value
    }
  }

  /// A text without the values of the secret items in the queries of addresses.
  func query(in text: String) -> String {
    text.replacing(/([?&#])([^?&#=\s"'<>]+)=([^&#\s"'<>]+)/) { match -> String in
      let name = String(match.2)
      guard names.contains(name.removingPercentEncoding ?? name) else { return String(match.0) }
      return "\(match.1)\(name)=\(Self.redacted)"
    }
  }

  /// A body without secrets: JSON, or a text with JSON in it, such as the parts of a response.
  ///
  /// - Returns: nil if a pair with a secret name is in the text, but not in an object that can be read.
  func body(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    if let json = self.json(bytes[...]) { return json }
    var parts: [String] = [], start = 0, index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), let end = JSONBalance.end(in: bytes[index...]),
        let json = self.json(bytes[index..<end])
      {
        guard let plain = self.plain(bytes[start..<index]) else { return nil }
        parts += [plain, json]
        start = end
        index = end
      } else {
        index += 1
      }
    }
    return plain(bytes[start...]).map { (parts + [$0]).joined() }
  }

  /// JSON without secrets, as it was written if there are none; nil for what is not JSON.
  private func json(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let value = try? GraphQLValue(json: bytes) else { return nil }
    let redacted = self.value(value)
    return redacted == value ? String(decoding: bytes, as: UTF8.self) : redacted.text
  }

  private func plain(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let hasSecret = text.matches(of: /"((?:[^"\\]|\\.)*)"\s*:/).contains { names.contains(String($0.1)) }
    return hasSecret ? nil : text.contains("://") ? query(in: text) : text
  }
}
