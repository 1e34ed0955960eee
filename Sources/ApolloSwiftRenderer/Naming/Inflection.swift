/// The singular of the last word of a name: a list of `friends` has elements of type `Friend`.
public struct Inflection: Sendable {
  private var singulars: [String: String]
  private var uncountable: Set<String>
  private var rules: [Rule]

  /// A regular expression for plurals.
  public struct Rule: Sendable {
    /// It has been checked.
    public var pattern: String
    /// The singular, with `$1` for what the first group matched.
    public var replacement: String

    public init(pattern: String, replacement: String) {
      self.pattern = pattern
      self.replacement = replacement
    }
  }

  /// - Parameters:
  ///   - irregular: Singulars of plurals that no rule covers, besides the built-in ones.
  ///   - uncountable: Words that stay as they are, besides the built-in ones.
  ///   - rules: Tried before the built-in ones, in order.
  public init(irregular: [String: String] = [:], uncountable: Set<String> = [], rules: [Rule] = []) {
    self.rules = rules
    singulars = Self.irregular.merging(irregular.map { ($0.lowercased(), $1.lowercased()) }) { $1 }
    self.uncountable = Self.uncountable.union(uncountable.map { $0.lowercased() })
  }

  public func singular(_ name: String) -> String {
    let start = lastWord(of: name)
    let word = String(name[start...])
    guard let singular = singularWord(word.lowercased()), singular != word.lowercased() else { return name }
    // Only the end changes, so that the case of the rest stays.
    let common = zip(word.lowercased(), singular).prefix { $0 == $1 }.count
    return String(name[..<start]) + String(word.prefix(common)) + String(singular.dropFirst(common))
  }

  private func singularWord(_ word: String) -> String? {
    if uncountable.contains(word) { return nil }
    if let singular = singulars[word] { return singular }
    for rule in rules {
      if let singular = rule.apply(to: word) { return singular }
    }
    for rule in Self.suffixes where word.hasSuffix(rule.suffix) && word.count > rule.suffix.count {
      return word.dropLast(rule.suffix.count) + rule.replacement
    }
    return nil
  }

  private func lastWord(of name: String) -> String.Index {
    var index = name.endIndex
    while index > name.startIndex {
      let before = name.index(before: index)
      if name[before] == "_" { return index }
      if name[before].isUppercase, index < name.endIndex, !name[index].isUppercase { return before }
      index = before
    }
    return index
  }

  /// The first rule that fits is taken.
  private static let suffixes: [(suffix: String, replacement: String)] = [
    ("ss", "ss"), ("us", "us"), ("is", "is"), ("news", "news"), ("series", "series"), ("species", "species"),
    ("ies", "y"), ("sses", "ss"), ("shes", "sh"),
    ("ches", "ch"), ("xes", "x"), ("zzes", "zz"), ("tuses", "tus"), ("ruses", "rus"), ("uses", "use"),
    ("oes", "o"), ("s", ""),
  ]

  private static let irregular = [
    "aliases": "alias", "analyses": "analysis", "axes": "axis", "bases": "base", "buses": "bus", "caches": "cache",
    "children": "child", "cookies": "cookie", "crises": "crisis", "criteria": "criterion", "feet": "foot",
    "geese": "goose", "halves": "half", "indices": "index", "indexes": "index", "knives": "knife", "leaves": "leaf",
    "lives": "life",
    "matrices": "matrix", "men": "man", "mice": "mouse", "movies": "movie", "people": "person", "pies": "pie",
    "quizzes": "quiz", "selves": "self", "shelves": "shelf", "shoes": "shoe", "teeth": "tooth", "theses": "thesis",
    "thieves": "thief",
    "ties": "tie", "vertices": "vertex", "wives": "wife", "wolves": "wolf", "women": "woman", "zombies": "zombie",
  ]

  private static let uncountable: Set = [
    "analytics", "credentials", "data", "equipment", "fish", "information", "media", "metadata", "money", "news",
    "rice",
    "series", "sheep", "species", "stats", "status",
  ]
}

extension Inflection.Rule {
  fileprivate func apply(to word: String) -> String? {
    guard let regex = try? Regex(pattern).ignoresCase(), let match = word.firstMatch(of: regex) else { return nil }
    var text = "", isEscaped = false
    for character in replacement {
      if character == "$" || character == "\\" {
        isEscaped = true
      } else if isEscaped, let group = character.wholeNumberValue {
        if group < match.output.count { text += match.output[group].substring.map(String.init) ?? "" }
        isEscaped = false
      } else {
        text.append(character)
        isEscaped = false
      }
    }
    return word.replacingCharacters(in: match.range, with: text)
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
