/// Names of the schema as Swift identifiers.
package enum Identifier {
  /// With backticks where Swift needs them.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A property in an expression, with `self.` if a local name may hide it.
  static func member(_ name: String) -> String {
    (ReservedNames.locals.contains(name) ? "self." : "") + escaped(name)
  }

  /// The label of an argument in a call, where most keywords need no backticks.
  static func label(_ name: String) -> String {
    ["_", "inout"].contains(name) ? "`\(name)`" : name
  }

  /// A property: the first letter in lower case, or all of an acronym.
  static func property(_ name: String) -> String {
    name.contains(where: \.isLowercase) ? lowercasedFirst(name) : name.lowercased()
  }

  /// `NEW_HOPE` as `newHope`, `Large` as `large`, `SIZE_2XL` as `size2Xl`.
  ///
  /// The names are those that Apollo iOS 1 gives: an underscore at the beginning, at the end, or before another one
  /// stays, and a letter after a digit begins a word.
  static func camelCased(_ name: String) -> String {
    guard name.contains("_"), name.contains(where: \.isLetter) else { return property(name) }
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return lowercasedFirst(words.map { $0.isEmpty ? "_" : capitalized($0) }.joined())
  }

  /// Each letter in lower case, unless it is the first one or follows a character that is not a letter.
  static func capitalized(_ word: some StringProtocol) -> String {
    var isInWord = false
    return word.reduce(into: "") { result, character in
      result += isInWord ? character.lowercased() : character.uppercased()
      isInWord = character.isLetter
    }
  }

  /// A type: the first letter in upper case, also after underscores.
  package static func uppercasedFirst(_ name: String) -> String { changingFirstLetter(of: name) { $0.uppercased() } }

  /// A type with a name of the configuration. A word that says something else where a type is mentioned begins in upper
  /// case; other names stay.
  static func type(_ name: String) -> String {
    keywords.contains(name) || wordsBeforeTypes.contains(name) ? uppercasedFirst(name) : name
  }

  /// The first letter in lower case, also after underscores.
  static func lowercasedFirst(_ name: String) -> String { changingFirstLetter(of: name) { $0.lowercased() } }

  private static func changingFirstLetter(of name: String, _ change: (Character) -> String) -> String {
    guard let index = name.firstIndex(where: \.isLetter) else { return name }
    return name[..<index] + change(name[index]) + name[name.index(after: index)...]
  }

  /// Whether a text can be a name in Swift, if need be in backticks.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart) && text.unicodeScalars.allSatisfy(isPart)
  }

  /// Whether a text can be a part of a name in Swift.
  package static func isPartOfName(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isPart) }

  /// Whether a text can be the path of a module: names with dots between them.
  package static func isPath(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { isName(String(Substring($0))) }
  }

  /// Whether Swift takes a scalar for a part of a name. Joiners, which are not seen, are refused.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue && scalar.properties.generalCategory != .format
  }

  /// Words that are a part of a type, and need no backticks elsewhere.
  private static let wordsBeforeTypes: Set = ["any", "async", "each", "some"]

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
