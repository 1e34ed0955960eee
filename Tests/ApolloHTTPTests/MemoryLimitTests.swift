#if os(Linux)
  import Foundation
  import ScriptedServer
  import StyledTests
  import Testing
  import Waiting

  /// How much memory a client takes, in a process of its own whose address space has a limit.
  @Suite("Memory under bodies of any size and packing", .serialized, .timeLimit(.minutes(5)))
  struct MemoryLimitTests {
    /// The limit of a response, which is the default.
    static let limit = 64 << 20
    static let budget = 4 * limit

    private struct Memory {
      /// In bytes: what was in memory at most, and the largest address space.
      var resident = 0
      var space = 0

      init(_ text: String) {
        for line in text.split(separator: "\n") {
          let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
          guard words.count == 3, let kilobytes = Int(words[1]) else { continue }
          if words[0] == "VmHWM:" { resident = kilobytes << 10 }
          if words[0] == "VmPeak:" { space = kilobytes << 10 }
        }
      }
    }

    // (Otherwise the allocator reserves 64 megabytes of addresses for each thread that happens to allocate.)
    private func fetch(space: Int?, _ steps: [ScriptedServer.Step]) async throws -> Child.Outcome {
      try await ScriptedServer.with { _ in
        steps
      } _: { server async throws in
        let limit = space.map { "ulimit -v \($0 >> 10); " } ?? ""
        return try await Child(
          URL(fileURLWithPath: "/bin/bash"),
          ["-c", limit + #"exec "$0" "$1" --memory"#, Child.product("fetch-once").path, server.address],
          environment: ["SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "2"]
        ).ended()
      }
    }

    /// Fetches what a server sends, within the memory of a small response and the budget.
    private func expect(_ name: String, _ steps: [ScriptedServer.Step], is text: String) async throws {
      let small = try await fetch(space: nil, [.respond(#"{"data":{"ping":"pong"}}"#)])
      #expect(small.text.hasPrefix("data: pong"), "\(small.errors)")
      let usual = Memory(small.text)
      #expect(usual.resident > 0 && usual.space > usual.resident)
      let outcome = try await fetch(space: usual.space + Self.budget, steps)
      #expect(!outcome.isEndedBySignal, "\(name): \(outcome.errors)")
      #expect(outcome.text.contains(text), "\(name): \(outcome.text.prefix(1000))")
      let taken = Memory(outcome.text).resident - usual.resident
      #expect(taken < Self.budget, "\(name) took \(taken >> 20) MB")
    }

    private static func endless(_ head: ScriptedServer.Step, _ piece: [UInt8]) -> [ScriptedServer.Step] {
      @Sendable func more() async -> [ScriptedServer.Step] { [.writeBytes(piece), .later(more)] }
      return [head, .later(more)]
    }

    /// What takes a debug build long runs in scripts/long-tests.sh.
    private static let isLong = Effort.isLong

    private static let named = "which is the limit"

    @Test("A body without an end", arguments: [200, 500])
    func endless(_ status: Int) async throws {
      let begin = ScriptedServer.Step.begin(status: status, contentType: "application/json")
      try await expect("plain", Self.endless(begin, [UInt8](repeating: 0x20, count: 1 << 18)), is: Self.named)
    }

    @Test(
      "A gigabyte of one letter, packed", arguments: isLong ? ["gzip", "deflate"] : ["gzip"],
      isLong ? [200, 404] : [200])
    func packed(_ coding: String, _ status: Int) async throws {
      let script = """
        import sys, zlib
        c = zlib.compressobj(9, zlib.DEFLATED, 31 if sys.argv[1] == "gzip" else 15)
        text = b"x" * (1 << 20)
        first = c.compress(text) + c.flush(zlib.Z_FULL_FLUSH)
        more = c.compress(text) + c.flush(zlib.Z_FULL_FLUSH)
        sys.stdout.buffer.write(first + more * 1023)
        """
      let child = try Child(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, coding])
      let bytes = Array(try await child.ended().output)
      #expect((1 << 18...4 << 20).contains(bytes.count))
      try await expect(
        coding, [.respond(bytes, status: status, headers: ["Content-Encoding": coding]), .close], is: Self.named)
    }

    @Test("One part without an end, and parts without an end", .enabled(if: isLong))
    func parts() async throws {
      let begin = ScriptedServer.Step.begin(contentType: "multipart/mixed; boundary=\"-\"")
      try await expect("one part", Self.endless(begin, [UInt8](repeating: 0x20, count: 1 << 18)), is: "limit")
      let part = "\r\n---\r\n\r\n{\"data\":{\"ping\":\"\(String(repeating: "x", count: 1 << 16))\"},\"hasNext\":true}"
      try await expect("parts", Self.endless(begin, Array(part.utf8)), is: "error")
    }

    @Test("A response that is just within the limit, of one text", .enabled(if: isLong))
    func largest() async throws {
      let body =
        Array(#"{"data":{"ping":""#.utf8) + [UInt8](repeating: 0x78, count: Self.limit - 100) + Array(#""}}"#.utf8)
      try await expect("largest", [.respond(body)], is: "data: xxx")
    }
  }
#endif
