/// Names as the generators of Apollo iOS 0.x made them: words in camel case, so that an acronym is a word like any
/// other.
enum LegacyNames {
  /// `airDate` for `air_date`, `salesforceId` for `salesforceID`.
  static func camelCased(_ name: String) -> String {
    converted(name) { index, word in index == 0 ? word : capitalized(word) }
  }

  /// `SearchWorksById` for `searchWorksByID`.
  static func pascalCased(_ name: String) -> String {
    converted(name) { _, word in capitalized(word) }
  }

  /// (A word such as `1st` begins with a digit, and stays.)
  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  /// Underscores at both ends stay: `_id` and `id` are two fields.
  private static func converted(_ name: String, _ word: (Int, String) -> String) -> String {
    let words = words(name)
    guard !words.isEmpty else { return name }
    let leading = name.prefix { $0 == "_" }, trailing = name.reversed().prefix { $0 == "_" }
    return leading + words.enumerated().map { word($0, $1.lowercased()) }.joined() + String(trailing)
  }

  /// `URL`, `Of`, `2`, `Items` of `URLOf2_Items`.
  private static func words(_ name: String) -> [String] {
    let ordinal = /[0-9]*(?:1st|2nd|3rd|(?![123])[0-9]th)(?=[A-Z_]|$)/
    let word = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/
    var words: [String] = []
    var rest = Substring(name)
    while !rest.isEmpty {
      if let match = (try? ordinal.prefixMatch(in: rest)) ?? (try? word.prefixMatch(in: rest)) {
        words.append(String(match.output))
        rest = rest[match.range.upperBound...]
      } else {
        rest.removeFirst()
      }
    }
    return words
  }
}
