@testable import Apollo
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

extension OutboxTests {
  /// The files were recorded by the release that wrote this version, with a mutation of each state.
  @Suite("Files of earlier versions")
  struct EarlierFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Files")

    private static func place(_ isCoded: Bool) throws -> Place {
      let place = try Place(isCoded ? .encrypted : .disk)
      let name = isCoded ? "version-1-coded.sqlite" : "version-1.sqlite"
      for suffix in ["", "-files"] {
        try FileManager.default.copyItem(
          atPath: folder.path + "/" + name + suffix, toPath: place.file.path + suffix)
      }
      return place
    }

    /// Expects everything that was recorded.
    private static func expectAll(
      _ storage: any Outbox.Storage, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let contents = try await storage.load(ownedBy: nil)
      let rows = contents.rows.sorted { $0.number < $1.number }
      try #require(rows.map(\.number) == [1, 2, 3, 4, 9], sourceLocation: sourceLocation)
      #expect(rows.map(\.state) == [.queued, .queued, .answered, .failed, .queued], sourceLocation: sourceLocation)
      #expect(rows.allSatisfy { $0.owner == nil }, sourceLocation: sourceLocation)
      #expect(rows.map(\.idempotencyKey) == (1...5).map { "key-\($0)" }, sourceLocation: sourceLocation)
      let seconds = rows.map { $0.date.timeIntervalSince1970 - 1_767_225_600.25 }
      #expect(seconds == [0, 1, 2, 3, 4], sourceLocation: sourceLocation)
      let waiting = rows[0]
      #expect(String(decoding: waiting.variables, as: UTF8.self) == #"{"text":"waits for é"}"#)
      #expect(waiting.localID == "local:00000000-0000-4000-8000-00000000000a")
      #expect(waiting.localIDPath == ["createTodo", "id"] && waiting.optimisticData != nil)
      #expect(
        waiting.policy
          == Outbox.Policy(
            onFailure: .pauseScope, maximumAttempts: 5, expiresAfter: 3_153_600_000, headers: ["X-Screen": "list"]))
      #expect(waiting.attempts == 2 && waiting.networkFailures == 1)
      #expect(waiting.notBefore == Date(timeIntervalSince1970: 1_767_225_700.5))
      #expect(waiting.failure == Outbox.Row.Failure(code: "network", message: "no route"))
      #expect(
        rows[2].answer.map { String(decoding: $0, as: UTF8.self) }
          == #"{"data":{"renameTodo":{"__typename":"Todo","id":"7","text":"answered"}}}"#)
      #expect(rows[3].failure == Outbox.Row.Failure(code: "operationRefused", message: "not yours"))
      let file = try #require(rows[4].files.first)
      #expect(try file.data ?? file.fileURL.map { try Data(contentsOf: $0) } == Data("a file".utf8))
      #expect(file.originalName == "a.txt" && file.mimeType == "text/plain" && file.fieldName == "file")
      #expect(
        contents.serverIDs == [
          "local:00000000-0000-4000-8000-00000000000c": "77", "local:00000000-0000-4000-8000-00000000000b": nil,
        ], sourceLocation: sourceLocation)
    }

    @Test("A file of version 1 is opened with all that it has", arguments: [false, true])
    func versionOne(isCoded: Bool) async throws {
      let place = try Self.place(isCoded)
      for _ in 0..<2 {
        let storage = try place.storage()
        #expect((storage as? SQLiteOutboxStorage)?.recoveries.isEmpty == true)
        try await Self.expectAll(storage)
        await storage.close()
      }
      let queue = try DatabaseQueue(path: place.file.path)
      #expect(try await queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == OutboxSchema.kind.version)
    }

    @Test("Its mutations are sent by an outbox without an owner, and wait for one with an owner")
    func sent() async throws {
      let server = TodoServer(), place = try Self.place(false)
      server.add("7", "old")
      let client = server.client(.http, try place.launch { $0.owner = "A" })
      try await client.outbox.flush()
      #expect(server.requests.isEmpty)
      try await client.outbox.setOwner(nil)
      try await client.outbox.flush()
      #expect(Set(server.executions) == ["CreateTodo waits for é", "Attach", "RenameTodo renamed"])
      #expect(await client.outbox.failed.map(\.operationName) == ["RenameTodo"])
    }

    @Test("A process that ends at any moment of the step leaves a file with all that it has", arguments: [false, true])
    func endWithinStep(isCoded: Bool) async throws {
      // What the step writes goes to the log first, so a process that ends leaves the beginning of it.
      let place = try Self.place(isCoded), before = try Data(contentsOf: place.file)
      let log: Data
      do {
        let queue = try DatabaseQueue(path: place.file.path)
        try await queue.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA journal_mode = WAL")
          try OutboxSchema.kind.migrate(database)
        }
        log = try Data(contentsOf: URL(fileURLWithPath: place.file.path + "-wal"))
        try queue.close()
      }
      // The header of the log has 32 bytes, and that of each of its pages 24.
      let pages = stride(from: 32, through: log.count, by: 4096 + 24).map { $0 }
      #expect(pages.count > 1)
      let sizes: [Int] = [0, 16] + pages + pages.map { $0 + 100 }
      for size in sizes where size <= log.count {
        let copy = try Self.place(isCoded)
        try before.write(to: copy.file)
        try log.prefix(size).write(to: URL(fileURLWithPath: copy.file.path + "-wal"))
        let storage = try copy.storage()
        #expect((storage as? SQLiteOutboxStorage)?.recoveries.isEmpty == true, "\(size) bytes of the log")
        try await Self.expectAll(storage)
        await storage.close()
      }
    }

    @Test("What can be read of a damaged file of version 1 is taken over", arguments: [false, true])
    func damaged(isCoded: Bool) async throws {
      let place = try Self.place(isCoded)
      var bytes = try Data(contentsOf: place.file)
      // The first page leads to all others.
      for index in 100..<600 { bytes[index] = 0xff }
      try bytes.write(to: place.file)
      let storage = try place.storage()
      #expect((storage as? SQLiteOutboxStorage)?.recoveries.map(\.recoveredCount) == [5])
      try await Self.expectAll(storage)
    }
  }
}
