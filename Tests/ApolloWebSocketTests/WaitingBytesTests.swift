import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

@Suite("Results that wait, by their bytes", .timeLimit(.minutes(5)))
struct WaitingBytesTests {
  /// Each has 1,058 bytes or a few more, so nine of them fit.
  private static let limits = WebSocketLimits(waitingBytes: 10_000)
  private static let text = String(repeating: "i", count: 1000)

  /// Sends `count` results for each operation but the last, which ends when all were sent.
  private static func flood(_ count: Int, operations: Int = 2) -> ScriptedWebSocketServer.Script {
    { connection in
      try await connection.acknowledge()
      var ids: [String] = []
      for _ in 0..<operations { ids.append(try await connection.subscription()) }
      for id in ids.dropLast() {
        for stars in 1...count { connection.send(next(id, review(stars, id: text))) }
      }
      for id in ids.reversed() { connection.send(complete(id)) }
    }
  }

  private static func take(
    _ results: AsyncThrowingStream<GraphQLResult<ReviewAdded.Data>, any Error>
  ) async -> (stars: [Int?], error: (any Error)?) {
    var stars: [Int?] = []
    do {
      for try await result in results { stars.append(result.data?.reviewAdded?.stars) }
      return (stars, nil)
    } catch {
      return (stars, error)
    }
  }

  @Test("Up to the limit they wait, and one more ends its operation after those that wait", arguments: [9, 10])
  func limit(count: Int) async throws {
    try await ScriptedWebSocketServer.with(Self.flood(count)) { server in
      let transport = try WebSocketTransport(server) { $0.limits = Self.limits }
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
      _ = try await transport.all(ReviewAdded())
      let (stars, error) = await Self.take(slow)
      #expect(stars == Array(1...count))
      #expect((error as? WebSocketError)?.kind == (count == 9 ? nil : .tooManyResultBytes(limit: 10_000)))
      if count > 9 { #expect("\(error as Any)".contains("More than 10000 bytes of results wait")) }
    }
  }

  @Test("If the newest results replace the oldest, their bytes count instead")
  func newest() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let ids = [try await connection.subscription(), try await connection.subscription()]
      for stars in 1...20 { connection.send(next(ids[0], review(stars))) }
      for stars in 1...30 { connection.send(next(ids[0], review(stars, id: Self.text))) }
      connection.send(complete(ids[1]))
      connection.send(complete(ids[0]))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.limits = Self.limits
        $0.buffering = .newest(20)
      }
      let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
      _ = try await transport.all(ReviewAdded())
      let (_, error) = await Self.take(slow)
      #expect((error as? WebSocketError)?.kind == .tooManyResultBytes(limit: 10_000))
    }
  }

  @Test("What was taken, and what was left, makes room", arguments: [true, false])
  func room(isTaken: Bool) async throws {
    let rounds = Awaited(0)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      for _ in 1...5 {
        let ids = [try await connection.subscription(), try await connection.subscription()]
        for stars in 1...9 { connection.send(next(ids[0], review(stars, id: Self.text))) }
        connection.send(complete(ids[1]))
        if isTaken { connection.send(complete(ids[0])) } else { try await connection.expect(.text(complete(ids[0]))) }
        rounds.change { $0 += 1 }
      }
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.limits = Self.limits }
      for round in 1...5 {
        try await self.round(over: transport, takes: isTaken)
        try await rounds.until { $0 == round }
      }
    }
  }

  private func round(over transport: WebSocketTransport, takes: Bool) async throws {
    let slow = transport.results(of: ReviewAdded(), cachePolicy: .default)
    _ = try await transport.all(ReviewAdded())
    if takes {
      let (stars, error) = await Self.take(slow)
      #expect(stars == Array(1...9))
      #expect(error == nil)
    }
    withExtendedLifetime(slow) {}
  }

  @Test("A result that is larger than the limit may wait by itself")
  func large() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1, id: String(repeating: "i", count: 20_000))))
      connection.send(complete(id))
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.limits = Self.limits }
      #expect(try await transport.all(ReviewAdded()).count == 1)
    }
  }

  @Test("A callback's queue is a buffer as well")
  func callbacks() async throws {
    try await ScriptedWebSocketServer.with(Self.flood(20)) { server in
      let transport = try WebSocketTransport(server) { $0.limits = Self.limits }
      let client = ApolloClient(networkTransport: transport)
      let queue = DispatchQueue(label: "callbacks")
      queue.suspend()
      let outcomes = Awaited<[String]>([])
      let subscription = client.subscribe(subscription: ReviewAdded(), queue: queue) { outcome in
        outcomes.change { outcomes in
          switch outcome {
          case .success(let result): outcomes.append("\(result.data?.reviewAdded?.stars ?? 0)")
          case .failure(let error): outcomes.append("\((error as? WebSocketError)?.kind as Any)")
          }
        }
      }
      _ = try await transport.all(ReviewAdded())
      queue.resume()
      try await outcomes.until { $0.count >= 10 }
      queue.sync {}
      let kind = WebSocketError.ErrorKind.tooManyResultBytes(limit: 10_000)
      #expect(outcomes.value == (1...9).map { "\($0)" } + ["\(Optional(kind) as Any)"])
      withExtendedLifetime(subscription) {}
    }
  }
}
