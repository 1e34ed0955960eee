public import Apollo
import ApolloAPI
import ApolloCache
import Foundation
internal import GRDB

// What an outbox reads as it begins.

extension SQLiteOutboxStorage {
  /// Gives everything that is there. A mutation that this release, or these settings, cannot read stays in the file:
  /// ``Configuration/onUnreadable`` is told. An app may call it at any time.
  ///
  /// - Throws: ``StorageError``.
  public func load() async throws -> Outbox.Contents { try await load { _ in true } }

  /// Gives what an owner has. Mutations of others are not decoded, and stay in the file. Copies of files that no mutation
  /// has are removed: an outbox calls it while it keeps none.
  ///
  /// - Throws: ``StorageError``.
  public func load(ownedBy owner: String?) async throws -> Outbox.Contents {
    try await load(removingOtherCopies: true) { $0 == owner }
  }

  /// Gives what some owners have.
  ///
  /// - Parameters:
  ///   - removesCopies: Whether the copies of files are removed that belong to no mutation. The default is false: they may
  ///     be those of one that is being enqueued.
  ///   - isWanted: Whether what an owner has is given.
  /// - Returns: The mutations and the known ids of these owners.
  /// - Throws: ``StorageError``.
  private func load(
    removingOtherCopies removesCopies: Bool = false, where isWanted: @escaping @Sendable (String?) -> Bool
  ) async throws -> Outbox.Contents {
    let days = min(max(0, configuration.serverIDLifetime), 36_500)
    let oldest = wholeSeconds(clock.withLock { $0 }.date.timeIntervalSince1970) - Int64(days) * 86_400
    return try await withDatabase { [blob, files, configuration] _, database in
      var contents = Outbox.Contents(), ids: Set<UUID> = [], hasUnread = false
      let found = try Row.fetchCursor(
        database, sql: "SELECT id, contents, number, owner FROM mutations ORDER BY number")
      var last: Int64?
      while let row = try found.next() {
        guard let number = Int64.fromDatabaseValue(row[2]), last.map({ $0 < number }) ?? true else {
          throw DatabaseError.circle
        }
        last = number
        guard let id = String.fromDatabaseValue(row[0]), let bytes = Data.fromDatabaseValue(row[1]) else { continue }
        if let uuid = UUID(uuidString: id) { ids.insert(uuid) }
        guard isWanted(String.fromDatabaseValue(row[3])) else {
          contents.lastUnreadNumber = max(contents.lastUnreadNumber, number)
          continue
        }
        do {
          let read = try blob.row(bytes, id: id)
          guard read.row.number == number else { throw OutboxBlob.Problem.unreadable }
          contents.rows.append(try files.complete(read.row, with: read.files))
        } catch OutboxBlob.Problem.codec(let error) {
          throw StorageError.codecFailed(id: id, reason: error.reason)
        } catch OutboxBlob.Problem.damaged {
          // SQLite does not see such damage.
          throw FileProblem.damaged("what it has of the mutation \(id) was changed")
        } catch OutboxBlob.Problem.unreadable {
          hasUnread = true
          contents.lastUnreadNumber = max(contents.lastUnreadNumber, number)
          configuration.onUnreadable?(.unreadable(id: id))
        }
      }
      // (It is not known which ids a mutation names that cannot be read, so none is too old for it.)
      contents.serverIDs = try Self.loadIDs(
        database, of: isWanted, namedBy: contents.rows, removingThoseBefore: hasUnread ? .min : oldest)
      if removesCopies { files.removeAll(except: ids) }
      return contents
    }
  }
}
