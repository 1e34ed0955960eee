import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The spelling of earlier versions", .everyStyle, .timeLimit(.minutes(1)))
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
      let second = WebSocketTransport(url: url)
      second.updateConnectingPayload(token)
      for try await _ in second.results(of: ReviewAdded(), cachePolicy: .default) { Issue.record("no result") }
    }
    #expect(WebSocketTransport.Configuration(connectingPayload: ["token": "y"]).connectOnInit == false)
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
}
