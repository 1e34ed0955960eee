/// Names of the schema as Swift identifiers.
enum Identifier {
  /// With backticks where Swift needs them.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The label of an argument in a call, where most keywords need no backticks.
  static func label(_ name: String) -> String {
    ["_", "inout"].contains(name) ? "`\(name)`" : name
  }

  /// A property: the first letter in lower case, or all of an acronym.
  static func property(_ name: String) -> String {
    name.contains(where: \.isLowercase) ? lowercasedFirst(name) : name.lowercased()
  }

  /// `NEW_HOPE` as `newHope`, `Large` as `large`.
  static func camelCased(_ name: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    let leading = String(name.prefix { $0 == "_" })
    guard let first = words.first else { return name }
    guard words.count > 1 else { return leading + property(first) }
    return leading + first.lowercased()
      + words.dropFirst().map { uppercasedFirst($0.contains(where: \.isLowercase) ? $0 : $0.lowercased()) }.joined()
  }

  static func uppercasedFirst(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// A type: the first letter in upper case, also after underscores.
  static func type(_ name: String) -> String {
    let underscores = name.prefix { $0 == "_" }
    return underscores + uppercasedFirst(String(name.dropFirst(underscores.count)))
  }

  static func lowercasedFirst(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  /// Words that need backticks as the name of a member, a parameter or a type.
  private static let keywords: Set = [
    "Any", "Protocol", "Self", "Type", "_", "as", "associatedtype", "await", "break", "case", "catch", "class",
    "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
