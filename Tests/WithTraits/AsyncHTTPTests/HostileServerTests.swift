import Apollo
import ApolloAsyncHTTP
import AsyncHTTPClient
import Foundation
import NIOHTTPCompression
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server sends. Its name is short enough for a log, where the text may be a megabyte.
private struct Answer: ExpressibleByStringInterpolation, CustomTestStringConvertible {
  let text: String

  init(stringLiteral text: String) {
    self.text = text
  }

  var testDescription: String {
    let start = text.prefix(60).debugDescription
    return text.count > 60 ? "\(start) and \(text.utf8.count) bytes in all" : start
  }
}

/// Whatever a server sends is a response or an error; the process goes on.
@Suite("Servers that mean harm, to AsyncHTTPClient", .timeLimit(.minutes(5)))
struct HostileServerTests {
  /// What comes of such bytes: the status and the length of the body, or an error.
  private func outcome(
    _ bytes: [UInt8], _ session: AsyncHTTPSession = AsyncHTTPSession()
  ) async throws -> Result<(status: Int, length: Int), any Error> {
    try await ScriptedServer.with { _ in
      [.writeBytes(bytes), .close]
    } _: { server async throws in
      do {
        let request = URLRequest(url: URL(string: server.address)!, timeoutInterval: 240)
        let (response, chunks) = try await session.response(to: request)
        var length = 0
        for try await chunk in chunks { length += chunk.count }
        // Foundation makes these of header fields.
        _ = (response.mimeType, response.expectedContentLength, response.suggestedFilename, response.textEncodingName)
        return .success((response.statusCode, length))
      } catch {
        return .failure(error)
      }
    }
  }

  private func response(_ fields: String, _ body: [UInt8] = Array("{}".utf8)) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8) + body
  }

  @Test("A redirect of an operation leads where the client's origins allow it", arguments: [false, true])
  func clientOrigins(_ isAllowed: Bool) async throws {
    let requests = try await serve { _, _ in
      [.respond(#"{"data":{"hero":null}}"#)]
    } _: { other async throws in
      try await ScriptedServer.with { _ in
        [.respond("", status: 307, headers: ["Location": other.address])]
      } _: { server async throws in
        var configuration = ApolloClient.Configuration(url: URL(string: server.address)!)
        configuration.http.session = AsyncHTTPSession()
        if isAllowed { configuration.http.origins = OriginPolicy(allowed: [URL(string: other.address)!]) }
        let client = ApolloClient(configuration: configuration)
        if isAllowed {
          _ = try await client.fetch(query: HeroQuery())
        } else {
          await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
        }
      }
    }
    #expect(requests.count == (isAllowed ? 1 : 0))
  }

  @Test(
    "Header fields that mean nothing are a response",
    arguments: [
      "Content-Type:", "Content-Type: ;", "Content-Type: ;;;=;charset=", "Content-Type: text/html; charset=\"",
      "Content-Disposition: attachment; filename=\"", "Content-Disposition: ;filename=../../a",
      "Content-Encoding: what",
      "Content-Encoding:", "Location: http://[", "Set-Cookie: =\r\nSet-Cookie: a=b\r\nset-cookie: ;;", "X: \u{1F600}",
      "Date: never\r\nAge: -1\r\nExpires: 0", "Link: \(String(repeating: "a", count: 20_000))",
    ] as [Answer])
  fileprivate func oddFields(fields: Answer) async throws {
    let (status, length) = try await outcome(response(fields.text)).get()
    #expect(status == 200)
    #expect(length == 2)
  }

  @Test(
    "An answer that is not HTTP is an error with a code",
    arguments: [
      "", "\r\n\r\n", "HTTP/1.1", "HTTP/1.1 OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n{}", "HTTP/1.1 99999 OK\r\n\r\n",
      // AsyncHTTPClient itself stops the process for these.
      "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 020 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n{}",
      "SSH-2.0-OpenSSH\r\n", "\u{16}\u{3}\u{1}", "HTTP/1.1 200 OK\r\nBad Field: a\r\n\r\n",
      "HTTP/1.1 200 OK\r\nnothing\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\naa",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\naa",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\naa",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\naa",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\naa\r\n0\r\nBad Trailer: a\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 1_000_000))\r\n\r\n{}",
      "HTTP/1.1 200 OK\r\n\(String(repeating: "X: a\r\n", count: 100_000))\r\n{}",
    ] as [Answer])
  fileprivate func noHTTP(answer: Answer) async throws {
    let outcome = try await outcome(Array(answer.text.utf8))
    let error = #expect(throws: URLError.self) { try outcome.get() }
    #expect([.networkConnectionLost, .cannotParseResponse].contains(error?.code), "\(error as Any)")
  }

  // MARK: Compression

  private static func gzip(_ bytes: [UInt8]) async throws -> [UInt8] {
    let child = try Child(URL(fileURLWithPath: "/usr/bin/env"), ["gzip", "-c"], input: Data(bytes))
    return Array(try await child.ended().output)
  }

  @Test("A compressed response that grows beyond the limit is an error, and is not kept in memory")
  func bomb() async throws {
    let zipped = try await Self.gzip([UInt8](repeating: 0x20, count: 30 << 20))
    #expect(zipped.count < 100_000)
    let whole = response("Content-Encoding: gzip\r\nContent-Length: \(zipped.count)", zipped)
    #expect(try await outcome(whole).get().length == 30 << 20)
    var configuration = AsyncHTTPSession.defaultConfiguration
    configuration.decompression = .enabled(limit: .size(1 << 20))
    let session = AsyncHTTPSession(configuration: configuration)
    let limited = try await outcome(whole, session)
    let error = #expect(throws: URLError.self) { try limited.get() }
    #expect(error?.code == .dataLengthExceedsMaximum)
    // The session's own limit is one for packed and other bodies.
    let small = AsyncHTTPSession(limits: ResponseLimits(responseSize: 1 << 20))
    for bytes in [whole, response("Connection: close", [UInt8](repeating: 0x20, count: 2 << 20))] {
      let outcome = try await outcome(bytes, small)
      let exceeded = #expect(throws: ResponseLimits.Exceeded.self) { try outcome.get() }
      #expect(exceeded?.limit == .responseSize && exceeded?.bytes == 1 << 20)
    }
  }

  @Test("The limits of a client count, also where they are larger than those of its session")
  func limitsOfClient() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.http.session = AsyncHTTPSession(limits: ResponseLimits(responseSize: 10))
      configuration.http.limits = ResponseLimits()
      let result = try await ApolloClient(configuration: configuration).fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2-D2")
    }
  }

  @Test("A compressed response that is broken is an error")
  func brokenCompression() async throws {
    let zipped = try await Self.gzip((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0) })
    var flipped = zipped
    flipped[zipped.count / 2] ^= 0xff
    for bytes in [flipped, Array(zipped.prefix(100)), zipped + [1, 2, 3], Array("plain".utf8), []] {
      let fields = "Content-Encoding: gzip\r\nContent-Length: \(bytes.count)"
      let outcome = try await outcome(response(fields, bytes))
      let error = #expect(throws: URLError.self) { try outcome.get() }
      #expect(error?.code == .cannotDecodeContentData, "\(error as Any)")
    }
  }

  // MARK: Anything

  /// Numbers that are the same for the same seed (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }

  @Test(
    "A status of each number is a response or an error",
    arguments: [0, 1, 99, 100, 101, 103, 199, 200, 204, 304, 599, 999])
  func statuses(_ status: Int) async throws {
    for fields in ["Content-Length: 2", "Transfer-Encoding: chunked", "Content-Encoding: gzip", "Connection: close"] {
      let digits = String(repeating: "0", count: 3 - String(status).count) + "\(status)"
      let text = "HTTP/1.1 \(digits) OK\r\n\(fields)\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
      if case .failure(let error) = try await outcome(Array(text.utf8)) {
        #expect(error is URLError, "\(error) of \(text)")
      }
    }
  }

  @Test("Responses with bytes changed at random are responses or errors", arguments: Effort.seeds(1))
  func random(_ seed: UInt64) async throws {
    // (If the process ends, this is how it is found.)
    print("Responses with bytes changed at random, seed \(seed)")
    let zipped = try await Self.gzip(Array("{\"data\":{}}".utf8))
    let seeds = [
      response("Content-Length: 2\r\nContent-Type: application/json"),
      response("Transfer-Encoding: chunked\r\nTrailer: A", Array("1\r\n{\r\n1\r\n}\r\n0\r\nA: b\r\n\r\n".utf8)),
      response("Content-Encoding: gzip\r\nContent-Length: \(zipped.count)", zipped),
      Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) + response("Connection: close"),
      Array("HTTP/1.1 307 Elsewhere\r\nLocation: /graphql\r\nContent-Length: 0\r\n\r\n".utf8),
    ]
    let session = AsyncHTTPSession()
    var random = Numbers(state: seed)
    for round in 0..<500 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: place)
        }
      }
      if case .failure(let error) = try await outcome(bytes, session) {
        // (A redirect may lead to another server now.)
        #expect(error is URLError || error is NetworkFetchInterceptor.RedirectError, "\(error) of \(bytes)")
      }
    }
  }
}
