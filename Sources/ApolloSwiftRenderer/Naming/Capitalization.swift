/// How words in names are capitalized: with a rule that writes `url` in capitals, `userUrl` becomes `userURL`.
///
/// Rules apply to properties, cases, parameters, operations and fragments, and not to types of the schema and nested
/// types, as in Apollo iOS 2.4. A name stays as it is if the rules would make a text of it that is not a name.
public struct Capitalization: Sendable {
  /// The words to which a rule applies.
  public enum Term: Sendable {
    /// A word, in any capitalization.
    case word(String)
    /// A regular expression that matches a word, or a part of it. It is known to be valid.
    case pattern(String)
  }

  /// How a rule writes a word.
  public enum Strategy: Sendable {
    /// The word in upper case, if its first letter is: `id` at the beginning of `idToken` stays.
    case upper
    /// The word in lower case. Only its first letter is in upper case if another word stands before it.
    case lower
    /// Another text in place of the word.
    case replace(String)
  }

  /// The rules. Each is applied to what the ones before it have made of the words.
  public var rules: [(term: Term, strategy: Strategy)] = [] {
    didSet {
      for case (.pattern(let text), _) in rules where patterns[text] == nil { patterns[text] = Pattern(text) }
    }
  }

  /// The regular expressions of the rules, by their texts.
  private var patterns: [String: Pattern] = [:]

  /// Makes a capitalization without rules.
  public init() {}

  /// The name of an operation or a fragment, such as `URLRequest`. It begins in upper case.
  func type(_ name: String) -> String {
    Identifier.uppercasedFirst(apply(to: Identifier.uppercasedFirst(name)))
  }

  /// The name of a member, such as `baseURL`.
  func apply(to name: String) -> String {
    guard !rules.isEmpty else { return name }
    var words = Self.words(name)
    for (term, strategy) in rules {
      words = words.map { matches(term, $0) ? Self.apply(strategy, to: $0) : $0 }
    }
    let result = (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    // A text such as `2nd` may stand in a name, and not at its beginning.
    return Identifier.isName(result) ? result : name
  }

  private func matches(_ term: Term, _ word: String) -> Bool {
    switch term {
    case .word(let text): word.lowercased() == text.lowercased()
    case .pattern(let text): patterns[text]?.firstMatch(in: word) != nil
    }
  }

  private static func apply(_ strategy: Strategy, to word: String) -> String {
    switch strategy {
    case .upper: word.first?.isUppercase == true ? word.uppercased() : word
    case .lower: word.lowercased()
    case .replace(let text): text
    }
  }

  /// The words of a name: `user` and `Url` for `userUrl`, `XML` and `Parser` for `XMLParser`.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var previous: Character?
    for index in name.indices {
      let character = name[index], rest = name[index...].dropFirst()
      let endsAcronym = previous?.isUppercase == true && rest.first?.isLowercase == true
      let startsWord = character.isUppercase && (previous?.isLowercase == true || endsAcronym)
      if startsWord || words.isEmpty { words.append("") }
      words[words.count - 1].append(character)
      previous = character
    }
    return words
  }
}
