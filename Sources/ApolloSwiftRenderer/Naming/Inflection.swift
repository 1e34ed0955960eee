/// Finds the singular of the last word in a name: a list of `friends` has elements of type `Friend`.
public struct Inflection: Sendable {
  private var singulars: [String: String]
  private var uncountable: Set<String>
  private var rules: [Rule]

  /// A regular expression for plurals, and the singular for it.
  public struct Rule: Sendable {
    /// The regular expression. It is known to be valid.
    public var pattern: String { didSet { plural = Pattern(pattern, ignoresCase: true) } }
    /// The singular, with `$1` for the text that the first group matched.
    public var replacement: String
    fileprivate private(set) var plural: Pattern

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - pattern: The regular expression.
    ///   - replacement: The singular.
    public init(pattern: String, replacement: String) {
      self.pattern = pattern
      self.replacement = replacement
      plural = Pattern(pattern, ignoresCase: true)
    }
  }

  /// Makes an inflection with the built-in rules and further ones.
  ///
  /// - Parameters:
  ///   - irregular: Singulars by their plurals, for words that follow no rule. The default is none.
  ///   - uncountable: Words that have no other singular. The default is none.
  ///   - rules: Rules that are tried before the built-in ones, in order. The default is none.
  public init(irregular: [String: String] = [:], uncountable: Set<String> = [], rules: [Rule] = []) {
    self.rules = rules
    singulars = Self.irregular.merging(irregular.map { ($0.lowercased(), $1.lowercased()) }) { $1 }
    self.uncountable = Self.uncountable.union(uncountable.map { $0.lowercased() })
  }

  /// Texts that become a part of names, without what stands for a group of a regular expression.
  package var texts: [String] {
    singulars.values.sorted()
      + rules.map { $0.replacement.filter { $0 != "$" && $0 != "\\" } }
  }

  /// The name with its last word in the singular; the name itself if no rule applies, or if a rule makes a text of it
  /// that is not a name.
  public func singular(_ name: String) -> String {
    let start = lastWord(of: name)
    let word = String(name[start...])
    guard let singular = singularWord(word.lowercased()), singular != word.lowercased() else { return name }
    // Only the end changes, so that the capitalization of the rest stays.
    let common = zip(word.lowercased(), singular).prefix { $0 == $1 }.count
    let result = String(name[..<start]) + String(word.prefix(common)) + String(singular.dropFirst(common))
    return Identifier.isName(result) ? result : name
  }

  private func singularWord(_ word: String) -> String? {
    if uncountable.contains(word) { return nil }
    if let singular = singulars[word] { return singular }
    for rule in rules {
      if let singular = rule.apply(to: word) { return singular }
    }
    for ending in Self.endings where word.hasSuffix(ending.plural) {
      let stem = word.dropLast(ending.plural.count)
      guard let last = stem.last, !ending.notAfter.contains(last) else { continue }
      return stem + ending.singular
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

  // The rules of InflectorKit, by which Apollo iOS names types; they are those of Ruby on Rails. Apps use these names,
  // so even rules that are wrong in English are kept: `cooky` for `cookies`.

  /// Singulars of whole words.
  private static let irregular = [
    "people": "person", "men": "man", "women": "woman", "children": "child", "sexes": "sex", "moves": "move",
    "kine": "cow", "zombies": "zombie", "databases": "database", "quizzes": "quiz", "matrices": "matrix",
    "vertices": "vertex", "indices": "index", "oxen": "ox", "aliases": "alias", "alias": "alias",
    "statuses": "status", "status": "status", "octopi": "octopus", "octopus": "octopus", "viri": "virus",
    "virus": "virus", "crises": "crisis", "crisis": "crisis", "axes": "axis", "axis": "axis", "testes": "testis",
    "shoes": "shoe", "buses": "bus", "bus": "bus", "mice": "mouse", "lice": "louse", "movies": "movie",
    "series": "series", "hives": "hive", "news": "news", "bases": "basis", "basis": "basis", "theses": "thesis",
    "thesis": "thesis", "analyses": "analysis", "analysis": "analysis", "diagnoses": "diagnosis",
    "diagnosis": "diagnosis", "parentheses": "parenthesis", "parenthesis": "parenthesis",
    "prognoses": "prognosis", "prognosis": "prognosis", "synopses": "synopsis", "synopsis": "synopsis",
  ]

  /// Endings of words, of which the first that matches is used. An ending does not match after one of the letters in
  /// `notAfter`.
  private static let endings: [(plural: String, singular: String, notAfter: String)] = [
    ("oes", "o", ""), ("xes", "x", ""), ("ches", "ch", ""), ("sses", "ss", ""), ("shes", "sh", ""),
    ("quies", "quy", ""), ("ies", "y", "aeiouy"), ("lves", "lf", ""), ("rves", "rf", ""), ("tives", "tive", ""),
    ("hives", "hive", ""), ("ves", "fe", "f"),
    ("ta", "tum", ""), ("ia", "ium", ""), ("ss", "ss", ""), ("s", "", ""),
  ]

  private static let uncountable: Set = [
    "equipment", "fish", "information", "jeans", "money", "rice", "series", "sheep", "species",
  ]
}

extension Inflection.Rule {
  fileprivate func apply(to word: String) -> String? {
    guard let match = plural.firstMatch(in: word) else { return nil }
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
