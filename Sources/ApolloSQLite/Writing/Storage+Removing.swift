import ApolloAPI
import Foundation
internal import GRDB

// What takes records out of the file, and gives room back.

extension Storage {
  /// Removes all records, and what waits, from the file, its log and the files that were put aside. It works on the
  /// queue.
  func clear() throws {
    // (If it fails, the store's memory is empty all the same.)
    state.withLock { $0.pending.seal() }
    // (First: a process that ends behind it goes on with the file.)
    try removePutAsideFiles(takesForeign: false)
    try change { database in
      try Erasing.check(database)
      try database.inTransaction(.immediate) {
        try noteDataVersion(database)
        try database.execute(sql: "DELETE FROM records")
        try Meta.remove(.incomplete, in: database)
        return .commit
      }
      state.withLock { state in
        state.isComplete = true
        state.pending.removeAll()
        state.usedRows = []
      }
      try Erasing.rewrite(database)
    }
    // One that turned out to be damaged was put aside with all that it has.
    try removePutAsideFiles(takesForeign: false)
  }

  /// Forgets which records were removed. It works on the queue.
  func forgetRemovals() throws {
    try writePending()
    try change { try $0.execute(sql: "DELETE FROM records WHERE fields = x''") }
  }

  /// Removes files that were put aside.
  func removePutAsideFiles(takesForeign: Bool) throws {
    do { try PutAside.remove(of: url, takesForeign: takesForeign) } catch {
      throw SQLiteNormalizedCacheError.cannotWrite(
        path: url.path, reason: "a file that was put aside cannot be removed: \(error.localizedDescription)")
    }
  }

  /// Gives free room back to the system. It works on the queue.
  func vacuum() throws { try change { try shrink($0) } }

  private func shrink(_ database: Database) throws {
    try Trimming.vacuum(database)
    try Erasing.emptyLog(database)
  }

  func change(_ body: (Database) throws -> Void) throws {
    do { try withFile { try $0.write(body) } } catch let error as DatabaseError {
      throw SQLiteNormalizedCacheError.cannotWrite(path: url.path, reason: Self.reason(of: error))
    }
  }
}
