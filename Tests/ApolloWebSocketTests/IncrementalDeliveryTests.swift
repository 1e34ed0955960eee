import Apollo
import ApolloWebSocket
import Fixture0020
import ScriptedWebSocketServer
import StyledTests
import Testing

/// What multipart responses carry over HTTP comes as `next` messages here.
@Suite("Responses in parts over a socket", .everyStyle, .timeLimit(.minutes(5)))
struct IncrementalDeliveryTests {
  private static let hero = #"{"__typename":"Human","id":"1","name":"Luke","friends":[]}"#

  private static let first =
    #"{"data":{"hero":\#(hero)},"pending":[{"id":"0","path":["hero"],"label":"DeferredHeroQuery.heroDetails"},{"id":"1","path":["hero"],"label":"home"}],"hasNext":true}"#
  private static let details =
    #"{"incremental":[{"id":"0","data":{"details":{"__typename":"Details","biography":"b","born":null}}}],"completed":[{"id":"0"}],"hasNext":true}"#
  private static let home =
    #"{"incremental":[{"id":"1","data":{"homeWorld":{"__typename":"Planet","name":"Tatooine","terrain":"desert"}}}],"completed":[{"id":"1"}],"hasNext":false}"#

  @Test("Each part gives the response so far; the query ends with the last one")
  func parts() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      for part in [Self.first, Self.details, Self.home] { connection.send(next(id, part)) }
    } _: { server in
      let results = try await WebSocketTransport(server).all(DeferredHeroQuery())
      #expect(results.map(\.hasNext) == [true, true, false])
      #expect(results.map { $0.data?.hero?.heroDetails.details?.biography } == [nil, "b", "b"])
      #expect(results.last?.data?.hero?.home.homeWorld?.name == "Tatooine")
    }
  }

  @Test("The form of 2022, by path and label, works as well")
  func partsByPath() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, #"{"data":{"hero":\#(Self.hero)},"hasNext":true}"#))
      connection.send(
        next(
          id,
          #"{"incremental":[{"path":["hero"],"label":"DeferredHeroQuery.heroDetails","data":{"details":{"__typename":"Details","biography":"b","born":null}}},{"path":["hero"],"label":"home","data":{"homeWorld":{"__typename":"Planet","name":"Tatooine","terrain":"desert"}}}],"hasNext":false}"#
        ))
    } _: { server in
      let results = try await WebSocketTransport(server).all(DeferredHeroQuery())
      #expect(results.map(\.hasNext) == [true, false])
      #expect(results.last?.data?.hero?.heroDetails.details?.biography == "b")
      #expect(results.last?.data?.hero?.home.homeWorld?.name == "Tatooine")
    }
  }

  @Test("A part that never comes is an error")
  func truncated() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, Self.first))
      connection.send(complete(id))
    } _: { server in
      let transport = try WebSocketTransport(server)
      await #expect(throws: IncrementalResponse.DeliveryError.self) { try await transport.all(DeferredHeroQuery()) }
    }
  }

  struct Safe: ResendableRequestContext { let isResendable = true }

  @Test("A connection that breaks between parts: the query that is sent again is answered from the beginning")
  func sentAgain() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, Self.first))
      if isFirst { return connection.drop() }
      connection.send(next(id, Self.details))
      connection.send(next(id, Self.home))
    } _: { server in
      let results = try await WebSocketTransport(server).all(DeferredHeroQuery(), context: Safe())
      #expect(results.map(\.hasNext) == [true, true, true, false])
      #expect(results.last?.data?.hero?.home.homeWorld?.terrain == "desert")
    }
  }
}
