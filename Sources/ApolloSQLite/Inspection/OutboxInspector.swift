package import Apollo
package import Foundation
internal import GRDB

/// Looks into the file of an outbox without changing it, for tools.
package struct OutboxInspector {
  /// What the file says of a mutation, and its contents: nil if a codec has changed them, or if they are damaged.
  package typealias Row = (
    number: Int64, operation: String, scope: String, state: String, date: Date,
    contents: (mutation: Outbox.Row, fileNames: [String])?
  )

  private let queue: DatabaseQueue

  /// - Parameter path: The file.
  /// - Throws: What a user is told if it is not a file of an outbox, or if an app has it open.
  package init(path: String) throws {
    func refuse(_ reason: String) -> FileRefusal { FileRefusal(path: path, reason: reason) }
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: url.path) else { throw refuse("there is no such file") }
    if FileHeader.hasMark(Schema.kind.applicationID, url) {
      throw refuse("it is the file of a cache, which \"statistics\" and \"dump\" show")
    }
    do {
      if let problem = try FileHeader.problem(of: url, as: OutboxSchema.kind) { throw problem }
      var settings = GRDB.Configuration()
      settings.readonly = true
      settings.prepareDatabase { try $0.distrustFile() }
      queue = try DatabaseQueue(path: url.path, configuration: settings)
      try queue.writeWithoutTransaction { try OutboxSchema.kind.check($0) }
    } catch let problem as FileProblem {
      throw refuse(problem.description)
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
      throw refuse("an app has it open: copy the file together with the -wal file beside it")
    } catch let error as DatabaseError {
      throw refuse(Storage.reason(of: error))
    }
  }

  /// All mutations, in their order.
  package func mutations() throws -> [Row] {
    try queue.read { database in
      let found = try GRDB.Row.fetchCursor(
        database, sql: "SELECT number, id, scope, operation, state, date, contents FROM mutations ORDER BY number")
      var rows: [Row] = [], last: Int64?
      while let row = try found.next() {
        guard let number = Int64.fromDatabaseValue(row[0]), last.map({ $0 < number }) ?? true else {
          throw DatabaseError.circle
        }
        last = number
        guard let id = String.fromDatabaseValue(row[1]) else { continue }
        let blob = Data.fromDatabaseValue(row[6]) ?? Data()
        let contents = (try? OutboxBlob(codec: nil).row(blob, id: id)).map { row, files in
          (mutation: row, fileNames: files.map(\.originalName))
        }
        rows.append(
          (
            number: number, operation: String.fromDatabaseValue(row[3]) ?? "",
            scope: String.fromDatabaseValue(row[2]) ?? "", state: String.fromDatabaseValue(row[4]) ?? "",
            date: Date(timeIntervalSince1970: TimeInterval(Int64.fromDatabaseValue(row[5]) ?? 0)), contents: contents
          ))
      }
      return rows
    }
  }
}
