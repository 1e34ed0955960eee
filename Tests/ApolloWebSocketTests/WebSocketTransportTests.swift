import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing

@Suite("The WebSocket transport", .everyStyle, .timeLimit(.minutes(5)))
struct WebSocketTransportTests {
  @Test("A subscription yields its results and ends with the server's complete")
  func subscription() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.expect(
        .text(
          #"{"id":"1","type":"subscribe","payload":{"operationName":"ReviewAdded","query":"subscription ReviewAdded($episode: String) { reviewAdded(episode: $episode) { __typename id stars } }","variables":{"episode":"JEDI"}}}"#
        ))
      for stars in 1...3 { connection.send(next("1", review(stars))) }
      connection.send(complete("1"))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let results = try await transport.all(ReviewAdded(episode: "JEDI"))
      #expect(results.map { $0.data?.reviewAdded?.stars } == [1, 2, 3])
      #expect(results.allSatisfy { $0.source == .server })
    }
  }

  @Test("Queries and mutations go over the socket as well, and end with their result")
  func query() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.subscription()
      connection.send(next("1", review(4, field: "review")))
      try await connection.subscription()
      connection.send(next("2", review(5, field: "rate")))
    } _: { server in
      let client = ApolloClient(networkTransport: try WebSocketTransport(server))
      #expect(try await client.fetch(query: ReviewQuery()).data?.review?.stars == 4)
      #expect(try await client.perform(mutation: RateMutation()).data?.rate?.stars == 5)
    }
  }

  @Test("A callback gets each result on the queue it asked for, until it is cancelled")
  func callback() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1)))
      try await connection.expect(.text(complete(id)))
    } _: { server in
      let client = ApolloClient(networkTransport: try WebSocketTransport(server))
      let queue = DispatchQueue(label: "test")
      let (results, continuation) = AsyncStream<Int?>.makeStream()
      let subscription = client.subscribe(subscription: ReviewAdded(), queue: queue) { result in
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.yield(try? result.get().data?.reviewAdded?.stars)
      }
      var iterator = results.makeAsyncIterator()
      #expect(await iterator.next() == 1)
      subscription.cancel()
      try await server.untilScriptsEnd()
    }
  }

  @Test("Ending the task of a subscription sends complete, once")
  func cancel() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1)))
      try await connection.expect(.text(complete(id)))
      // In flight when the client stopped.
      connection.send(next(id, review(2)))
      connection.send(complete(id))
      connection.send(#"{"type":"ping"}"#)
      try await connection.expect(.text(#"{"type":"pong"}"#))
    } _: { server in
      let transport = try WebSocketTransport(server)
      for try await _ in transport.results(of: ReviewAdded(), cachePolicy: .default) { break }
      try await server.untilScriptsEnd()
    }
  }

  @Test("Operations share one connection, and each gets its own results")
  func multiplexed() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let ids = [
        try await connection.subscription(), try await connection.subscription(), try await connection.subscription(),
      ]
      for round in 1...2 {
        for id in ids { connection.send(next(id, review(round, id: id))) }
      }
      for id in ids.reversed() { connection.send(complete(id)) }
    } _: { server in
      let transport = try WebSocketTransport(server)
      let results = try await withThrowingTaskGroup(of: [Review?].self) { group in
        for _ in 1...3 {
          group.addTask { try await transport.all(ReviewAdded()).map { $0.data?.reviewAdded } }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.allSatisfy { $0.map { $0?.stars } == [1, 2] })
      #expect(Set(results.flatMap { $0.map { $0?.id } }) == ["1", "2", "3"])
      #expect(server.connections.count == 1)
    }
  }

  @Test("A consumer that does not read does not hold up the others")
  func slowConsumer() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let ids = [try await connection.subscription(), try await connection.subscription()]
      for stars in 0..<500 { connection.send(next(ids[0], review(stars))) }
      connection.send(next(ids[1], review(5)))
      connection.send(complete(ids[1]))
      connection.send(complete(ids[0]))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
      #expect(try await transport.all(ReviewAdded()).count == 1)
      var count = 0
      for try await result in slow {
        #expect(result.data?.reviewAdded?.stars == count)
        count += 1
      }
      #expect(count == 500)
    }
  }

  @Test("An error message fails its operation with the server's errors, and no other")
  func errorMessage() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let ids = [try await connection.subscription(), try await connection.subscription()]
      connection.send(
        #"{"id":"\#(ids[0])","type":"error","payload":[{"message":"No such field"},{"message":"Nor this"}]}"#)
      connection.send(next(ids[1], review(1)))
      connection.send(complete(ids[1]))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = transport.results(of: ReviewAdded(), cachePolicy: .default)
      #expect(try await transport.all(ReviewAdded()).count == 1)
      let error = await #expect(throws: WebSocketError.self) { for try await _ in first {} }
      #expect(error?.kind == .errorResponse)
      #expect(error?.graphQLErrors.map(\.message) == ["No such field", "Nor this"])
      #expect(error?.message == "The server refused: No such field; Nor this.")
    }
  }

  @Test("A result that does not fit fails its operation, which the server is told to stop, and no other")
  func badPayload() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let ids = [try await connection.subscription(), try await connection.subscription()]
      connection.send(next(ids[0], #"{"data":{"reviewAdded":{"__typename":"Review","id":"1","stars":"many"}}}"#))
      try await connection.expect(.text(complete(ids[0])))
      connection.send(next(ids[1], review(1)))
      connection.send(complete(ids[1]))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = transport.results(of: ReviewAdded(), cachePolicy: .default)
      #expect(try await transport.all(ReviewAdded()).count == 1)
      let error = await #expect(throws: ResponseDecodingError.self) { for try await _ in first {} }
      #expect(error?.path.map(\.description) == ["reviewAdded", "stars"])
    }
  }

  @Test("Results with errors are results")
  func partialResult() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, #"{"errors":[{"message":"boom"}],"data":{"reviewAdded":null}}"#))
      connection.send(complete(id))
    } _: { server in
      let results = try await WebSocketTransport(server).all(ReviewAdded())
      #expect(results.map { $0.errors?.first?.message } == ["boom"])
      #expect(results.map { $0.data != nil } == [true])
    }
  }
}
