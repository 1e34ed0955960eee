import Foundation

/// Finds the files that patterns match.
struct FileFinder {
  /// Folders of tools, which are never searched.
  static let skippedFolders: Set = [".build", ".swiftpm", ".Pods", "Pods", ".git", "DerivedData"]

  /// The folder that relative patterns start from.
  let base: String

  /// Absolute paths, sorted.
  func files(matching patterns: [String]) -> [String] {
    let globs = patterns.map { Glob($0, base: base) }
    let exclusions = globs.filter(\.isExclusion)
    var found: Set<String> = []
    for glob in globs where !glob.isExclusion {
      search(glob.root) { path in
        if glob.matches(path), !exclusions.contains(where: { $0.matches(path) }) { found.insert(path) }
      }
    }
    return found.sorted()
  }

  private func search(_ folder: String, _ visit: (String) -> Void) {
    let keys: [URLResourceKey] = [.isDirectoryKey]
    guard
      let entries = FileManager.default.enumerator(
        at: URL(fileURLWithPath: folder), includingPropertiesForKeys: keys)
    else { return }
    for case let url as URL in entries {
      if (try? url.resourceValues(forKeys: Set(keys)).isDirectory) == true {
        if Self.skippedFolders.contains(url.lastPathComponent) { entries.skipDescendants() }
      } else {
        visit(url.path)
      }
    }
  }
}
