import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

/// What the app may do about the operations and the connection of a transport.
@Suite("What an app can ask of a transport", .everyStyle, .timeLimit(.minutes(5)))
struct OperationTests {
  struct Names: OperationMessageIdCreator {
    private let names = Locked(["b", "a"])
    func requestId() -> String { names.withLock { $0.popLast() ?? "a" } }
  }

  @Test("Ids are the app's if it wants, and end their operation")
  func unsubscribe() async throws {
    let hasFailed = Awaited(false)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      #expect(try await connection.subscription() == "a")
      #expect(try await connection.subscription() == "b")
      try await hasFailed.until { $0 }
      connection.send(next("a", review(3)))
      connection.send(complete("a"))
      // No `complete` for the first came before this one.
      try await connection.expect(.text(complete("b")))
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.operationMessageIdCreator = Names() }
      try await transport.connect()
      let first = transport.results(of: ReviewAdded(), cachePolicy: .default)
      let second = transport.results(of: ReviewAdded(), cachePolicy: .default)
      let third = try await transport.failure(of: ReviewAdded())
      #expect(third.kind == .duplicateOperationID("a"), "an id that is taken fails the newcomer only")
      hasFailed.change { $0 = true }
      var stars: [Int?] = []
      for try await result in first { stars.append(result.data?.reviewAdded?.stars) }
      #expect(stars == [3])
      transport.unsubscribe("b")
      for try await _ in second { Issue.record("there was no result") }
      try await server.untilScriptsEnd()
    }
  }

  @Test("Ids count from a number")
  func sequence() {
    let ids = ApolloSequencedOperationMessageIdCreator(startAt: 7)
    #expect([ids.requestId(), ids.requestId()] == ["7", "8"])
    #expect(ApolloSequencedOperationMessageIdCreator().requestId() == "1")
  }

  @Test("connect() returns once the server has acknowledged the connection, which operations then use")
  func connect() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server)
      try await transport.connect()
      #expect(transport.isConnected())
      try await transport.connect()
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(server.connections.count == 1)
    }
  }

  @Test("A query that the server completes without a result fails")
  func noResult() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let results = transport.results(of: ReviewQuery(), cachePolicy: .fetchIgnoringCacheData)
      let error = await #expect(throws: OperationError.self) { for try await _ in results {} }
      #expect(error?.code == .invalidResponse)
    }
  }

  @Test("connect() does not wait for a connection that the app closes, pauses or has paused")
  func connectInVain() async throws {
    let url = try #require(URL(string: "ws://127.0.0.1:9"))
    let end: [@Sendable (WebSocketTransport) -> Void] = [
      { $0.closeConnection() }, { $0.pauseWebSocketConnection() },
    ]
    for end in end {
      let transport = WebSocketTransport(
        url: url,
        configuration: .init(reconnection: ReconnectionPolicy(initialDelay: .seconds(60)), connectOnInit: false))
      let events = transport.subscribe(to: ReviewAdded())
      for await state in events.states { if case .reconnecting = state { break } }
      let connection = begin { try await transport.connect() }
      end(transport)
      do {
        try await connection.value
        Issue.record("there is no server to connect to")
      } catch let error as WebSocketError {
        #expect(error.kind == .closedByClient)
      }
    }
    let paused = WebSocketTransport(url: url, configuration: .init(connectOnInit: false))
    paused.pauseWebSocketConnection()
    let error = await #expect(throws: WebSocketError.self) { try await paused.connect() }
    #expect(error?.kind == .closedByClient)
  }

  /// As AWS AppSync wants it: the request as text within the payload.
  struct Wrapped: RequestBodyCreator {
    func requestBody<Operation: GraphQLOperation>(
      for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
    ) -> JSONEncodableDictionary {
      [
        "data": Operation.operationDocument.text,
        "extensions": ["authorization": ["host": "h"] as JSONObject] as JSONObject,
      ]
    }
  }

  @Test("What is sent for an operation is the app's to make")
  func body() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.expect(
        .text(
          #"{"id":"1","type":"subscribe","payload":{"data":"query Review { review { __typename id stars } }","extensions":{"authorization":{"host":"h"}}}}"#
        ))
      connection.send(next("1", review(4, field: "review")))
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.requestBodyCreator = Wrapped() }
      #expect(try await transport.all(ReviewQuery()).map { $0.data?.review?.stars } == [4])
    }
  }

  @Test("connect() throws what the attempt met, and ends with its task")
  func connectFails() async throws {
    try await ScriptedWebSocketServer.with(handshakes: [.refuse(status: 404), .hang]) { _ in
    } _: { server in
      let transport = try WebSocketTransport(server)
      let error = await #expect(throws: WebSocketError.self) { try await transport.connect() }
      #expect(error?.kind == .upgradeError(code: 404))
      #expect(
        error?.message == "The server answered the WebSocket handshake with HTTP status 404 (\(server.address)).")
      let task = Task { try await transport.connect() }
      try await server.until(handshakeCount: 2)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("The address may change; subscriptions move to the other server")
  func address() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1)))
      try await connection.expect(.close(1000, ""))
    } _: { first async throws in
      try await ScriptedWebSocketServer.with { connection in
        try await connection.acknowledge()
        let id = try await connection.subscription()
        connection.send(next(id, review(2)))
        connection.send(complete(id))
      } _: { second in
        let transport = try WebSocketTransport(first)
        let other = try #require(URL(string: second.address))
        var stars: [Int?] = []
        for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
          stars.append(result.data?.reviewAdded?.stars)
          if stars.count == 1 { transport.updateURL(other) }
        }
        #expect(stars == [1, 2])
      }
    }
  }

  // MARK: Behaviours of earlier clients, and where this one differs

  /// Differences on purpose: a pong carries the ping's payload, an unknown type of message is passed over, and a second
  /// attempt follows a first one that fails.
  @Test(
    "A drop with two subscriptions and a query: the former are sent again with their ids, the query throws the loss")
  func dropWithReconnect() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with(handshakes: [.accept, .refuse(status: 502)]) { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      #expect(try await connection.subscription() == "1")
      #expect(try await connection.subscription() == "2")
      if isFirst {
        #expect(try await connection.subscription() == "3")
        return connection.drop()
      }
      connection.send(#"{"type":"ping","payload":{"a":1}}"#)
      try await connection.expect(.text(#"{"type":"pong","payload":{"a":1}}"#))
      connection.send(#"{"type":"news"}"#)
      connection.send(#"{"id":1,"type":"next","payload":\#(review(4))}"#)
      connection.send(complete("1"))
      connection.send(complete("2"))
      // Neither `complete` is answered.
      connection.send(#"{"type":"ping"}"#)
      try await connection.expect(.text(#"{"type":"pong"}"#))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = transport.results(of: ReviewAdded(), cachePolicy: .default)
      let second = transport.results(of: ReviewAdded(), cachePolicy: .default)
      let error = try await transport.failure(of: ReviewQuery())
      #expect(error.kind == .closed(code: .abnormalClosure, reason: ""))
      var stars: [Int?] = []
      for try await result in first { stars.append(result.data?.reviewAdded?.stars) }
      #expect(stars == [4])
      for try await _ in second { Issue.record("there was no result") }
      try await server.untilScriptsEnd()
    }
  }

  @Test("A header field of nil is removed, and stays so over reconnections")
  func removedHeader() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      #expect(connection.headers["token"] == nil)
      try await connection.acknowledge()
      let id = try await connection.subscription()
      if number < 3 { connection.drop() } else { connection.send(complete(id)) }
    } _: { server in
      let transport = WebSocketTransport(
        url: try #require(URL(string: server.address)), headers: ["token": "1"],
        configuration: .init(reconnection: fastReconnection, connectOnInit: false))
      transport.updateHeaderValues(["token": nil])
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(connections.withLock { $0 } == 3)
    }
  }
}

@Suite("What a message says of its operation", .everyStyle, .timeLimit(.minutes(5)))
struct MessageBodyTests {
  @Test("An operation without the identifier that the server wants is not sent, and the error says what to do")
  func noIdentifier() async throws {
    try await ScriptedWebSocketServer.with { _ in
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.requestBodyCreator = PersistedDocumentBodyCreator() }
      let events = transport.subscribe(to: ReviewAdded())
      let error = await #expect(throws: OperationError.self) { for try await _ in events {} }
      #expect(error?.operationName == "ReviewAdded")
      #expect(error?.message.contains("operationDocumentFormat") == true, "\(error as Any)")
      #expect("\(events.state)".hasPrefix("failed"))
      #expect(server.connections.isEmpty)
    }
  }

  @Test("Variables are sent if the operation declares any, also where none has a value")
  func variables() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      guard case .text(let first) = try await connection.receive(),
        case .text(let second) = try await connection.receive()
      else { throw ScriptFailure("no operations") }
      #expect(first.hasSuffix(#","variables":{}}}"#), "\(first)")
      #expect(!second.contains("variables"), "\(second)")
      connection.send(complete("1"))
      connection.send(next("2", review(1, field: "review")))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let events = transport.results(of: ReviewAdded(), cachePolicy: .default)
      _ = try await transport.all(ReviewQuery())
      for try await _ in events {}
    }
  }
}
