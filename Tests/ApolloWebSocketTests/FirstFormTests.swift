import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A creator of an app's own.
private struct NumberedCreator: RequestCreator {
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    var body = ApolloRequestCreator().requestBody(
      for: operation, sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
    body["number"] = "seven"
    return body
  }
}

@Suite("The spelling of the first versions with sockets", .everyStyle, .timeLimit(.minutes(5)))
struct FirstFormTests {
  @Test("A socket without a protocol speaks graphql-ws")
  func sockets() throws {
    let url = try #require(URL(string: "ws://localhost/graphql"))
    let sockets: [DefaultWebSocket] = [
      WebSocket(url: url), WebSocket(request: URLRequest(url: url)), DefaultWebSocket(request: URLRequest(url: url)),
    ]
    for socket in sockets {
      #expect(socket.subprotocol == .graphql_ws && socket.currentURL == url)
      #expect(socket.request.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "graphql-ws")
    }
  }

  @Test("A transport over a request takes a creator of bodies by each of its labels", arguments: [true, false])
  func creators(isFirst: Bool) async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["sec-websocket-protocol"] == "graphql-ws")
      try await connection.acknowledge()
      guard case .text(let text) = try await connection.receive() else { throw ScriptFailure("no text") }
      let message = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      #expect((message?["payload"] as? [String: Any])?["number"] as? String == "seven", "\(text)")
      connection.send(complete(try #require(message?["id"] as? String)))
    } _: { server in
      let request = URLRequest(url: try #require(URL(string: server.address)))
      let transport =
        isFirst
        ? WebSocketTransport(request: request, reconnect: false, requestCreator: NumberedCreator())
        : WebSocketTransport(
          request: request, reconnect: false, connectOnInit: false, requestBodyCreator: NumberedCreator())
      #expect(try await transport.all(ReviewAdded()).isEmpty)
    }
  }
}
