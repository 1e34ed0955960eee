@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
import StyledTests
internal import GRDB
import Testing

extension SQLiteTests {
  @Suite("Files that cannot be used")
  struct FileTests {
    /// A file with some records, everything in the file itself.
    private func filled(_ count: Int = 300) async throws -> (folder: Folder, bytes: Data) {
      let folder = try Folder()
      do {
        let cache = try folder.cache()
        try await cache.merge(
          records: RecordSet(
            records: (0..<count).map { number in
              Record(
                key: "T:\(number)",
                [
                  "__typename": "T", "n": .int(number), "text": .string("text-\(number)"),
                  "next": .reference("T:\(number + 1)"),
                ])
            }))
        try await cache.vacuum()
      }
      return (folder, try Data(contentsOf: folder.file))
    }

    /// Opens what is there, reads all keys of ``filled(_:)``, and writes something.
    ///
    /// - Parameters:
    ///   - folder: Where the file is.
    ///   - count: How many keys there were.
    ///   - isDamaged: Whether there may be damage that SQLite does not notice. Then what is written may be missing, and
    ///     is never wrong. The default is false.
    /// - Returns: The records that were there, and what was put aside.
    private func use(
      _ folder: Folder, count: Int = 300, isDamaged: Bool = false
    ) async throws -> (found: [CacheKey: Record], recoveries: [SQLiteNormalizedCacheError.Recovery]) {
      let told = Locked<[String]>([])
      let cache = try folder.cache { $0.onRecovery = { error in told.withLock { $0.append("\(error)") } } }
      let found = try await cache.loadRecords(forKeys: Set((0..<count).map { "T:\($0)" }))
      for (key, record) in found {
        #expect(record["n"] == .int(Int(key.dropFirst(2)) ?? -1), "a wrong value of \(key)")
      }
      try await cache.merge(records: ["New": ["x": 1]])
      let new = try await cache.record("New")
      #expect(new?["x"] == 1 || isDamaged && new == nil)
      #expect(told.withLock { $0.count } == cache.recoveries.count)
      return (found, cache.recoveries)
    }

    @Test("A new file is in the folder that is made for it, and a file that is there is used again")
    func new() async throws {
      let folder = try Folder()
      let url = folder.url.appendingPathComponent("a/b/c.sqlite")
      do {
        let cache = try SQLiteNormalizedCache(fileURL: url)
        try await cache.merge(records: ["A": ["x": 1]])
      }
      // (A path without `file:` names the file as well, as for Apollo iOS.)
      let cache = try SQLiteNormalizedCache(fileURL: URL(string: url.path)!)
      #expect(try await cache.record("A")?["x"] == 1 && cache.fileURL.isFileURL)
      #expect(cache.recoveries.isEmpty)
      #expect(try SQLiteNormalizedCache.defaultURL(name: "x").lastPathComponent == "x.sqlite")
    }

    @Test("A file is open once in a process, by whatever name")
    func inUse() throws {
      let folder = try Folder(), link = folder.url.appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
      var cache: SQLiteNormalizedCache? = try folder.cache()
      for url in [folder.file, link.appendingPathComponent("cache.sqlite")] {
        let error = #expect(throws: SQLiteNormalizedCacheError.self) { try SQLiteNormalizedCache(fileURL: url) }
        guard case .fileInUse? = error else { Issue.record("\(String(describing: error))"); continue }
        #expect(error?.description.contains("cache.sqlite") == true)
      }
      #expect(cache?.recoveries.isEmpty == true)
      cache = nil
      _ = try folder.cache()
    }

    @Test("A file of a later version is put aside whole, and stays")
    func newer() async throws {
      let (folder, _) = try await filled()
      try folder.database { try $0.execute(sql: "PRAGMA user_version = 7") }
      let before = try Data(contentsOf: folder.file)
      let (found, recoveries) = try await use(folder)
      #expect(found.isEmpty && recoveries.count == 1)
      #expect(recoveries.first?.reason == .newerFormat(version: 7))
      let aside = try #require(recoveries.first?.putAsideURL)
      #expect(try Data(contentsOf: aside) == before)
      #expect(aside.lastPathComponent.hasPrefix("cache.sqlite.newer-"))
      #expect("\(recoveries[0])".contains("version 7") && "\(recoveries[0])".contains(aside.path))
      #expect(try await use(folder).recoveries.isEmpty, "it is told once")
    }

    /// What Apollo iOS makes: its releases over SQLite.swift, and later ones.
    private static let tablesOfApolloIOS = [
      """
      CREATE TABLE IF NOT EXISTS "records" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "key" TEXT UNIQUE NOT NULL, \
      "record" TEXT NOT NULL);
      CREATE UNIQUE INDEX IF NOT EXISTS "index_records_on_key" ON "records" ("key")
      """,
      """
      CREATE TABLE IF NOT EXISTS "records" (
        "_id"  INTEGER,
        "key"  TEXT UNIQUE,
        "record"  TEXT,
        PRIMARY KEY("_id" AUTOINCREMENT)
      )
      """,
    ]

    @Test("A file of Apollo iOS is put aside, and the error says whose it is", arguments: tablesOfApolloIOS)
    func apolloIOS(table: String) async throws {
      let folder = try Folder()
      try folder.database { database in
        try database.execute(sql: table + "; INSERT INTO records(key, record) VALUES('QUERY_ROOT', '{}')")
      }
      let before = try Data(contentsOf: folder.file)
      let recoveries = try await use(folder).recoveries
      #expect(recoveries.map(\.reason) == [.apolloIOS])
      #expect("\(recoveries[0])".contains("Apollo iOS"))
      let aside = try #require(recoveries[0].putAsideURL)
      #expect(try Data(contentsOf: aside) == before, "it was not changed")
      // It goes as the app's own files do, also if it has the name that earlier releases have given it.
      let named = folder.url.appendingPathComponent("cache.sqlite.foreign-4102444800")
      try FileManager.default.copyItem(at: aside, to: named)
      let cache = try folder.cache()
      #expect(cache.putAsideFiles.count == 2)
      try await cache.clear()
      #expect(cache.putAsideFiles == [])
    }

    @Test("A file of Apollo iOS whose table is only in its log is known as well", arguments: tablesOfApolloIOS)
    func apolloIOSLog(table: String) async throws {
      let folder = try Folder(), original = try Folder()
      var configuration = GRDB.Configuration()
      configuration.journalMode = .wal
      let queue = try DatabaseQueue(path: original.file.path, configuration: configuration)
      try await queue.writeWithoutTransaction { try $0.execute(sql: table) }
      // The log stays as long as the file is open.
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: original.file.path + suffix, toPath: folder.file.path + suffix)
      }
      try queue.close()
      #expect(try await use(folder).recoveries.map(\.reason) == [.apolloIOS])
    }

    @Test(
      "A file that has the table of Apollo iOS beside others is a program's, and stays", arguments: tablesOfApolloIOS,
      ["notes(text)", "records_archive(text)", "schema_metadata_of_app(cache_key)"])
    func apolloIOSAndMore(table: String, other: String) async throws {
      let folder = try Folder()
      try folder.database { try $0.execute(sql: table + "; CREATE TABLE " + other) }
      #expect(try await use(folder).recoveries.map(\.reason) == [.foreign(applicationID: 0)])
      let cache = try folder.cache()
      try await cache.clear()
      #expect(cache.putAsideFiles.count == 1)
    }

    @Test("A file of another program is put aside")
    func foreign() async throws {
      let folder = try Folder()
      try folder.database { try $0.execute(sql: "CREATE TABLE notes(a); PRAGMA application_id = 1234") }
      #expect(try await use(folder).recoveries.map(\.reason) == [.foreign(applicationID: 1234)])
    }

    @Test("A file that is not a database is put aside: text, an encrypted file, a few bytes; an empty file is as none")
    func noDatabase() async throws {
      for bytes in [Data("hello".utf8), Data(repeating: 7, count: 8192), Data("SQLite format 3\0".utf8)] {
        let folder = try Folder()
        try bytes.write(to: folder.file)
        let recoveries = try await use(folder).recoveries
        guard case .damaged? = recoveries.first?.reason else { Issue.record("\(recoveries)"); continue }
        #expect(try Data(contentsOf: try #require(recoveries[0].putAsideURL)) == bytes)
      }
      let folder = try Folder()
      try Data().write(to: folder.file)
      #expect(try await use(folder).recoveries.isEmpty)
    }

    @Test("Two files that are put aside in one second have different names, and take their companions with them")
    func names() async throws {
      let folder = try Folder()
      let date = Date(timeIntervalSince1970: 1)
      for _ in 0..<3 {
        try Data("x".utf8).write(to: folder.file)
        try Data("log".utf8).write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
        _ = try PutAside.move(folder.file, reason: "damaged", date: date)
      }
      let name = "cache.sqlite.damaged-1"
      #expect(folder.names == [name, name + "-2", name + "-2-wal", name + "-3", name + "-3-wal", name + "-wal"])
    }

    @Test("The name of a file that is put aside has the time in seconds, whatever the clock says")
    func times() async throws {
      for (time, name) in [(4_102_444_800, "4102444800"), (-1, "0"), (1e300, "1000000000000"), (.nan, "0")]
        as [(Double, String)]
      {
        let folder = try Folder()
        try Data("x".utf8).write(to: folder.file)
        _ = try PutAside.move(folder.file, reason: "damaged", date: Date(timeIntervalSince1970: time))
        #expect(folder.names == ["cache.sqlite.damaged-" + name])
      }
    }

    @Test("A folder is protected with its file if it has no others")
    func folders() async throws {
      let (folder, _) = try await filled(1)
      for name in ["cache.sqlite-wal", "cache.sqlite-shm", "cache.sqlite.damaged-1", "cache.sqlite.damaged-1-wal"] {
        try Data().write(to: folder.url.appendingPathComponent(name))
      }
      #expect(FileAttributes.ownFolder(of: folder.file)?.lastPathComponent == folder.url.lastPathComponent)
      try Data().write(to: folder.url.appendingPathComponent("photo.jpeg"))
      #expect(FileAttributes.ownFolder(of: folder.file) == nil)
      #expect(FileAttributes.ownFolder(of: folder.url.appendingPathComponent("none/cache.sqlite")) == nil)
    }

    @Test("A file that is cut at any page is put aside, or has what is left of it; nothing is wrong")
    func cut() async throws {
      let (folder, bytes) = try await filled()
      for size in stride(from: 0, through: bytes.count - 1, by: Effort.damageStep.map { $0 * 512 } ?? 4096) {
        try restore(folder, Data(bytes.prefix(size)))
        let (found, recoveries) = try await use(folder)
        #expect(found.isEmpty && recoveries.count == (size == 0 ? 0 : 1), "cut at \(size)")
      }
    }

    @Test("A file with another byte in one of its first pages is put aside, or read without what was there")
    func flipped() async throws {
      let (folder, bytes) = try await filled()
      var dice = Dice(1), lost = 0, whole = 0
      for place in Effort.damagedPlaces(in: bytes.count, orAtRandom: 100) {
        var damaged = bytes
        damaged[place] ^= UInt8.random(in: 1...255, using: &dice)
        try restore(folder, damaged)
        let (found, recoveries) = try await use(folder, isDamaged: true)
        #expect(recoveries.count <= 1, "byte \(place): \(recoveries)")
        if found.count < 300 { lost += 1 } else { whole += 1 }
      }
      #expect(lost > 20 && whole > 20)
    }

    private func restore(_ folder: Folder, _ bytes: Data) throws {
      for name in folder.names { try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name)) }
      try bytes.write(to: folder.file)
    }

    @Test("A file that turns out to be damaged while it is open is replaced, and what waits is in the new one")
    func damagedWhileOpen() async throws {
      let (folder, bytes) = try await filled(3000)
      var damaged = bytes
      for place in 4096 * 4..<bytes.count { damaged[place] = 0xee }
      try restore(folder, damaged)
      let cache = try folder.cache(), store = ApolloStore(cache: cache)
      try await store.publish(records: ["A": ["x": 1]])
      _ = try await cache.loadRecords(forKeys: Set((0..<3000).map { "T:\($0)" }))
      try await store.flush()
      #expect(cache.recoveries.count == 1)
      #expect(try await cache.record("A")?["x"] == 1)
      #expect(try folder.database { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }

    @Test("Clearing a file that turns out to be damaged leaves nothing of it beside the new one")
    func damagedWhileCleared() async throws {
      let (folder, bytes) = try await filled(3000)
      var damaged = bytes
      for place in 4096 * 20..<4096 * 24 { damaged[place] = 0xee }
      try restore(folder, damaged)
      let cache = try folder.cache()
      #expect(cache.recoveries.isEmpty)
      try await cache.clear()
      #expect(cache.recoveries.count == 1 && cache.putAsideFiles.isEmpty)
      for name in folder.names {
        let contents = try Data(contentsOf: folder.url.appendingPathComponent(name))
        #expect(contents.range(of: Data("text-".utf8)) == nil, "\(name)")
      }
    }

    @Test("A damaged file that cannot be renamed at once is told of once, as damaged, and that when a new one is made")
    func damagedAndNotRenamed() async throws {
      let (folder, bytes) = try await filled(3000), told = Locked(0)
      var damaged = bytes
      for place in 4096 * 20..<4096 * 24 { damaged[place] = 0xee }
      // There is no room in the name for why it was put aside, and when.
      let url = folder.url.appendingPathComponent(String(repeating: "n", count: 240) + ".sqlite")
      try damaged.write(to: url)
      var configuration = SQLiteNormalizedCache.Configuration()
      configuration.onRecovery = { _ in told.withLock { $0 += 1 } }
      let cache = try SQLiteNormalizedCache(fileURL: url, configuration: configuration)
      for _ in 0..<3 {
        await #expect(throws: SQLiteNormalizedCacheError.self) { try await cache.clear() }
        await #expect(throws: SQLiteNormalizedCacheError.self) { try await cache.record("T:1") }
      }
      #expect(cache.recoveries.isEmpty && told.withLock { $0 } == 0)
      for name in folder.names where name.hasPrefix("nn") {
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
      }
      try await cache.merge(records: ["A": ["x": 1]])
      #expect(try await cache.record("A")?["x"] == 1)
      #expect(cache.recoveries.count == 1 && told.withLock { $0 } == 1)
      guard case .damaged? = cache.recoveries.first?.reason else { Issue.record("\(cache.recoveries)"); return }
    }

    @Test("A file that is removed while it is open is made anew with the next write")
    func removed() async throws {
      let (folder, _) = try await filled(10)
      let cache = try folder.cache(), store = ApolloStore(cache: cache)
      try restore(folder, Data())
      try FileManager.default.removeItem(at: folder.file)
      try await store.publish(records: ["A": ["x": 1]])
      try await store.flush()
      #expect(cache.recoveries.map(\.reason) == [.removed])
      #expect(try folder.database { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") } == 1)
    }

    @Test("A file that another process has put in the place of this one is used from then on, and not renamed")
    func replaced() async throws {
      let (folder, bytes) = try await filled(10)
      try restore(folder, Data())
      let cache = try folder.cache(), store = ApolloStore(cache: cache)
      try restore(folder, bytes)
      try await store.publish(records: ["T:1": ["new": 1]])
      try await store.flush()
      #expect(cache.recoveries.map(\.reason) == [.removed] && cache.recoveries.first?.putAsideURL == nil)
      #expect(try await cache.record("T:2")?["n"] == 2)
      // And the whole folder may be gone.
      try FileManager.default.removeItem(at: folder.url)
      try await store.publish(records: ["T:3": ["new": 1]])
      try await store.flush()
      #expect(try await cache.record("T:3")?["new"] == 1 && cache.recoveries.count == 2)
    }

    @Test("A place where nothing can be made is an error that names it")
    func impossible() throws {
      let folder = try Folder()
      try Data().write(to: folder.url.appendingPathComponent("file"))
      let url = folder.url.appendingPathComponent("file/cache.sqlite")
      let error = #expect(throws: SQLiteNormalizedCacheError.self) { try SQLiteNormalizedCache(fileURL: url) }
      #expect(error?.description.contains(url.path) == true)
      // After the error, the name is free.
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("file"))
      _ = try SQLiteNormalizedCache(fileURL: url)
    }

    @Test("A folder with the name of the file is put aside")
    func directory() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
      #expect(try await use(folder).recoveries.map(\.reason) == [.unreadable("it is a folder")])
    }

    @Test("The recorded file of version 1 is read")
    func recorded() async throws {
      let folder = try Folder()
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Files/version-1.sqlite")
      if ProcessInfo.processInfo.environment["APOLLO_RECORD_FILE"] != nil {
        // For the release that changes the format: it records a file of the version before.
        do {
          let cache = try SQLiteNormalizedCache(fileURL: source)
          try await cache.merge(records: RecordedFile.records)
          try await cache.vacuum()
        }
      }
      try FileManager.default.copyItem(at: source, to: folder.file)
      let cache = try folder.cache()
      #expect(cache.recoveries.isEmpty)
      for record in RecordedFile.records.storage.values { #expect(try await cache.record(record.key) == record) }
    }
  }
}

/// What the recorded files have.
enum RecordedFile {
  static var records: RecordSet {
    var human = Record(
      key: "Human:1000",
      [
        "__typename": "Human", "name": "Luke", "height": 1.72, "mass": 77,
        "friends(first:2)": [.reference("Droid:2001"), nil],
        "home": ["__typename": "Planet", "name": "Tatooine 🏜", "moons": []], "json": .json(#"{"a":[1]}"#),
        "alive": true,
        "wife": nil, "secret": .error(#"{"message":"no","path":[]}"#),
      ], receivedAt: Date(timeIntervalSince1970: 1_700_000_000))
    human.dates = ["mass": Date(timeIntervalSince1970: 1_600_000_000)]
    human.expirations = ["alive": Date(timeIntervalSince1970: 1_900_000_000)]
    return RecordSet(records: [human, Record(key: "QUERY_ROOT", [#"hero(episode:"JEDI")"#: .reference("Human:1000")])])
  }
}
