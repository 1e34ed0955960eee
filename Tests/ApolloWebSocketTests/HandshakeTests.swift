// The system checks the answers that it gets itself.
#if !canImport(Darwin)
  import Apollo
  import ApolloWebSocket
  import Foundation
  import ScriptedWebSocketServer
  import Testing

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
