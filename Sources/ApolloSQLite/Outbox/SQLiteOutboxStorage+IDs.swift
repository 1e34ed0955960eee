import Apollo
import Foundation
internal import GRDB

extension SQLiteOutboxStorage {
  /// The ids of servers. Those that are too old are removed, unless a mutation names them.
  static func loadIDs(
    _ database: Database, of isWanted: (String?) -> Bool, namedBy mutations: [Outbox.Row],
    removingThoseBefore oldest: Int64
  ) throws -> [String: String?] {
    var ids: [String: String?] = [:], old: [Int64] = [], last: Int64?
    let rows = try Row.fetchCursor(database, sql: "SELECT rowid, local, server, date, owner FROM ids ORDER BY rowid")
    while let row = try rows.next() {
      guard let number = Int64.fromDatabaseValue(row[0]), last.map({ $0 < number }) ?? true else {
        throw DatabaseError.circle
      }
      last = number
      guard let local = String.fromDatabaseValue(row[1]), isWanted(String.fromDatabaseValue(row[4])) else { continue }
      let isRecent = Int64.fromDatabaseValue(row[3]).map { $0 >= oldest } ?? false
      if isRecent || mutations.contains(where: { $0.names(local) }) {
        ids[local] = .some(String.fromDatabaseValue(row[2]))
      } else {
        old.append(number)
      }
    }
    for number in old { try database.execute(sql: "DELETE FROM ids WHERE rowid = ?", arguments: [number]) }
    return ids
  }
}

extension Outbox.Row {
  /// Whether a temporary id is in what the mutation sends or shows.
  fileprivate func names(_ local: String) -> Bool {
    let text = Data(local.utf8)
    return variables.range(of: text) != nil || optimisticData?.range(of: text) != nil
  }
}
