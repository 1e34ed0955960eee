import Apollo
import ApolloMocks
import ApolloWebSocket
import FlyingFox
import Foundation
import GraphQLExecution
import Testing

@testable import ApolloMockServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A connection without sockets: what the client sends goes in, what the server sends comes out.
private struct Connection {
  let schema: MockSchema
  private let dialect: WebSocketDialect
  private let input: AsyncStream<WSMessage>.Continuation
  private var output: AsyncStream<WSMessage>.Iterator

  init(_ dialect: WebSocketDialect = .transport, initialise: Bool = true) async throws {
    schema = try library()
    self.dialect = dialect
    let (client, input) = AsyncStream<WSMessage>.makeStream()
    let (messages, continuation) = AsyncStream<WSMessage>.makeStream()
    self.input = input
    let session = WebSocketSession(
      MockNetworkTransport(.schema(schema)).session, dialect, output: continuation)
    Task { await session.run(client) }
    output = messages.makeAsyncIterator()
    guard initialise else { return }
    send(["type": "connection_init"])
    #expect(try await receive() == ["type": "connection_ack"])
    if dialect == .legacy { #expect(try await receive() == ["type": "ka"]) }
  }

  func send(_ message: GraphQLValue) { send(.text(String(decoding: message.json, as: UTF8.self))) }
  func send(_ message: WSMessage) { input.yield(message) }
  func disconnect() { input.finish() }

  func subscribe(_ query: String, id: String = "1", variables: GraphQLValue = [:]) {
    let type: GraphQLValue = dialect == .legacy ? "start" : "subscribe"
    send(["id": .string(id), "type": type, "payload": ["query": .string(query), "variables": variables]])
  }

  mutating func receive() async throws -> GraphQLValue? {
    guard case .text(let text)? = await output.next() else { return nil }
    return try GraphQLValue(json: text.utf8)
  }

  /// The code that the server closes the connection with.
  mutating func closeCode() async -> UInt16? {
    while let message = await output.next() {
      if case .close(let code) = message { return code.code }
    }
    return nil
  }
}

private let reviews = "subscription ($e: String) { reviewAdded(episode: $e) { stars } }"

@Suite("The mock server over WebSockets", .timeLimit(.minutes(2)))
struct WebSocketTests {
  private static let dialects: [WebSocketDialect] = [.transport, .legacy]

  @Test("A query is one result and an end, and its id is free again", arguments: dialects)
  fileprivate func query(_ dialect: WebSocketDialect) async throws {
    var connection = try await Connection(dialect)
    for _ in 1...2 {
      connection.subscribe("query ($id: ID!) { character(id: $id) { id } }", variables: ["id": "7"])
      let type: GraphQLValue = dialect == .legacy ? "data" : "next"
      #expect(
        try await connection.receive()
          == ["id": "1", "type": type, "payload": ["data": ["character": ["id": "7"]]]])
      #expect(try await connection.receive() == ["id": "1", "type": "complete"])
    }
  }

  @Test("A request that is not executed is an error, and the connection goes on", arguments: dialects)
  fileprivate func requestError(_ dialect: WebSocketDialect) async throws {
    var connection = try await Connection(dialect)
    connection.subscribe("{ nope }")
    let answer = try await connection.receive()
    let errors = dialect == .legacy ? answer?["payload"]?["errors"] : answer?["payload"]
    #expect(answer?["type"] == (dialect == .legacy ? "data" : "error"))
    #expect(errors?[0]?["message"]?.string?.contains("\"nope\"") == true)
    if dialect == .legacy { #expect(try await connection.receive() == ["id": "1", "type": "complete"]) }
    connection.subscribe("{ __typename }")
    #expect(try await connection.receive()?["payload"] == ["data": ["__typename": "Query"]])
  }

  @Test("A subscription has its events until it is completed", arguments: dialects)
  fileprivate func subscription(_ dialect: WebSocketDialect) async throws {
    var connection = try await Connection(dialect)
    connection.subscribe(reviews, id: "s")
    try await connection.schema.store.untilSubscribed("reviewAdded")
    for stars in 1...3 { try connection.schema.store.publish("reviewAdded", ["stars": .int(stars)]) }
    for stars in 1...3 {
      #expect(try await connection.receive()?["payload"] == ["data": ["reviewAdded": ["stars": .int(stars)]]])
    }
    connection.send(["id": "s", "type": dialect == .legacy ? "stop" : "complete"])
    try await connection.schema.store.untilUnsubscribed("reviewAdded", ["stars": 4])
  }

  @Test("Deferred fragments come as results of their own")
  func deferred() async throws {
    var connection = try await Connection()
    connection.subscribe("{ hero { id ... @defer { name } } }")
    let first = try await connection.receive()?["payload"], second = try await connection.receive()?["payload"]
    #expect(first?["hasNext"] == true && first?["data"]?["hero"]?["name"] == nil)
    #expect(second?["hasNext"] == false && second?["incremental"]?[0]?["data"]?["name"] != nil)
    #expect(try await connection.receive()?["type"] == "complete")
  }

  @Test("A connection that goes away ends its subscriptions", arguments: dialects)
  fileprivate func disconnection(_ dialect: WebSocketDialect) async throws {
    let connection = try await Connection(dialect)
    connection.subscribe(reviews)
    try await connection.schema.store.untilSubscribed("reviewAdded")
    connection.disconnect()
    try await connection.schema.store.untilUnsubscribed("reviewAdded", ["stars": 1])
  }

  @Test("A ping is answered with its payload, before the connection is initialised too")
  func ping() async throws {
    var connection = try await Connection(initialise: false)
    connection.send(["type": "ping", "payload": ["n": 1]])
    #expect(try await connection.receive() == ["type": "pong", "payload": ["n": 1]])
  }

  @Test(
    "Each violation of the protocol has its code",
    arguments: [
      ([["type": "unknown"]], 4400), ([["no": "type"]], 4400), (["text"], 4400),
      ([["type": "subscribe", "payload": ["query": "{ a }"]]], 4400),
      ([["id": "1", "type": "subscribe", "payload": [:]]], 4400), ([["type": "ping", "payload": 1]], 4400),
      ([["type": "complete"]], 4400), ([["type": "connection_init"]], 4429),
      (
        [
          ["id": "1", "type": "subscribe", "payload": ["query": .string(reviews)]],
          ["id": "1", "type": "subscribe", "payload": ["query": .string(reviews)]],
        ], 4409
      ),
    ] as [([GraphQLValue], UInt16)])
  func violations(_ messages: [GraphQLValue], _ code: UInt16) async throws {
    var connection = try await Connection()
    for message in messages { connection.send(message) }
    #expect(await connection.closeCode() == code)
  }

  @Test("A client that subscribes before it is acknowledged is closed")
  func initialisation() async throws {
    var early = try await Connection(initialise: false)
    early.subscribe(reviews)
    #expect(await early.closeCode() == 4401)
  }

  @Test("The older protocol is told of a mistake, and goes on; it ends when the client says so")
  func legacy() async throws {
    var connection = try await Connection(.legacy)
    connection.send(["type": "subscribe"])
    #expect(try await connection.receive()?["type"] == "connection_error")
    connection.send(["type": "connection_terminate"])
    #expect(await connection.closeCode() == 1000)
  }

  @Test(
    "The package's own client, by each protocol",
    arguments: [WebSocketSubprotocol.graphqlTransportWS, .graphqlWS])
  func client(_ dialect: WebSocketSubprotocol) async throws {
    let schema = try library(), server = try await MockServer.start(schema)
    let transport = WebSocketTransport(url: server.webSocketURL, configuration: .init(subprotocols: [dialect]))
    let client = ApolloClient(networkTransport: transport)
    #expect(try await client.fetch(query: CharacterQuery(id: "2")).data?.character?.id == "2")
    let stars = Task {
      for try await result in client.subscribe(to: ReviewAddedSubscription()) { return result.data?.reviewAdded.stars }
      return nil
    }
    try await schema.store.untilSubscribed("reviewAdded")
    try schema.store.publish("reviewAdded", ["stars": 5])
    #expect(try await stars.value == 5)
    try await schema.store.untilUnsubscribed("reviewAdded", ["stars": 1])
    await server.stop()
  }

  @Test("Events are read however the bytes are cut, and comments are passed")
  func events() {
    let text =
      ": hello\n\nevent: next\ndata: {\"a\":1}\n\nevent: next\ndata: {\"b\":\ndata: 2}\n\nevent: complete\ndata:\n\n"
    let bytes = Data(text.utf8)
    for cut in 0...bytes.count {
      var lines = EventLines()
      let events = lines.read(bytes.prefix(cut)) + lines.read(bytes.dropFirst(cut))
      #expect(events.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":1}", "{\"b\":\n2}"])
    }
  }

  @Test("Lines of events end in LF, CR or both", arguments: ["\n", "\r", "\r\n"])
  func lineEnds(_ end: String) throws {
    let bytes = Data(["data: {", "data:}", "", ": hello", "", "data:  1", "", ""].joined(separator: end).utf8)
    for cut in 0...bytes.count {
      var lines = EventLines()
      let events = lines.read(bytes.prefix(cut)) + lines.read(bytes.dropFirst(cut))
      #expect(events.map { String(decoding: $0, as: UTF8.self) } == ["{\n}", " 1"])
      try lines.finish()
    }
  }

  @Test("An event that does not end is an error, and not the end of the operation")
  func prematureEnd() async throws {
    for text in ["data: {}", "data: {}\n", "data: {}\r\n"] {
      var lines = EventLines()
      #expect(lines.read(Data(text.utf8)).isEmpty)
      #expect(throws: EventLines.PrematureEnd.self) { try lines.finish() }
    }
    let body = "data: {\"data\":{\"a\":1}}\n\ndata: {\"data\":{\"a\":2}}\n"
    let transport = MockNetworkTransport(
      .respond { _ in .status(200, body: body, headers: ["Content-Type": "text/event-stream"]) })
    let payload: GraphQLValue = ["query": "{ a }"]
    var results: [GraphQLValue] = []
    await #expect(throws: EventLines.PrematureEnd.self) {
      for try await result in try await OperationResults.of(payload, headers: [:], transport.session) {
        results.append(result)
      }
    }
    #expect(results == [["data": ["a": 1]]])
  }

  @Test("Each operation has the header fields of the handshake that say who asks")
  func headers() async throws {
    let transport = MockNetworkTransport(.schema(try library())), server = try await MockServer.start(transport)
    let connection = WebSocketTransport(url: server.webSocketURL, headers: ["Authorization": "Bearer x"])
    _ = try await ApolloClient(networkTransport: connection).fetch(query: CharacterQuery(id: "2"))
    let request = try #require(transport.requests.first?.urlRequest)
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer x")
    #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    for name in ["Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol"] {
      #expect(request.value(forHTTPHeaderField: name) == nil, "\(name)")
    }
    await server.stop()
  }
}
