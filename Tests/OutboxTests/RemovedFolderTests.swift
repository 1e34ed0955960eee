@testable import Apollo
@testable import ApolloSQLite
import Foundation
import ScriptedServer
import Testing
import Waiting

extension OutboxTests.DiskTests {
  @Test("A folder that is removed while the file is open is made anew, also if that fails at first")
  func removedFolder() async throws {
    let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
    await client.outbox.pause()
    try await client.enqueue(CreateTodo(text: "a"))
    try FileManager.default.removeItem(at: place.folder)
    // (A file in the place of the folder.)
    try Data().write(to: place.folder)
    await #expect(throws: (any Error).self) { try await client.enqueue(CreateTodo(text: "b")) }
    try FileManager.default.removeItem(at: place.folder)
    try await client.enqueue(CreateTodo(text: "c"))
    try await eventually("what the outbox knows is written again") {
      try await place.copy().storage().load().rows.count == 2
    }
    await client.outbox.resume()
    try await client.outbox.flush()
    #expect(server.texts == ["a", "c"])
  }
}
