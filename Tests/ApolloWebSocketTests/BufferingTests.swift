import Apollo
import ApolloWebSocket
import ScriptedWebSocketServer
import StyledTests
import Testing

@Suite("Results that come faster than they are taken", .everyStyle, .timeLimit(.minutes(5)))
struct BufferingTests {
  /// Sends `count` results, and the one result of a second operation behind them.
  private static func flood(_ count: Int) -> ScriptedWebSocketServer.Script {
    { connection in
      try await connection.acknowledge()
      let ids = [try await connection.subscription(), try await connection.subscription()]
      for stars in 1...count { connection.send(next(ids[0], review(stars))) }
      connection.send(next(ids[1], review(5)))
      connection.send(complete(ids[1]))
      // The one that took too long is stopped.
      if count == 11 { try await connection.expect(.text(complete(ids[0]))) } else { connection.send(complete(ids[0])) }
    }
  }

  private static func stars(_ stream: AsyncThrowingStream<GraphQLResult<ReviewAdded.Data>, any Error>) async throws
    -> [Int?]
  {
    var stars: [Int?] = []
    for try await result in stream { stars.append(result.data?.reviewAdded?.stars) }
    return stars
  }

  @Test("Up to the limit they wait")
  func withinLimit() async throws {
    try await ScriptedWebSocketServer.with(Self.flood(10)) { server in
      let transport = try WebSocketTransport(server) { $0.buffering = .failing(limit: 10) }
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
      #expect(try await transport.all(ReviewAdded()).count == 1)
      #expect(try await Self.stars(slow) == Array(1...10))
    }
  }

  @Test("One more ends the operation after those that wait; the server is told, the others go on")
  func beyondLimit() async throws {
    try await ScriptedWebSocketServer.with(Self.flood(11)) { server in
      let transport = try WebSocketTransport(server) { $0.buffering = .failing(limit: 10) }
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
      #expect(try await transport.all(ReviewAdded()).count == 1)
      try await server.untilScriptsEnd()
      var stars: [Int?] = []
      let error = await #expect(throws: WebSocketError.self) {
        for try await result in slow { stars.append(result.data?.reviewAdded?.stars) }
      }
      #expect(stars == Array(1...10))
      #expect(error?.kind == .tooManyResults(limit: 10))
      #expect(error?.message.contains("More than 10 results") == true)
    }
  }

  struct Latest: ResultBufferingRequestContext { let buffering = RequestConfiguration.ResultBuffering.newest(2) }

  @Test("Where only the latest matter, the oldest make room; a context decides for one operation")
  func newest() async throws {
    try await ScriptedWebSocketServer.with(Self.flood(100)) { server in
      let transport = try WebSocketTransport(server) { $0.buffering = .failing(limit: 10) }
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default, context: Latest())
      #expect(try await transport.all(ReviewAdded()).count == 1)
      #expect(try await Self.stars(slow) == [99, 100])
    }
  }

  @Test("The cache has every result, whether anybody takes it or not")
  func cache() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(0, field: "review")))
      let ids = [try await connection.subscription(), try await connection.subscription()]
      for stars in 1...100 { connection.send(next(ids[0], review(stars))) }
      connection.send(complete(ids[1]))
    } _: { server in
      let store = ApolloStore()
      let transport = try WebSocketTransport(server, store: store) { $0.buffering = .newest(1) }
      _ = try await transport.all(ReviewQuery())
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
      _ = try await transport.all(ReviewAdded())
      #expect(try await store.load(ReviewQuery()).review?.stars == 100)
      withExtendedLifetime(slow) {}
    }
  }
}
