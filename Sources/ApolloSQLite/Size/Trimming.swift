import ApolloAPI
internal import GRDB

/// Keeps the size of a file within its limit.
enum Trimming {
  /// Removes the records that were not used for the longest time, until nine tenths of the limit are used. Before that,
  /// a root of queries that takes more than a quarter loses its oldest fields with arguments.
  ///
  /// - Parameters:
  ///   - database: The connection that writes, in no transaction.
  ///   - limit: How many bytes the file may take.
  ///   - day: Today, in days since 1970.
  ///   - loader: Reads the rows of the file.
  ///   - onRemoval: Called each time that some records or fields are removed for good, whatever is thrown behind it.
  /// - Throws: What GRDB throws.
  static func trim(
    _ database: Database, to limit: Int, on day: Int, readingWith loader: RecordLoader, onRemoval: () -> Void
  ) throws {
    let limit = Int64(limit), reduction = RootReduction(loader: loader)
    guard try Pages(of: database).fileSize > limit else { return }
    try reduce(reduction, database, to: limit / 4, onRemoval: onRemoval)
    // The other records keep a quarter beside a root that cannot be made smaller: without that, all of them would go.
    let target = max(limit / 10 * 9, try reduction.size(in: database) + limit / 4)
    // A clock that was once ahead must not keep what was used then for ever, in place of what is used now.
    try database.execute(sql: "UPDATE records SET used = ? WHERE used > ?", arguments: [max(0, day - 1), day])
    while case let pages = try Pages(of: database), pages.usedSize > target {
      // (With a limit, it ends even if pages of the file lead in circles.)
      let count =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM (SELECT 1 FROM records WHERE key <> ? LIMIT 1000000)", arguments: [root])
        ?? 0
      guard count > 0 else { break }
      // What is to go, as if all records were of one size.
      let share = Double(pages.usedSize - target) / Double(max(1, pages.usedSize))
      let wanted = max(1, min(count, Int(Double(count) * share)))
      try database.inTransaction(.immediate) {
        try database.execute(
          sql: """
            DELETE FROM records WHERE id IN
              (SELECT id FROM records WHERE key <> ? ORDER BY used, written, id LIMIT ?)
            """, arguments: [root, wanted])
        guard database.changesCount > 0 else { throw DatabaseError.circle }
        try Meta.set(.incomplete, in: database)
        return .commit
      }
      onRemoval()
    }
    try vacuum(database)
  }

  private static func reduce(
    _ root: RootReduction, _ database: Database, to size: Int64, onRemoval: () -> Void
  ) throws {
    guard try root.size(in: database) > size else { return }
    var isReduced = false
    try database.inTransaction(.immediate) {
      isReduced = try root.reduce(to: size, in: database)
      if isReduced { try Meta.set(.incomplete, in: database) }
      return .commit
    }
    if isReduced { onRemoval() }
  }

  /// Gives the pages that are not used back to the system.
  static func vacuum(_ database: Database) throws { try database.execute(sql: "PRAGMA incremental_vacuum") }

  /// The root of queries: without it, an app finds nothing.
  private static let root = GraphQLOperationType.query.rootKey.databaseBytes
}

/// How a file is filled.
struct Pages {
  private let size: Int64, count: Int64, free: Int64

  init(of database: Database) throws {
    size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    count = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
  }

  var fileSize: Int64 { count * size }
  var freeSize: Int64 { free * size }
  var usedSize: Int64 { fileSize - freeSize }
}
