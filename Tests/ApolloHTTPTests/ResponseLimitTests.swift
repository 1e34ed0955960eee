import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("How much a server may send", .timeLimit(.minutes(5)))
struct ResponseLimitTests {
  static let limits = ResponseLimits(responseSize: 100_000, errorSize: 10_000)

  /// The error of a query that is answered so.
  private func error(_ steps: [ScriptedServer.Step], limits: ResponseLimits = Self.limits) async throws
    -> OperationError?
  {
    var error: OperationError?
    try await serve { _, _ in
      steps
    } _: { server async throws in
      error = await #expect(throws: OperationError.self) {
        try await client(server, limits: limits).fetch(query: HeroQuery())
      }
    }
    return error
  }

  private func expect(
    _ error: OperationError?, _ limit: ResponseLimits.Exceeded.Limit, _ bytes: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let cause = error?.cause as? ResponseLimits.Exceeded
    #expect(cause?.limit == limit && cause?.bytes == bytes, "\(error as Any)", sourceLocation: sourceLocation)
    #expect(error?.code == .invalidResponse, sourceLocation: sourceLocation)
    #expect(
      error?.message.contains("\(bytes) bytes") == true
        && error?.message.contains("'\(limit)' of ResponseLimits") == true,
      "\(error as Any)", sourceLocation: sourceLocation)
  }

  static func body(_ size: Int) -> String {
    let empty = hero("").utf8.count
    return hero(String(repeating: "x", count: size - empty))
  }

  @Test("A response of just that size is read; with one byte more, it is an error that names the limit")
  func edge() async throws {
    for chunked in [false, true] {
      @Sendable func respond(_ body: String) -> ScriptedServer.Step {
        guard chunked else { return .respond(Array(body.utf8)) }
        let chunks = stride(from: 0, to: body.utf8.count, by: 9_999).map { start in
          let piece = body.utf8.dropFirst(start).prefix(9_999)
          return "\(String(piece.count, radix: 16))\r\n\(String(piece) ?? "")\r\n"
        }
        return .write(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.joined()
            + "0\r\n\r\n")
      }
      try await serve { _, _ in
        [respond(Self.body(100_000))]
      } _: { server async throws in
        let result = try await client(server, limits: Self.limits).fetch(query: HeroQuery())
        #expect(result.data?.hero?.name.isEmpty == false)
      }
      expect(try await error([respond(Self.body(100_001))]), .responseSize, 100_000)
    }
  }

  @Test("What the server announces is believed before anything has come")
  func announced() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100001\r\n\r\n"
    // (It sends nothing more, so only the length can be the reason.)
    expect(try await error([.write(head)]), .responseSize, 100_000)
  }

  @Test("A body without an end is stopped, and so is its server")
  func endless() async throws {
    let sent = Locked(0)
    let piece = [UInt8](repeating: 0x20, count: 1 << 16)
    @Sendable func more() async -> [ScriptedServer.Step] {
      let count = sent.withLock {
        $0 += 1; return $0
      }
      return count > 10_000 ? [.close] : [.writeBytes(piece), .later(more)]
    }
    expect(
      try await error([.begin(contentType: "application/json"), .later(more)]), .responseSize, 100_000)
    #expect(sent.withLock { $0 } < 10_000)
  }

  @Test("A packed body is counted as it is unpacked", arguments: ["gzip", "deflate"])
  func packed(_ coding: String) async throws {
    let script =
      coding == "gzip"
      ? "import sys,gzip;sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read()))"
      : "import sys,zlib;sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))"
    let child = try Child(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script], input: Data(Self.body(3_000_000).utf8))
    let bytes = Array(try await child.ended().output)
    #expect(bytes.count < 10_000)
    expect(try await error([.respond(bytes, headers: ["Content-Encoding": coding])]), .responseSize, 100_000)
  }

  @Test("The body of an error has a limit of its own, and a GraphQL response with that status that of responses")
  func errors() async throws {
    let page = String(repeating: "x", count: 10_001)
    let error = try await error([.respond(page, status: 500, contentType: "text/html")])
    expect(error, .errorSize, 10_000)
    #expect(error?.httpStatus == 500)
    let answer = #"{"errors":[{"message":"\#(page)"}]}"#
    try await serve { _, _ in
      [.respond(answer, status: 400, contentType: "application/graphql-response+json")]
    } _: { server async throws in
      let result = try await client(server, limits: Self.limits).fetch(query: HeroQuery())
      #expect(result.errors?.first?.message?.count == 10_001)
    }
  }

  @Test("So has the body of a redirect")
  func redirects() async throws {
    let page = String(repeating: "x", count: 200_000)
    let requests = try await serve { count, _ in
      count == 1 ? [.respond(page, status: 307, headers: ["Location": "/elsewhere"])] : [.respond(hero())]
    } _: { server async throws in
      // It is an error, or is not read at all.
      do {
        _ = try await client(server, limits: Self.limits).fetch(query: HeroQuery())
      } catch { expect(error as? OperationError, .errorSize, 10_000) }
    }
    #expect((1...2).contains(requests.count))
  }

  // MARK: Parts

  static let multipart = "multipart/mixed; boundary=\"-\""

  static func parts(_ parts: [String]) -> String {
    parts.map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }.joined() + "\r\n-----\r\n"
  }

  @Test("All parts of a response together have the limit of a response")
  func allParts() async throws {
    let first = #"{"data":{"hero":{"__typename":"Droid","id":"1","name":"a","height":1}},"hasNext":true}"#
    let more =
      #"{"incremental":[{"path":["hero"],"data":{"name":"\#(String(repeating: "x", count: 9_000))"}}],"hasNext":true}"#
    let body = Self.parts([first] + Array(repeating: more, count: 12))
    let error = try await error([.respond(Array(body.utf8), contentType: Self.multipart)])
    expect(error, .responseSize, 100_000)
  }

  @Test("The events of a subscription have no limit together")
  func events() async throws {
    let event = #"{"payload":{"data":{"count":1},"extensions":{"x":"\#(String(repeating: "x", count: 9_000))"}}}"#
    let body = Self.parts(Array(repeating: event, count: 30))
    try await serve { _, _ in
      [.respond(Array(body.utf8), contentType: Self.multipart)]
    } _: { server async throws in
      var count = 0
      for try await _ in client(server, limits: Self.limits).subscribe(to: CountSubscription()) { count += 1 }
      #expect(count == 30)
    }
  }
}
