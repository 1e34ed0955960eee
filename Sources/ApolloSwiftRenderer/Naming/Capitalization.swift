/// How words in names are capitalized: `userUrl` is `userURL` with a rule that writes `url` in capitals.
public struct Capitalization: Sendable {
  public enum Term: Sendable {
    /// A word, in any capitals.
    case word(String)
    /// A regular expression that matches a whole word. It has been checked.
    case pattern(String)
  }

  public enum Strategy: Sendable {
    case upper, lower
    case replace(String)
  }

  /// The first rule that fits a word is applied.
  public var rules: [(term: Term, strategy: Strategy)] = []

  public init() {}

  /// A type, such as `URLRequest`.
  func type(_ name: String) -> String { apply(to: name, keepsFirst: false) }

  /// A property, such as `urlRequest` or `baseURL`: the first word begins in lower case.
  func property(_ name: String) -> String { apply(to: name, keepsFirst: true) }

  private func apply(to name: String, keepsFirst: Bool) -> String {
    guard !rules.isEmpty else { return name }
    return Self.words(name).enumerated().map { index, word in
      for (term, strategy) in rules where Self.matches(term, word) {
        switch strategy {
        case .lower: return word.lowercased()
        case .upper: return keepsFirst && index == 0 ? word.lowercased() : word.uppercased()
        case .replace(let text): return keepsFirst && index == 0 ? Identifier.lowercasedFirst(text) : text
        }
      }
      return word
    }.joined()
  }

  private static func matches(_ term: Term, _ word: String) -> Bool {
    switch term {
    case .word(let text): word.lowercased() == text.lowercased()
    case .pattern(let pattern): (try? Regex(pattern).wholeMatch(in: word)) != nil
    }
  }

  /// `user`, `Url` of `userUrl`; underscores are words of their own.
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
