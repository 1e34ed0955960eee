import Foundation

/// Finds the files that patterns match.
struct FileFinder {
  /// Folders of tools, which are never searched.
  static let skippedFolders: Set = [".build", ".swiftpm", ".Pods", "Pods", ".git", "DerivedData"]

  /// The folder that relative patterns start from.
  let base: String
  /// All files below a folder, which several patterns may ask for.
  private var listings: [String: [String]] = [:]

  init(base: String) { self.base = base }

  /// Absolute paths, sorted.
  mutating func files(matching patterns: [String]) -> [String] {
    let globs = patterns.map { Glob($0, base: base) }
    let exclusions = globs.filter(\.isExclusion)
    var found: Set<String> = []
    for glob in globs where !glob.isExclusion {
      let paths = listings[glob.root] ?? Self.list(glob.root)
      listings[glob.root] = paths
      for path in paths where glob.matches(path) && !exclusions.contains(where: { $0.matches(path) }) {
        found.insert(path)
      }
    }
    return found.sorted()
  }

  private static func list(_ folder: String) -> [String] {
    var paths: [String] = []
    let keys: [URLResourceKey] = [.isDirectoryKey]
    let entries = FileManager.default.enumerator(at: URL(fileURLWithPath: folder), includingPropertiesForKeys: keys)
    while let url = entries?.nextObject() as? URL {
      if (try? url.resourceValues(forKeys: Set(keys)).isDirectory) == true {
        if skippedFolders.contains(url.lastPathComponent) { entries?.skipDescendants() }
      } else {
        paths.append(url.path)
      }
    }
    return paths
  }
}
