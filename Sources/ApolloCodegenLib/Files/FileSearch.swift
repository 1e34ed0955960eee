import Foundation

/// A search for the files that patterns match.
///
/// A link to a folder is followed where a pattern names it. It is not followed where a wildcard finds it: it may lead
/// around in a circle.
///
/// The build tool plugin has a copy of this file, because it tells after whose changes the generator has to run.
struct FileSearch {
  /// Folders of tools and of the system, which no wildcard searches.
  private static let skippedFolders: Set = [".build", ".swiftpm", ".Pods", ".git", "DerivedData", "lost+found"]

  /// The folder that relative patterns start from.
  let base: String
  /// The files below a folder, which several patterns may ask for.
  private var listings: [Listing: Contents] = [:]
  /// The folders that were searched and cannot be read, with the reasons. Those that are excluded are not among them.
  private(set) var unreadable: [String: String] = [:]
  /// How many folders were searched.
  private(set) var searchedFolderCount = 0

  private struct Contents {
    var files: [String] = []
    var unreadable: [String: String] = [:]
    var folderCount = 0
  }

  private struct Listing: Hashable {
    var root: String
    var depth: Int?
    /// The patterns that exclude whole folders. These are not searched.
    var exclusions: [Glob]
  }

  init(base: String) { self.base = base }

  /// Absolute paths, sorted. Two paths may be equal in Swift: a disk may distinguish the ways in which Unicode writes an
  /// `é`.
  mutating func files(matching patterns: [String]) -> [String] {
    let patterns = patterns.flatMap { Self.alternatives($0, base: base) }
    let globs = patterns.map { Glob($0, base: base) }
    let exclusions = globs.filter(\.isExclusion)
    var found: [String] = [], known: Set<[UInt8]> = []
    func add(_ path: String) {
      if known.insert(Array(path.utf8)).inserted { found.append(path) }
    }
    for (pattern, glob) in zip(patterns, globs) where !glob.isExclusion {
      if let path = [Glob.normalized(pattern, base: base), glob.path ?? ""].first(where: Self.isFile) {
        if !exclusions.contains(where: { $0.matches(path) }) { add(path) }
        continue
      }
      guard glob.path == nil else { continue }
      let listing = Listing(root: glob.root, depth: glob.depth, exclusions: exclusions.filter(\.isOfFolders))
      let contents = listings[listing] ?? Self.contents(listing)
      if listings.updateValue(contents, forKey: listing) == nil { searchedFolderCount += contents.folderCount }
      for path in contents.files where glob.matches(path) && !exclusions.contains(where: { $0.matches(path) }) {
        add(path)
      }
      for (folder, reason) in contents.unreadable where !exclusions.contains(where: { $0.matchesAll(below: folder) }) {
        unreadable[folder] = reason
      }
    }
    return Self.sorted(found)
  }

  /// The patterns without braces that stand for a pattern.
  ///
  /// The name of a file or of a folder may look like a pattern. Before the first wildcard, such a name stands for the file
  /// or folder of this name alone, if there is one. Behind the wildcard, it also stands for what it matches.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, which may be an exclusion.
  ///   - base: The folder that a relative pattern starts from.
  /// - Returns: The patterns.
  static func alternatives(_ pattern: String, base: String) -> [String] {
    let mark = pattern.hasPrefix("!") ? "!" : ""
    let path = withNames(Glob.inHome(String(pattern.dropFirst(mark.count))), base: base)
    let literal = Glob.escaping("[{", in: path)
    let others = Glob.expanded(path).map { withNames($0, base: base) }
    return (literal == path ? others : others + [literal]).map { mark + $0 }
  }

  /// A pattern in which each component that is the name of a folder, or of a file at the end, is escaped. Behind the
  /// first wildcard, components stay as they are.
  private static func withNames(_ path: String, base: String) -> String {
    guard path.contains(where: { "[{".contains($0) }) else { return path }
    var components = path.components(separatedBy: "/"), folder = path.hasPrefix("/") ? "" : base
    for (index, component) in components.enumerated() {
      let literal = folder + "/" + component, isLast = index == components.count - 1
      if component.contains(where: { "[{".contains($0) }), isLast ? isFile(literal) : isDirectory(literal) {
        folder = literal
        components[index] = Glob.escaped(component)
      } else if Glob.expanded(component) == [component], let name = Glob("/" + component, base: "/").path {
        folder += name
      } else {
        break
      }
    }
    return components.joined(separator: "/")
  }

  /// Paths in the order in which files are found.
  static func sorted(_ paths: [String]) -> [String] {
    paths.sorted { $0 == $1 ? $0.utf8.lexicographicallyPrecedes($1.utf8) : $0 < $1 }
  }

  /// The patterns without `*` and `?` that name no file. Braces and sets name several, and one of them has to be there.
  func missing(of patterns: [String]) -> [String] {
    var finder = self
    return patterns.filter { pattern in
      let alternatives = Self.alternatives(pattern, base: base)
      let areNames = alternatives.allSatisfy { !$0.hasPrefix("!") && Glob($0, base: base).namesFiles }
      return areNames && finder.files(matching: alternatives).isEmpty
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
  }

  /// Whether there is a folder at a path, links followed.
  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  private static func contents(_ listing: Listing) -> Contents {
    var contents = Contents()
    var folders = [(path: listing.root, depth: 1)]
    while let folder = folders.popLast() {
      contents.folderCount += 1
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      } catch {
        if mayBeFolder(folder.path) { contents.unreadable[folder.path] = error.localizedDescription }
        continue
      }
      for name in names {
        let path = (folder.path == "/" ? "" : folder.path) + "/" + name
        if !isFolder(path) {
          contents.files.append(path)
        } else if folder.depth < listing.depth ?? .max, !skippedFolders.contains(name), !isOfCocoaPods(path),
          !listing.exclusions.contains(where: { $0.matchesAll(below: path) })
        {
          folders.append((path, folder.depth + 1))
        }
      }
    }
    return contents
  }

  /// Whether a folder is the one in which CocoaPods keeps the sources of others. It always has a copy of the lock.
  private static func isOfCocoaPods(_ folder: String) -> Bool {
    folder.hasSuffix("/Pods") && isFile(folder + "/Manifest.lock")
  }

  /// Whether there is a folder at a path, which is not a link.
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is a folder at a path, links followed, or something that does not even tell what it is.
  private static func mayBeFolder(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return status.st_mode & S_IFMT == S_IFDIR
  }
}
