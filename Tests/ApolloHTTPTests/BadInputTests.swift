import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private typealias Step = ScriptedServer.Step

/// What servers, and what stands between, send that is not a response: each kind is an error that says what came.
@Suite("Bad input over HTTP", .timeLimit(.minutes(5)))
struct BadInputTests {
  @Test(
    "Statuses of GraphQL over HTTP that refuse a request are errors with the status, the place and the server's words",
    arguments: [
      400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 422, 429, 431, 500, 501, 502, 503, 504,
    ])
  func statuses(_ status: Int) async throws {
    for (body, type) in [
      ("Method Not Allowed", "text/plain"), ("", nil),
      (#"{"errors":["plain text"]}"#, "application/json"),
      (#"{"error":{"message":"other"}}"#, "application/json"),
      ("<html><body>Bad gateway</body></html>", "text/html"),
    ] as [(String, String?)] {
      let error = try #require(
        try await failure([.respond(body, status: status, contentType: type)]))
      #expect(error.httpStatus == status)
      #expect(error.code == .httpStatus)
      #expect(error.message.contains("HTTP status \(status)"), "\(error)")
      #expect(error.message.contains("127.0.0.1"), "\(error)")
      let words = body.contains("plain text") ? "plain text" : body
      if !words.isEmpty { #expect(error.message.contains(words), "\(error)") }
    }
  }

  @Test(
    "Errors about persisted queries that another try does not cure are the caller's, and nothing is sent again",
    arguments: [
      ("provided sha does not match query", "PERSISTED_QUERY_HASH_MISMATCH"),
      ("no", "QUERY_NOT_IN_SAFELIST"),
      ("no", "PERSISTED_QUERY_NOT_IN_LIST"), ("no", "PERSISTED_QUERY_ID_REQUIRED"),
      ("no", "CANNOT_SEND_PQ_ID_AND_BODY"),
    ])
  func persistedQueries(_ message: String, _ code: String) async throws {
    let body = #"{"errors":[{"message":"\#(message)","extensions":{"code":"\#(code)"}}]}"#
    for status in [200, 400] {
      let requests = try await serve { _, _ in
        [.respond(body, status: status)]
      } _: { server async throws in
        let client = client(server, autoPersistQueries: true)
        if status == 200 {
          let result = try await client.fetch(query: IdentifiedQuery())
          #expect(result.errors?.first?.extensions?["code"] as? String == code)
        } else {
          let error = await #expect(throws: OperationError.self) {
            try await client.fetch(query: IdentifiedQuery())
          }
          #expect(error?.message.contains(message) == true)
        }
      }
      #expect(requests.count == 1)
    }
  }

  @Test(
    "Files that cannot be sent together with a list of operations, or by GET, go by themselves")
  func uploadsAreNeverGET() async throws {
    let requests = try await serve { _, _ in
      [.respond(#"{"data":{"uploadFile":{"name":"a","size":1}}}"#)]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true, useGETForQueries: true)
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data([65]))
      _ = try await client.upload(operation: UploadFileMutation(), files: [file])
    }
    #expect(requests.map(\.method) == ["POST"])
    #expect(
      requests.first?.body.contains("mutation UploadFile") == true, "a hash alone would not do")
  }

  /// A query that is answered in parts.
  private func parts(_ type: String, _ body: [UInt8]) async throws -> (
    results: Int, error: OperationError?
  ) {
    var results = 0
    var error: OperationError?
    try await serve { _, _ in
      [.begin(contentType: type), .writeBytes(body), .close]
    } _: { server async throws in
      do {
        for try await _ in client(server).results(
          of: DeferredBioQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
        {
          results += 1
        }
      } catch let failure as OperationError {
        error = failure
      }
    }
    return (results, error)
  }

  @Test(
    "Incremental delivery that is malformed is an error that says why, after the parts that were right"
  )
  func incremental() async throws {
    let first =
      #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"d"}],"hasNext":true}"#
    let head = "--b\r\nContent-Type: application/json\r\n\r\n"
    let whole = head + first + "\r\n--b"
    let type = "multipart/mixed; boundary=b"
    let cases: [(name: String, type: String, body: String, results: Int, words: String)] = [
      (
        "wrong boundary", type, whole.replacingOccurrences(of: "--b", with: "--c") + "--", 0,
        "broke off|before its last part"
      ),
      ("no boundary", "multipart/mixed", whole, 0, "no boundary"),
      ("empty boundary", "multipart/mixed; boundary=\"\"", whole, 0, "no boundary"),
      ("no closing delimiter", type, whole, 1, "broke off|before its last part"),
      ("closed too early", type, whole + "--", 1, "before its last part"),
      (
        "closed too early over SSE", "text/event-stream",
        "event: next\ndata: \(first)\n\nevent: complete\ndata:\n\n", 1, "before its last part"
      ),
      ("cut in a part", type, whole + "\r\nContent-Type: app", 1, "broke off|before its last part"),
      ("empty body", type, "", 0, "broke off|before its last part"),
      (
        "nested", type, "--b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x--\r\n--b--", 0,
        "multipart/mixed"
      ),
      ("HTML part", type, "--b\r\nContent-Type: text/html\r\n\r\n<b>\r\n--b--", 0, "text/html"),
      ("no JSON", type, head + "{\"data\":\r\n--b--", 0, "cannot be read"),
      ("no object", type, head + "[1]\r\n--b--", 0, ""),
      (
        "headers without end", type, "--b\r\nContent-Type: application/json\r\n--b--", 0,
        "header fields"
      ),
      ("text behind a boundary", type, "--bx\r\n\r\n{}\r\n--b--", 0, ""),
      (
        "an id that was not announced", type,
        whole + "\r\n\r\n{\"incremental\":[{\"id\":\"7\",\"data\":{}}],\"hasNext\":false}\r\n--b--",
        1, ""
      ),
      (
        "a path that is not there", type,
        whole
          + "\r\n\r\n{\"incremental\":[{\"path\":[\"unknown\",3],\"data\":{}}],\"hasNext\":false}\r\n--b--",
        1, ""
      ),
      (
        "another version", "multipart/mixed; boundary=b; deferSpec=20990101", whole + "--", 0,
        "not supported"
      ),
    ]
    for (name, type, body, results, words) in cases {
      let outcome = try await parts(type, Array(body.utf8))
      #expect(outcome.results == results, "\(name)")
      let error = try #require(outcome.error, "\(name)")
      #expect(error.operationName == "DeferredBio", "\(name)")
      let isRight =
        words.isEmpty || words.split(separator: "|").contains { error.message.contains($0) }
      #expect(isRight, "\(name): \(error)")
    }
  }

  @Test("Bytes that are not UTF-8 in a part are an error")
  func charset() async throws {
    let body =
      Array("--b\r\n\r\n{\"data\":{\"hero\":{\"id\":\"".utf8) + [0xff, 0xfe]
      + Array("\"}}}\r\n--b--".utf8)
    let outcome = try await parts("multipart/mixed; boundary=b", body)
    #expect(outcome.results == 0)
    #expect(outcome.error?.code == .invalidResponse)
    let cause = outcome.error?.cause as? MultipartResponseParsingInterceptor.ParsingError
    #expect(cause == .cannotParseResponseData, "\(outcome.error as Any)")
  }

  @Test(
    "A part of a gigabyte ends at the limit: what is sent beyond it is neither kept nor waited for")
  func gigabyte() async throws {
    struct Provider: InterceptorProvider {
      let client = URLSessionClient(sessionConfiguration: .ephemeral)
      func interceptors<Operation: GraphQLOperation>(for operation: Operation)
        -> [any ApolloInterceptor]
      {
        [
          NetworkFetchInterceptor(client: client),
          MultipartResponseParsingInterceptor(maximumPartSize: 1 << 20),
          JSONResponseParsingInterceptor(),
        ]
      }
    }
    let megabyte = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    let endless = (0..<1024).flatMap { _ in [Step.writeBytes(megabyte), .pause(milliseconds: 200)] }
    try await ScriptedServer.with { _ in
      [.begin(contentType: "multipart/mixed; boundary=b"), .write("--b\r\n\r\n{")] + endless
    } _: { server async throws in
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          interceptorProvider: Provider(), endpointURL: URL(string: server.address)!))
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: DeferredBioQuery())
      }
      #expect(error?.message.contains("larger than 1048576 bytes") == true, "\(error as Any)")
      // (Long before the end, which would take the server longer than this waits.)
      try await server.until(connectionCount: 0)
    }
  }

  struct Timeout: RequestContextTimeoutConfigurable {
    var requestTimeout: TimeInterval = 3
  }

  @Test(
    "A stream that falls silent for longer than its limit is an error; signs of life keep it open")
  func silence() async throws {
    // (The times themselves are tested: signs of life come for longer than the limit, far more often.)
    let heartbeat = "\r\n\r\n{}\r\n--b"
    let alive = (0..<40).flatMap { _ in [Step.write(heartbeat), .pause(milliseconds: 100)] }
    let event = "\r\n\r\n{\"payload\":{\"data\":{\"count\":1}}}\r\n--b"
    try await serve { _, _ in
      [.begin(contentType: "multipart/mixed;boundary=b;subscriptionSpec=1.0"), .write("--b")]
        + alive
        + [.write(event), .wait(.init())]
    } _: { server async throws in
      var events = 0
      let error = await #expect(throws: OperationError.self) {
        for try await _ in client(server).subscribe(to: CountSubscription(), context: Timeout()) {
          events += 1
        }
      }
      #expect(events == 1)
      #expect(error?.code == .network)
      #expect(error?.message.contains("in time") == true, "\(error as Any)")
    }
  }

  @Test("Events over SSE that are malformed are an error, after those that were right")
  func eventStream() async throws {
    let good = "event: next\ndata: {\"data\":{\"count\":1}}\n\n"
    for (body, words) in [
      (good + "event: next\ndata: {nope\n\n", "cannot be read"),
      (good + "event: next\ndata: []\n\n", ""),
      (good + "event: next\ndata\n\n", ""), (good, "broke off"),
      (good + "event: comp", "broke off"),
    ] {
      var events = 0
      try await serve { _, _ in
        [.begin(contentType: "text/event-stream"), .write(body), .close]
      } _: { server async throws in
        let error = await #expect(throws: OperationError.self, "\(body)") {
          for try await _ in client(server).subscribe(to: CountSubscription()) { events += 1 }
        }
        if !words.isEmpty {
          #expect(error?.message.contains(words) == true, "\(body): \(error as Any)")
        }
      }
      #expect(events == 1, "\(body)")
    }
  }
}

@Suite("Cookies", .everyStyle)
struct CookieTests {
  @Test("Cookies are the session's: the client sends those that a bare session sends, and no other")
  func session() async throws {
    let answer: @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step] = { _, _ in
      [.respond(hero(), headers: ["Set-Cookie": "session=1; Path=/"])]
    }
    let requests = try await serve(answer) { server in
      let client = client(server, configuration: .ephemeral)
      for _ in 0..<2 {
        _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
    }
    let bare = try await serve(answer) { server in
      let session = URLSession(configuration: .ephemeral)
      for _ in 0..<2 { _ = try await session.data(from: URL(string: server.address)!) }
      session.invalidateAndCancel()
    }
    #expect(requests.map { $0.headers["cookie"] } == bare.map { $0.headers["cookie"] })
  }
}
