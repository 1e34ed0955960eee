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
    matches(components[...], Self.components(path).map(Array.init)[...])
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

  private func matches(_ pattern: ArraySlice<[Character]>, _ path: ArraySlice<[Character]>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == ["*", "*"] {
      return matches(pattern.dropFirst(), path) || (!path.isEmpty && matches(pattern, path.dropFirst()))
    }
    guard let name = path.first, Self.matches(first[...], name[...]) else { return false }
    return matches(pattern.dropFirst(), path.dropFirst())
  }

  private static func matches(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == "*" {
      return matches(pattern.dropFirst(), name) || (!name.isEmpty && matches(pattern, name.dropFirst()))
    }
    guard let character = name.first, first == "?" || first == character else { return false }
    return matches(pattern.dropFirst(), name.dropFirst())
  }
}
