/// A regular expression that is compiled once, because that takes much longer than to look for it in a word.
struct Pattern: Sendable {
  // Safe: a regular expression of a text calls no code of others, and looking for it does not change it.
  /// nil if the text is not a regular expression.
  nonisolated(unsafe) private let regex: Regex<AnyRegexOutput>?

  init(_ text: String, ignoresCase: Bool = false) {
    let regex: Regex<AnyRegexOutput>? = try? Regex(text)
    self.regex = ignoresCase ? regex?.ignoresCase() : regex
  }

  /// Where the expression matches a part of a word first; nil if it matches none.
  func firstMatch(in word: String) -> Regex<AnyRegexOutput>.Match? {
    guard let regex else { return nil }
    return try? regex.firstMatch(in: word)
  }

  /// All matches in a word, from its start to its end.
  func matches(in word: String) -> [Regex<AnyRegexOutput>.Match] {
    guard let regex else { return [] }
    return word.matches(of: regex)
  }
}
