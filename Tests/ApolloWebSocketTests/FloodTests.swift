#if os(Linux)
  import Foundation
  import NIOWebSocket
  import ScriptedWebSocketServer
  import StyledTests
  import Testing
  import Waiting

  /// Servers that send without end and read nothing, and the memory of a client that is a process of its own, with a limit.
  ///
  /// `make soak-websocket` sends a hundred times as much.
  @Suite("The memory of a client whose server floods it", .serialized, .timeLimit(.minutes(30)))
  struct FloodTests {
    /// How often each flood is sent.
    private static let repeats = Effort.seeds(1).count

    /// What the client may need more than at its start, in kilobytes.
    private static let budget = 24 << 10

    /// Runs the client, and returns the lines that it wrote, but for the memory, which is compared with the budget.
    private func lines(
      _ manner: String, budget: Int = Self.budget, _ script: @escaping ScriptedWebSocketServer.Script
    ) async throws -> [String] {
      try await ScriptedWebSocketServer.with(receiveBuffer: 1 << 14, script) { server in
        let client = Child.product("flooded-client").path
        // Kilobytes. What threads and the allocator reserve is part of it.
        let command = "ulimit -v 1500000; exec '\(client)' \(server.address) \(manner)"
        let child = try Child(
          URL(fileURLWithPath: "/bin/bash"), ["-c", command],
          environment: ["MALLOC_ARENA_MAX": "2", "SWIFT_BACKTRACE": "enable=no"])
        let outcome = try await withTaskCancellationHandler {
          try await child.ended()
        } onCancel: {
          child.kill()
        }
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        var lines = outcome.text.split(separator: "\n").map(String.init)
        let last = lines.popLast()
        let memory = try #require(last)
        let kilobytes = try #require(Int(memory.dropFirst("kilobytes: ".count)), "\(memory)")
        #expect(kilobytes < budget, "\(manner): \(kilobytes) kB more than at the start")
        return lines
      }
    }

    /// Sends bytes as fast as the client reads them.
    private static func flood(_ connection: ScriptedConnection, _ bytes: [UInt8], times: Int) async throws {
      for _ in 0..<(times * repeats) {
        connection.sendRaw(bytes)
        await connection.flush()
        try Task.checkCancellation()
      }
    }

    /// A frame as a server sends it.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
      let count = payload.count
      let length: [UInt8] = count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xff)]
      return [first] + length + payload
    }

    private static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
      Array(repeatElement(bytes, count: count).joined())
    }

    private static let answer = #"{"data":{"text":"after the flood"}}"#

    @Test("Pings without end, of which no answer is read: as frames and as messages", arguments: [true, false])
    func pings(asFrames: Bool) async throws {
      let payload = String(repeating: "p", count: asFrames ? 125 : 1000)
      let ping =
        asFrames
        ? Self.frame(0x89, Array(payload.utf8)) : Self.text(#"{"type":"ping","payload":{"p":"\#(payload)"}}"#)
      let lines = try await self.lines("takes") { connection in
        try await connection.acknowledge()
        let id = try await connection.subscription()
        try await connection.setReading(false)
        try await Self.flood(connection, Self.repeated(ping, 500), times: asFrames ? 240 : 30)
        connection.send(next(id, Self.answer))
        connection.send(complete(id))
      }
      #expect(lines == ["1 results"])
    }

    @Test("Empty frames of one message without end")
    func emptyFrames() async throws {
      let lines = try await self.lines("takes") { connection in
        try await connection.acknowledge()
        try await connection.subscription()
        connection.send(.text, [], fin: false)
        try await Self.flood(connection, Self.repeated([0, 0], 1000), times: 12)
        // (A client that took them all ends here.)
        connection.close(1000)
      }
      #expect(lines.count == 1)
      #expect(lines.first?.hasSuffix("a message of more than 10000 frames.") == true, "\(lines)")
    }

    @Test("Results that the app does not take, and that the server sends without end")
    func results() async throws {
      let text = String(repeating: "r", count: 10_000)
      // The limit is 4 MB.
      let lines = try await self.lines("leaves", budget: 4 * (4 << 10)) { connection in
        try await connection.acknowledge()
        let ids = [try await connection.subscription(), try await connection.subscription()]
        let result = Self.text(next(ids[0], #"{"data":{"text":"\#(text)"}}"#))
        try await Self.flood(connection, Self.repeated(result, 10), times: 200)
        connection.send(next(ids[1], Self.answer))
        connection.send(complete(ids[1]))
        connection.send(complete(ids[0]))
      }
      #expect(lines.count == 2)
      #expect(lines.first == "1 results")
      #expect(lines.last?.hasPrefix("419 results, ") == true, "\(lines)")
      #expect(lines.last?.contains("More than 4194304 bytes of results wait") == true, "\(lines)")
    }

    @Test("An app that begins and ends operations at a server that reads none of them")
    func restless() async throws {
      let lines = try await self.lines("restless") { connection in
        try await connection.acknowledge()
        try await connection.subscription()
        try await connection.setReading(false)
        // Signs of life, so that the connection does not count as broken.
        while !Task.isCancelled {
          connection.sendRaw(Self.repeated(Self.text(#"{"type":"pong"}"#), 100))
          await connection.flush()
          if connection.isGone { return }
        }
      }
      #expect(lines.count == 1)
      // Once the server's buffer is full, Linux may drop each packet to it, and the acknowledgements with them. Then the signs
      // of life come no more, and they are what ends the connection.
      let isUnread = lines.first?.contains("The server does not read: more than 65536 bytes wait") == true
      let isSilent = lines.first?.contains("The connection was closed: 4499") == true
      #expect(isUnread || isSilent, "\(lines)")
    }
  }
#endif
