import Apollo
import ApolloWebSocket
import Foundation
import ScriptedServer
import ScriptedWebSocketServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A client over HTTP and a WebSocket, in one line", .timeLimit(.minutes(5)))
struct ClientConfigurationTests {
  /// A server of each kind, whose reviews have an id each; the other end of the first connection, and the requests.
  private func withServers(
    _ script: @escaping ScriptedWebSocketServer.Script,
    _ body: (_ http: URL, _ socket: URL, ScriptedWebSocketServer) async throws -> Void
  ) async throws -> [ScriptedServer.Request] {
    let requests = Locked<[ScriptedServer.Request]>([])
    try await ScriptedServer.with { request in
      requests.withLock { $0.append(request) }
      return [.respond(review(1, field: request.body.contains("mutation") ? "rate" : "review"))]
    } _: { http in
      try await ScriptedWebSocketServer.with(script) { socket in
        try await body(
          try #require(URL(string: http.address)), try #require(URL(string: socket.address)), socket)
      }
    }
    return requests.withLock { $0 }
  }

  private static func stars(_ client: ApolloClient, _ configuration: RequestConfiguration? = nil) async throws -> [Int?]
  {
    var stars: [Int?] = []
    for try await event in client.subscribe(to: ReviewAdded(), requestConfiguration: configuration) {
      stars.append(event.data?.reviewAdded?.stars)
    }
    return stars
  }

  @Test("Header fields and the address of one operation are an error over a WebSocket; those of all operations are not")
  func ownRoute() async throws {
    _ = try await withServers { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(5)))
      connection.send(complete(id))
    } _: { http, socket, server in
      var configuration = ApolloClient.Configuration(url: http)
      configuration.defaultRequestConfiguration = RequestConfiguration(headers: ["X-App": "7"], endpointURL: http)
      let client = ApolloClient(configuration: configuration, webSocketURL: socket)
      for own in [RequestConfiguration(headers: ["X-Trace": "1"]), RequestConfiguration(endpointURL: http)] {
        let error = await #expect(throws: OperationError.self) { _ = try await Self.stars(client, own) }
        #expect(error?.code == .invalidRequest && error?.message.contains("payload of the connection") == true)
      }
      #expect(server.connections.isEmpty)
      #expect(try await Self.stars(client) == [5])
      let result = try await client.fetch(
        query: ReviewQuery(), cachePolicy: .networkOnly, requestConfiguration: RequestConfiguration(headers: ["A": "b"])
      )
      #expect(result.data?.review?.stars == 1, "over HTTP they are sent")
    }
  }

  @Test("A mutation of the outbox goes over a WebSocket, with its key among the extensions")
  func outbox() async throws {
    let sent = Locked("")
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      guard case .text(let text) = try await connection.receive() else { return }
      sent.withLock { $0 = text }
      let message = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let id = message?["id"] as? String ?? ""
      connection.send(next(id, review(5, field: "rate")))
      connection.send(complete(id))
    } _: { socket in
      let transport = WebSocketTransport(url: try #require(URL(string: socket.address)))
      let client = ApolloClient(networkTransport: transport, store: ApolloStore())
      _ = try await client.enqueue(RateMutation()).value
    }
    #expect(sent.withLock { $0 }.contains("idempotencyKey"))
  }

  @Test("Subscriptions go over the WebSocket, which connects with the first, and all else over HTTP, with one cache")
  func oneLine() async throws {
    let requests = try await withServers { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(5)))
      connection.send(complete(id))
    } _: { http, socket, server in
      let client = ApolloClient(url: http, webSocketURL: socket)
      #expect(try await client.fetch(query: ReviewQuery()).data?.review?.stars == 1)
      #expect(server.connections.isEmpty)
      #expect(try await Self.stars(client) == [5])
      let cached1 = try await client.store.load(ReviewQuery()).review?.stars
      #expect(cached1 == 5, "the event is in the client's cache")
      try await client.perform(mutation: RateMutation())
      let cached2 = try await client.store.load(ReviewQuery()).review?.stars
      #expect(cached2 == 1)
      #expect(server.connections.count == 1)
    }
    #expect(requests.count == 2)
  }

  /// Any session of an app's own may refuse servers.
  private struct OwnSession: ApolloURLSession {
    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
      throw URLError(.notConnectedToInternet)
    }
  }

  @Test("With a session of the app's own, a secure WebSocket needs an engine of the app's choice")
  func trust() async throws {
    _ = try await withServers { connection in
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { http, socket, server in
      var configuration = ApolloClient.Configuration(url: http)
      configuration.http.session = OwnSession()
      // Without TLS there is nothing to trust.
      #expect(try await Self.stars(ApolloClient(configuration: configuration, webSocketURL: socket)) == [])
      let secure = try #require(URL(string: "wss://127.0.0.1:1/graphql"))
      let webSocket = WebSocketTransport.Configuration(reconnection: .never)
      let client = ApolloClient(configuration: configuration, webSocketURL: secure, webSocket: webSocket)
      let error = await #expect(throws: OperationError.self) { try await Self.stars(client) }
      #expect(error?.code == .configuration)
      #expect(
        error?.message.hasPrefix("'http.session' (OwnSession) may refuse servers that the WebSocket would accept.")
          == true, "\(error as Any)")
      let chosen = ApolloClient(
        configuration: configuration, webSocketURL: secure, webSocket: webSocket,
        engine: WebSocketTransport.defaultEngine)
      let other = await #expect(throws: OperationError.self) { try await Self.stars(chosen) }
      #expect(other?.message.contains("http.session") == false, "\(other as Any)")
    }
  }

  @Test("Credentials, names and the cache are for both; the WebSocket's own settings win")
  func shared() async throws {
    for isOwn in [false, true] {
      let store = ApolloStore()
      let requests = try await withServers { connection in
        let fields = connection.headers
        #expect(fields["authorization"] == (isOwn ? "Bearer own" : "Bearer abc"))
        #expect(fields["apollographql-client-name"] == (isOwn ? "own" : "shop"))
        #expect(fields["apollographql-client-version"] == (isOwn ? "own" : "7"))
        #expect(fields["x-handshake"] == "1")
        #expect(fields["x-http"] == nil)
        try await connection.expect(.text(#"{"type":"connection_init","payload":{"a":1}}"#))
        connection.send(ack)
        let id = try await connection.subscription()
        connection.send(next(id, review(5)))
        connection.send(complete(id))
      } _: { http, socket, _ in
        var configuration = ApolloClient.Configuration(url: http, cache: .store(store))
        configuration.http.clientName = "shop"
        configuration.http.clientVersion = "7"
        configuration.http.additionalHeaders = ["X-HTTP": "1"]
        configuration.authenticator = BearerTokenAuthenticator(token: .init("abc")) { _ in nil }
        var webSocket = WebSocketTransport.Configuration(connectingPayload: ["a": 1])
        if isOwn {
          webSocket.authenticator = BearerTokenAuthenticator(token: .init("own")) { _ in nil }
          webSocket.clientName = "own"
          webSocket.clientVersion = "own"
        }
        let client = ApolloClient(
          configuration: configuration, webSocketURL: socket, webSocketHeaders: ["X-Handshake": "1"],
          webSocket: webSocket)
        #expect(client.store === store)
        #expect(try await Self.stars(client) == [5])
        _ = try await client.fetch(query: ReviewQuery())
      }
      let fields = try #require(requests.first?.headers)
      #expect(fields["authorization"] == "Bearer abc")
      #expect(fields["apollographql-client-name"] == "shop")
      #expect(fields["x-http"] == "1")
      #expect(fields["x-handshake"] == nil)
    }
  }

  @Test("What is different for one operation is so over a WebSocket as well")
  func requestConfiguration() async throws {
    let bodies = Locked<[String]>([])
    _ = try await withServers { connection in
      try await connection.acknowledge()
      while case .text(let text) = try await connection.receive() {
        bodies.withLock { $0.append(text) }
        let id = text.contains(#""id":"1""#) ? "1" : "2"
        connection.send(next(id, review(5)))
        connection.send(complete(id))
      }
    } _: { http, socket, _ in
      let client = ApolloClient(url: http, webSocketURL: socket)
      _ = try await client.fetch(query: ReviewQuery())
      let configuration = RequestConfiguration(
        writeResultsToCache: false, bodyExtensions: ["trace": "7"], onError: .null)
      #expect(try await Self.stars(client, configuration) == [5])
      let cached3 = try await client.store.load(ReviewQuery()).review?.stars
      #expect(cached3 == 1)
      #expect(try await Self.stars(client) == [5])
      let cached4 = try await client.store.load(ReviewQuery()).review?.stars
      #expect(cached4 == 5)
    }
    #expect(bodies.withLock { $0.map { $0.contains(#""extensions":{"trace":"7"}"#) } } == [true, false])
    #expect(bodies.withLock { $0.map { $0.contains(#""onError":"NULL""#) } } == [true, false])
  }

  struct Context: ResultBufferingRequestContext, ResendableRequestContext, RequestContextTimeoutConfigurable {
    var buffering = RequestConfiguration.ResultBuffering.unlimited
    var isResendable = false
    var requestTimeout: TimeInterval = 3600
  }

  @Test("The buffering of one subscription, by its configuration or by its context", arguments: [true, false])
  func buffering(byContext: Bool) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      for _ in 1...2 {
        let id = try await connection.subscription()
        for stars in 1...5 { connection.send(next(id, review(stars))) }
        connection.send(complete(id))
      }
    } _: { server in
      let client = ApolloClient(networkTransport: try WebSocketTransport(server))
      let latest = RequestConfiguration.ResultBuffering.newest(2)
      let some = client.subscribe(
        to: ReviewAdded(), requestConfiguration: byContext ? nil : RequestConfiguration(buffering: latest),
        context: byContext ? Context(buffering: latest) : Context())
      let all = client.subscribe(to: ReviewAdded())
      for (events, expected) in [(some, [4, 5]), (all, [1, 2, 3, 4, 5])] {
        for await _ in events.states {}
        var stars: [Int?] = []
        for try await event in events { stars.append(event.data?.reviewAdded?.stars) }
        #expect(stars == expected)
      }
    }
  }

  @Test("A query that may run twice is sent again on the next connection, others fail", arguments: [true, false, nil])
  func repeatable(byContext: Bool?) async throws {
    let attempts = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      guard attempt > 1 else { return connection.drop() }
      connection.send(next(id, review(4, field: "review")))
    } _: { server in
      let client = ApolloClient(networkTransport: try WebSocketTransport(server))
      let context: Context? = byContext == true ? Context(isResendable: true) : nil
      let configuration = byContext == false ? RequestConfiguration(isRepeatable: true) : nil
      let result = try? await client.fetch(
        query: ReviewQuery(), requestConfiguration: configuration, context: context)
      #expect(result?.data?.review?.stars == (byContext == nil ? nil : 4))
    }
    #expect(attempts.withLock { $0 } == (byContext == nil ? 1 : 2))
  }

  @Test("The time that a query may wait for its result", arguments: [true, false])
  func timeout(byContext: Bool) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.subscription()
    } _: { server in
      let transport = try WebSocketTransport(server)
      // The time counts from the start of the query: were there no connection yet, it might never be sent.
      try await transport.connect()
      let client = ApolloClient(networkTransport: transport)
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(
          query: ReviewQuery(), requestConfiguration: byContext ? nil : RequestConfiguration(requestTimeout: 0.2),
          context: Context(requestTimeout: byContext ? 0.2 : 3600))
      }
      #expect((error?.cause as? WebSocketError)?.kind == .timeout, "\(error as Any)")
    }
  }

  @Test("A configuration that no request can be made with is an error over a WebSocket as well")
  func invalid() async throws {
    let client = ApolloClient(
      url: try #require(URL(string: "http://127.0.0.1:1")), webSocketURL: try #require(URL(string: "ws://127.0.0.1:1")))
    let error = await #expect(throws: OperationError.self) {
      for try await _ in client.subscribe(to: ReviewAdded(), requestConfiguration: RequestConfiguration(deadline: -1)) {
      }
    }
    #expect(error?.code == .invalidRequest)
    #expect(error?.operationName == "ReviewAdded")
  }
}
