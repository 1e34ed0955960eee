@testable import ApolloHTTP
@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import StyledTests
import Testing
import Waiting

extension SQLiteTests {
  @Suite("What others can see on disk")
  struct PrivacyTests {
    /// The permissions of everything in a folder, and of the folder, where others have some.
    private func openToOthers(_ folder: URL) throws -> [String] {
      let manager = FileManager.default
      return try ([""] + manager.subpathsOfDirectory(atPath: folder.path)).filter { name in
        let attributes = try manager.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
        let mode = attributes[.posixPermissions] as? UInt ?? (attributes[.posixPermissions] as? NSNumber)?.uintValue
        return try #require(mode) & 0o077 != 0
      }.sorted()
    }

    private func secret(_ count: Int = 200) -> RecordSet {
      RecordSet(records: (0..<count).map { Record(key: "A:\($0)", ["t": .string("secret-text-\($0)")]) })
    }

    /// The files of a folder in which a text occurs.
    private func files(_ folder: Folder, with text: String) -> [String] {
      folder.names.filter { name in
        (try? Data(contentsOf: folder.url.appendingPathComponent(name)))?.range(of: Data(text.utf8)) != nil
      }
    }

    @Test("Files are made as their user alone can read them, and so are their folders")
    func new() async throws {
      let folder = try Folder(), url = folder.url.appendingPathComponent("a/b/cache.sqlite")
      let cache = try SQLiteNormalizedCache(fileURL: url)
      try await cache.merge(records: secret())
      try await cache.clear()
      try await cache.merge(records: secret())
      #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
      #expect(try openToOthers(folder.url.appendingPathComponent("a")) == [])
    }

    @Test("Files of an earlier release are mended when they are opened or put aside, and so is a folder of their own")
    func mended() async throws {
      let folder = try Folder(), first = try folder.cache()
      try await first.merge(records: secret())
      try await first.close()
      chmod(folder.url.path, 0o755)
      chmod(folder.file.path, 0o644)
      try Data().write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
      chmod(folder.file.path + "-wal", 0o644)
      #expect(try openToOthers(folder.url) == ["", "cache.sqlite", "cache.sqlite-wal"])
      try await folder.cache().close()
      #expect(try openToOthers(folder.url) == [])
      chmod(folder.file.path, 0o644)
      try folder.database { try $0.execute(sql: "PRAGMA user_version = 9") }
      let third = try folder.cache()
      #expect(third.recoveries.count == 1)
      try await third.close()
      #expect(try openToOthers(folder.url) == [])
      // A folder with other files is the app's affair.
      try Data().write(to: folder.url.appendingPathComponent("photo.jpeg"))
      chmod(folder.url.path, 0o755)
      try await folder.cache().close()
      #expect(try openToOthers(folder.url) == ["", "photo.jpeg"])
    }

    @Test("Through a link of this user a file is made as well; a file of another user is an error that says so")
    func links() async throws {
      let folder = try Folder(), target = try Folder()
      try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: target.file)
      for number in 0..<2 {
        let cache = try folder.cache()
        #expect(cache.recoveries.isEmpty)
        try await cache.merge(records: RecordSet(records: (0..<50).map { Record(key: "A:\($0)", ["x": .int(number)]) }))
        try await cache.close()
      }
      #expect(try openToOthers(target.url) == [""] && target.names.contains("cache.sqlite"))
      guard geteuid() == 0 else { return }
      let shared = try Folder()
      try Data().write(to: shared.file)
      chown(shared.file.path, 65_533, 65_533)
      chmod(shared.url.path, 0o777)
      chmod(shared.file.path, 0o666)
      let lines = try await Child(product: "sqlite-writer", ["open", shared.file.path, "65534"]).linesAtEnd()
      #expect(lines.first?.contains("belongs to another user") == true, "\(lines)")
    }

    @Test("A cleared cache leaves nothing in the file, in its log and in the files that were put aside")
    func cleared() async throws {
      let folder = try Folder()
      let first = try folder.cache()
      try await first.merge(records: secret())
      try await first.close()
      try folder.database { try $0.execute(sql: "PRAGMA user_version = 9") }
      let cache = try folder.cache()
      #expect(cache.putAsideFiles.count == 1)
      try await cache.merge(records: secret())
      // What was removed before is on pages that other records and names may have taken.
      for number in 0..<50 { try await cache.removeRecord(for: "A:\(number)") }
      try await cache.merge(
        records: RecordSet(records: (0..<50).map { Record(key: "B:\($0)", ["name-\($0)": .string("secret-b")]) }))
      try await cache.removeRecords(matching: "A:1*")
      #expect(files(folder, with: "secret").count >= 2)
      try await cache.clear()
      #expect(files(folder, with: "secret") == [] && files(folder, with: "A:1") == [] && cache.putAsideFiles == [])
      #expect(folder.contents.count < 100_000)
      try await cache.merge(records: ["C": ["x": 1]])
      #expect(try await cache.record("C")?["x"] == 1)
      let store = ApolloStore(cache: cache)
      try await store.publish(records: secret())
      try await store.flush()
      try await store.clearCache()
      #expect(files(folder, with: "secret") == [])
    }

    @Test("With secure deletion, nothing of what was removed or replaced is left", arguments: Effort.seeds(3))
    func secureDelete(seed: UInt64) async throws {
      var dice = Dice(seed)
      let folder = try Folder(), cache = try folder.cache { $0.secureDelete = true }
      var texts: [String: String] = [:], gone: Set<String> = []
      for step in 0..<20 {
        var changed: [Record] = []
        for part in 0..<Int.random(in: 1...12, using: &dice) {
          let key = "T:\(Int.random(in: 0..<40, using: &dice))", text = "<\(seed).\(step).\(part)>"
          let length = [10, 300, 5000].randomElement(using: &dice) ?? 0
          if let old = texts.updateValue(text, forKey: key) { gone.insert(old) }
          changed.removeAll { $0.key == key }
          changed.append(Record(key: key, ["t": .string(text + String(repeating: "x", count: length) + text)]))
        }
        try await cache.merge(records: RecordSet(records: changed))
        for _ in 0..<Int.random(in: 0...8, using: &dice) {
          guard let key = texts.keys.sorted().randomElement(using: &dice) else { break }
          try await cache.removeRecord(for: key)
          if let old = texts.removeValue(forKey: key) { gone.insert(old) }
        }
      }
      try await cache.flush()
      let contents = String(decoding: folder.contents, as: UTF8.self)
      let left = contents.split(separator: "<").compactMap { $0.split(separator: ">").first.map { "<\($0)>" } }
      #expect(gone.intersection(left).isEmpty)
      #expect(Set(texts.values).isSubset(of: left) && !gone.isEmpty)
    }

    @Test("A process that ends while it clears leaves the rest to the next opening")
    func endWhileClearing() async throws {
      let folder = try Folder()
      let cache = try folder.cache()
      try await cache.merge(records: secret(2000))
      try await cache.close()
      // That is the first half of it.
      try folder.database { try $0.execute(sql: "PRAGMA secure_delete = OFF; DELETE FROM records") }
      #expect(files(folder, with: "secret") != [])
      let next = try folder.cache()
      #expect(next.recoveries.isEmpty)
      try await next.close()
      #expect(files(folder, with: "secret") == [] && folder.contents.count < 100_000)
    }

    @Test("Files that were put aside go when they are old, or when the app says so; those of other programs only then")
    func putAside() async throws {
      let folder = try Folder(), cache = try folder.cache(), manager = FileManager.default
      let now = Int(Date().timeIntervalSince1970), name = folder.file.lastPathComponent
      let old = "\(name).damaged-\(now - 91 * 86_400)", new = "\(name).damaged-\(now)-2", foreign = "\(name).foreign-5"
      for name in [old, old + "-wal", new, foreign, foreign + "-wal", "\(name).damaged-x", "\(name).other-5"] {
        try Data("x".utf8).write(to: folder.url.appendingPathComponent(name))
      }
      try manager.createDirectory(
        at: folder.url.appendingPathComponent("\(name).unreadable-7"), withIntermediateDirectories: true)
      #expect(cache.putAsideFiles.map(\.lastPathComponent) == [old, old + "-wal", new, foreign, foreign + "-wal"])
      try await cache.close()
      let next = try folder.cache()
      #expect(next.putAsideFiles.map(\.lastPathComponent) == [new, foreign, foreign + "-wal"])
      try await next.clear()
      #expect(next.putAsideFiles.map(\.lastPathComponent) == [foreign, foreign + "-wal"])
      try await next.removePutAsideFiles()
      #expect(next.putAsideFiles == [])
      #expect(folder.names.filter { $0.contains("-x") || $0.contains("other") || $0.contains("unreadable") }.count == 3)
    }

    @Test("Where an account has no folder of its own, there is no default file")
    func defaultPlace() throws {
      #expect(DefaultPlace.file("x", in: []) == nil)
      let home = URL(fileURLWithPath: "/home/x/.cache", isDirectory: true)
      #expect(DefaultPlace.file("x", in: [home])?.path == "/home/x/.cache/Apollo/x.sqlite")
      let url = try #require(URL(string: "https://example.com/cache.sqlite"))
      let error = #expect(throws: SQLiteNormalizedCacheError.self) { try SQLiteNormalizedCache(fileURL: url) }
      #expect(error?.description.contains("not the URL of a file") == true)
    }

    @Test("A temporary file is new, and goes with its use; what a process has left goes when it has ended")
    func temporary() async throws {
      let folder = try Folder(), file = folder.url.appendingPathComponent("upload")
      try PrivateFile.write(Data("secret".utf8), to: file)
      #expect(throws: POSIXError.self) { try PrivateFile.write(Data("other".utf8), to: file) }
      #expect(try Data(contentsOf: file) == Data("secret".utf8) && openToOthers(folder.url) == [""])
      let link = folder.url.appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(throws: POSIXError.self) { try PrivateFile.handle(writingToNew: link) }
      let used = try await TemporaryFile.with { file -> URL in
        try file.make().close()
        try TemporaryFile.removeAbandoned()
        #expect(FileManager.default.fileExists(atPath: file.url.path), "this process uses it")
        return file.url
      }
      #expect(!FileManager.default.fileExists(atPath: used.path))
      await #expect(throws: CancellationError.self) {
        try await TemporaryFile.with { file in
          file.remove()
          try file.make().close()
        }
      }
    }

    @Test("Only what processes have left that have ended is removed from a folder, and what is old")
    func abandoned() throws {
      let folder = try Folder(), own = ProcessInfo.processInfo.processIdentifier
      let time = wholeSeconds(Date().timeIntervalSince1970), before = time - 8 * 86_400
      // The first process runs always, and the last number is that of none.
      let stays = ["apollo-upload-\(time)-p1-A", "apollo-upload-x-B", "other-1-C"]
      let goes = ["apollo-upload-\(time)-p\(Int32.max)-A", "apollo-upload-\(time)-p\(own)-B"]
      // Releases before this one do not name the process, so theirs go when they are old, as those of any process do.
      let old = ["apollo-upload-\(before)-p1-A", "apollo-upload-\(before)-B"], new = "apollo-upload-\(time)-B"
      for name in stays + goes + old + [new] { try Data().write(to: folder.url.appendingPathComponent(name)) }
      try TemporaryFile.removeAbandoned(in: folder.url, at: Date())
      #expect(folder.names == (stays + [new]).sorted())
    }

    @Test("What processes of another container have in a folder stays until it is old, whatever their numbers are")
    func containers() throws {
      let folder = try Folder(), own = ProcessInfo.processInfo.processIdentifier
      let time = wholeSeconds(Date().timeIntervalSince1970), before = time - 8 * 86_400
      let stays = ["apollo-upload-\(time)-p\(Int32.max).1-A", "apollo-upload-\(time)-p\(own).1-B"]
      for name in stays + ["apollo-upload-\(before)-p1.1-C"] {
        try Data().write(to: folder.url.appendingPathComponent(name))
      }
      try TemporaryFile.removeAbandoned(in: folder.url, at: Date())
      #expect(folder.names == stays.sorted())
    }

    @Test(
      "A copy of a file that becomes shorter and longer while it is copied has an end, and what was read",
      .timeLimit(.minutes(10)))
    func copies() async throws {
      let folder = try Folder(), source = folder.url.appendingPathComponent("log"), isOver = Locked(false)
      let whole = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
      try whole.write(to: source)
      let writer = Thread {
        guard let handle = try? FileHandle(forWritingTo: source) else { return }
        while !isOver.withLock({ $0 }) {
          try? handle.truncate(atOffset: 1000)
          try? handle.seek(toOffset: 0)
          try? handle.write(contentsOf: whole)
        }
      }
      writer.start()
      defer { isOver.withLock { $0 = true } }
      for number in 0..<300 {
        let copy = folder.url.appendingPathComponent("copy \(number)")
        try PrivateFile.copy(source, to: copy)
        let bytes = try Data(contentsOf: copy)
        #expect(bytes.count <= whole.count)
        try FileManager.default.removeItem(at: copy)
      }
    }

    @Test("A copy through a link is of what it leads to; nothing is written over, and a folder is an error")
    func copiesOfLinks() throws {
      let folder = try Folder(), file = folder.url.appendingPathComponent("a"),
        copy = folder.url.appendingPathComponent("b")
      try Data("text".utf8).write(to: file)
      let link = folder.url.appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      try PrivateFile.copy(link, to: copy)
      #expect(try Data(contentsOf: copy) == Data("text".utf8) && !PrivateFile.isLink(copy.path))
      #expect(throws: (any Error).self) { try PrivateFile.copy(file, to: copy) }
      #expect(throws: (any Error).self) { try PrivateFile.copy(folder.url, to: folder.url.appendingPathComponent("c")) }
    }
  }
}
