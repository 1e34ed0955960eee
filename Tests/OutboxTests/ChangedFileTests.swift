@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing
import Waiting

// What becomes of an outbox's file that something else has changed: another program, another process, another release.

extension OutboxTests.DiskTests {
  @Test("A file in the place of the one that is open is put aside, and the mutations of every owner are in a new one")
  func replaced() async throws {
    let server = TodoServer(), place = try Place(.disk), other = try Place(.disk)
    let offline = ManualNetworkMonitor(isOnline: false)
    let restored = server.client(.http, try other.launch(), monitor: offline)
    for text in ["x", "y"] { try await restored.enqueue(CreateTodo(text: text)) }
    await restored.outbox.close()

    let client = server.client(.http, try place.launch { $0.owner = "B" }, monitor: offline)
    try await client.enqueue(CreateTodo(text: "of B"))
    try await client.outbox.setOwner("A")
    try await client.enqueue(CreateTodo(text: "a"))
    // As when a copy is restored.
    for name in place.names { try FileManager.default.removeItem(at: place.folder.appendingPathComponent(name)) }
    try FileManager.default.copyItem(at: other.file, to: place.file)
    try await client.enqueue(CreateTodo(text: "b"))
    try await eventually("all are kept") {
      let storage = try place.copy().storage()
      let texts = try await storage.load().rows.map { String(decoding: $0.variables, as: UTF8.self) }
      await storage.close()
      return Set(texts) == [#"{"text":"of B"}"#, #"{"text":"a"}"#, #"{"text":"b"}"#]
    }
    #expect(place.names.contains { $0.hasPrefix("outbox.sqlite.removed-") })
    await client.outbox.close()
  }

  @Test("A file that is damaged while a process has it open is not replaced by another one")
  func damagedWhileOpen() async throws {
    let place = try Place(.disk), storage = try SQLiteOutboxStorage(fileURL: place.file)
    _ = try await storage.load()
    let handle = try FileHandle(forWritingTo: place.file)
    try handle.write(contentsOf: Data(repeating: 0xee, count: 100))
    try handle.close()
    let lines = try await Child.lines(
      ofProduct: "outbox-sender", ["open", place.folder.path, "http://127.0.0.1:1/", "self"])
    #expect(lines.first?.contains("another process has it open") == true, "\(lines)")
    #expect(!place.names.contains { $0.contains("damaged") })
    await storage.close()
  }

  @Test("What another process has left on its way to a new file stays as long as it has the outbox open")
  func tidying() async throws {
    let place = try Place(.disk), storage = try SQLiteOutboxStorage(fileURL: place.file)
    _ = try await storage.load()
    // As while a damaged file is replaced.
    let new = URL(fileURLWithPath: place.file.path + ".new")
    try Data("not finished".utf8).write(to: new)
    let lines = try await Child.lines(
      ofProduct: "outbox-sender", ["open", place.folder.path, "http://127.0.0.1:1/", "self"])
    #expect(lines.first?.contains("another process has it open") == true, "\(lines)")
    #expect(FileManager.default.fileExists(atPath: new.path))
    await storage.close()
  }

  @Test("What says nothing of a file does not count as damage of it")
  func errorsOfDevice() {
    for code in [ResultCode.SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_CANTOPEN, .SQLITE_IOERR] {
      #expect(DatabaseError(resultCode: code).isOfDevice)
    }
    for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR_SHORT_READ] {
      #expect(!DatabaseError(resultCode: code).isOfDevice)
    }
  }

  @Test("Looking at what there is leaves the copies of files that belong to a mutation which is being enqueued")
  func loadingWhileKeeping() async throws {
    let place = try Place(.disk), storage = try SQLiteOutboxStorage(fileURL: place.file)
    let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))
    _ = try await storage.keep([file], of: UUID())
    _ = try await storage.load()
    #expect(place.fileNames.count == 1)
    // An outbox that begins keeps none.
    _ = try await storage.load(ownedBy: nil)
    #expect(place.fileNames.isEmpty)
    await storage.close()
  }

  @Test("What the codec of a later release cannot read stays in the file, is told, and keeps nothing back")
  func otherCodec() async throws {
    let server = TodoServer(), place = try Place(.disk), told = Locked(0)
    let first = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
    try await first.enqueue(CreateTodo(text: "a"))
    await first.outbox.close()
    var configuration = SQLiteOutboxStorage.Configuration.with(codec: Scrambled())
    configuration.onUnreadable = { _ in told.withLock { $0 += 1 } }
    let storage = try SQLiteOutboxStorage(fileURL: place.file, configuration: configuration)
    let next = server.client(.http, Outbox.Configuration(storage: storage))
    _ = try await next.enqueue(CreateTodo(text: "b")).value
    #expect(server.texts == ["b"] && told.withLock { $0 } == 1 && storage.recoveries.isEmpty)
    await next.outbox.close()
    // With the settings of before, it is there again.
    let last = server.client(.http, try place.launch())
    try await last.outbox.flush()
    #expect(server.texts == ["b", "a"])
    await last.outbox.close()
  }
}
