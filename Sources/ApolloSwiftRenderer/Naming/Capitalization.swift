/// How words in names are capitalized: with a rule that writes `url` in capitals, `userUrl` becomes `userURL`.
///
/// A name stays as it is if the rules would make a text of it that is not a name.
public struct Capitalization: Sendable {
  /// The words to which a rule applies.
  public enum Term: Sendable {
    /// A word, in any capitalization.
    case word(String)
    /// A regular expression that matches a whole word. It is known to be valid.
    case pattern(String)
  }

  /// How a rule writes a word.
  public enum Strategy: Sendable {
    /// The word in upper case or in lower case.
    case upper, lower
    /// Another text in place of the word.
    case replace(String)
  }

  /// The rules, in order. The first rule that applies to a word is used.
  public var rules: [(term: Term, strategy: Strategy)] = []

  /// Makes a capitalization without rules.
  public init() {}

  /// The name of a type, such as `URLRequest`.
  func type(_ name: String) -> String { apply(to: name, keepsFirst: false) }

  /// The name of a property, such as `urlRequest` or `baseURL`: the first word begins in lower case.
  func property(_ name: String) -> String { apply(to: name, keepsFirst: true) }

  private func apply(to name: String, keepsFirst: Bool) -> String {
    guard !rules.isEmpty else { return name }
    let result = Self.words(name).enumerated().map { index, word in
      for (term, strategy) in rules where Self.matches(term, word) {
        switch strategy {
        case .lower: return word.lowercased()
        case .upper: return keepsFirst && index == 0 ? word.lowercased() : word.uppercased()
        case .replace(let text): return keepsFirst && index == 0 ? Identifier.lowercasedFirst(text) : text
        }
      }
      return word
    }.joined()
    // A text such as `2nd` may stand in a name, and not at its beginning.
    return Identifier.isName(result) ? result : name
  }

  private static func matches(_ term: Term, _ word: String) -> Bool {
    switch term {
    case .word(let text): word.lowercased() == text.lowercased()
    case .pattern(let pattern): (try? Regex(pattern).wholeMatch(in: word)) != nil
    }
  }

  /// The words of a name: `user` and `Url` for `userUrl`. Each underscore is a word.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    for character in name {
      let startsWord = character == "_" || character.isUppercase && words.last?.last?.isUppercase != true
      if startsWord || words.isEmpty || words.last == "_" {
        words.append(String(character))
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}
