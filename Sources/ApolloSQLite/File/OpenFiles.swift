import ApolloAPI
import Foundation

/// The files that are open in this process. Two stores over one file would each think that they know what is in it.
enum OpenFiles {
  private static let paths = Locked<Set<String>>([])

  /// Notes that a file is open.
  ///
  /// - Parameter file: The file, which need not exist. Its folder must.
  /// - Returns: The name to give back to ``remove(_:)``.
  /// - Throws: ``SQLiteNormalizedCacheError/fileInUse(path:)``.
  static func insert(_ file: URL) throws -> String {
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
    let path = folder.appendingPathComponent(file.lastPathComponent).resolvingSymlinksInPath().path
    guard paths.withLock({ $0.insert(path).inserted }) else {
      throw SQLiteNormalizedCacheError.fileInUse(path: path)
    }
    return path
  }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }
}
