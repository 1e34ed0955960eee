import Apollo
import ApolloWebSocket
import Foundation
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A WebSocket that several threads use", .timeLimit(.minutes(5)))
struct WebSocketThreadTests {
  /// An engine that never connects.
  private struct Failing: WebSocketEngine {
    func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection { throw WebSocketError(.networkError) }
  }

  @Test("The callback that is told of an end may connect again, however fast it is")
  func againFromCallback() async throws {
    let url = try #require(URL(string: "ws://example.com"))
    let socket = WebSocket(request: URLRequest(url: url), protocol: .graphql_ws, engine: Failing())
    let count = Locked(0), isOver = Event()
    socket.callbackQueue = DispatchQueue(label: "callbacks")
    socket.onDisconnect = { [weak socket] _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < 20_000 { socket?.connect() } else { isOver.happen() }
    }
    socket.connect()
    try await isOver.wait()
  }

  @Test("Changes of the request by several threads at one time do not undo each other")
  func requestChanges() throws {
    let url = try #require(URL(string: "ws://example.com"))
    let socket = WebSocket(request: URLRequest(url: url), protocol: .graphql_ws, engine: Failing())
    let transport = WebSocketTransport(websocket: socket, config: .init(connectOnInit: false))
    var lost = 0
    for round in 1...1_000 {
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        transport.updateHeaderValues(["X-\(index)": "\(round)"], reconnectIfConnected: false)
      }
      for index in 0..<2 where socket.request.value(forHTTPHeaderField: "X-\(index)") != "\(round)" { lost += 1 }
    }
    #expect(lost == 0)
  }
}
