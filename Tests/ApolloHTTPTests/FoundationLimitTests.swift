#if canImport(FoundationNetworking)
  import Apollo
  import Foundation
  import ScriptedServer
  import StyledTests
  import Testing
  import Waiting

  /// What a server can do to Foundation on Linux, before the client sees anything of it.
  ///
  /// These tests say what happens today. When one fails because Foundation has learnt better, take the exception out of the
  /// README and of `Docs/requests.md`, and turn the test into one of the client.
  @Suite("What Foundation on Linux cannot read", .timeLimit(.minutes(10)))
  struct FoundationLimitTests {
    /// Fetches in a process of its own from a server that answers with these bytes.
    static func fetch(_ response: [UInt8]) async throws -> Child.Outcome {
      try await ScriptedServer.with { _ in
        [.writeBytes(response)]
      } _: { server async throws in
        // (A backtrace takes seconds.)
        try await Child(
          Child.product("fetch-once"), [server.address], environment: ["SWIFT_BACKTRACE": "enable=no"]
        ).ended()
      }
    }

    static func response(status: String = "200 OK", _ fields: String, _ body: String = "") -> [UInt8] {
      Array("HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n\(fields)\r\n\(body)".utf8)
    }

    static let pong = #"{"data":{"ping":"pong"}}"#

    @Test("A response as most are is read in that process")
    func usual() async throws {
      let outcome = try await Self.fetch(Self.response("Content-Length: \(Self.pong.utf8.count)\r\n", Self.pong))
      #expect(outcome.text == "data: pong\n", "\(outcome.errors)")
      #expect(!outcome.isEndedBySignal)
    }

    @Test("So is a chunked body without trailers; with trailers, Foundation stops the process")
    func trailers() async throws {
      let body = "18\r\n\(Self.pong)\r\n0\r\n"
      let whole = try await Self.fetch(Self.response("Transfer-Encoding: chunked\r\n", body + "\r\n"))
      #expect(whole.text == "data: pong\n", "\(whole.errors)")
      let stopped = try await Self.fetch(Self.response("Transfer-Encoding: chunked\r\n", body + "Expires: 0\r\n\r\n"))
      #expect(stopped.isEndedBySignal, "Foundation reads trailers now: \(stopped.text)")
      #expect(stopped.errors.contains("NativeProtocol.swift"), "\(stopped.errors)")
    }

    @Test("A header field in UTF-8 is read; with one in Latin-1, Foundation fails the request")
    func latin1() async throws {
      let length = "Content-Length: \(Self.pong.utf8.count)\r\n"
      let read = try await Self.fetch(Self.response("X-Name: café\r\n" + length, Self.pong))
      #expect(read.text == "data: pong\n", "\(read.errors)")
      var bytes = Self.response(length + "X-Name: cafe\r\n", Self.pong)
      let index = try #require(bytes.firstRange(of: Array("cafe".utf8))).upperBound - 1
      bytes[index] = 0xe9
      let refused = try await Self.fetch(bytes)
      #expect(!refused.isEndedBySignal)
      #expect(refused.text.hasPrefix("error: Ping: The connection failed: "), "\(refused.text)")
    }

    @Test(
      "The body of a redirect is read to its end, however large, before anything can be done about it",
      .enabled(if: Effort.isLong, "it takes minutes: make test-all has it"))
    func endlessRedirect() async throws {
      let piece = [UInt8](repeating: 0x20, count: 1 << 20), sent = Locked(0)
      @Sendable func more() async -> [ScriptedServer.Step] {
        let count = sent.withLock { sent in
          sent += 1
          return sent
        }
        return count > 68 ? [.close] : [.writeBytes(piece), .later(more)]
      }
      let outcome = try await ScriptedServer.with { _ in
        [.begin(status: 302, contentType: "text/html", headers: ["Location": "/elsewhere"]), .later(more)]
      } _: { server async throws in
        try await Child(
          URL(fileURLWithPath: "/bin/bash"),
          ["-c", #"ulimit -v 2000000; exec "$0" "$1""#, Child.product("fetch-once").path, server.address],
          environment: ["SWIFT_BACKTRACE": "enable=no"]
        ).ended()
      }
      // More than the client's limit for a response. (Foundation copies all of it with each piece, so more would take
      // minutes.)
      let size = sent.withLock { $0 }
      #expect(
        outcome.isEndedBySignal || size > 68,
        "Foundation stops at the body of a redirect now, after \(size) MiB: \(outcome.text)")
    }

    @Test("A server that leaves HTTP without being asked to is an error at once, and not after the timeout")
    func switched() async throws {
      let fields = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
      let outcome = try await Self.fetch(Self.response(status: "101 Switching Protocols", fields))
      #expect(outcome.text.contains("The server left HTTP for another protocol"), "\(outcome.text)")
      #expect(!outcome.isEndedBySignal)
    }
  }
#endif
