@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloSQLite
import Foundation
import StyledTests
internal import GRDB
import ScriptedServer
import Testing
import Waiting

extension OutboxTests {
  @Suite("The outbox on disk", .serialized)
  struct DiskTests {
    /// The file of an outbox with mutations in it, whose log is written to it.
    private func filled(_ count: Int = 30) async throws -> (place: Place, bytes: Data) {
      let server = TodoServer(), place = try Place(.disk)
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      for number in 0..<count {
        try await client.enqueue(CreateTodo(text: "text \(number) " + String(repeating: "x", count: number * 37 % 900)))
      }
      await client.outbox.close()
      return (place, try Data(contentsOf: place.file))
    }

    private func restore(_ place: Place, _ bytes: Data) throws {
      for name in place.names { try FileManager.default.removeItem(at: place.folder.appendingPathComponent(name)) }
      try bytes.write(to: place.file)
    }

    /// Opens a file, and reads and writes it.
    private func use(_ place: Place) async throws -> (
      found: Int, recovery: SQLiteOutboxStorage.Recovery?
    ) {
      let told = Locked<[SQLiteOutboxStorage.Recovery]>([])
      var configuration = SQLiteOutboxStorage.Configuration()
      configuration.onRecovery = { recovery in told.withLock { $0.append(recovery) } }
      let storage = try SQLiteOutboxStorage(fileURL: place.file, configuration: configuration)
      let rows = try await storage.load().rows
      for row in rows {
        let text = String(decoding: row.variables, as: UTF8.self)
        #expect(text.hasPrefix("{\"text\":\"text \(row.number - 1) "), "what is read is right")
      }
      try await storage.write(Outbox.Change(saving: row(number: 1000)))
      #expect(try await storage.load().rows.contains { $0.number == 1000 })
      let recoveries = told.withLock { $0 }
      #expect(recoveries.count == storage.recoveries.count && recoveries.count <= 2)
      for recovery in recoveries {
        #expect(recovery.putAsideURL.map { FileManager.default.fileExists(atPath: $0.path) } == true)
      }
      // What the first write has found is taken over as well, as far as it can be read.
      if let recovery = recoveries.last, recoveries.count == 1 {
        #expect(recovery.recoveredCount >= min(rows.count, 18), "\(recovery)")
      }
      await storage.close()
      return (rows.count, recoveries.last)
    }

    private func row(number: Int64) -> Outbox.Row {
      Outbox.Row(
        id: UUID(), number: number, operationName: "CreateTodo", typeName: "x", scope: "s",
        variables: Data(#"{"text":"text \#(number - 1) "}"#.utf8), optimisticData: nil, listEdits: [], localID: nil,
        localIDPath: nil, policy: Outbox.Policy(), date: Date(), idempotencyKey: "k")
    }

    @Test("A file that is cut anywhere is put aside, and what can be read of it is taken over")
    func cut() async throws {
      let (place, bytes) = try await filled()
      var mostFound = 0
      for size in stride(from: 0, through: bytes.count - 1, by: Effort.damageStep.map { $0 * 512 } ?? 4096) {
        try restore(place, Data(bytes.prefix(size)))
        let (found, recovery) = try await use(place)
        if size > 0 { #expect(recovery != nil, "cut at \(size)") }
        mostFound = max(mostFound, found)
      }
      #expect(mostFound > 10)
    }

    @Test("A file with another byte anywhere loses no more than what is on that page, and says how much that is")
    func flipped() async throws {
      let (place, bytes) = try await filled()
      let places = Effort.damagedPlaces(in: bytes.count, orAtRandom: 40)
      var whole = 0, part = 0
      for offset in places {
        var damaged = bytes
        damaged[offset] ^= UInt8.random(in: 1...255)
        try restore(place, damaged)
        let (found, recovery) = try await use(place)
        // A page has some seven rows.
        #expect(found >= 18, "byte \(offset): \(found) found, \(recovery.map { "\($0)" } ?? "not put aside")")
        if found == 30 { whole += 1 } else { part += 1 }
      }
      #expect(whole > places.count / 3, "\(whole) whole, \(part) in part")
    }

    @Test("With any other byte in the text of its schema, the launch that opens a file has all of its mutations")
    func damagedSchema() async throws {
      let (place, bytes) = try await filled()
      // The first page ends with the statements that made the tables. (Between them are numbers, such as those of the pages.)
      let statements = (112..<4096).filter { bytes[$0] >= UInt8(ascii: " ") }
      let table = try #require(
        bytes.prefix(4096).range(of: Data("CREATE TABLE \"mutations\"".utf8))
          ?? bytes.prefix(4096).range(of: Data("CREATE TABLE mutations".utf8)))
      let isWhole = Effort.damageStep != nil
      let values = isWhole ? Array(1...255) : Array((1...255).shuffled().prefix(40))
      var damages = values.map { (table.lowerBound + 40, UInt8($0)) }
      damages += (isWhole ? statements : Array(statements.shuffled().prefix(80))).map {
        ($0, UInt8.random(in: 1...255))
      }
      for (offset, value) in damages {
        var damaged = bytes
        damaged[offset] ^= value
        try restore(place, damaged)
        let (found, recovery) = try await use(place)
        #expect(found == 30, "byte \(offset) ^ \(value): \(found), \(recovery.map { "\($0)" } ?? "not put aside")")
      }
    }

    @Test("A file of a later release, of another program, or that is not a database is put aside")
    func foreign() async throws {
      let (place, bytes) = try await filled()
      for (word, change) in [("newer", "PRAGMA user_version = 99"), ("foreign", "PRAGMA application_id = 7")] {
        try restore(place, bytes)
        let queue = try DatabaseQueue(path: place.file.path)
        try await queue.writeWithoutTransaction { database in
          try database.execute(sql: change)
          try database.checkpoint(.truncate)
        }
        try queue.close()
        let (found, recovery) = try await use(place)
        #expect(recovery?.putAsideURL?.lastPathComponent.contains(word) == true, "\(recovery.map { "\($0)" } ?? "")")
        // A later release's mutations have the same form, as far as this release knows.
        #expect(found == 30)
      }
      for text in ["", "hello", String(repeating: "SQLite format 3\0", count: 400)] {
        try restore(place, Data(text.utf8))
        let (found, recovery) = try await use(place)
        #expect(found == 0 && (recovery != nil) == !text.isEmpty)
      }
      // The cache's file is none of an outbox.
      try restore(place, Data())
      try FileManager.default.removeItem(at: place.file)
      do { try await SQLiteNormalizedCache(fileURL: place.file).close() }
      #expect(try await use(place).recovery?.reason == .foreign(applicationID: Schema.kind.applicationID))
    }

    @Test("A file is open once, in this process and in others")
    func inUse() async throws {
      let place = try Place(.disk), storage = try SQLiteOutboxStorage(fileURL: place.file)
      _ = try await storage.load()
      #expect(throws: SQLiteOutboxStorage.StorageError.self) { try SQLiteOutboxStorage(fileURL: place.file) }
      let lines = try await Child.lines(
        ofProduct: "outbox-sender", ["open", place.folder.path, "http://127.0.0.1:1/", "self"])
      #expect(lines.first?.contains("another process has it open") == true, "\(lines)")
      await storage.close()
      #expect(try await SQLiteOutboxStorage(fileURL: place.file).load().rows.isEmpty)
    }

    @Test("A folder that may not be written to is an error that names the file")
    func readOnlyFolder() async throws {
      let place = try Place(.disk)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.folder.path)
      let lines = try await Child.lines(
        ofProduct: "outbox-sender", ["open", place.folder.path, "http://127.0.0.1:1/", "65534"])
      if let reason = lines.first, reason.hasPrefix("skipped") { try Test.cancel("\(reason)") }
      #expect(lines.count == 1 && lines[0].hasPrefix("error: ") && lines[0].contains("outbox.sqlite"), "\(lines)")
    }

    @Test("A file that is removed while it is open is made anew, and later mutations are kept")
    func removed() async throws {
      let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
      await client.outbox.pause()
      try await client.enqueue(CreateTodo(text: "a"))
      for name in place.names { try FileManager.default.removeItem(at: place.folder.appendingPathComponent(name)) }
      try await client.enqueue(CreateTodo(text: "b"))
      // What the outbox still knows is written again.
      try await eventually("both are kept") { try await place.copy().storage().load().rows.count == 2 }
      await client.outbox.resume()
      try await client.outbox.flush()
      #expect(server.texts == ["a", "b"])
    }

    @Test("A mutation that cannot be read stays in the file, is told, and keeps nothing back")
    func unreadable() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let first = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      try await first.enqueue(CreateTodo(text: "a"))
      await first.outbox.close()
      let database = try DatabaseQueue(path: place.file.path)
      // What a later release would write has its checksum.
      try await database.writeWithoutTransaction { database in
        let id = try String.fetchOne(database, sql: "SELECT id FROM mutations") ?? ""
        var writer = BlobWriter()
        for byte in "{\"later\":true}".utf8 { writer.write(byte) }
        writer.writeChecksum(for: id)
        try database.execute(sql: "UPDATE mutations SET contents = ?", arguments: [Data(writer.bytes)])
      }
      try database.close()
      let told = Locked<[String]>([])
      var configuration = SQLiteOutboxStorage.Configuration()
      configuration.onUnreadable = { error in told.withLock { $0.append("\(error)") } }
      let storage = try SQLiteOutboxStorage(fileURL: place.file, configuration: configuration)
      let next = server.client(.http, Outbox.Configuration(storage: storage))
      _ = try await next.enqueue(CreateTodo(text: "b")).value
      try await next.outbox.flush()
      #expect(told.withLock { $0.count } == 1 && server.texts == ["b"] && storage.recoveries.isEmpty)
      await next.outbox.close()
      let contents = try await SQLiteOutboxStorage(fileURL: place.file).load()
      #expect(contents.rows.isEmpty && contents.lastUnreadNumber == 1)
    }

    @Test("If the process ends while a file is replaced, the next launch has what was in it", arguments: 0..<3)
    func endWhileReplacing(step: Int) async throws {
      let (place, bytes) = try await filled()
      let new = URL(fileURLWithPath: place.file.path + ".new")
      switch step {
      // The new file is not finished.
      case 0: try Data("not finished".utf8).write(to: new)
      // The old file was put aside, and the new one is not in its place.
      case 1: try FileManager.default.moveItem(at: place.file, to: new)
      // The same, and a copy of the old file is there that was made for reading it.
      default:
        try FileManager.default.moveItem(at: place.file, to: new)
        let folder = URL(fileURLWithPath: place.file.path + ".recovery", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: folder.appendingPathComponent("copy-false.sqlite"))
      }
      let (found, recovery) = try await use(place)
      #expect(found == 30 && recovery == nil && !FileManager.default.fileExists(atPath: new.path))
    }

    @Test("The inspector shows the mutations of a file, and says why it cannot")
    func inspector() async throws {
      let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
      server.plan(.status(400))
      try await client.enqueue(CreateTodo(text: "a"))
      try await client.outbox.flush()
      await client.outbox.pause()
      try await client.enqueue(
        Attach(json: 7), files: [GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))])
      #expect(throws: FileRefusal.self) { try OutboxInspector(path: place.file.path).mutations() }
      await client.outbox.close()
      let lines = try await Child.lines(ofProduct: "apollo-inspect", ["mutations", place.file.path])
      #expect(
        lines.first?.hasPrefix("1  CreateTodo  failed  scope default") == true && lines.last == "2 mutations",
        "\(lines)")
      #expect(lines.contains("  variables  {\"text\":\"a\"}") && lines.contains("  files      a.txt"), "\(lines)")
      #expect(lines.contains { $0.hasPrefix("  failure  ") && $0.contains("400") }, "\(lines)")
      let other = try await Child.lines(ofProduct: "apollo-inspect", ["statistics", place.file.path])
      #expect(other.first?.contains("file of an outbox, which the command \"mutations\"") == true, "\(other)")
      let before = try Data(contentsOf: place.file)
      #expect(
        try OutboxInspector(path: place.file.path).mutations().count == 2 && Data(contentsOf: place.file) == before)
    }

    @Test("The codec changes what is in the file. One that can decode nothing now is an error that leaves it as it is")
    func codec() async throws {
      let server = TodoServer(), place = try Place(.encrypted)
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      let data = Data("a secret file".utf8)
      try await client.enqueue(
        Attach(json: "a secret text"), files: [GraphQLFile(fieldName: "file", originalName: "secret.txt", data: data)])
      await client.outbox.close()
      for name in FileManager.default.subpaths(atPath: place.folder.path) ?? [] {
        let bytes = (try? Data(contentsOf: place.folder.appendingPathComponent(name))) ?? Data()
        #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(name)")
      }
      let other = try SQLiteOutboxStorage(fileURL: place.file, configuration: .with(codec: LockedCodec()))
      let error = await #expect(throws: SQLiteOutboxStorage.StorageError.self) { _ = try await other.load() }
      #expect(error?.description.contains("locked") == true && other.recoveries.isEmpty)
      await other.close()
      #expect(try await place.storage().load().rows.count == 1)
    }

    @Test("A copy of a file that the codec cannot decode costs its own mutation alone, and nothing while it is locked")
    func damagedCopy() async throws {
      let server = TodoServer(), place = try Place(.encrypted)
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      try await client.enqueue(
        Attach(), files: [GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))])
      try await client.enqueue(CreateTodo(text: "b"))
      await client.outbox.close()
      for name in place.fileNames {
        try Data("damaged".utf8).write(to: place.folder.appendingPathComponent(name))
      }
      let locked = try SQLiteOutboxStorage(fileURL: place.file, configuration: .with(codec: LockedForFiles()))
      await #expect(throws: SQLiteOutboxStorage.StorageError.self) { _ = try await locked.load() }
      await locked.close()
      let next = server.client(.http, try place.launch())
      try await next.outbox.flush()
      #expect(server.texts == ["b"])
      #expect(await next.outbox.failed.map { $0.error?.code } == [.storage])
      await next.outbox.close()
    }

    @Test("On a full disk a mutation is an error and not sent; what was kept is sent")
    func diskFull() async throws {
      let server = EntryServer(), place = try Place(.disk)
      try await ScriptedServer.with(server.handle) { scripted in
        let lines = try await Child.lines(ofProduct: "outbox-sender", ["full", place.folder.path, scripted.address])
        let failed = try #require(lines.first, "\(lines)")
        #expect(
          failed.hasPrefix("failed AddEntry: The mutation cannot be kept") && failed.contains(place.folder.path),
          "\(failed)")
        let words = try #require(lines.last?.split(separator: " "), "\(lines)")
        #expect(words.first == "sent" && words.last == "0", "\(lines)")
        #expect(server.entries.count == Int(words[1]))
        #expect(server.problems.isEmpty)
      }
    }

    @Test("A process that is stopped at any moment loses no mutation, and does none twice")
    func crash() async throws {
      let environment = ProcessInfo.processInfo.environment
      let rounds = Int(environment["ROUNDS"] ?? "") ?? 20
      var dice = Numbers(UInt64(environment["SEED"] ?? "") ?? 1), kept = 0
      for round in 0..<max(1, rounds / 4) {
        let server = EntryServer(losesAnswers: round % 2 == 1), place = try Place(.disk)
        try await ScriptedServer.with(server.handle) { scripted in
          var acknowledged: [String] = []
          // The same file several times: a crash after a crash.
          for launch in 0..<4 {
            let child = try Child(
              product: "outbox-sender", ["send", place.folder.path, scripted.address, "\(launch)"])
            // A slow machine may stop all of them before they have kept anything, so every second one has kept some.
            if launch % 2 == 0 {
              try await eventually { child.lines.contains { $0.hasPrefix("kept ") } || !child.isRunning }
            }
            // (It may be stopped at any moment, so this one is chosen by the clock.)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<400, using: &dice)))
            child.kill()
            let lines = try await child.linesAtEnd()
            #expect(lines.first == "opened" || launch % 2 == 1, "launch \(launch): \(lines.suffix(3))")
            #expect(!lines.contains { $0.hasPrefix("error") }, "\(lines.suffix(3))")
            acknowledged += lines.filter { $0.hasPrefix("kept ") }.map { String($0.dropFirst(5)) }
          }
          let lines = try await Child.lines(ofProduct: "outbox-sender", ["drain", place.folder.path, scripted.address])
          #expect(lines == ["failed 0"], "\(lines)")
          let entries = server.entries
          #expect(Set(acknowledged).subtracting(entries).isEmpty, "a mutation is lost in round \(round)")
          #expect(Set(entries).count == entries.count, "a mutation was done twice in round \(round)")
          #expect(server.problems.isEmpty, "\(server.problems)")
          // In a scope, mutations come in the order in which they were enqueued.
          for scope in 0..<2 {
            let numbers = entries.map { $0.split(separator: ".").compactMap { Int($0) } }.filter { $0[1] % 2 == scope }
            #expect(numbers == numbers.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }, "round \(round)")
          }
          kept += acknowledged.count
          let storage = try place.storage()
          #expect(try await storage.load().rows.isEmpty)
          await storage.close()
        }
      }
      #expect(kept > 0)
    }

    @Test(
      "A row is on the disk before its mutation is sent",
      .enabled("strace is not installed, or may not look at other processes") { await Strace.isThere() })
    func writtenFirst() async throws {
      let server = EntryServer(), place = try Place(.disk)
      try await ScriptedServer.with(server.handle) { scripted in
        let trace = place.folder.appendingPathComponent("trace.txt")
        let child = try Child(
          product: "outbox-sender", ["send", place.folder.path, scripted.address, "0", "12"],
          under: Strace.command(writingTo: trace))
        try await child.ended()
        #expect(server.entries.count == 12)
        try Strace.check(trace, outbox: "outbox.sqlite")
      }
    }

    struct LockedForFiles: SQLiteCodec {
      func encode(_ data: Data, for key: String) throws -> Data { try Scrambled().encode(data, for: key) }
      func decode(_ data: Data, for key: String) throws -> Data {
        if key.contains("/") { throw SQLiteCodecUnavailable() }
        return try Scrambled().decode(data, for: key)
      }
    }

    struct LockedCodec: SQLiteCodec {
      private let failure = SQLiteCodecUnavailable("the keychain is locked")
      func encode(_ data: Data, for key: String) throws -> Data { throw failure }
      func decode(_ data: Data, for key: String) throws -> Data { throw failure }
    }
  }
}

extension SQLiteOutboxStorage.Configuration {
  static func with(codec: any SQLiteCodec) -> Self {
    var configuration = Self()
    configuration.codec = codec
    return configuration
  }
}
