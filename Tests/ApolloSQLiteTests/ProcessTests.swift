@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing
import Waiting

extension SQLiteTests {
  @Suite("Processes that end, and that share a file", .serialized)
  struct ProcessTests {
    /// The rounds whose number a field may have; see `sqlite-writer`.
    private func fields(of round: Int, seed: UInt64) -> Set<Int> {
      [round % 20, (round * 7 + Int(seed % 1000)) % 20]
    }

    @Test("A process that is stopped at any moment leaves a whole file, with everything that it has flushed")
    func crash() async throws {
      let environment = ProcessInfo.processInfo.environment
      let rounds = Int(environment["ROUNDS"] ?? "") ?? 20, first = UInt64(environment["SEED"] ?? "") ?? 1
      var flushes = 0
      for seed in first..<first + UInt64(rounds) {
        let folder = try Folder()
        var dice = Dice(seed), lastRound = 0
        // The same file several times: a crash after a crash.
        for run in 0..<2 {
          let child = try Child(product: "sqlite-writer", ["rounds", folder.file.path, "\(seed)"])
          // A slow machine may stop all of them before they have flushed anything, so every second one has.
          if run == 0 {
            try await eventually { child.lines.contains { $0.hasPrefix("flushed ") } || !child.isRunning }
          }
          // (It may be stopped at any moment, so this one is chosen by the clock.)
          try await Task.sleep(for: .milliseconds(Int.random(in: 0..<250, using: &dice)))
          child.kill()
          let lines = try await child.linesAtEnd()
          let acknowledged = lines.compactMap { $0.hasPrefix("flushed ") ? Int($0.dropFirst(8)) : nil }.last ?? 0
          #expect(!lines.contains { $0.hasPrefix("error") }, "seed \(seed): \(lines.suffix(3))")
          flushes += acknowledged > 0 ? 1 : 0
          if acknowledged > 0 { lastRound = acknowledged }
          guard FileManager.default.fileExists(atPath: folder.file.path) else { continue }
          // A copy, so that the next process finds what this one has left.
          let copy = try Folder()
          for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder.file.path + suffix) {
            try FileManager.default.copyItem(atPath: folder.file.path + suffix, toPath: copy.file.path + suffix)
          }
          let cache = try copy.cache()
          #expect(cache.recoveries.isEmpty, "seed \(seed): \(cache.recoveries)")
          #expect(
            try cache.storage.file.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
          let root = try await cache.record("QUERY_ROOT")
          for field in 0..<20 {
            let wanted = (0...lastRound).last { $0 > 0 && fields(of: $0, seed: seed).contains(field) } ?? 0
            guard case .int(let found)? = root?["n(k:\(field))"] else {
              #expect(wanted == 0, "seed \(seed): field \(field) of round \(wanted) is lost")
              continue
            }
            // The second process begins with its first round again.
            #expect(
              acknowledged == 0 || found >= wanted || fields(of: found, seed: seed).contains(field), "seed \(seed)")
            #expect(fields(of: found, seed: seed).contains(field), "seed \(seed): \(field) has \(found)")
          }
        }
      }
      #expect(flushes > 0, "none of the processes came as far as a flush")
    }

    @Test("Two processes that write different fields of one record lose none")
    func shared() async throws {
      let seconds = ProcessInfo.processInfo.environment["SECONDS"] ?? "3"
      let folder = try Folder()
      let children = try ["a", "b"].map {
        try Child(product: "sqlite-writer", ["fields", folder.file.path, $0, seconds])
      }
      var counts: [String: Int] = [:]
      for child in children {
        let lines = try await child.linesAtEnd()
        let words = try #require(lines.last?.split(separator: " "), "\(lines)")
        counts[String(words[0])] = Int(words[1])
        if words[0] == "error:" { Issue.record("\(lines)") }
      }
      let record = try #require(try await folder.cache().record("Shared:1"))
      #expect(counts.count == 2 && counts.values.allSatisfy { $0 > 2 }, "\(counts)")
      for (name, count) in counts { #expect(record[name] == .int(count), "\(name)") }
    }

    @Test("Several processes may make one file at the same moment", arguments: 0..<10)
    func making(round: Int) async throws {
      let folder = try Folder()
      let children = try ["a", "b", "c", "d"].map {
        try Child(product: "sqlite-writer", ["fields", folder.file.path, $0, "0.05"])
      }
      for child in children {
        let lines = try await child.linesAtEnd()
        #expect(lines.last?.hasPrefix("error") == false, "\(lines)")
      }
    }

    @Test("A store reads again what another process has written, and tells who watches")
    func foreignChange() async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      try await store.publish(records: ["Shared:1": ["mine": 1, "a": 0], "Gone": ["x": 1], "QUERY_ROOT": ["x": 1]])
      try await store.flush()
      #expect(
        try await Child(product: "sqlite-writer", ["fields", folder.file.path, "a", "0.3"]).linesAtEnd().last?
          .hasPrefix("a ") == true)
      try folder.database { try $0.execute(sql: "DELETE FROM records WHERE key = CAST('Gone' AS BLOB)") }
      try await cache.readChangesOfOtherProcesses()
      // It takes a turn of the store, behind which this one waits.
      try await store.publish(records: ["Other": ["x": 1]])
      let records = try await store.search()
      let shared = try #require(records.first { $0.key == "Shared:1" })
      #expect(shared["mine"] == 1 && shared["last"] == "a" && shared["a"] != 0)
      #expect(!records.contains { $0.key == "Gone" })
      // From now on, rows are merged: what another process writes between two looks is not lost.
      try await store.publish(records: ["Shared:1": ["mine": 2]])
      try await store.flush()
      #expect(try await cache.record("Shared:1")?["last"] == "a")
    }

    @Test("On a full disk nothing is lost: it stays in memory, and is written when there is room")
    func diskFull() async throws {
      let folder = try Folder()
      let lines = try await Child(product: "sqlite-writer", ["full", folder.file.path]).linesAtEnd()
      let failed = try #require(lines.first { $0.hasPrefix("failed") }, "\(lines)")
      #expect(failed.contains(folder.file.path) && !failed.contains("never"), "\(failed)")
      let count = try #require(lines.last.flatMap { Int($0.dropFirst("flushed ".count)) }, "\(lines)")
      let cache = try folder.cache()
      let found = try await cache.loadRecords(forKeys: Set((0...count).map { "Item:\($0)" }))
      #expect(cache.recoveries.isEmpty && found.count == count + 1)
    }

    @Test("A folder that may not be written to is an error that names the file")
    func readOnlyFolder() async throws {
      let folder = try Folder()
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
      let lines = try await Child(product: "sqlite-writer", ["open", folder.file.path, "65534"]).linesAtEnd()
      if let reason = lines.first, reason.hasPrefix("skipped") { try Test.cancel("\(reason)") }
      #expect(lines.count == 1 && lines[0].hasPrefix("error: ") && lines[0].contains(folder.file.path), "\(lines)")
    }

    @Test("The inspector shows, finds, counts, checks and collects; what is no such file is an error and stays")
    func inspector() async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache()
        try await cache.merge(records: RecordedFile.records)
        try await cache.merge(records: ["Lost:1": ["__typename": "Lost", "x": 1]])
      }
      func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
        let child = try Child(product: "apollo-inspect", arguments)
        return (try await child.ended().status, child.lines.joined(separator: "\n"))
      }
      let path = folder.file.path
      let dump = try await run("dump", path, "Human:*")
      #expect(dump.status == 0 && dump.text.contains("Human:1000  Human") && dump.text.contains("Tatooine"), "\(dump)")
      let json = try await run("dump", path, "--json", "QUERY_ROOT")
      #expect(json.text.contains(#"{"key":"QUERY_ROOT","record":{"hero"#), "\(json)")
      let search = try await run("search", path, "tatooine")
      #expect(search.text.contains("Human:1000") && !search.text.contains("QUERY_ROOT\n"), "\(search)")
      let statistics = try await run("statistics", path)
      #expect(statistics.text.contains("Lost") && statistics.text.contains("version 1"), "\(statistics)")
      #expect(try await run("check", path).status == 0)
      let collected = try await run("collect", path)
      #expect(collected.text.contains("removed Lost:1") && collected.text.contains("1 records"), "\(collected)")
      let none = try await run("search", path, "nothing like this")
      #expect(none.status != 0 && none.text.contains("statistics"), "\(none)")

      try folder.database {
        try $0.execute(sql: "UPDATE records SET fields = x'00' WHERE key = CAST('Human:1000' AS BLOB)")
      }
      let damaged = try await run("check", path)
      #expect(damaged.status == 1 && damaged.text.contains("Human:1000"), "\(damaged)")
      let text = folder.url.appendingPathComponent("notes.txt")
      try Data("hello".utf8).write(to: text)
      for command in ["dump", "statistics", "check", "collect"] {
        let failed = try await run(command, text.path)
        #expect(failed.status != 0 && failed.text.contains("notes.txt"), "\(failed)")
      }
      #expect(folder.names.contains("notes.txt"))
    }

    @Test("The inspector finds what it shows, and tells each record that cannot be read")
    func search() async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache()
        try await cache.merge(records: [
          "A": [#"hero(episode:"JEDI")"#: .reference("Human:1000")], "B": ["text": "one\ntwo", "n": .double(2)],
          "C": ["place": ["name": "Tatooine"], "tags": ["a\\b", "c"]],
        ])
      }
      let path = folder.file.path
      func keys(_ text: String) async throws -> [String] {
        let lines = try await Child.lines(ofProduct: "apollo-inspect", ["search", path, text, "--json"])
        return ["A", "B", "C"].filter { key in lines.contains { $0.hasPrefix("{\"key\":\"\(key)\"") } }
      }
      #expect(try await keys(#"hero(episode:"jedi")"#) == ["A"])
      #expect(try await keys("→ human:1000") == ["A"])
      for text in ["one\ntwo", #"one\ntwo"#] { #expect(try await keys(text) == ["B"]) }
      for text in ["tatooine", #"a\b"#, "place"] { #expect(try await keys(text) == ["C"]) }
      for mark in ["reference", "$double"] { #expect(try await keys(mark) == []) }
      try folder.database {
        try $0.execute(sql: "UPDATE records SET fields = x'00' WHERE key = CAST('B' AS BLOB)")
      }
      let lines = try await Child.lines(ofProduct: "apollo-inspect", ["dump", path, "--json"])
      #expect(lines.count == 3 && lines[1] == #"{"key":"B","record":null}"#, "\(lines)")
    }
  }
}
