import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

@Suite("What happens to a WebSocket", .timeLimit(.minutes(5)))
struct EventTests {
  private static func words(_ event: ClientEvent) -> String? {
    switch event.kind {
    case .operationStarted: "started"
    case .operationEnded(.finished): "finished"
    case .operationEnded: "ended"
    case .requestSent(let request): "sent to \(request.address)"
    case .responseReceived(let response): "received \(response.byteCount ?? 0) bytes"
    case .result(let result): "result of \(result.byteCount) bytes"
    case .socket(let socket):
      switch socket.state {
      case .connected: "connected"
      case .reconnected: "reconnected"
      case .disconnected(let error): "disconnected\(error == nil ? "" : " with an error")"
      }
    default: nil
    }
  }

  @Test("Its connections, and what comes over them, without what is secret in the address")
  func connections() async throws {
    let number = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let count = number.withLock { number in
        number += 1
        return number
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(count)))
      guard count == 2 else { return connection.drop() }
      connection.send(complete(id))
    } _: { server in
      let url = try #require(URL(string: "http://clock.example/"))
      let socket = try #require(URL(string: server.address + "?token=hidden"))
      let client = ApolloClient(
        configuration: .init(url: url), webSocketURL: socket,
        webSocket: .init(connectingPayload: .none, reconnection: fastReconnection, connectOnInit: false))
      let stream = client.events, events = Awaited<[String]>([]), addresses = Awaited<Set<String>>([])
      let task = Task {
        for await event in stream {
          if case .socket(let socket) = event.kind { addresses.change { _ = $0.insert(socket.address) } }
          if let words = Self.words(event) { events.change { $0.append(words) } }
        }
      }
      for try await _ in try client.subscribe(subscription: ReviewAdded()) {}
      try await events.until { $0.contains("finished") }
      let words = events.value
      #expect(words.first == "started" && words.last == "finished")
      #expect(words.filter { ["connected", "reconnected"].contains($0) } == ["connected", "reconnected"])
      #expect(words.contains("disconnected with an error"))
      #expect(words.count { $0.hasPrefix("received") } == 2 && words.count { $0.hasPrefix("result") } == 2)
      #expect(words.count { $0.hasPrefix("sent to WebSocketTransport") } == 1, "\(words)")
      #expect(addresses.value.count == 1 && !addresses.value.contains { $0.contains("hidden") })
      task.cancel()
    }
  }
}
