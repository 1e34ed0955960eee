import Foundation

/// Opens files, and makes new ones in the place of those that cannot be used.
enum FileOpening {
  static func makeFolder(for url: URL) throws {
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw SQLiteNormalizedCacheError.cannotOpen(
        path: url.path, reason: "its folder cannot be made: \(error.localizedDescription)")
    }
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

  /// Renames a file. What is at its place after somebody has removed it is another file, and stays.
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
