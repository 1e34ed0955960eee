import Foundation

/// A path without links, `.` and `..`: where a file really is.
struct ResolvedPath: Equatable {
  let path: String

  /// Resolves a path. The file need not exist; then the folders around it that exist are resolved.
  init(_ path: String) {
    var existing = Glob.components(path)
    var rest: [String] = []
    while let last = existing.last {
      if let resolved = realpath("/" + existing.joined(separator: "/"), nil) {
        defer { free(resolved) }
        existing = Glob.components(String(cString: resolved))
        break
      }
      rest.insert(last, at: 0)
      existing.removeLast()
    }
    self.path = "/" + (existing + rest).joined(separator: "/")
  }

  /// Whether a file would be written below this folder. A link in the place of the file itself is replaced by the file,
  /// so it is not followed.
  func contains(_ file: String) -> Bool {
    let components = Glob.components(file)
    let folder = Glob.components(ResolvedPath(components.dropLast().joined(separator: "/")).path)
    return folder.starts(with: Glob.components(path))
  }
}
