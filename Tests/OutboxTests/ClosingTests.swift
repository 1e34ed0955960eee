import Apollo
@testable import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing
import Waiting

extension OutboxTests {
  @Suite("Clients that are closed")
  struct ClosingTests {
    @Test("Each next client opens the files of the one before it, and finds what that has left")
    func inTurn() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let file = place.folder.appendingPathComponent("cache.sqlite")
      server.add("1", "first")
      for number in 0..<20 {
        let cache = try SQLiteNormalizedCache(fileURL: file)
        let monitor = ManualNetworkMonitor(isOnline: number == 0)
        let client = server.client(.http, try place.launch(), store: ApolloStore(cache: cache), monitor: monitor)
        if number == 0 {
          _ = try await client.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
        } else {
          #expect(try await client.store.texts()?.first == "first")
        }
        monitor.isOnline = false
        #expect(await client.outbox.pending.count == number)
        try await client.enqueue(CreateTodo(text: "todo \(number)"))
        // The client is still held here.
        try await client.close()
        try await client.close()
      }
    }

    @Test("Watchers end, and say why")
    func watchers() async throws {
      let server = TodoServer(), client = server.client()
      let seen = Awaited(0)
      let watching = Task {
        for try await _ in client.watch(query: TodosQuery()) { seen.change { $0 += 1 } }
      }
      try await seen.until { $0 == 1 }
      try await client.close()
      let error = await #expect(throws: OperationError.self) { try await watching.value }
      #expect(error?.code == .cancelled && error?.message == "The client was closed.")
    }
  }
}
