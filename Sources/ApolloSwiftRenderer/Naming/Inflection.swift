/// Finds the singular of a name: a list of `Friends` has elements of type `Friend`.
///
/// The rules are those of InflectorKit, by which Apollo iOS names types. Apps use these names, so even rules that are
/// wrong in English are kept: `Cooky` for `Cookies`. All rules are about the whole name, which begins in upper case.
public struct Inflection: Sendable {
  /// Texts that become a part of names, without the signs `$` and `\`. (The number of a group stays: it does not matter
  /// to a check of the text.)
  package let texts: [String]
  private let singulars: [String: String]
  private let uncountable: Set<String>
  private let rules: [Rule]

  /// A regular expression for plurals, and the singular for it.
  public struct Rule: Sendable {
    /// The regular expression. It is known to be valid. Upper and lower case are the same to it.
    public var pattern: String { didSet { plural = Pattern(pattern, ignoresCase: true) } }
    /// The text in place of each match, with `$1` for what the first group matched. A character behind a backslash stands
    /// for itself.
    public var replacement: String
    fileprivate private(set) var plural: Pattern

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - pattern: The regular expression.
    ///   - replacement: The text in place of each match.
    public init(pattern: String, replacement: String) {
      self.pattern = pattern
      self.replacement = replacement
      plural = Pattern(pattern, ignoresCase: true)
    }
  }

  /// Makes an inflection with the built-in rules and further ones.
  ///
  /// - Parameters:
  ///   - irregular: Singulars by their plurals, for names that follow no rule. A name in lower case is also found in upper
  ///     case: `media` as `Media`. The default is none.
  ///   - uncountable: Names that have no other singular, as they are written. The default is none.
  ///   - rules: Rules that are tried before the built-in ones. The last one is tried first. The default is none.
  public init(irregular: [String: String] = [:], uncountable: Set<String> = [], rules: [Rule] = []) {
    texts =
      irregular.values.sorted() + rules.map { $0.replacement.filter { character in !"$\\".contains(character) } }
    let added = Self.withUpperCase(irregular), redefined = Set(added.values)
    singulars = Self.withUpperCase(Self.irregular).filter { !redefined.contains($0.value) }.merging(added) { $1 }
    self.uncountable = uncountable
    self.rules = rules.reversed()
  }

  /// The name in the singular; the name itself if no rule applies, or if a rule makes a text of it that is not a name.
  public func singular(_ name: String) -> String {
    let singular = uncountable.contains(name) ? name : singulars[name] ?? singularByRule(name)
    return Identifier.isName(singular) ? singular : name
  }

  /// The name in the singular, as Apollo iOS 0.x found it by the rules of Rails: these find irregular words at the end of
  /// names, and leave some words alone.
  func singularOfReleases0(_ name: String) -> String {
    let lowercased = name.lowercased()
    guard !uncountable.contains(name), singulars[name] == nil else { return singular(name) }
    if Self.uncountableOfReleases0.contains(lowercased) { return name }
    // Both begin with the same letter, which keeps the case that it has in the name.
    for (plural, singular) in Self.irregular where lowercased.hasSuffix(plural) {
      return String(name.dropLast(plural.count - 1) + singular.dropFirst())
    }
    return singular(name)
  }

  private func singularByRule(_ name: String) -> String {
    for rule in rules {
      if let singular = rule.apply(to: name) { return singular }
    }
    let lowercased = name.lowercased()
    for rule in Self.endings {
      if let singular = rule.apply(to: name, lowercased) { return singular }
    }
    return name
  }

  /// Words as they are written, and in upper case.
  private static func withUpperCase(_ singulars: [String: String]) -> [String: String] {
    let others = singulars.sorted { $0.key < $1.key }
      .map { (Identifier.capitalized($0.key), Identifier.capitalized($0.value)) }
    return singulars.merging(others) { written, _ in written }
  }

  private static let irregular = [
    "people": "person", "men": "man", "children": "child", "sexes": "sex", "moves": "move", "zombies": "zombie",
  ]

  private static let uncountableOfReleases0: Set = [
    "equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "jeans", "police",
  ]

  /// The built-in rules, of which the first that applies is used. (Words such as `species`, which InflectorKit leaves
  /// alone, are not among them: it does that in lower case only, and a type begins in upper case.)
  private static let endings = [
    Ending(["database"], ["s"], ""), Ending(["quiz"], ["zes"], ""), Ending(["matr"], ["ices"], "ix"),
    Ending(["vert", "ind"], ["ices"], "ex"), Ending(["ox"], ["en"], "", at: .start),
    Ending(["alias", "status"], ["es", ""], ""), Ending(["octop", "vir"], ["us", "i"], "us"),
    Ending(["a"], ["xis", "xes"], "xis", at: .startAndEnd), Ending(["cris", "test"], ["is", "es"], "is"),
    Ending(["shoe"], ["s"], ""), Ending(["o"], ["es"], ""), Ending(["bus"], ["es", ""], ""),
    Ending(["m", "l"], ["ice"], "ouse", at: .startAndEnd), Ending(["x", "ch", "ss", "sh"], ["es"], ""),
    Ending(["m"], ["ovies"], "ovie"), Ending(["s"], ["eries"], "eries"), Ending(["qu"], ["ies"], "y"),
    Ending([""], ["ies"], "y", notAfter: "aeiouy"), Ending(["l", "r"], ["ves"], "f"),
    Ending(["tive", "hive"], ["s"], ""), Ending([""], ["ves"], "fe", notAfter: "f"),
    Ending(["analy", "ba", "diagno", "parenthe", "progno", "synop", "the"], ["sis", "ses"], "sis"),
    Ending(["t", "i"], ["a"], "um"), Ending(["n"], ["ews"], "ews"), Ending(["ss"], [""], ""), Ending([""], ["s"], ""),
  ]
}

/// A built-in rule. It looks for one of its stems with one of its plurals behind it, and replaces the plural. (That takes
/// far less time than a regular expression.)
private struct Ending: Sendable {
  /// Where the stem and the plural stand in a name.
  enum Place { case start, end, startAndEnd }

  var stems: [String]
  var plurals: [String]
  /// The text in place of the plural.
  var singular: String
  var place: Place
  /// If it is not nil, there has to be a letter before the stem, but not one of these.
  var forbidden: String?

  init(
    _ stems: [String], _ plurals: [String], _ singular: String, at place: Place = .end,
    notAfter forbidden: String? = nil
  ) {
    self.stems = stems
    self.plurals = plurals
    self.singular = singular
    self.place = place
    self.forbidden = forbidden
  }

  func apply(to name: String, _ lowercased: String) -> String? {
    for plural in plurals {
      for stem in stems where matches(lowercased, stem + plural) {
        // What is behind the plural is empty, unless the rule is for the start of a name.
        let start = place == .start ? stem.count : name.count - plural.count
        return String(name.prefix(start)) + singular + name.dropFirst(start + plural.count)
      }
    }
    return nil
  }

  private func matches(_ lowercased: String, _ text: String) -> Bool {
    switch place {
    case .start: return lowercased.hasPrefix(text)
    case .startAndEnd: return lowercased == text
    case .end:
      guard lowercased.hasSuffix(text) else { return false }
      guard let forbidden else { return true }
      return lowercased.dropLast(text.count).last.map { !forbidden.contains($0) } ?? false
    }
  }
}

extension Inflection.Rule {
  /// nil if the regular expression does not match.
  fileprivate func apply(to name: String) -> String? {
    let matches = plural.matches(in: name)
    guard !matches.isEmpty else { return nil }
    var result = "", end = name.startIndex
    for match in matches {
      result.append(contentsOf: name[end..<match.range.lowerBound])
      result.append(text(for: match.output))
      end = match.range.upperBound
    }
    result.append(contentsOf: name[end...])
    return result
  }

  /// The text in place of a match, by the rules of `NSRegularExpression`.
  private func text(for groups: AnyRegexOutput) -> String {
    // In `$12`, the 2 belongs to the number only if there are ten groups.
    let maximumDigits = String(groups.count - 1).count
    var text = "", rest = Substring(replacement)
    while let character = rest.popFirst() {
      let digits = rest.prefix(maximumDigits).prefix { ("0"..."9").contains($0) }
      if character == "\\", let literal = rest.popFirst() {
        text.append(literal)
      } else if character == "$", let group = Int(digits) {
        rest = rest.dropFirst(digits.count)
        if group < groups.count, let matched = groups[group].substring { text.append(contentsOf: matched) }
      } else {
        text.append(character)
      }
    }
    return text
  }
}
