import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

@Suite("Settings that change while a connection is opened", .everyStyle, .timeLimit(.minutes(5)))
struct SettingsChangeTests {
  @Test("The closure of the payload may change header fields: the attempt goes on, and has them")
  func changeInClosure() async throws {
    let count = Locked(0), shared = Locked<WebSocketTransport?>(nil)
    defer { shared.withLock { $0 = nil } }
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["token"] == "1")
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.connectingPayload = .perConnection {
          let number = count.withLock { count in
            count += 1
            return count
          }
          // (Without end, a fault would only be seen when the time of the test is over.)
          if number < 10 { shared.withLock { $0 }?.updateHeaderValues(["token": "1"]) }
          return nil
        }
      }
      shared.withLock { $0 = transport }
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(count.withLock { $0 } == 1)
      #expect(server.connections.count == 1)
    }
  }

  /// Changes a header field whenever a connection is over.
  private final class Changing: WebSocketTransportDelegate, Sendable {
    let count = Locked(0)

    func webSocketTransport(_ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < 10 { webSocketTransport.updateHeaderValues(["token": "\(number)"]) }
    }
  }

  @Test("A delegate may change header fields at the end of a connection: the next one has them")
  func changeInDelegate() async throws {
    try await ScriptedWebSocketServer.with { connection in
      let token = connection.headers["token"]
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(token.flatMap { Int($0) } ?? 0)))
      if token != nil { connection.send(complete(id)) }
    } _: { server in
      let transport = try WebSocketTransport(server), delegate = Changing()
      transport.delegate = delegate
      var stars: [Int?] = []
      for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
        stars.append(result.data?.reviewAdded?.stars)
        if stars.count == 1 { transport.updateHeaderValues(["token": "99"]) }
      }
      #expect(stars == [0, 1])
      #expect(delegate.count.withLock { $0 } == 1)
      #expect(server.connections.count == 2)
    }
  }

  @Test("A payload that changes while the former one is computed replaces the attempt")
  func payload() async throws {
    let hasBegun = Awaited(false)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init","payload":{"user":"me"}}"#))
      connection.send(ack)
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.connectingPayload = .perConnection {
          hasBegun.change { $0 = true }
          try await untilCancelled()
        }
      }
      let results = transport.results(of: ReviewAdded(), cachePolicy: .default)
      try await hasBegun.until { $0 }
      transport.updateConnectingPayload(["user": "me"])
      for try await _ in results { Issue.record("there was no result") }
      #expect(server.connections.count == 1)
    }
  }
}
