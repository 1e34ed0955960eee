import Apollo
package import Foundation
internal import GRDB

/// Looks into the file of an outbox without changing it, for tools.
package struct OutboxInspector {
  private let queue: DatabaseQueue

  /// - Parameter url: The file.
  /// - Throws: ``FileInspector/Problem`` if it is not a file of an outbox, or if an app has it open.
  package init(_ url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw FileInspector.Problem(description: "there is no such file")
    }
    if FileHeader.hasMark(Schema.kind.applicationID, url) {
      throw FileInspector.Problem(description: "it is the file of a cache, which \"statistics\" and \"dump\" show")
    }
    do {
      if let problem = try FileHeader.problem(of: url, as: OutboxSchema.kind) { throw problem }
      var settings = GRDB.Configuration()
      settings.readonly = true
      settings.prepareDatabase { try $0.distrustFile() }
      queue = try DatabaseQueue(path: url.path, configuration: settings)
      try queue.writeWithoutTransaction { try OutboxSchema.kind.check($0) }
    } catch let problem as FileProblem {
      throw FileInspector.Problem(description: problem.description)
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
      throw FileInspector.Problem(
        description: "an app has it open: copy the file together with the -wal file beside it")
    } catch let error as DatabaseError {
      throw FileInspector.Problem(description: Storage.reason(of: error))
    }
  }

  /// A mutation, as far as it can be read.
  package struct Row {
    package let number: Int64
    package let id: String
    package let operation: String
    package let scope: String
    package let state: String
    package let date: Date
    /// nil if a codec has changed it, or if it is damaged.
    package let details: Details?

    package struct Details {
      /// The variables, as JSON.
      package let variables: String
      package let attempts: Int
      package let nextAttempt: Date?
      /// Why it was given up, or why the last try failed.
      package let failure: String?
      package let files: [String]
    }
  }

  /// All mutations, in their order.
  package func rows() throws -> [Row] {
    try queue.read { database in
      let found = try GRDB.Row.fetchCursor(
        database, sql: "SELECT number, id, scope, operation, state, date, contents FROM mutations ORDER BY number")
      var rows: [Row] = [], last: Int64?
      while let row = try found.next() {
        guard let number = Int64.fromDatabaseValue(row[0]), last.map({ $0 < number }) ?? true else {
          throw DatabaseError.circle
        }
        last = number
        if let row = Row(row) { rows.append(row) }
      }
      return rows
    }
  }
}

extension OutboxInspector.Row {
  fileprivate init?(_ row: GRDB.Row) {
    guard let number = Int64.fromDatabaseValue(row[0]), let id = String.fromDatabaseValue(row[1]) else { return nil }
    self.number = number
    self.id = id
    scope = String.fromDatabaseValue(row[2]) ?? ""
    operation = String.fromDatabaseValue(row[3]) ?? ""
    state = String.fromDatabaseValue(row[4]) ?? ""
    date = Date(timeIntervalSince1970: TimeInterval(Int64.fromDatabaseValue(row[5]) ?? 0))
    let blob = Data.fromDatabaseValue(row[6]) ?? Data()
    let read = try? OutboxBlob(codec: nil).row(blob, id: id)
    details = read.map { row, files in
      Details(
        variables: String(decoding: row.variables, as: UTF8.self), attempts: row.attempts, nextAttempt: row.notBefore,
        failure: row.failure?.message, files: files.map(\.originalName))
    }
  }
}
