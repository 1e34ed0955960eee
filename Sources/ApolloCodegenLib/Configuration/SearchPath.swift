extension ApolloCodegenConfiguration.Input {
  /// A search path that means the same wherever relative ones start from.
  ///
  /// - Parameters:
  ///   - pattern: The search path.
  ///   - folder: The folder that it starts from where it is relative.
  /// - Returns: The search path, of which every alternative is absolute.
  package static func searchPath(_ pattern: String, from folder: String) -> String {
    let mark = pattern.hasPrefix("!") ? "!" : "", path = String(pattern.dropFirst(mark.count))
    let alternatives = Glob.expanded(path), start = Glob.escaped(folder) + "/"
    guard alternatives.contains(where: { $0.hasPrefix("/") }) else { return mark + start + path }
    let absolute = alternatives.map { $0.hasPrefix("/") ? $0 : start + $0 }
    if absolute == alternatives { return pattern }
    return mark + "{" + absolute.map { Glob.escaping("{,}", in: $0) }.joined(separator: ",") + "}"
  }
}
