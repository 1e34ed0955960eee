import Foundation

/// The list of written files that do not say themselves that a generator wrote them, such as a schema with comments from
/// a registry. A later run may replace these. Where there is no such file, there is no list.
struct WrittenFiles {
  static let name = ".apollo-codegen-files"
  static let header = "# Files that apollo-codegen wrote and may replace, in the order of their names.\n"

  /// The folder of the list, from which the paths in it start.
  let root: String
  private var paths: Set<String>

  init(root: String) {
    self.root = "/" + Glob.components(root).joined(separator: "/")
    let data = FileManager.default.contents(atPath: self.root + "/" + Self.name) ?? Data()
    paths = data.starts(with: Self.header.utf8) ? Set(GeneratedMark.lines(data).dropFirst()) : []
  }

  func contains(_ path: String) -> Bool { paths.contains(relative(path)) }

  /// The list with some more files; nil if it has all of them.
  func adding(_ files: [OutputFile]) -> OutputFile? {
    let unmarked = files.filter { !$0.kind.recognizes($0.data, at: $0.path) && !$0.isEditable }.map {
      relative($0.path)
    }
    let all = paths.union(unmarked)
    guard all != paths else { return nil }
    return OutputFile(
      folder: root, name: Self.name, text: Self.header + all.sorted().map { $0 + "\n" }.joined(), kind: .list)
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }
}
