import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// As the generator writes an operation with an identifier.
private struct IdentifiedReview: GraphQLQuery {
  static let operationName = "Review"
  static let operationDocument = OperationDocument(
    "query Review { review { __typename id stars } }", operationIdentifier: "abc123")
  typealias Data = ReviewQuery.Data
}

/// A creator of an app's own.
private struct TenantCreator: RequestBodyCreator {
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    var body = ApolloRequestBodyCreator().requestBody(
      for: operation, sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
    body["tenant"] = "seven"
    return body
  }
}

@Suite("The spelling of earlier versions", .everyStyle, .timeLimit(.minutes(5)))
struct CompatibilityTests {
  @Test("A WebSocket and its configuration make a transport")
  func transport() async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["authorization"] == "x")
      #expect(connection.headers["sec-websocket-protocol"] == "graphql-ws")
      try await connection.expect(.text(#"{"type":"connection_init","payload":{"token":"y"}}"#))
      connection.send(ack)
      let id = try await connection.subscription()
      connection.send(#"{"type":"data","id":"\#(id)","payload":\#(review(2))}"#)
      connection.send(complete(id))
    } _: { server in
      var request = URLRequest(url: try #require(URL(string: server.address)))
      request.setValue("x", forHTTPHeaderField: "Authorization")
      let transport = WebSocketTransport(
        websocket: WebSocket(request: request, protocol: .graphql_ws), store: ApolloStore(),
        config: WebSocketTransport.Configuration(
          reconnect: true, reconnectionInterval: 0.5, connectingPayload: ["token": "y"]))
      #expect(try await transport.all(ReviewAdded()).map { $0.data?.reviewAdded?.stars } == [2])
    }
  }

  @Test("A payload may be a dictionary of the app's")
  func payload() async throws {
    let token: JSONEncodableDictionary = ["token": "y"]
    try await ScriptedWebSocketServer.with { connection in
      let text = try await connection.receive()
      #expect(text == .text(#"{"type":"connection_init","payload":{"token":"y"}}"#))
      connection.send(ack)
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let url = try #require(URL(string: server.address))
      let first = WebSocketTransport(
        websocket: WebSocket(url: url, protocol: .graphql_transport_ws),
        config: WebSocketTransport.Configuration(connectingPayload: token))
      for try await _ in first.results(of: ReviewAdded(), cachePolicy: .default) { Issue.record("no result") }
      // (One that connects at once might lose its first connection to the change.)
      let second = WebSocketTransport(url: url, configuration: .init(connectOnInit: false))
      second.updateConnectingPayload(token)
      for try await _ in second.results(of: ReviewAdded(), cachePolicy: .default) { Issue.record("no result") }
    }
  }

  @Test("A request makes a transport of the older protocol; ping(data:) and the first name of the split transport work")
  func firstEra() async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["apollographql-client-name"] == "app")
      try await connection.expect(.text(#"{"type":"connection_init","payload":{}}"#))
      connection.send(ack)
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let request = URLRequest(url: try #require(URL(string: server.address)))
      let socket = WebSocketTransport(request: request, clientName: "app")
      let split = SplitNetworkTransport(httpNetworkTransport: socket, webSocketNetworkTransport: socket)
      for try await _ in split.results(of: ReviewAdded(), cachePolicy: .default) { Issue.record("no result") }
    }
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.expect(.text(#"{"type":"ping","payload":{"a":1}}"#))
    } _: { server in
      let transport = try WebSocketTransport(server)
      try await transport.connect()
      transport.ping(data: Data(#"{"a":1}"#.utf8))
      try await server.untilScriptsEnd()
    }
  }

  @Test("reconnect: false means no second attempt, true one without end")
  func reconnect() {
    #expect(WebSocketTransport.Configuration(reconnect: false).reconnection.maximumAttempts == 0)
    let patient = WebSocketTransport.Configuration(reconnect: true, reconnectionInterval: 2).reconnection
    #expect(patient.maximumAttempts == nil)
    #expect(patient.initialDelay == .seconds(2))
  }

  @Test(
    "The handshake of a WebSocket has the origin of its address, unless the request has another one",
    arguments: [nil, "https://example.com"] as [String?])
  func origin(own: String?) async throws {
    try await ScriptedWebSocketServer.with { connection in
      let host = try #require(connection.headers["host"])
      #expect(connection.headers["origin"] == (own ?? "ws://\(host)"))
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      var request = URLRequest(url: try #require(URL(string: server.address + "?a=b")))
      request.setValue(own, forHTTPHeaderField: "origin")
      let transport = WebSocketTransport(
        websocket: WebSocket(request: request, protocol: .graphql_transport_ws),
        config: WebSocketTransport.Configuration(timeouts: WebSocketTimeouts()))
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  @Test("The request of a WebSocket has its protocol, and the handshake offers it once")
  func protocolHeader() async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["sec-websocket-protocol"] == "graphql-transport-ws")
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      var request = URLRequest(url: try #require(URL(string: server.address)))
      request.setValue("mine", forHTTPHeaderField: "sec-websocket-protocol")
      let socket = WebSocket(request: request, protocol: .graphql_transport_ws)
      #expect(socket.request.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "graphql-transport-ws")
      #expect(
        WebSocket(url: try #require(request.url), protocol: .graphql_ws).request
          .value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "graphql-ws")
      let transport = WebSocketTransport(
        websocket: socket, config: WebSocketTransport.Configuration(timeouts: WebSocketTimeouts()))
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  /// The ways to name some settings and leave out the others.
  static let configurations: [WebSocketTransport.Configuration?] = [
    nil, .default, WebSocketTransport.Configuration(), WebSocketTransport.Configuration(reconnect: true),
    WebSocketTransport.Configuration(clientName: "app"), WebSocketTransport.Configuration(reconnectionInterval: 0.5),
    WebSocketTransport.Configuration(timeouts: WebSocketTimeouts()),
    WebSocketTransport.Configuration(reconnection: ReconnectionPolicy()),
  ]

  @Test(
    "A configuration is one thing whatever its labels: it connects at once, with the payload {}, as often as it takes",
    arguments: configurations.indices)
  func configuration(_ index: Int) async throws {
    let configuration = Self.configurations[index]
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init","payload":{}}"#))
      connection.send(ack)
    } _: { server in
      let url = try #require(URL(string: server.address))
      let socket = WebSocket(url: url, protocol: .graphql_transport_ws)
      let transports =
        if let configuration {
          [
            WebSocketTransport(websocket: socket, config: configuration),
            WebSocketTransport(url: url, configuration: configuration),
          ]
        } else {
          [WebSocketTransport(websocket: socket), WebSocketTransport(url: url)]
        }
      for transport in transports { try await eventually { transport.isConnected() } }
      #expect(server.connections.count == 2)
    }
    let policy = (configuration ?? .default).reconnection
    #expect(policy == ReconnectionPolicy())
    #expect(policy.maximumAttempts == nil && policy.maximumServerFailures == nil)
  }

  @Test("Settings are read and changed by the names of 1.x")
  func settings() {
    var configuration = WebSocketTransport.Configuration(
      reconnect: false, reconnectionInterval: 2, allowSendingDuplicates: false, connectOnInit: false,
      connectingPayload: ["a": "b", "n": 1])
    let reconnects: Bool = configuration.reconnect
    #expect(!reconnects && configuration.reconnection.maximumServerFailures == 0)
    #expect(configuration.reconnectionInterval == 2)
    #expect(!configuration.connectOnInit && !configuration.allowSendingDuplicates)
    configuration.reconnect = true
    #expect(configuration.reconnection == ReconnectionPolicy(initialDelay: .seconds(2)))
    configuration.reconnection.maximumAttempts = 3
    configuration.reconnect = true
    #expect(configuration.reconnection.maximumAttempts == 3, "it was true before")
    configuration.reconnect = false
    configuration.reconnectionInterval = 0.25
    #expect(configuration.reconnection.initialDelay == .milliseconds(250))
    #expect(!configuration.reconnect)
  }

  @Test("Without the name of the library, each transport of a split one keeps its own name of the app")
  func splitAwareness() throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/")), store = ApolloStore()
    let http = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: url)
    let webSocket = WebSocketTransport(url: url, configuration: .init(connectOnInit: false, clientName: "shop-live"))
    http.clientName = "shop"
    let split = SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: webSocket)
    _ = ApolloClient(networkTransport: split, store: store, sendEnhancedClientAwareness: false)
    #expect(http.clientName == "shop" && webSocket.clientName == "shop-live" && !http.sendEnhancedClientAwareness)
    _ = ApolloClient(networkTransport: split, store: store, clientAwarenessMetadata: .none)
    #expect(http.clientName.isEmpty && webSocket.clientName.isEmpty)
  }

  @Test(
    "Settings are made by the labels of 2.4, and the handshake names the app as they say", arguments: ["shop", nil])
  func settings24(name: String?) async throws {
    let configuration = WebSocketTransport.Configuration(
      connectingPayload: ["token": "y"], pingInterval: 20,
      clientAwarenessMetadata: ClientAwarenessMetadata(clientApplicationName: name))
    #expect(configuration.timeouts.pingInterval == .seconds(20) && configuration.reconnectionInterval == -1)
    #expect(configuration.clientAwarenessMetadata.clientApplicationName == name ?? "")
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["apollographql-client-name"] == name)
      #expect(connection.headers["apollographql-client-version"] == nil)
      try await connection.expect(.text(#"{"type":"connection_init","payload":{"token":"y"}}"#))
      connection.send(ack)
    } _: { server in
      let transport = WebSocketTransport(
        url: try #require(URL(string: server.address)), store: ApolloStore(), configuration: configuration)
      try await transport.connect()
    }
  }

  @Test("An interval below 0 reads as one, and can be taken back")
  func negativeInterval() {
    var configuration = WebSocketTransport.Configuration(reconnectionInterval: -1)
    #expect(!configuration.reconnect && configuration.reconnectionInterval < 0)
    let copy = WebSocketTransport.Configuration(reconnectionInterval: configuration.reconnectionInterval)
    #expect(!copy.reconnect)
    configuration.reconnectionInterval = 2
    #expect(configuration.reconnection == ReconnectionPolicy(initialDelay: .seconds(2)))
    #expect(configuration.reconnect && configuration.reconnectionInterval == 2)
    var off = WebSocketTransport.Configuration(reconnect: false, reconnectionInterval: -1)
    off.reconnectionInterval = 1
    #expect(!off.reconnect && off.reconnectionInterval == 1)
  }

  @Test("What is decided after an interval below 0 is not taken back by the next one")
  func decisionAfterInterval() {
    let negative = WebSocketTransport.Configuration(reconnectionInterval: -1)
    var never = negative
    never.reconnection = .never
    #expect(never.reconnectionInterval == 0.5)
    never.reconnectionInterval = 2
    #expect(!never.reconnect && never.reconnectionInterval == 2)
    var off = negative
    off.reconnect = true
    off.reconnect = false
    off.reconnectionInterval = 2
    #expect(!off.reconnect && off.reconnectionInterval == 2)
    // This says nothing of whether to connect again.
    var slow = negative
    slow.reconnection.maximumDelay = .seconds(5)
    #expect(!slow.reconnect && slow.reconnectionInterval == -1)
    slow.reconnectionInterval = 2
    #expect(slow.reconnection == ReconnectionPolicy(initialDelay: .seconds(2), maximumDelay: .seconds(5)))
  }

  @Test("A transport of 0.4x sends identifiers in place of documents, in the body of the app's creator")
  func sentIdentifiers() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      guard case .text(let text) = try await connection.receive() else { throw ScriptFailure("no text") }
      #expect(text.contains(#""tenant":"seven""#) && text.contains(#""id":"abc123""#) && !text.contains("query"))
      connection.send(#"{"type":"data","id":"1","payload":\#(review(3, field: "review"))}"#)
    } _: { server in
      let socket = WebSocket(url: try #require(URL(string: server.address)), protocol: .graphql_ws)
      let transport = WebSocketTransport(
        websocket: socket, sendOperationIdentifiers: true, connectOnInit: false, requestBodyCreator: TenantCreator())
      #expect(try await transport.all(IdentifiedReview()).map { $0.data?.review?.stars } == [3])
      // An operation without an identifier is not sent.
      await #expect(throws: (any Error).self) { try await transport.all(ReviewQuery()) }
    }
  }

  @Test("A transport is made by the labels of 0.5x")
  func releases05() async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["apollographql-client-name"] == "app")
      try await connection.expect(.text(#"{"type":"connection_init","payload":{"token":"y"}}"#))
      connection.send(ack)
      let text = try await connection.receive()
      #expect("\(text)".contains(#"\"id\":\"7\""#), "\(text)")
      connection.send(complete("7"))
    } _: { server in
      let socket = WebSocket(url: try #require(URL(string: server.address)), protocol: .graphql_ws)
      let transport = WebSocketTransport(
        websocket: socket, store: ApolloStore(), clientName: "app", clientVersion: "1", reconnect: false,
        reconnectionInterval: 1, connectOnInit: true, connectingPayload: ["token": "y"],
        operationMessageIdCreator: ApolloSequencedOperationMessageIdCreator(startAt: 7))
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  /// As apps write one: without a word on concurrency.
  private final class Delegate: WebSocketTransportDelegate {
    var connections = 0
    func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) { connections += 1 }
  }

  @Test("The delegate may be any object")
  func delegate() async throws {
    try await ScriptedWebSocketServer.with {
      try await $0.acknowledge()
    } _: { server in
      let transport = try WebSocketTransport(server)
      let delegate = Delegate()
      transport.delegate = delegate
      #expect(transport.delegate === delegate)
      try await transport.connect()
      #expect(delegate.connections == 1)
    }
  }

  @Test("A transport that has no connection yet connects when it is resumed")
  func resume() async throws {
    try await ScriptedWebSocketServer.with {
      try await $0.acknowledge()
    } _: { server in
      let transport = try WebSocketTransport(server)
      transport.resumeWebSocketConnection()
      try await eventually { transport.isConnected() }
    }
  }

  @Test("The names of 2.x set the delegate, pause and resume")
  func releases2() async throws {
    try await ScriptedWebSocketServer.with {
      try await $0.acknowledge()
    } _: { server in
      let transport = try WebSocketTransport(server)
      let delegate = Delegate()
      transport.setDelegate(delegate)
      #expect(transport.delegate === delegate)
      transport.pause()
      transport.resume()
      try await eventually { transport.isConnected() }
      transport.pause()
      try await eventually { !transport.isConnected() }
    }
  }

  @Test(
    "A reconnection interval that is not a time, or without end, does no harm",
    arguments: [.nan, .infinity, -1, 1e300] as [TimeInterval])
  func intervals(seconds: TimeInterval) {
    let delay = WebSocketTransport.Configuration(reconnectionInterval: seconds).reconnection.initialDelay
    #expect(delay >= .zero && delay < .seconds(400 * 24 * 3600))
  }
}
