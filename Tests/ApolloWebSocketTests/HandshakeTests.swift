// The system checks the answers that it gets itself.
#if !canImport(Darwin)
  import Apollo
  import Foundation
  import ScriptedWebSocketServer
  import Testing

  @testable import ApolloWebSocket

  @Suite("Header fields of a handshake", .timeLimit(.minutes(5)))
  struct HandshakeFieldTests {
    @Test(
      "The port is left out where it is the default one, so that a server finds the name that it has",
      arguments: [
        ("wss://example.com:443/graphql", "example.com"), ("ws://example.com:80/graphql", "example.com"),
        ("wss://example.com/graphql", "example.com"), ("wss://example.com:80/graphql", "example.com:80"),
        ("ws://example.com:443/graphql", "example.com:443"), ("wss://example.com:8443/graphql", "example.com:8443"),
        ("ws://[::1]/graphql", "[::1]"), ("ws://[::1]:8080/graphql", "[::1]:8080"),
      ])
    func host(address: String, field: String) throws {
      #expect(NIOWebSocketEngine.hostField(of: try #require(URL(string: address))) == field)
    }

    @Test(
      "The client has a name, as servers refuse clients without one; that of the app wins",
      arguments: [nil, "own"] as [String?])
    func userAgent(own: String?) async throws {
      try await ScriptedWebSocketServer.with { connection in
        #expect(connection.headers["user-agent"] == (own ?? "apollo-swift"))
        try await connection.acknowledge()
        connection.send(complete(try await connection.subscription()))
      } _: { server in
        let transport = WebSocketTransport(
          url: try #require(URL(string: server.address)), headers: own.map { ["user-agent": $0] } ?? [:],
          configuration: .init(connectOnInit: false))
        #expect(try await transport.all(ReviewAdded()).isEmpty)
      }
    }
  }

  /// The default policy for attempts has no limit: each of these would be tried again for ever, without an error.
  @Suite("Answers to a handshake that break the protocol (RFC 6455, section 4.1)", .timeLimit(.minutes(5)))
  struct HandshakeTests {
    private func refusal(of answer: ScriptedWebSocketServer.Handshake) async throws -> WebSocketError {
      try await ScriptedWebSocketServer.with(handshakes: Array(repeating: answer, count: 10)) { _ in
      } _: { server in
        try await WebSocketTransport(server, reconnection: ReconnectionPolicy()).failure(of: ReviewAdded())
      }
    }

    private static func answer(_ fields: String...) -> ScriptedWebSocketServer.Handshake {
      .raw("HTTP/1.1 101 Switching Protocols\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    @Test(
      "They end the operation with an error that says what is wrong",
      arguments: [
        (
          answer("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: c3VyZWx5IG5vdCB0aGlzIG9uZQ=="),
          "its 'Sec-WebSocket-Accept' does not answer the client's key"
        ),
        (
          answer("Upgrade: websocket", "Connection: Upgrade"),
          "its 'Sec-WebSocket-Accept' does not answer the client's key"
        ),
        (answer("Upgrade: h2c", "Connection: Upgrade"), "its header field 'Upgrade' is not 'websocket'"),
        (answer("Connection: Upgrade"), "its header field 'Upgrade' is not 'websocket'"),
        (.raw("SSH-2.0-OpenSSH_9.6\r\n"), "it is not HTTP"),
        (
          .add(["Sec-WebSocket-Extensions": "permessage-deflate; a=\u{202e}"]),
          #"it has the extension 'permessage-deflate; a=\u{202e}', which was not offered"#
        ),
        (.add(["Sec-WebSocket-Accept": "another"]), "its 'Sec-WebSocket-Accept' does not answer the client's key"),
      ])
    func invalid(answer: ScriptedWebSocketServer.Handshake, why: String) async throws {
      let error = try await refusal(of: answer)
      #expect(error.kind == .invalidHandshake(why))
      #expect(error.code == .invalidResponse)
      let place = try #require(error.url)
      #expect(
        error.message
          == "The server's answer to the WebSocket handshake is not valid: \(why) (\(place.absoluteString)).")
    }

    @Test(
      "A header field that cannot be sent is not the server's fault: the error names it, without its value",
      arguments: [("X-Token", "secret\n"), ("X-Token", "sec\u{0}ret"), ("X Token", "secret"), ("X-Tökén", "secret")])
    func unsendable(name: String, value: String) async throws {
      let transport = WebSocketTransport(
        url: try #require(URL(string: "ws://127.0.0.1:1/graphql")), headers: [name: value],
        configuration: .init(connectOnInit: false))
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.code == .configuration)
      #expect(error.message.hasPrefix("The header field '\(name)' cannot be sent: "), "\(error.message)")
      #expect(!error.message.contains("secret"))
    }
  }
#endif
