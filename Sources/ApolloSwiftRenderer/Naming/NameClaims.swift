extension Set<String> {
  /// Adds a name that the set does not have: the name itself, or the name with suffixes.
  mutating func claim(_ name: String, suffix: String = "_") -> String {
    var candidate = name
    while !insert(candidate).inserted { candidate += suffix }
    return candidate
  }

  /// Adds a name that the set does not have: the name with one underscore before it, or with more.
  mutating func claimHidden(_ name: String) -> String {
    var candidate = "_" + name
    while !insert(candidate).inserted { candidate = "_" + candidate }
    return candidate
  }

  /// Adds the name of a file, in lower case, because a disk may not distinguish `hero` from `Hero`.
  ///
  /// - Parameter name: The name.
  /// - Returns: The name, perhaps with underscores after it.
  mutating func claimFile(_ name: String) -> String {
    var candidate = name
    while !insert(candidate.lowercased()).inserted { candidate += "_" }
    return candidate
  }
}
