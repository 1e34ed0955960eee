@testable import Apollo
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

extension OutboxTests {
  @Suite("What an outbox leaves on disk")
  struct RemovingTests {
    /// The names of what others can read, in a folder and below it.
    private func openToOthers(_ place: Place) throws -> [String] {
      let manager = FileManager.default
      return try ([""] + manager.subpathsOfDirectory(atPath: place.folder.path)).filter { name in
        let attributes = try manager.attributesOfItem(atPath: place.folder.appendingPathComponent(name).path)
        let mode = attributes[.posixPermissions] as? UInt ?? (attributes[.posixPermissions] as? NSNumber)?.uintValue
        return try #require(mode) & 0o077 != 0
      }
    }

    /// The files in which a text occurs, as it is or as the base64 of JSON.
    private func files(_ place: Place, with text: String) -> [String] {
      let forms = (0..<3).map { offset in
        // Where a text begins within three bytes decides how it looks.
        let padded = Data(repeating: 32, count: offset) + Data(text.utf8)
        return Data(padded.base64EncodedString().dropFirst(4).prefix(text.utf8.count).utf8)
      }
      return (FileManager.default.subpaths(atPath: place.folder.path) ?? []).filter { name in
        guard let bytes = try? Data(contentsOf: place.folder.appendingPathComponent(name)) else { return false }
        return ([Data(text.utf8)] + forms).contains { bytes.range(of: $0) != nil }
      }
    }

    private let secret = "a-secret-of-user-A"

    private func attach(_ place: Place, to client: ApolloClient) async throws {
      let original = place.folder.appendingPathComponent("original.txt")
      try Data(secret.utf8).write(to: original)
      chmod(original.path, 0o644)
      try await client.enqueue(
        Attach(json: secret),
        files: [
          try GraphQLFile(fieldName: "file", originalName: "a.txt", fileURL: original),
          GraphQLFile(fieldName: "file", originalName: "b.txt", data: Data(secret.utf8)),
        ])
      try FileManager.default.removeItem(at: original)
    }

    @Test("Its files and the copies can be read by their user alone, and those of earlier releases are mended")
    func permissions() async throws {
      let server = TodoServer(), offline = ManualNetworkMonitor(isOnline: false)
      for kind in [Place.Kind.disk, .encrypted] {
        let place = try Place(kind), client = server.client(.http, try place.launch(), monitor: offline)
        try await attach(place, to: client)
        #expect(FileManager.default.fileExists(atPath: place.file.path + "-wal"))
        #expect(try openToOthers(place) == [])
        await client.outbox.close()
        for name in try FileManager.default.subpathsOfDirectory(atPath: place.folder.path) {
          let path = place.folder.appendingPathComponent(name).path
          chmod(path, PrivateFile.isFolder(path) ? 0o755 : 0o644)
        }
        #expect(try openToOthers(place).count >= 4)
        let storage = try place.storage()
        #expect(try await storage.load().rows.count == 1)
        #expect(try openToOthers(place) == [])
        await storage.close()
      }
    }

    @Test("What was removed is neither in the file nor in its log, while it is open")
    func removed() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      try await attach(place, to: client)
      try await client.enqueue(CreateTodo(text: "a text that stays here"))
      #expect(files(place, with: secret).count >= 3)
      let first = try #require(await client.outbox.pending.first)
      #expect(await client.outbox.cancel(first.id))
      #expect(files(place, with: secret) == [] && files(place, with: "a text that stays here") != [])
      await client.outbox.close()
    }

    @Test("All that there is can be removed at once: what was given up, what cannot be read, and what was put aside")
    func removeAll() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let client = server.client(.http, try place.launch())
      server.always = .status(400)
      try await attach(place, to: client)
      try await client.outbox.flush()
      #expect(await client.outbox.failed.count == 1)
      await client.outbox.close()
      // A later release's file, of which everything is taken over, and a mutation that cannot be read.
      let queue = try DatabaseQueue(path: place.file.path)
      try await queue.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            INSERT INTO mutations SELECT number + 1, 'x', scope, operation, state, date, contents, owner FROM mutations;
            PRAGMA user_version = 99
            """)
      }
      try queue.close()
      let storage = try SQLiteOutboxStorage(fileURL: place.file)
      #expect(storage.recoveries.count == 1 && storage.putAsideFiles.count == 1)
      #expect(files(place, with: secret).count >= 4)
      try await storage.removeAll()
      #expect(files(place, with: secret) == [] && storage.putAsideFiles == [])
      #expect(place.names.allSatisfy { $0.hasPrefix("outbox.sqlite") && !$0.hasSuffix("-files") }, "\(place.names)")
      let contents = try await storage.load()
      #expect(contents.rows.isEmpty && contents.serverIDs.isEmpty)
      await storage.close()
    }

    @Test("Copies that a stopped process has made for reading a damaged file are removed with the next opening")
    func copies() async throws {
      let place = try Place(.disk), folder = URL(fileURLWithPath: place.file.path + ".recovery", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(secret.utf8).write(to: folder.appendingPathComponent("copy-false.sqlite"))
      let storage = try place.storage()
      #expect(files(place, with: secret) == [] && !FileManager.default.fileExists(atPath: folder.path))
      await storage.close()
    }

    @Test("A link in the place of a copy is not followed: the mutation is given up")
    func links() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      try await attach(place, to: client)
      let id = try #require(await client.outbox.pending.first?.id)
      await client.outbox.close()
      let copy = place.folder.appendingPathComponent("outbox.sqlite-files/\(id.uuidString)/0")
      try FileManager.default.removeItem(at: copy)
      try FileManager.default.createSymbolicLink(at: copy, withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
      let next = server.client(.http, try place.launch())
      try await next.outbox.flush()
      #expect(await next.outbox.failed.first?.error?.code == .storage && server.requests.isEmpty)
      await next.outbox.close()
    }

    @Test("A storage of another kind removes its mutations in the same way")
    func otherStorages() async throws {
      let place = try Place(.memory), server = TodoServer()
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      try await client.enqueue(CreateTodo(text: secret))
      await client.outbox.close()
      let storage = try place.storage()
      #expect(try await storage.load().rows.count == 1)
      try await storage.removeAll()
      #expect(try await storage.load().rows.isEmpty)
    }
  }
}
