import Foundation

/// A pattern for paths: `*` and `?` stand for parts of a name, `[a-z]` for a character of a set, `[!a-z]` for another
/// one, and `**` for any number of folders. Behind a backslash, each character stands for itself.
///
/// Braces and a leading `~` are not a part of it: see ``expanded(_:)``.
///
/// A hidden file, whose name begins with a dot, matches only where the last component of the pattern begins with a dot
/// as well. An exclusion excludes hidden files, too.
///
/// The build tool plugin has a copy of this file.
struct Glob: Hashable {
  private let components: [[Part]]
  /// What each path that matches ends in; see ``ending(of:)``.
  private let ending: [UInt8]
  /// Whether matching paths are excluded.
  let isExclusion: Bool
  /// The folder that contains all matches: the components before the first one with a wildcard.
  let root: String
  /// The only path that matches; nil if the pattern has wildcards.
  let path: String?
  /// Whether the pattern names files, one or several: it has neither `*` nor `?`, and no set such as `[!a-z]`.
  let namesFiles: Bool
  /// The depth of matches below the root; nil if they may be at any depth.
  let depth: Int?

  /// Makes a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern. A leading `!` excludes the paths that match.
  ///   - base: The folder that a relative pattern starts from.
  init(_ pattern: String, base: String) {
    isExclusion = pattern.hasPrefix("!")
    let path = isExclusion ? String(pattern.dropFirst()) : pattern
    components = Self.components(Self.absolute(path, base: Self.escaped(base))).map(Part.parts)
    ending = Self.ending(of: components.last ?? [])
    let names = components.map(Part.name), fixed = names.dropLast().prefix { $0 != nil }.compactMap(\.self)
    root = "/" + fixed.joined(separator: "/")
    self.path = names.contains(nil) ? nil : "/" + names.compactMap(\.self).joined(separator: "/")
    namesFiles = components.allSatisfy { $0.allSatisfy(\.isNamed) }
    depth = components.contains(Part.anyFolders) ? nil : components.count - fixed.count
  }

  /// Whether the pattern matches a path. Its last component is neither `.` nor `..`.
  func matches(_ path: String) -> Bool {
    // (A search asks this of each file that there is. Most of them have another extension.)
    guard path.utf8.last == UInt8(ascii: "/") || path.utf8.suffix(ending.count).elementsEqual(ending) else {
      return false
    }
    let names: [[Character]] = Self.components(path).map { Array($0) }
    // Editors and systems keep such files beside others: `.#Hero.graphql` is the lock of an editor.
    if !isExclusion, names.last?.first == ".", components.last?.first != Part.letter(".") { return false }
    return Self.matches(components, names, isStar: { $0 == Part.anyFolders }) { pattern, name in
      Self.matches(pattern, name)
    }
  }

  /// Whether it may be that everything below a folder matches.
  var isOfFolders: Bool { components.last == Part.anyFolders }

  /// Whether everything below a folder matches: the `**` at the end of the pattern stands for no folder, or for any.
  func matchesAll(below folder: String) -> Bool { isOfFolders && matches(folder) }

  /// The pattern that a path alone matches.
  static func escaped(_ path: String) -> String {
    let special = "*?[{\\"
    guard path.contains(where: { special.contains($0) }) else { return path }
    return path.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// A pattern in which a backslash is before each of some letters that has none.
  static func escaping(_ letters: String, in pattern: String) -> String {
    var text = "", isEscaped = false
    for character in pattern {
      if !isEscaped, letters.contains(character) { text.append("\\") }
      text.append(character)
      isEscaped = !isEscaped && character == "\\"
    }
    return text
  }

  // MARK: - Braces

  /// The patterns that stand for a pattern as `glob(3)` reads it: one for each choice among the alternatives in braces,
  /// with the folder of the user in place of a leading `~`. Braces that are not closed stand for themselves.
  static func expanded(_ pattern: String) -> [String] {
    let exclamation = pattern.hasPrefix("!") ? "!" : ""
    return withoutBraces(Array(pattern.dropFirst(exclamation.count))).map { exclamation + inHome(String($0)) }
  }

  /// The pattern with the folder of the user in place of a leading `~`.
  static func inHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else { return path }
    return escaped(home) + path.dropFirst()
  }

  private static func withoutBraces(_ pattern: [Character]) -> [[Character]] {
    guard let marks = firstBraces(in: pattern), let open = marks.first, let close = marks.last else { return [pattern] }
    return zip(marks, marks.dropFirst()).flatMap { start, end in
      withoutBraces(Array(pattern[..<open] + pattern[(start + 1)..<end] + pattern[(close + 1)...]))
    }
  }

  /// Where the first braces of a pattern are, and the commas between their alternatives; nil if there are none, or if
  /// they are not closed.
  private static func firstBraces(in pattern: [Character]) -> [Int]? {
    var opened: [[Int]] = [], isEscaped = false
    for (index, character) in pattern.enumerated() {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch character {
      case "\\": isEscaped = true
      case "{": opened.append([index])
      case ",": if !opened.isEmpty { opened[opened.count - 1].append(index) }
      case "}": if let marks = opened.popLast(), opened.isEmpty { return marks + [index] }
      default: break
      }
    }
    return nil
  }

  // MARK: - Paths

  /// The path with a leading `/`. A relative path starts from `base`.
  private static func absolute(_ path: String, base: String) -> String {
    path.hasPrefix("/") ? path : base + "/" + path
  }

  /// The absolute path, without `.` and with `..` resolved.
  static func normalized(_ path: String, base: String) -> String {
    "/" + components(absolute(path, base: base)).joined(separator: "/")
  }

  /// The components of a path, without `.` and with `..` resolved.
  static func components(_ path: String) -> [String] {
    var components: [String] = []
    for component in path.split(separator: "/") where component != "." {
      if component == "..", !components.isEmpty {
        components.removeLast()
      } else {
        components.append(String(component))
      }
    }
    return components
  }

  /// A part of a component of a pattern.
  private enum Part: Hashable {
    case letter(Character)
    /// `?`
    case any
    /// `*`
    case star
    /// `[a-z]`, or `[!a-z]` for the characters that are not in the ranges.
    case set([ClosedRange<Character>], isNegated: Bool)

    /// `**`
    static let anyFolders: [Part] = [.star, .star]

    static func parts(_ component: String) -> [Part] {
      var parts: [Part] = [], rest = component[...]
      while let character = rest.popFirst() {
        switch character {
        case "\\": if let escaped = rest.popFirst() { parts.append(.letter(escaped)) }
        case "*": parts.append(.star)
        case "?": parts.append(.any)
        case "[": parts.append(passSet(&rest) ?? .letter("["))
        default: parts.append(.letter(character))
        }
      }
      return parts
    }

    /// Passes the rest of a set, behind its `[`. A `]` in the first place is a character of the set.
    ///
    /// - Returns: The set; nil, and nothing is passed, if it is not closed.
    private static func passSet(_ text: inout Substring) -> Part? {
      var rest = text, ranges: [ClosedRange<Character>] = []
      func character() -> Character? {
        let next = rest.popFirst()
        return next == "\\" ? rest.popFirst() : next
      }
      let isNegated = rest.first == "!" || rest.first == "^"
      if isNegated { rest.removeFirst() }
      var isFirst = true
      while isFirst || rest.first != "]" {
        guard let first = character() else { return nil }
        var last = first
        if rest.first == "-", rest.dropFirst().first != "]" {
          rest.removeFirst()
          guard let end = character() else { return nil }
          last = end
        }
        if first <= last { ranges.append(first...last) }
        isFirst = false
      }
      text = rest.dropFirst()
      return .set(ranges, isNegated: isNegated)
    }

    /// Whether it stands for a character. (A star stands for any number of them, and is not asked.)
    func matches(_ character: Character) -> Bool {
      switch self {
      case .letter(let letter): letter == character
      case .any, .star: true
      case .set(let ranges, let isNegated): ranges.contains { $0.contains(character) } != isNegated
      }
    }

    /// Whether it stands for letters that the pattern has.
    var isNamed: Bool {
      switch self {
      case .letter: true
      case .any, .star: false
      case .set(_, let isNegated): !isNegated
      }
    }

    /// The only name that matches; nil if there are several.
    static func name(_ parts: [Part]) -> String? {
      var name = ""
      for part in parts {
        guard case .letter(let character) = part else { return nil }
        name.append(character)
      }
      return name
    }
  }

  /// The letters from `a` to `z` and dots that a component of a pattern ends in, as bytes. Of other characters, equal
  /// ones may have other bytes: there are two ways to write a `K`, and an `é`.
  private static func ending(of component: [Part]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in component.reversed() {
      guard case .letter(let character) = part, character.utf8.count == 1, let byte = character.asciiValue,
        byte == UInt8(ascii: ".") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      else { break }
      bytes.append(byte)
    }
    return bytes.reversed()
  }

  private static func matches(_ pattern: [Part], _ name: [Character]) -> Bool {
    matches(pattern, name, isStar: { $0 == .star }) { $0.matches($1) }
  }

  /// Whether elements match a pattern in which stars stand for any number of elements.
  ///
  /// What stands between two stars is looked for once, at its first place: if the rest matches behind a later one, it
  /// matches behind this one as well, as the star takes what is between. So the time grows with the product of both
  /// lengths at most, whatever the number of stars is.
  private static func matches<Pattern, Element>(
    _ pattern: [Pattern], _ elements: [Element], isStar: (Pattern) -> Bool, isMatch: (Pattern, Element) -> Bool
  ) -> Bool {
    var part = 0, element = 0
    /// Behind the last star: where the pattern and the elements go on if what follows the star does not match.
    var retry: (part: Int, element: Int)?
    while element < elements.count {
      if part < pattern.count, isStar(pattern[part]) {
        part += 1
        retry = (part, element)
      } else if part < pattern.count, isMatch(pattern[part], elements[element]) {
        part += 1
        element += 1
      } else if let (behindStar, start) = retry {
        part = behindStar
        element = start + 1
        retry = (behindStar, element)
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy(isStar)
  }
}
