/// Identifies an object of a mock: by its type and its key, or by the place where it stands if its type has no key.
struct ObjectID: Hashable, Sendable, CustomStringConvertible {
  var type: String
  var key: String

  /// The key of the root objects: those of queries, mutations and subscriptions.
  static let rootKey = "ROOT"

  var description: String { key == Self.rootKey ? type : "\(type):\(key)" }
}

/// The parts of a key as one text.
enum KeyText {
  static func join(_ parts: [String]) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    return parts.map { part in
      part.map { $0 == "+" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }.joined(separator: "+")
  }

  static func split(_ key: String, into count: Int) -> [String] {
    guard count > 1 else { return [key] }
    var parts = [""], isEscaped = false
    for character in key {
      if isEscaped || character != "\\" && character != "+" {
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        parts.append("")
      }
    }
    return parts
  }
}
