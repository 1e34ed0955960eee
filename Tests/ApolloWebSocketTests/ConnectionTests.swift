import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

@Suite("The connection of a transport", .everyStyle, .timeLimit(.minutes(5)))
struct ConnectionTests {
  @Test("It is opened by the first operation, closed when idle, and opened again by the next")
  func lazyAndIdle() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1)))
      connection.send(complete(id))
      try await connection.expect(.close(1000, ""))
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.timeouts.idle = .milliseconds(20) }
      #expect(!transport.isConnected())
      #expect(try await transport.all(ReviewAdded()).count == 1)
      try await server.untilScriptsEnd()
      try await eventually { !transport.isConnected() }
      #expect(try await transport.all(ReviewAdded()).count == 1)
      try await server.untilScriptsEnd()
      #expect(server.connections.count == 2)
    }
  }

  @Test("Neither its creation nor a change of its header fields opens it")
  func untouched() async throws {
    try await ScriptedWebSocketServer.with {
      try await $0.acknowledge()
    } _: { server in
      let transport = try WebSocketTransport(server)
      transport.updateHeaderValues(["token": nil])
      // One that is told to connect later is there before anything else could be.
      try await WebSocketTransport(server).connect()
      #expect(server.connections.count == 1)
      #expect(!transport.isConnected())
    }
  }

  @Test("It can be opened without an operation")
  func eager() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.subscription()
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.connectOnInit = true }
      let delegate = Recorder()
      transport.delegate = delegate
      try await eventually { transport.isConnected() }
      let results = transport.results(of: ReviewAdded(), cachePolicy: .default)
      try await server.untilScriptsEnd()
      _ = results
    }
  }

  @Test("It ends with the last operation once nothing holds the transport")
  func release() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1)))
      connection.send(next(id, review(2)))
      connection.send(complete(id))
      try await connection.expect(.close(1000, ""))
      try await connection.expect(.gone)
    } _: { server in
      var transport: WebSocketTransport? = try WebSocketTransport(server)
      weak let released = transport
      let results = try #require(transport).results(of: ReviewAdded(), cachePolicy: .default)
      transport = nil
      var stars: [Int?] = []
      for try await result in results { stars.append(result.data?.reviewAdded?.stars) }
      #expect(stars == [1, 2])
      try await server.untilScriptsEnd()
      #expect(released == nil)
    }
  }

  @Test("An operation that is cancelled before the acknowledgement is never sent")
  func cancelledEarly() async throws {
    let isCancelled = Event()
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init"}"#))
      try await isCancelled.wait()
      connection.send(ack)
      let id = try await connection.subscription()
      #expect(id == "2")
      connection.send(complete(id))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = Task { try await transport.all(ReviewAdded()) }
      try await server.until(connectionCount: 1)
      first.cancel()
      #expect(try await first.value.isEmpty)
      isCancelled.happen()
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  @Test("Headers, names and payload introduce the client; the payload is computed for each connection")
  func introduction() async throws {
    let tokens = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.path == "/graphql?a=b%20c")
      #expect(connection.headers["authorization"] == "Bearer x")
      #expect(connection.headers["apollographql-client-name"] == "test")
      #expect(connection.headers["sec-websocket-protocol"] == "graphql-transport-ws")
      #expect(connection.headers["host"]?.hasPrefix("127.0.0.1:") == true)
      let number = tokens.withLock { $0 }
      try await connection.expect(.text(#"{"type":"connection_init","payload":{"token":\#(number)}}"#))
      connection.send(ack)
      let id = try await connection.subscription()
      if number == 1 { connection.close(4408, "Too late") } else { connection.send(complete(id)) }
    } _: { server in
      let transport = WebSocketTransport(
        url: try #require(URL(string: server.address + "?a=b%20c")), headers: ["Authorization": "Bearer x"],
        configuration: WebSocketTransport.Configuration(
          connectingPayload: .perConnection {
            let token = tokens.withLock { token in
              token += 1
              return token
            }
            return ["token": token]
          }, reconnection: fastReconnection, connectOnInit: false))
      transport.clientName = "test"
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(server.connections.count == 2)
    }
  }

  @Test("A payload that cannot be computed fails the operations, without a connection")
  func payloadFails() async throws {
    try await ScriptedWebSocketServer.with { _ in
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.connectingPayload = .perConnection { throw ScriptFailure("no token") }
      }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .connectingPayload)
      #expect(error.message.contains("no token"))
      #expect(server.connections.isEmpty)
    }
  }

  @Test("New header values and payloads replace the connection, and subscriptions go on")
  func update() async throws {
    try await ScriptedWebSocketServer.with { connection in
      guard connection.headers["token"] == "2" else {
        #expect(connection.headers["token"] == "1")
        try await connection.expect(.text(#"{"type":"connection_init"}"#))
        connection.send(ack)
        connection.send(next(try await connection.subscription(), review(1)))
        return try await connection.expect(.close(1000, ""))
      }
      try await connection.expect(.text(#"{"type":"connection_init","payload":{"user":"me"}}"#))
      connection.send(ack)
      let id = try await connection.subscription()
      connection.send(next(id, review(2)))
      connection.send(complete(id))
    } _: { server in
      let transport = try WebSocketTransport(server)
      transport.updateHeaderValues(["token": "1", "other": nil])
      var stars: [Int?] = []
      for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
        stars.append(result.data?.reviewAdded?.stars)
        if stars.count == 1 {
          transport.updateConnectingPayload(["user": "me"], reconnectIfConnected: false)
          transport.updateHeaderValues(["token": "2"])
        }
      }
      #expect(stars == [1, 2])
      try await server.untilScriptsEnd()
    }
  }

  @Test("Header fields are the same in letters of whatever case, wherever they come from")
  func headerNames() async throws {
    struct Token: Authenticator {
      func credentials() async throws -> [String: String] { ["AUTHORIZATION": "new"] }
      func renew(refused: [String: String]) async throws -> Bool { false }
    }
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["authorization"] == "new")
      #expect(connection.headers["token"] == "3")
      #expect(connection.headers["x-gone"] == nil)
      #expect(connection.headers["apollographql-client-name"] == "mine")
      #expect(connection.headerNames.count == Set(connection.headerNames.map { $0.lowercased() }).count)
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = WebSocketTransport(
        url: try #require(URL(string: server.address)),
        headers: ["Authorization": "old", "token": "1", "X-Gone": "x", "Apollographql-Client-Name": "mine"],
        configuration: .init(authenticator: Token(), connectOnInit: false))
      transport.updateHeaderValues(["TOKEN": "2"])
      transport.updateHeaderValues(["Token": "3", "x-gone": nil])
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  @Test("Paused, it is closed and operations wait; resumed, it goes on")
  func pause() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(isFirst ? 1 : 2)))
      if isFirst { try await connection.expect(.close(1001, "")) } else { connection.send(complete(id)) }
    } _: { server in
      let transport = try WebSocketTransport(server)
      var stars: [Int?] = []
      for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
        stars.append(result.data?.reviewAdded?.stars)
        guard stars.count == 1 else { continue }
        transport.pauseWebSocketConnection()
        // (That no time brings it back is a test of `ConnectionMachineTimingTests`.)
        try await server.untilScriptsEnd()
        #expect(server.connections.count == 1)
        transport.resumeWebSocketConnection()
      }
      #expect(stars == [1, 2])
    }
  }

  @Test("Closed, it ends subscriptions quietly and fails queries")
  func close() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1)))
      try await connection.subscription()
      connection.send(next("1", review(2)))
      try await connection.expect(.close(1000, ""))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let results = transport.results(of: ReviewAdded(), cachePolicy: .default)
      let query = transport.results(of: ReviewQuery(), cachePolicy: .default)
      var count = 0
      for try await _ in results {
        count += 1
        if count == 2 { transport.closeConnection() }
      }
      #expect(count == 2)
      let error = await #expect(throws: WebSocketError.self) { for try await _ in query {} }
      #expect(error?.kind == .closedByClient)
      #expect(error?.code == .cancelled)
      try await server.untilScriptsEnd()
    }
  }

  @Test("A delegate is told of connections, losses and pings")
  func delegate() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      if isFirst {
        connection.send(#"{"type":"ping","payload":{"n":1}}"#)
        try await connection.expect(.text(#"{"type":"pong","payload":{"n":1}}"#))
        connection.close(1012, "soon")
      } else {
        connection.send(complete(id))
      }
    } _: { server in
      let transport = try WebSocketTransport(server)
      let recorder = Recorder()
      transport.delegate = recorder
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(
        recorder.events == [
          "connected", "ping 1", "The connection was closed: 1012 (service restart), soon.", "reconnected",
        ])
    }
  }

  @Test("The address may be that of HTTP; others are refused with their text")
  func addresses() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let http = server.address.replacingOccurrences(of: "ws://", with: "http://")
      let transport = WebSocketTransport(url: try #require(URL(string: http)))
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
    for address in ["ftp://example.com", "graphql", "ws:///graphql"] {
      let error = try await WebSocketTransport(url: try #require(URL(string: address))).failure(of: ReviewAdded())
      #expect(error.code == .configuration)
      #expect(error.message.contains(address))
    }
    let secret = try #require(URL(string: "ftp://user:hunter2@example.com/graphql?token=hunter2"))
    let error = try await WebSocketTransport(url: secret).failure(of: ReviewAdded())
    #expect(error.message.contains("'ftp://example.com/graphql'"), "\(error)")
    #expect(!error.description.contains("hunter2"), "\(error)")
  }

  #if !canImport(Darwin) && !WebSocketTLS
    @Test("An address that needs TLS, which this build leaves out, is refused with what to do")
    func noTLS() async throws {
      let url = try #require(URL(string: "wss://localhost/graphql?token=hunter2"))
      let error = try await WebSocketTransport(url: url).failure(of: ReviewAdded())
      #expect(error.code == .configuration)
      #expect(error.message.contains(#"traits: ["WebSocketTLS"]"#))
      #expect(!error.description.contains("hunter2"), "\(error)")
    }
  #endif

  @Test(
    "A subprotocol that was not offered, or none, fails the handshake",
    arguments: ["graphql-ws", nil] as [String?])
  func subprotocol(chosen: String?) async throws {
    try await ScriptedWebSocketServer.with(handshakes: [.choose(chosen)]) { connection in
      try await connection.expect(.close(1002, "Subprotocol not acceptable"))
    } _: { server in
      let error = try await WebSocketTransport(server).failure(of: ReviewAdded())
      #expect(error.kind == .subprotocolMismatch(chosen: chosen))
      try await server.untilScriptsEnd()
    }
  }
}

/// Writes down what a delegate is told.
final class Recorder: WebSocketTransportDelegate, Sendable {
  private let log = Locked<[String]>([])
  var events: [String] { log.withLock { $0 } }

  private func add(_ event: String) { log.withLock { $0.append(event) } }

  func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) { add("connected") }
  func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport) { add("reconnected") }
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?) {
    add(error.map { "\($0)" } ?? "disconnected")
  }
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didReceivePingWithPayload payload: JSONObject?) {
    add("ping \(wholeNumber(payload?["n"]) ?? 0)")
  }
}
