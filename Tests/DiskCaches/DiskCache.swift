import ApolloAPI
package import ApolloCache
@testable package import ApolloSQLite
import Foundation

/// A cache in a file that can be opened again and again. The file is removed when it is no longer used.
package final class DiskCache: Sendable {
  private let folder = Folder()
  private let current: Locked<SQLiteNormalizedCache>

  package init() throws { current = Locked(try folder.cache()) }

  /// The cache, as it was opened last.
  package var cache: SQLiteNormalizedCache { current.withLock { $0 } }

  /// Closes the file and opens it again.
  package func reopen() async throws {
    try await cache.close()
    let next = try folder.cache()
    current.withLock { $0 = next }
  }

  /// All records, those that wait to be written as well.
  package var records: RecordSet {
    get throws {
      let keys = try cache.sortedKeys(after: nil, limit: .max)
      return RecordSet(records: try cache.records(forKeys: Set(keys)).values)
    }
  }
}

private final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-disk-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: url) }

  func cache() throws -> SQLiteNormalizedCache {
    var configuration = SQLiteNormalizedCache.Configuration()
    // The cache keeps this, and so the file, as long as it lives.
    configuration.onRecovery = { error in preconditionFailure("\(self.url.path): \(error)") }
    return try SQLiteNormalizedCache(
      fileURL: url.appendingPathComponent("cache.sqlite"), configuration: configuration)
  }
}
