import Apollo
import ApolloAsyncHTTP
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests by AsyncHTTPClient", .timeLimit(.minutes(5)))
struct AsyncHTTPSessionTests {
  private func request(_ address: String, timeout: TimeInterval = 60, body: Data? = Data("{}".utf8)) -> URLRequest {
    var request = URLRequest(url: URL(string: address)!, timeoutInterval: timeout)
    request.httpMethod = "POST"
    request.httpBody = body
    return request
  }

  private func client(_ server: ScriptedServer, _ session: AsyncHTTPSession = AsyncHTTPSession()) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: URL(string: server.address)!)
    configuration.http.session = session
    return ApolloClient(configuration: configuration)
  }

  /// The error of a request that is answered so.
  private func failure(
    _ steps: [ScriptedServer.Step], timeout: TimeInterval = 60, _ session: AsyncHTTPSession = AsyncHTTPSession()
  ) async throws -> URLError? {
    try await ScriptedServer.with { _ in
      steps
    } _: { server async throws in
      await #expect(throws: URLError.self) { try await session.body(of: request(server.address, timeout: timeout)) }
    }
  }

  // MARK: Requests

  @Test("A request arrives as it is: method, header fields and body")
  func request() async throws {
    let requests = try await serve { _, _ in
      [.respond("{}")]
    } _: { server async throws in
      var request = request(server.address + "?a=%2F", body: Data("body".utf8))
      request.httpMethod = "PATCH"
      request.setValue("1", forHTTPHeaderField: "X-Own")
      request.setValue("99", forHTTPHeaderField: "Content-Length")
      _ = try await AsyncHTTPSession().body(of: request)
      request.httpBodyStream = InputStream(data: Data("stream".utf8))
      request.setValue("own", forHTTPHeaderField: "User-Agent")
      _ = try await AsyncHTTPSession().body(of: request)
    }
    #expect(requests.map(\.method) == ["PATCH", "PATCH"])
    #expect(requests.map(\.path) == ["/graphql?a=%2F", "/graphql?a=%2F"])
    #expect(requests.map(\.body) == ["body", "stream"])
    #expect(requests.map { $0.headers["x-own"] } == ["1", "1"])
    #expect(requests.map { $0.headers["content-length"] } == ["4", "6"])
    #expect(requests.map { $0.headers["user-agent"] } == ["apollo-swift", "own"])
  }

  @Test("A file is sent from disk with its length, also a second time when it is redirected")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let content = String(repeating: "0123456789abcdef", count: 20 << 16)
    try Data(content.utf8).write(to: file)
    let requests = try await serve { count, _ in
      count == 1 ? [.respond("", status: 307, headers: ["Location": "/elsewhere"])] : [.respond("{}")]
    } _: { server async throws in
      #expect(try await AsyncHTTPSession().body(of: request(server.address, body: nil), file: file) == "{}")
    }
    #expect(requests.map(\.path) == ["/graphql", "/elsewhere"])
    #expect(requests.allSatisfy { $0.body == content })
    #expect(requests.allSatisfy { $0.headers["content-length"] == "\(content.utf8.count)" })
  }

  @Test("A file that is not there is an error with its path")
  func missingFile() async throws {
    let error = await #expect(throws: (any Error).self) {
      try await AsyncHTTPSession().body(of: request("http://127.0.0.1:1/"), file: URL(fileURLWithPath: "/no/such/file"))
    }
    #expect(error.map { "\($0)" }?.contains("/no/such/file") == true, "\(error as Any)")
  }

  #if os(Linux)
    @Test("Of a large file there is never more than a part in memory")
    func largeFile() async throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
      let length = 400 << 20
      try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(length))
      let before = try Self.memory(), peak = Locked(0)
      let measure: @Sendable () -> Void = { peak.withLock { $0 = max($0, (try? Self.memory()) ?? .max) } }
      try await NIOServer.with(.body("{}", []), onPart: measure) { server async throws in
        let request = request(server.url(scheme: "http").absoluteString, body: nil)
        #expect(try await AsyncHTTPSession().body(of: request, file: file) == "{}")
        #expect(server.requests.map(\.bodyLength) == [length])
        // (Other tests run meanwhile, which need memory as well.)
        #expect(peak.withLock { $0 } - before < length * 3 / 4)
      }
    }

    /// How many bytes of memory this process has.
    private static func memory() throws -> Int {
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return try #require(Int(pages[1])) * 4096
    }
  #endif

  // MARK: Responses that Foundation on Linux cannot read

  @Test("A chunked body with trailers is a result")
  func trailers() async throws {
    let body = hero()
    let size = String(body.utf8.count, radix: 16)
    try await ScriptedServer.with { _ in
      [
        .write(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: Expires\r\n\r\n"),
        .write("\(size)\r\n\(body)\r\n0\r\nExpires: 0\r\nX-Second: a\r\n\r\n"),
      ]
    } _: { server async throws in
      let client = client(server)
      for _ in 0..<2 {
        let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
        #expect(result.data?.hero?.name == "R2-D2")
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test("A header field and a reason phrase that are not UTF-8 are read")
  func latin1() async throws {
    let body = hero()
    let fields = Array("\r\nContent-Length: \(body.utf8.count)\r\nX-Name: caf".utf8) + [0xe9]
    let head = Array("HTTP/1.1 200 Tr".utf8) + [0xe8] + Array("s bien".utf8) + fields
    try await ScriptedServer.with { _ in
      [.writeBytes(head + Array("\r\n\r\n\(body)".utf8))]
    } _: { server async throws in
      #expect(try await client(server).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
  }

  @Test("Informational responses before the response are passed over")
  func informational() async throws {
    try await ScriptedServer.with { _ in
      [
        .write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"),
        .pause(milliseconds: 20), .respond(hero()),
      ]
    } _: { server async throws in
      #expect(try await client(server).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
  }

  @Test("A server that leaves HTTP without being asked to is an error at once")
  func switched() async throws {
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    let error = try await failure([.write(head + "\u{1}\u{2}"), .wait(ScriptedServer.Gate())])
    #expect(error?.code == .badServerResponse)
  }

  @Test("Statuses without a body are responses", arguments: [204, 304])
  func noBody(status: Int) async throws {
    try await ScriptedServer.with { _ in
      [.write("HTTP/1.1 \(status) No\r\nContent-Encoding: identity\r\n\r\n")]
    } _: { server async throws in
      let (response, chunks) = try await AsyncHTTPSession().response(to: request(server.address))
      #expect(response.statusCode == status)
      for try await chunk in chunks { Issue.record("\(chunk)") }
    }
  }

  // MARK: What takes too long

  // (The times themselves are tested. Each limit is far from what it must not end, and nothing else can end the others.)

  @Test("A server that never answers is an error after the time of the request, and its connection is closed")
  func silent() async throws {
    try await ScriptedServer.with { _ in
      [.wait(ScriptedServer.Gate())]
    } _: { server async throws in
      let session = AsyncHTTPSession()
      let start = ContinuousClock.now
      let error = await #expect(throws: URLError.self) {
        try await session.body(of: request(server.address, timeout: 0.3))
      }
      #expect(error?.code == .timedOut)
      #expect(error?.userInfo[NSURLErrorFailingURLErrorKey] as? URL == URL(string: server.address))
      #expect(ContinuousClock.now - start >= .seconds(0.3))
      try await server.until(connectionCount: 0)
    }
  }

  @Test("So is one that stops in the middle of a response; one that goes on slowly is not")
  func stalled() async throws {
    let head = ScriptedServer.Step.begin(contentType: "text/plain")
    #expect(try await failure([head, .write("a"), .wait(ScriptedServer.Gate())], timeout: 0.3)?.code == .timedOut)
    let slow = (0..<10).flatMap { _ in [ScriptedServer.Step.write("a"), .pause(milliseconds: 1200)] }
    try await ScriptedServer.with { _ in
      [head] + slow + [.close]
    } _: { server async throws in
      let body = try await AsyncHTTPSession().body(of: request(server.address, timeout: 9))
      #expect(body == String(repeating: "a", count: 10))
    }
  }

  @Test("The time that the client itself takes does not count")
  func slowConsumer() async throws {
    try await ScriptedServer.with { _ in
      [.begin(contentType: "text/plain"), .write("a"), .pause(milliseconds: 50), .write("b"), .close]
    } _: { server async throws in
      let (_, chunks) = try await AsyncHTTPSession().response(to: request(server.address, timeout: 9))
      var text = ""
      try await Task.sleep(for: .seconds(10))
      for try await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
      #expect(text == "ab")
    }
  }

  // MARK: What cannot be reached

  @Test(
    "An address that cannot be reached, or is not one of HTTP, is an error that Foundation has a code for",
    arguments: [
      ("http://127.0.0.1:1/", URLError.Code.cannotConnectToHost), ("http://no-such-host.invalid/", .cannotFindHost),
      ("ftp://127.0.0.1/", .unsupportedURL), ("http:///graphql", .badURL), ("graphql", .badURL),
    ])
  func unreachable(address: String, code: URLError.Code) async throws {
    let error = await #expect(throws: URLError.self) { try await AsyncHTTPSession().body(of: request(address)) }
    #expect(error?.code == code, "\(error as Any)")
  }

  @Test("A server that is not there fails an operation with its address")
  func down() async throws {
    let store = ApolloStore()
    let transport = RequestChainNetworkTransport(
      urlSession: AsyncHTTPSession(), interceptorProvider: DefaultInterceptorProvider.shared, store: store,
      endpointURL: URL(string: "http://127.0.0.1:1/graphql")!)
    let error = await #expect(throws: OperationError.self) {
      try await ApolloClient(networkTransport: transport, store: store).fetch(query: HeroQuery())
    }
    #expect(error?.message == "The server refuses connections (http://127.0.0.1:1/graphql).")
  }

  // MARK: Sessions and their ends

  @Test("A task that is cancelled ends at once, and closes the connection", arguments: [true, false])
  func cancellation(hasHead: Bool) async throws {
    let steps: [ScriptedServer.Step] = hasHead ? [.begin(contentType: "text/plain"), .write("a")] : []
    let received = RequestLog()
    try await ScriptedServer.with { request in
      _ = received.add(request)
      return steps + [.wait(ScriptedServer.Gate())]
    } _: { server async throws in
      let session = AsyncHTTPSession()
      let hasBegun = Event()
      let task = Task {
        let (_, chunks) = try await session.response(to: request(server.address))
        hasBegun.happen()
        for try await _ in chunks {}
      }
      try await received.until(count: 1)
      if hasHead { try await hasBegun.wait() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await server.until(connectionCount: 0)
    }
  }

  @Test("A response that is not read to its end closes its connection")
  func dropped() async throws {
    try await ScriptedServer.with { _ in
      [.begin(contentType: "text/plain"), .write("a"), .wait(ScriptedServer.Gate())]
    } _: { server async throws in
      let session = AsyncHTTPSession()
      for readsFirst in [false, true] {
        do {
          let (_, chunks) = try await session.response(to: request(server.address))
          #expect(server.connectionCount == 1)
          if readsFirst { for try await _ in chunks { break } }
        }
        try await server.until(connectionCount: 0)
      }
    }
  }

  @Test("A session that the app lets go of ends what it sent first, and then its connections")
  func release() async throws {
    let gate = ScriptedServer.Gate()
    try await ScriptedServer.with { _ in
      [.respond("a"), .wait(gate)]
    } _: { server async throws in
      do {
        let session = AsyncHTTPSession()
        for _ in 0..<2 { #expect(try await session.body(of: request(server.address)) == "a") }
        #expect(server.connectionCount == 1)
      }
      try await server.until(connectionCount: 0)
    }
    try await ScriptedServer.with { _ in
      [.begin(contentType: "text/plain"), .write("a"), .wait(gate), .write("b"), .close]
    } _: { server async throws in
      let (_, chunks) = try await AsyncHTTPSession().response(to: request(server.address))
      gate.open()
      var text = ""
      for try await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
      #expect(text == "ab")
      try await server.until(connectionCount: 0)
    }
  }

  @Test("A session that was invalidated says so, and its requests end")
  func invalidated() async throws {
    try await ScriptedServer.with { _ in
      [.begin(contentType: "text/plain"), .write("a"), .wait(ScriptedServer.Gate())]
    } _: { server async throws in
      let session = AsyncHTTPSession()
      let (_, chunks) = try await session.response(to: request(server.address))
      session.invalidate()
      session.invalidate()
      await #expect(throws: (any Error).self) { for try await _ in chunks {} }
      await #expect(throws: URLSessionClient.URLSessionClientError.self) {
        try await session.body(of: request(server.address))
      }
      try await server.until(connectionCount: 0)
    }
  }

  @Test("An app's own client sends, and stays the app's")
  func ownClient() async throws {
    try await ScriptedServer.with { request in
      request.path == "/graphql" ? [.respond("", status: 307, headers: ["Location": "/elsewhere"])] : [.respond(hero())]
    } _: { server async throws in
      // (It shuts the client down whatever happens: one that is released before would stop the process.)
      try await HTTPClient.withHTTPClient { http in
        for _ in 0..<2 {
          #expect(
            try await client(server, AsyncHTTPSession(client: http)).fetch(query: HeroQuery()).data?.hero?.name
              == "R2-D2")
        }
        let response = try await http.execute(HTTPClientRequest(url: server.address), timeout: .seconds(240))
        #expect(response.status == .ok)
      }
    }
  }

  @Test("Without redirects, a redirect is the response")
  func noRedirects() async throws {
    let requests = try await serve { _, _ in
      [.respond("moved", status: 302, headers: ["Location": "/elsewhere"])]
    } _: { server async throws in
      let (response, _) = try await AsyncHTTPSession(maximumRedirects: 0).response(to: request(server.address))
      #expect(response.statusCode == 302)
    }
    #expect(requests.count == 1)
  }

  @Test("A body is read as fast as it is used")
  func backpressure() async throws {
    try await NIOServer.with(.endless) { server async throws in
      let request = request(server.url(scheme: "http").absoluteString)
      let (_, chunks) = try await AsyncHTTPSession(limits: ResponseLimits(responseSize: .max)).response(to: request)
      var iterator = chunks.makeAsyncIterator()
      #expect(try await iterator.next() != nil)
      // That it stops for good has no event: it has stopped if many looks find the same.
      var first = -1, looks = 0
      try await eventually("the server stops sending") {
        let sent = server.bytesSent
        looks = sent == first ? looks + 1 : 0
        first = sent
        return looks == 40 || sent >= 32 << 20
      }
      // What the kernel keeps of a connection.
      #expect(first < 32 << 20)
      var count = 0
      while count < 64 << 20, let piece = try await iterator.next() { count += piece.count }
      #expect(server.bytesSent > first)
    }
  }
}
