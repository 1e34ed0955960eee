@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloAPI
@testable import ApolloSQLite
import Foundation
internal import GRDB
import StyledTests
import Testing
import Waiting

extension OutboxTests {
  /// Whatever the file of an outbox has in it, or an app's own storage gives, using it ends, and the process goes on.
  @Suite("Hostile files of an outbox", .serialized, .timeLimit(.minutes(10)))
  struct HostileFileTests {
    // MARK: Rows

    /// The JSON of a mutation, as the file has it.
    private func json(_ text: String, number: Int64, id: UUID) throws -> [String: Any] {
      var row = Outbox.Row(
        id: id, number: number, operationName: "CreateTodo", typeName: _mangledTypeName(CreateTodo.self) ?? "",
        scope: "default", variables: Data(#"{"text":"\#(text)"}"#.utf8), optimisticData: nil, listEdits: [],
        localID: nil, localIDPath: nil, policy: Outbox.Policy(expiresAfter: 1e9), date: Date(), idempotencyKey: text)
      row.notBefore = Date()
      let data = try JSONEncoder().encode(row)
      return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// A blob with a right checksum.
    private func blob(_ row: [String: Any], _ id: String) throws -> Data {
      var data = try JSONSerialization.data(withJSONObject: ["row": row, "files": []])
      // (A writer of JSON has no such numbers.)
      for (name, number) in [("\"huge\"", "1e300"), ("\"more\"", "9223372036854775807"), ("\"none\"", "1e999")] {
        data = Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: name, with: number).utf8)
      }
      var writer = BlobWriter()
      for byte in data { writer.write(byte) }
      writer.writeChecksum(for: id)
      return Data(writer.bytes)
    }

    private func insert(_ blob: Data, number: DatabaseValue, id: DatabaseValue, in database: Database) throws {
      try database.execute(
        sql: "INSERT INTO mutations VALUES(?, ?, 'default', 'CreateTodo', 'queued', 1, ?, NULL)",
        arguments: [number, id, blob])
    }

    private func place(_ change: (Database) throws -> Void) async throws -> Place {
      let place = try Place(.disk)
      await place.made().close()
      try write(to: place, change)
      return place
    }

    private func write(to place: Place, _ change: (Database) throws -> Void) throws {
      let queue = try DatabaseQueue(path: place.file.path)
      try queue.writeWithoutTransaction(change)
      try queue.close()
    }

    /// Does with an outbox what apps and tools do.
    private func use(_ place: Place, _ configuration: Outbox.Configuration? = nil) async throws {
      if configuration == nil { _ = try? OutboxInspector(path: place.file.path).mutations() }
      let server = TodoServer(), storage = try configuration ?? place.launch()
      let client = server.client(.http, storage)
      _ = await client.outbox.failed.map { "\($0.variables) \($0.date) \(String(describing: $0.nextAttempt))" }
      server.plan(.status(503), .status(503))
      _ = try? await client.outbox.flush()
      _ = try? await client.enqueue(CreateTodo(text: "new"))
      _ = try? await client.outbox.flush()
      for entry in await client.outbox.failed { await client.outbox.retry(entry.id) }
      _ = try? await client.outbox.flush()
      await client.outbox.cancelAll()
      await client.outbox.close()
      try await storage.storage.removeAll()
      let contents = try await storage.storage.load()
      #expect(contents.rows.isEmpty && contents.serverIDs.isEmpty)
      await storage.storage.close()
    }

    @Test(
      "A number in a mutation that cannot be keeps it from being sent, and stops nothing",
      arguments: [
        ("date", "huge"), ("attempts", "more"), ("number", "more"), ("networkFailures", "more"), ("notBefore", "huge"),
        ("date", "none"),
      ])
    func numbers(name: String, value: String) async throws {
      let id = UUID()
      let place = try await place { database in
        var row = try json("bad", number: 1, id: id)
        row[name] = value
        try insert(try blob(row, id.uuidString), number: 1.databaseValue, id: id.uuidString.databaseValue, in: database)
        let other = UUID()
        try insert(
          try blob(try json("good", number: 2, id: other), other.uuidString), number: 2.databaseValue,
          id: other.uuidString.databaseValue, in: database)
      }
      let told = Locked(0)
      var configuration = SQLiteOutboxStorage.Configuration()
      configuration.onUnreadable = { _ in told.withLock { $0 += 1 } }
      let server = TodoServer(), storage = try SQLiteOutboxStorage(fileURL: place.file, configuration: configuration)
      let client = server.client(.http, try Place(.memory).launch { $0.storage = storage })
      try await client.outbox.flush()
      try await client.enqueue(CreateTodo(text: "new"))
      try await client.outbox.flush()
      #expect(server.texts == ["good", "new"] && told.withLock { $0 } == 1 && storage.recoveries.isEmpty)
      await client.outbox.close()
      #expect(try await SQLiteOutboxStorage(fileURL: place.file).load().rows.isEmpty)
    }

    @Test("An app's own storage gives such mutations as well, and the same one twice")
    func ownStorage() async throws {
      let memory = Outbox.InMemoryStorage(), storage = Given(memory), told = Locked<[String]>([])
      func row(
        _ number: Int64, _ date: Date = Date(), id: UUID = UUID(), _ change: (inout Outbox.Row) -> Void = { _ in }
      )
        -> Outbox.Row
      {
        var row = Outbox.Row(
          id: id, number: number, operationName: "CreateTodo", typeName: _mangledTypeName(CreateTodo.self) ?? "",
          scope: "s\(number)", variables: Data(#"{"text":"\#(number)"}"#.utf8), optimisticData: nil, listEdits: [],
          localID: nil, localIDPath: nil, policy: Outbox.Policy(), date: date, idempotencyKey: "\(number)")
        change(&row)
        return row
      }
      let twice = UUID()
      let bad = [
        row(.max), row(.min), row(0), row(3, .distantPast), row(4, Date(timeIntervalSince1970: .nan)),
        row(5, Date(timeIntervalSince1970: .infinity)), row(6) { $0.attempts = .max }, row(7) { $0.attempts = -1 },
        row(8) { $0.networkFailures = .min }, row(9) { $0.notBefore = Date(timeIntervalSince1970: -.infinity) },
        row(11, id: twice), row(2) { $0.conflicts = -1 },
      ]
      storage.rows = bad + [row(1), row(10, id: twice), row(12) { $0.attempts = Outbox.Row.attemptLimit }]
      let server = TodoServer()
      let client = server.client(
        .http,
        try Place(.memory).launch {
          $0.storage = storage
          $0.onStorageFailure = { error in told.withLock { $0.append("\(error)") } }
        })
      server.plan(.status(503))
      try await client.outbox.flush()
      try await client.outbox.flush()
      try await client.enqueue(CreateTodo(text: "13"))
      try await client.outbox.flush()
      #expect(Set(server.texts) == ["1", "10", "12", "13"])
      #expect(told.withLock { $0.count } == bad.count && told.withLock { $0[0] }.contains("number"))
      await client.outbox.close()
    }

    @Test("Behind the last possible number nothing is enqueued, which is an error that says so")
    func lastNumber() async throws {
      let storage = Given(Outbox.InMemoryStorage()), place = try Place(.memory)
      storage.rows = [
        Outbox.Row(
          id: UUID(), number: Outbox.Row.lastNumber, operationName: "CreateTodo", typeName: "x", scope: "s",
          variables: Data(), optimisticData: nil, listEdits: [], localID: nil, localIDPath: nil,
          policy: Outbox.Policy(), date: Date(), idempotencyKey: "k")
      ]
      let client = TodoServer().client(.http, try place.launch { $0.storage = storage })
      let error = await #expect(throws: OperationError.self) { try await client.enqueue(CreateTodo(text: "x")) }
      #expect(error?.code == .storage)
      await client.outbox.close()
    }

    // MARK: Files

    static let schemas: [String] = {
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      return [
        "CREATE TRIGGER t AFTER INSERT ON mutations BEGIN \(endless); END",
        "CREATE TRIGGER t BEFORE DELETE ON ids BEGIN \(endless); END",
        "CREATE TABLE other(a)", "CREATE INDEX more ON mutations(state)",
        "ALTER TABLE mutations ADD COLUMN more",
        "ALTER TABLE mutations RENAME TO old; CREATE VIEW mutations AS SELECT number, id, scope, operation, state, date, (\(endless)) AS contents FROM old",
        "ALTER TABLE ids RENAME TO old; CREATE VIEW ids AS SELECT local, server, (\(endless)) AS date FROM old",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'contents BLOB NOT NULL', 'contents BLOB CHECK(length(randomblob(1000000000)))') WHERE name = 'mutations'",
      ]
    }()

    @Test("A schema with something of its own is foreign, and nothing of it runs", arguments: schemas)
    func schema(statements: String) async throws {
      let id = UUID()
      let place = try await place { database in
        try insert(
          try blob(try json("a", number: 1, id: id), id.uuidString), number: 1.databaseValue,
          id: id.uuidString.databaseValue, in: database)
        try database.execute(sql: statements)
      }
      #expect(throws: FileRefusal.self) { try OutboxInspector(path: place.file.path) }
      let storage = try SQLiteOutboxStorage(fileURL: place.file)
      #expect(storage.recoveries.map(\.reason) == [.foreign(applicationID: OutboxSchema.kind.applicationID)])
      #expect(storage.putAsideFiles.first?.lastPathComponent.contains("foreign-") == true)
      await storage.close()
      try await use(place)
    }

    @Test("Any values in any column", arguments: Effort.seeds(20))
    func values(seed: UInt64) async throws {
      var dice = Numbers(seed)
      func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &dice)] }
      let odd: [Any] = [
        "huge", "more", "none", -1, 0, 1.5, "", "x", NSNull(), [Any](), [String: Any](), true, "\u{0}", "YQ==",
        String(repeating: "Say", count: 3000) + "Si" + String(repeating: "G", count: 3000),
        Data(String(repeating: "[", count: 4000).utf8).base64EncodedString(), ["kind": "appendNode", "path": ["0"]],
        [["kind": "appendNode", "path": ["x", "-1"], "connections": ["", "a"]]],
      ]
      let columns: [DatabaseValue] = [
        Int64.max.databaseValue, Int64.min.databaseValue, 0.databaseValue, 7.databaseValue, "x".databaseValue,
        1e300.databaseValue, Data([0xff]).databaseValue, .null,
      ]
      let place = try await place { database in
        for number in 1...Int64.random(in: 1...6, using: &dice) {
          let id = UUID().uuidString, local = "local:" + UUID().uuidString.lowercased()
          var row = try json("t\(number) \(local)", number: number, id: try #require(UUID(uuidString: id)))
          for _ in 0..<Int.random(in: 0...2, using: &dice) {
            let name = pick(
              row.keys.sorted() + [
                "localID", "localIDPath", "answer", "failure", "optimisticData", "listEdits", "policy",
              ])
            row[name] = pick(odd)
          }
          if pick([true, false, false]) { row["state"] = pick(["queued", "answered", "failed"]) }
          if pick([true, false]) { row["localID"] = local }
          let column = pick([number.databaseValue, number.databaseValue, pick(columns)])
          try? insert(try blob(row, id), number: column, id: id.databaseValue, in: database)
          try? database.execute(
            sql: "INSERT INTO ids VALUES(?, ?, ?, ?)",
            arguments: [pick(columns), pick(columns), pick(columns), pick([.null, pick(columns)])])
          if pick([true, false, false]) {
            let name = pick(["number", "id", "scope", "operation", "state", "date", "contents"])
            try? database.execute(
              sql: "UPDATE OR IGNORE mutations SET \(name) = ? WHERE id = ?", arguments: [pick(columns), id])
          }
        }
      }
      try await use(place)
    }
  }
}

extension Place {
  /// A new file.
  fileprivate func made() -> any Outbox.Storage {
    do { return try storage() } catch { fatalError("\(error)") }
  }
}

/// A storage of an app, with whatever it gives.
private final class Given: Outbox.Storage {
  private let base: Outbox.InMemoryStorage
  private let given = Locked<[Outbox.Row]>([])

  init(_ base: Outbox.InMemoryStorage) { self.base = base }

  var rows: [Outbox.Row] {
    get { given.withLock { $0 } }
    set { given.withLock { $0 = newValue } }
  }

  func load() async throws -> Outbox.Contents {
    var contents = base.load()
    contents.rows += rows
    return contents
  }

  func write(_ change: Outbox.Change) async throws { base.write(change) }
}
