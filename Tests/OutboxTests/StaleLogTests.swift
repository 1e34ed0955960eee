@testable import Apollo
@testable import ApolloSQLite
import Foundation
import Testing

extension OutboxTests {
  @Suite("Logs of files that are gone")
  struct StaleLogTests {
    @Test("The log of a file that was put aside is not applied to the file that takes its place")
    func log() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let client = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor(isOnline: false))
      try await client.enqueue(CreateTodo(text: "a"))
      let log = URL(fileURLWithPath: place.file.path + "-wal"), bytes = try Data(contentsOf: log)
      #expect(!bytes.isEmpty)
      try await client.enqueue(CreateTodo(text: "b"))
      await client.outbox.close()
      // The process has ended behind the move of the old file and before that of its log: the new file is whole.
      try FileManager.default.moveItem(atPath: place.file.path, toPath: place.file.path + ".new")
      try bytes.write(to: log)
      let storage = try SQLiteOutboxStorage(fileURL: place.file)
      #expect(try await storage.load().rows.map(\.number) == [1, 2])
      #expect(storage.recoveries.isEmpty)
      await storage.close()
    }
  }
}
