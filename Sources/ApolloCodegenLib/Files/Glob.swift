/// A pattern for paths: `*` and `?` stand for parts of a name, and `**` for any number of folders.
struct Glob {
  private let components: [[Character]]
  /// Whether matching paths are excluded.
  let isExclusion: Bool
  /// The folder that contains all matches: the components before the first one with a wildcard.
  let root: String
  /// The only path that matches; nil if the pattern has wildcards.
  let path: String?
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
    let components = Self.components(Self.absolute(path, base: base))
    self.components = components.map(Array.init)
    let fixed = components.dropLast().prefix { !$0.contains("*") && !$0.contains("?") }
    root = "/" + fixed.joined(separator: "/")
    let isPath = !components.contains { $0.contains("*") || $0.contains("?") }
    self.path = isPath ? "/" + components.joined(separator: "/") : nil
    depth = components.contains("**") ? nil : components.count - fixed.count
  }

  func matches(_ path: String) -> Bool {
    Self.matches(components, Self.components(path).map(Array.init), isStar: { $0 == ["*", "*"] }) { pattern, name in
      Self.matches(pattern, name)
    }
  }

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

  private static func matches(_ pattern: [Character], _ name: [Character]) -> Bool {
    matches(pattern, name, isStar: { $0 == "*" }) { $0 == "?" || $0 == $1 }
  }

  /// Whether elements match a pattern in which stars stand for any number of elements.
  ///
  /// What stands between two stars is looked for once, at its first place: if the rest matches behind a later one, it
  /// matches behind this one as well, as the star takes what is between. So the time grows with the product of both
  /// lengths at most, whatever the number of stars is.
  private static func matches<Part, Element>(
    _ pattern: [Part], _ elements: [Element], isStar: (Part) -> Bool, isMatch: (Part, Element) -> Bool
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
