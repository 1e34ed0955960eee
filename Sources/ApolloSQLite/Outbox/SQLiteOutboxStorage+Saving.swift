import Apollo
import ApolloCache
import Foundation
internal import GRDB

// The rows of the file.

extension SQLiteOutboxStorage {
  func save(_ row: Outbox.Row, in database: Database) throws {
    let contents: Data
    do { contents = try blob.bytes(of: row) } catch {
      throw StorageError.codecFailed(id: row.id.uuidString, reason: "\(error)")
    }
    try save(
      OutboxRecovery.Found(
        number: row.number, id: row.id.uuidString, scope: row.scope, operation: row.operationName,
        state: row.state.rawValue, date: wholeSeconds(row.date.timeIntervalSince1970), contents: contents,
        owner: row.owner), in: database)
  }

  func save(_ row: OutboxRecovery.Found, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO mutations(number, id, scope, operation, state, date, contents, owner) VALUES(?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(id) DO UPDATE SET state = excluded.state, contents = excluded.contents
        """
    ).execute(arguments: [
      row.number, row.id, row.scope, row.operation, row.state, row.date, row.contents, row.owner,
    ])
  }

  func save(_ server: String?, for local: String, of owner: String?, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO ids(local, server, date, owner) VALUES(?, ?, ?, ?)
        ON CONFLICT(local) DO UPDATE SET server = excluded.server, date = excluded.date, owner = excluded.owner
        """
    ).execute(arguments: [local, server, wholeSeconds(clock.withLock { $0 }.date.timeIntervalSince1970), owner])
  }
}
