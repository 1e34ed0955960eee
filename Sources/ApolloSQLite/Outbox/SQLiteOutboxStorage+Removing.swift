public import Foundation
internal import GRDB

// A value that is not to stay on disk.

extension SQLiteOutboxStorage {
  /// Removes everything for good: all mutations, those that cannot be read among them, the ids, the copies of files, and
  /// what was put aside. When it returns, nothing of it is left on disk. Files of other programs that were put aside stay,
  /// which ``removePutAsideFiles()`` removes.
  ///
  /// - Throws: ``StorageError``. Some of it may be there still: call it again.
  public func removeAll() async throws {
    try await withDatabase { storage, database in
      try Erasing.check(database)
      try database.inTransaction(.immediate) {
        try database.execute(sql: "DELETE FROM mutations; DELETE FROM ids")
        return .commit
      }
      try Erasing.rewrite(database)
    }
    try await onThread { storage in
      try storage.files.removeAll()
      OutboxRecovery.removeCopies(of: storage.fileURL)
      try storage.removePutAsideFiles(takesForeign: false)
    }
  }

  /// The files that stood in the place of this one, and could not be used, with those that SQLite keeps beside them.
  /// Those of earlier launches are among them.
  public var putAsideFiles: [URL] { PutAside.files(of: fileURL).map(\.url) }

  /// Removes the ``putAsideFiles``. All but those of other programs go by themselves: with ``removeAll()``, and after
  /// ``Configuration/putAsideLifetime``.
  ///
  /// - Throws: ``StorageError/cannotWrite(path:reason:)`` if one of them cannot be removed. All others are gone.
  public func removePutAsideFiles() async throws {
    try await onThread { try $0.removePutAsideFiles(takesForeign: true) }
  }

  private func removePutAsideFiles(takesForeign: Bool) throws {
    do { try PutAside.remove(of: fileURL, takesForeign: takesForeign) } catch {
      throw StorageError.cannotWrite(
        path: fileURL.path, reason: "a file that was put aside cannot be removed: \(error.localizedDescription)")
    }
  }
}
