import Apollo
import Foundation

/// Opens files, and makes new ones in the place of those that cannot be used.
enum FileOpening {
  /// The URL of a file that an app has named. A path without `file:`, as `URL(string: path)` makes it, is one, because
  /// Apollo iOS opens it as well.
  static func file(_ url: URL) -> URL {
    url.scheme == nil && url.path.hasPrefix("/") ? URL(fileURLWithPath: url.path) : url
  }

  static func makeFolder(for url: URL) throws {
    guard url.isFileURL else {
      throw SQLiteNormalizedCacheError.cannotOpen(path: url.absoluteString, reason: "it is not the URL of a file")
    }
    do { try PrivateFile.makeFolder(at: url.deletingLastPathComponent().path) } catch {
      throw SQLiteNormalizedCacheError.cannotOpen(
        path: url.path, reason: "its folder cannot be made: \(error.localizedDescription)")
    }
  }

  /// Makes a file, so that SQLite does not make it as others may read it; or takes the permissions away that others have
  /// for one that is there, and for those beside it. SQLite makes these with the permissions of the file.
  ///
  /// The process must not have the file open.
  ///
  /// - Parameter url: The file. Its folder has to exist.
  /// - Throws: ``SQLiteNormalizedCacheError``.
  static func protect(_ url: URL) throws {
    if let folder = FileAttributes.ownFolder(of: url) { PrivateFile.protect(folder.path) }
    // A link may lead to where there is no file yet.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
    let target = link.map { URL(fileURLWithPath: $0, relativeTo: url.deletingLastPathComponent()) } ?? url
    for path in [url.path, target.path] where PrivateFile.belongsToOther(path) {
      throw SQLiteNormalizedCacheError.cannotOpen(
        path: url.path,
        reason: "it belongs to another user of this system, who could read what is written to it. Remove it, or choose "
          + "another place")
    }
    do { _ = try PrivateFile.make(at: target.path) } catch {
      throw SQLiteNormalizedCacheError.cannotOpen(path: url.path, reason: error.localizedDescription)
    }
    for suffix in [""] + PutAside.companions { PrivateFile.protect(target.path + suffix) }
  }

  /// Opens a file. One that cannot be used is put aside before.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - configuration: What the app has set.
  /// - Returns: The file, and what was put aside; nil: nothing was.
  /// - Throws: ``SQLiteNormalizedCacheError``.
  static func open(
    _ url: URL, _ configuration: SQLiteNormalizedCache.Configuration
  ) throws -> (DatabaseFile, SQLiteNormalizedCacheError.Recovery?) {
    try makeFolder(for: url)
    PutAside.removeOld(of: url, days: configuration.putAsideLifetime)
    do {
      return (try DatabaseFile.open(url, configuration), nil)
    } catch let problem as FileProblem {
      let recovery = try putAside(url, problem)
      do {
        return (try DatabaseFile.open(url, configuration), recovery)
      } catch let second as FileProblem {
        throw SQLiteNormalizedCacheError.cannotOpen(
          path: url.path, reason: SQLiteNormalizedCacheError.Recovery.describe(second.reason))
      }
    }
  }

  /// Renames a file. What is at its place after it was removed is another file, and stays.
  static func putAside(_ url: URL, _ problem: FileProblem) throws -> SQLiteNormalizedCacheError.Recovery {
    var place: URL?
    if problem.word != FileProblem.removed.word, FileManager.default.fileExists(atPath: url.path) {
      do { place = try PutAside.move(url, reason: problem.word) } catch {
        throw SQLiteNormalizedCacheError.cannotOpen(
          path: url.path,
          reason: SQLiteNormalizedCacheError.Recovery.describe(problem.reason)
            + ", and it cannot be renamed: \(error.localizedDescription)")
      }
    }
    return SQLiteNormalizedCacheError.Recovery(reason: problem.reason, fileURL: url, putAsideURL: place)
  }
}
