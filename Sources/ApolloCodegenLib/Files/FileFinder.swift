import Foundation

/// Finds the files that patterns match.
struct FileFinder {
  /// Folders of tools, which are never searched.
  static let skippedFolders: Set = [".build", ".swiftpm", ".Pods", "Pods", ".git", "DerivedData"]

  /// The folder that relative patterns start from.
  let base: String
  /// The files below a folder, which several patterns may ask for.
  private var listings: [Listing: [String]] = [:]

  private struct Listing: Hashable {
    var root: String
    var depth: Int?
  }

  init(base: String) { self.base = base }

  /// Absolute paths, sorted. Two paths may be equal in Swift: a disk may distinguish the ways in which Unicode writes an
  /// `é`.
  mutating func files(matching patterns: [String]) -> [String] {
    let globs = patterns.map { Glob($0, base: base) }
    let exclusions = globs.filter(\.isExclusion)
    var found: [String] = [], known: Set<[UInt8]> = []
    func add(_ path: String) {
      if known.insert(Array(path.utf8)).inserted { found.append(path) }
    }
    for glob in globs where !glob.isExclusion {
      if let path = glob.path {
        if Self.isFile(path), !exclusions.contains(where: { $0.matches(path) }) { add(path) }
        continue
      }
      let listing = Listing(root: glob.root, depth: glob.depth)
      let paths = listings[listing] ?? Self.list(listing)
      listings[listing] = paths
      for path in paths where glob.matches(path) && !exclusions.contains(where: { $0.matches(path) }) {
        add(path)
      }
    }
    return found.sorted { $0 == $1 ? $0.utf8.lexicographicallyPrecedes($1.utf8) : $0 < $1 }
  }

  private static func isFile(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
  }

  private static func list(_ listing: Listing) -> [String] {
    var paths: [String] = []
    let keys: [URLResourceKey] = [.isDirectoryKey]
    let entries = FileManager.default.enumerator(
      at: URL(fileURLWithPath: listing.root), includingPropertiesForKeys: keys)
    while let url = entries?.nextObject() as? URL {
      if (try? url.resourceValues(forKeys: Set(keys)).isDirectory) == true {
        let isDeepest = listing.depth.map { (entries?.level ?? 0) >= $0 } ?? false
        if isDeepest || skippedFolders.contains(url.lastPathComponent) { entries?.skipDescendants() }
      } else {
        paths.append(url.path)
      }
    }
    return paths
  }
}
