import Apollo
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

@testable import ApolloWebSocket

/// An engine of an app's own: a server in the same process.
private struct Loopback: WebSocketEngine {
  struct Connection: WebSocketConnection {
    let subprotocol: String?
    let messages: AsyncThrowingStream<WebSocketMessage, any Error>
    let answers: AsyncThrowingStream<WebSocketMessage, any Error>.Continuation
    let closes: Awaited<[WebSocketCloseCode]>

    func send(_ message: WebSocketMessage) {
      guard case .text(let text) = message else { return }
      if text.contains("connection_init") { answers.yield(.text(ack)) }
      guard text.contains("subscribe") else { return }
      answers.yield(.text(next("1", review(3))))
      answers.finish(throwing: URLError(.networkConnectionLost))
    }

    func close(code: WebSocketCloseCode, reason: String) { closes.change { $0.append(code) } }
  }

  let attempts = Locked<[String]>([])
  let closes = Awaited<[WebSocketCloseCode]>([])

  func connect(
    to url: URL, headers: [String: String], subprotocols: [String]
  ) async throws -> any WebSocketConnection {
    attempts.withLock { $0.append("\(url) \(headers["token"] ?? "") \(subprotocols.joined(separator: " "))") }
    let (messages, answers) = AsyncThrowingStream<WebSocketMessage, any Error>.makeStream()
    return Connection(subprotocol: subprotocols.first, messages: messages, answers: answers, closes: closes)
  }
}

@Suite("Engines", .timeLimit(.minutes(5)))
struct EngineTests {
  @Test("An app can bring its own: it is told where to, and what it throws is a loss of the network")
  func own() async throws {
    let engine = Loopback()
    let transport = WebSocketTransport(
      url: try #require(URL(string: "https://example.com/graphql")), headers: ["token": "x"],
      configuration: .init(subprotocols: [.graphqlTransportWS, .graphqlWS], reconnection: fastReconnection),
      engine: engine)
    var stars: [Int?] = []
    for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
      stars.append(result.data?.reviewAdded?.stars)
      if stars.count == 2 { break }
    }
    #expect(stars == [3, 3])
    let attempt = "wss://example.com/graphql x graphql-transport-ws graphql-ws"
    #expect(engine.attempts.withLock { $0.prefix(2) } == [attempt, attempt])
  }

  @Test("Its connection is closed with the code of the reason")
  func closed() async throws {
    let engine = Loopback()
    let transport = WebSocketTransport(url: try #require(URL(string: "ws://example.com")), engine: engine)
    try await transport.connect()
    transport.closeConnection()
    try await engine.closes.until { !$0.isEmpty }
    #expect(engine.closes.value == [.normalClosure])
  }

  #if !canImport(Darwin)
    @Test("SwiftNIO tells of bytes before a frame is whole, and only once")
    func bytes() async throws {
      try await ScriptedWebSocketServer.with { connection in
        try await connection.expect(.text("go"))
        // The first byte of a frame with text.
        connection.sendRaw([0x81])
      } _: { server in
        let connection = try await NIOWebSocketEngine().connect(
          to: try #require(URL(string: server.address)), headers: [:], subprotocols: ["graphql-transport-ws"])
        let watch = try #require(connection as? any ByteWatching)
        #expect(!watch.haveBytesCome())
        connection.send(.text("go"))
        try await eventually { watch.haveBytesCome() }
        #expect(!watch.haveBytesCome())
        connection.close(code: .normalClosure, reason: "")
      }
    }
  #endif
}
