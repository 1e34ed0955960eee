import Foundation

/// Where files are that an app names no place for.
enum DefaultPlace {
  static let problem =
    "this account has no folder of its own for such files. Pass a file in a folder that only it can read"

  /// - Parameters:
  ///   - name: The name of the file, without its extension.
  ///   - directory: A folder of the account.
  /// - Returns: The file; nil if there is no such folder.
  static func file(_ name: String, in directory: FileManager.SearchPathDirectory) -> URL? {
    file(name, in: FileManager.default.urls(for: directory, in: .userDomainMask))
  }

  static func file(_ name: String, in folders: [URL]) -> URL? {
    folders.first?.appendingPathComponent("Apollo", isDirectory: true).appendingPathComponent(name + ".sqlite")
  }
}
