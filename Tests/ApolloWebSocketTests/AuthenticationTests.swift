import Apollo
import Foundation
import ScriptedServer
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

@testable import ApolloWebSocket

@Suite("Credentials", .everyStyle, .timeLimit(.minutes(5)))
struct AuthenticationTests {
  /// Counts, and hands out `new1`, `new2`, ….
  private static func authenticator(_ count: Locked<Int>) -> BearerTokenAuthenticator {
    BearerTokenAuthenticator(token: .init("old")) { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .init("new\(number)")
    }
  }

  private static let refusals: [WebSocketCloseCode] = [.unauthorized, .forbidden]

  @Test("A refusal renews the credentials, and one more attempt is made with them", arguments: refusals)
  func renewed(code: WebSocketCloseCode) async throws {
    let count = Locked(0), isWatched = Awaited(false)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init"}"#))
      try await isWatched.until { $0 }
      guard connection.headers["authorization"] == "Bearer new1" else { return connection.close(code.rawValue, "no") }
      connection.send(ack)
      for _ in 1...2 {
        let id = try await connection.subscription()
        connection.send(next(id, review(Int(id) ?? 0, field: id == "1" ? "reviewAdded" : "review")))
        connection.send(complete(id))
      }
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never) {
        $0.authenticator = Self.authenticator(count)
      }
      let subscription = transport.subscribe(to: ReviewAdded())
      let states = subscription.states
      isWatched.change { $0 = true }
      // The query was not sent yet when the server refused: it waits for the other credentials.
      #expect(try await transport.all(ReviewQuery()).map { $0.data?.review?.stars } == [2])
      for try await event in subscription { #expect(event.data?.reviewAdded?.stars == 1) }
      var texts: [String] = []
      for await state in states { texts.append("\(state)") }
      #expect(texts == ["pending", "reconnecting, attempt 1 after 0.0 seconds", "active", "finished"])
      #expect(count.withLock { $0 } == 1)
      #expect(server.connections.count == 2)
    }
  }

  @Test("Renewed credentials that are refused as well end it, with the refusal", arguments: refusals)
  func refusedTwice(code: WebSocketCloseCode) async throws {
    let count = Locked(0)
    try await ScriptedWebSocketServer.with {
      $0.close(code.rawValue, "no")
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.authenticator = Self.authenticator(count) }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .closed(code: code, reason: "no"))
      #expect(count.withLock { $0 } == 1)
      #expect(server.connections.count == 2)
    }
  }

  @Test("Nobody has other credentials: the refusal stands")
  func noOthers() async throws {
    try await ScriptedWebSocketServer.with {
      $0.close(4403, "no")
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.authenticator = BearerTokenAuthenticator(token: .init("old")) { old in old }
      }
      #expect(try await transport.failure(of: ReviewAdded()).kind == .closed(code: .forbidden, reason: "no"))
      #expect(server.connections.count == 1)
    }
  }

  @Test("A connection that is asked for while credentials are renewed fails with the refusal, if there are no others")
  func refusedConnection() async throws {
    let isAsked = Awaited(false)
    try await ScriptedWebSocketServer.with {
      $0.close(4403, "no")
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.authenticator = BearerTokenAuthenticator(token: .init("old")) { old in
          try await isAsked.until { $0 }
          return old
        }
      }
      let subscription = transport.subscribe(to: ReviewAdded())
      for await state in subscription.states {
        if case .reconnecting = state { break }
      }
      let waiter = ConnectionWaiter()
      transport.inbox.yield(.connect(waiter))
      isAsked.change { $0 = true }
      let error = await #expect(throws: WebSocketError.self) { try await waiter.wait() }
      #expect(error?.kind == .closed(code: .forbidden, reason: "no"))
      await #expect(throws: (any Error).self) { for try await _ in subscription {} }
    }
  }

  @Test("An operation that is refused ends alone and renews nothing: the app renews, and replaces the connection")
  func refusedOperation() async throws {
    let count = Locked(0)
    let refusal = #"[{"message":"expired","extensions":{"code":"UNAUTHENTICATED"}}]"#
    try await ScriptedWebSocketServer.with { connection in
      let isKnown = connection.headers["authorization"] == "Bearer new1"
      try await connection.acknowledge()
      let first = try await connection.subscription()
      if isKnown {
        connection.send(next(first, review(2)))
        connection.send(complete(first))
      } else {
        connection.send(next(first, review(1)))
        let second = try await connection.subscription()
        connection.send(#"{"id":"\#(second)","type":"error","payload":\#(refusal)}"#)
        // The connection lasts until the client ends it.
        while case .text = try await connection.receive() {}
      }
    } _: { server in
      let authenticator = Self.authenticator(count)
      let transport = try WebSocketTransport(server) { $0.authenticator = authenticator }
      var stars: [Int?] = []
      for try await event in transport.subscribe(to: ReviewAdded()) {
        stars.append(event.data?.reviewAdded?.stars)
        guard stars.count == 1 else { continue }
        let error = try await transport.failure(of: ReviewAdded())
        #expect(error.graphQLErrors.map(\.message) == ["expired"])
        #expect(count.withLock { $0 } == 0 && server.connections.count == 1)
        #expect(try await authenticator.renew(refused: authenticator.credentials()))
        transport.updateHeaderValues([:])
      }
      #expect(stars == [1, 2])
      #expect(count.withLock { $0 } == 1 && server.connections.count == 2)
    }
  }

  struct SignInFailed: Error {}

  @Test("What renews them fails: the error says so")
  func renewalFails() async throws {
    try await ScriptedWebSocketServer.with {
      $0.close(4401, "no")
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in throw SignInFailed() }
      }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .credentials)
      #expect(error.error is SignInFailed)
      #expect(error.message == "There are no credentials for the connection: SignInFailed()")
    }
  }

  @Test("What renews them meets a bad network: that is tried again like the connection")
  func renewalMeetsBadNetwork() async throws {
    let count = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      guard connection.headers["authorization"] == "Bearer new" else { return connection.close(4401, "no") }
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.authenticator = BearerTokenAuthenticator { _ in
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number < 3 { throw URLError(.notConnectedToInternet) }
          return .init("new")
        }
      }
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(count.withLock { $0 } == 3)
    }
  }

  @Test("Credentials may travel in the payload of connection_init, beside what stands there")
  func payload() async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["authorization"] == nil)
      try await connection.expect(
        .text(#"{"type":"connection_init","payload":{"Authorization":"Bearer old","device":"phone"}}"#))
      connection.send(ack)
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.authenticator = Self.authenticator(Locked(0))
        $0.credentialsPlacement = .connectingPayload
        $0.connectingPayload = ["device": "phone"]
      }
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  @Test("When the user signs out, subscriptions end, and the next connection has another payload")
  func signOut() async throws {
    let user = Locked("A"), begun = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let text = try await connection.receive()
      let isFirst = begun.withLock { begun in
        begun += 1
        return begun == 1
      }
      let token = isFirst ? "A" : "B"
      #expect(text == .text(#"{"type":"connection_init","payload":{"token":"\#(token)"}}"#))
      #expect(connection.headers["x-user"] == (isFirst ? "A" : nil))
      connection.send(ack)
      let id = try await connection.subscription()
      connection.send(next(id, review(isFirst ? 1 : 2, field: "reviewAdded")))
      guard isFirst else { return connection.send(complete(id)) }
      while true {
        switch try await connection.receive() {
        case .close, .gone: return
        default: continue
        }
      }
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never) {
        $0.connectingPayload = .perConnection { ["token": user.withLock { $0 }] }
      }
      transport.updateHeaderValues(["X-User": "A"], reconnectIfConnected: false)
      let client = ApolloClient(networkTransport: transport, store: ApolloStore())
      var events = client.subscribe(to: ReviewAdded()).makeAsyncIterator()
      #expect(try await events.next()?.data?.reviewAdded?.stars == 1)
      try await client.signOut()
      await #expect { try await events.next() } throws: { ($0 as? any ApolloError)?.code == .signedOut }
      user.withLock { $0 = "B" }
      var stars: [Int?] = []
      for try await event in client.subscribe(to: ReviewAdded()) { stars.append(event.data?.reviewAdded?.stars) }
      #expect(stars == [2])
      #expect(server.connections.count == 2)
    }
  }

  @Test(
    "When the user signs out, a socket or a request of the app's has its first header fields again",
    arguments: [true, false])
  func signOutOfSocket(isRequest: Bool) async throws {
    let users = Locked<[String]>([])
    try await ScriptedWebSocketServer.with { connection in
      let fields = ["x-app", "x-user"].map { connection.headers[$0] ?? "none" }
      while true {
        switch try await connection.receive() {
        case .text(let text) where text.contains("connection_init"): connection.send(ack)
        case .text(let text) where text.contains("ReviewAdded"):
          let count = users.withLock { users in
            users.append(fields.joined(separator: " "))
            return users.count
          }
          connection.send(complete("\(count)"))
        case .close, .gone: return
        default: continue
        }
      }
    } _: { server in
      var request = URLRequest(url: try #require(URL(string: server.address)))
      request.setValue("app", forHTTPHeaderField: "X-App")
      let transport =
        isRequest
        ? WebSocketTransport(request: request)
        : WebSocketTransport(
          websocket: WebSocket(request: request, protocol: .graphql_transport_ws),
          config: .init(connectingPayload: .none, reconnection: .never, connectOnInit: false))
      transport.updateHeaderValues(["X-User": "A", "X-App": "other"])
      let client = ApolloClient(networkTransport: transport, store: ApolloStore())
      for try await _ in client.subscribe(to: ReviewAdded()) { Issue.record("there was no result") }
      try await client.signOut()
      for try await _ in client.subscribe(to: ReviewAdded()) { Issue.record("there was no result") }
      #expect(users.withLock { $0 } == ["other A", "app none"])
    }
  }

  @Test("Credentials without encryption are worth a warning, unless they stay on this machine")
  func plainCredentials() throws {
    func warning(
      _ address: String, _ credentials: [String: String], _ fields: [String: String] = [:]
    ) throws -> String? {
      ConnectionSettings.warning(of: credentials, fields, at: try #require(URL(string: address)))
    }
    let token = ["X-Own": "secret"]
    for address in ["ws://localhost/", "ws://127.0.0.1:8080/", "ws://[::1]/", "wss://a.test/"] {
      #expect(try warning(address, token) == nil, "\(address)")
    }
    let text = try #require(try warning("ws://a.test/graphql?token=secret", token))
    #expect(text.contains("X-Own is sent to ws://a.test/graphql without") && !text.contains("secret"), "\(text)")
    #expect(try warning("ws://a.test/", [:], ["Authorization": "secret"])?.contains("Authorization is sent") == true)
    #expect(try warning("ws://a.test/", [:], ["X-App": "1"]) == nil)
  }

  @Test("HTTP statuses 401 and 403 of the handshake are refusals as well", arguments: [401, 403])
  func status(status: Int) async throws {
    let count = Locked(0)
    try await ScriptedWebSocketServer.with(handshakes: [.refuse(status: status)]) { connection in
      #expect(connection.headers["authorization"] == "Bearer new1")
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never) {
        $0.authenticator = Self.authenticator(count)
      }
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  @Test("A legacy server's connection_error is a refusal as well")
  func connectionError() async throws {
    let count = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      guard connection.headers["authorization"] == "Bearer new1" else {
        return connection.send(#"{"type":"connection_error","payload":{"message":"who are you?"}}"#)
      }
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never) {
        $0.subprotocols = [.graphqlWS]
        $0.authenticator = Self.authenticator(count)
      }
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }

  @Test("A token that ends an hour later is renewed again; one that is refused at once is not")
  func machine() {
    var script = MachineScript.ready(renewsCredentials: true)
    script.start("1")
    #expect(script.lose(4401).last == "renew")
    #expect(script.run(.renewed(.success(true))) == ["connect"])
    script.open()
    script.receive(ack)
    script.wait(.seconds(3600))
    #expect(script.lose(4401).last == "renew")
    script.run(.renewed(.success(true)))
    script.open()
    #expect(script.lose(4403).last == "fail 1: The connection was closed: 4403 (forbidden).")
  }

  @Test("A query that the refusing server had got fails; while credentials are renewed, the last cancel ends it all")
  func machineOperations() {
    var script = MachineScript.ready(renewsCredentials: true)
    script.start("1")
    script.start("2", .mutation)
    #expect(
      script.lose(4401) == [
        "tell disconnected: The connection was closed: 4401 (unauthorized).",
        "fail 2: The connection was closed: 4401 (unauthorized).", "renew",
      ])
    #expect(script.start("3", .mutation) == [])
    #expect(script.run(.cancel(id: "1")) == ["finish 1"])
    #expect(script.run(.cancel(id: "3")) == ["finish 3"])
    #expect(script.run(.renewed(.success(true))) == [])
    #expect(script.start("4") == ["connect"])
  }
}
