import Apollo
import ApolloWebSocket
import Foundation
import ScriptedServer
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

@Suite("How a subscription stands", .everyStyle, .timeLimit(.minutes(5)))
struct SubscriptionStateTests {
  @Test("Pending, active, finished")
  func plain() async throws {
    let isWatched = Awaited(false)
    try await ScriptedWebSocketServer.with { connection in
      try await isWatched.until { $0 }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1)))
      connection.send(complete(id))
    } _: { server in
      let events = ApolloClient(networkTransport: try WebSocketTransport(server)).subscribe(to: ReviewAdded())
      let states = events.states
      isWatched.change { $0 = true }
      for try await event in events { #expect(event.data?.reviewAdded?.stars == 1) }
      #expect(await states.texts == ["pending", "active", "finished"])
      #expect("\(events.state)" == "finished")
    }
  }

  @Test("A broken connection shows the number of each attempt and its delay", .asWritten)
  func reconnecting() async throws {
    let connections = Locked(0), isWatched = Awaited(false)
    try await ScriptedWebSocketServer.with(handshakes: [.accept, .refuse(status: 503), .refuse(status: 503)]) {
      connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await isWatched.until { $0 }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      if isFirst { connection.drop() } else { connection.send(complete(id)) }
    } _: { server in
      let events = try WebSocketTransport(server).subscribe(to: ReviewAdded())
      let states = events.states
      isWatched.change { $0 = true }
      #expect(
        await states.texts == [
          "pending", "active", "reconnecting, attempt 1 after 0.01 seconds",
          "reconnecting, attempt 2 after 0.02 seconds", "reconnecting, attempt 3 after 0.04 seconds", "active",
          "finished",
        ])
      withExtendedLifetime(events) {}
    }
  }

  @Test("Paused and resumed")
  func paused() async throws {
    let isWatched = Awaited(false)
    try await ScriptedWebSocketServer.with { connection in
      try await isWatched.until { $0 }
      try await connection.acknowledge()
      try await connection.subscription()
    } _: { server in
      let transport = try WebSocketTransport(server)
      let events = transport.subscribe(to: ReviewAdded())
      let states = events.states
      isWatched.change { $0 = true }
      var texts: [String] = [], hasPaused = false
      for await state in states {
        texts.append("\(state)")
        switch state {
        case .active where !hasPaused: transport.pauseWebSocketConnection()
        case .active: transport.closeConnection()
        case .paused:
          hasPaused = true
          transport.resumeWebSocketConnection()
        default: break
        }
      }
      #expect(texts == ["pending", "active", "paused", "pending", "active", "finished"])
      withExtendedLifetime(events) {}
    }
  }

  @Test("An error, and an app that no longer listens, are ends of their own")
  func ends() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(#"{"id":"\#(id)","type":"error","payload":[{"message":"no"}]}"#)
      connection.send(next(try await connection.subscription(), review(1)))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = transport.subscribe(to: ReviewAdded())
      await #expect(throws: WebSocketError.self) { for try await _ in first {} }
      #expect("\(first.state)" == "failed: The server refused: no.")

      let second = transport.subscribe(to: ReviewAdded())
      let states = second.states
      let task = Task { for try await _ in second {} }
      for await state in states { if case .active = state { task.cancel() } }
      #expect("\(second.state)" == "cancelled")
    }
  }

  @Test("Over a transport that cannot tell, a subscription is active from its first event on")
  func otherTransport() async throws {
    let mayAnswer = ScriptedServer.Gate()
    try await ScriptedServer.with { _ in
      [
        .begin(contentType: "multipart/mixed;boundary=b;subscriptionSpec=1.0"), .wait(mayAnswer),
        .write("--b\r\n\r\n{\"payload\":\(review(3))}\r\n--b"), .pause(milliseconds: 600_000),
      ]
    } _: { server in
      let client = ApolloClient(url: try #require(URL(string: server.address)))
      let events = client.subscribe(to: ReviewAdded())
      var states = events.states.makeAsyncIterator()
      #expect(await states.next()?.description == "pending")
      mayAnswer.open()
      for try await event in events {
        #expect(event.data?.reviewAdded?.stars == 3)
        #expect(await states.next()?.description == "active")
        break
      }
    }
  }

  @Test("A split transport tells what its part tells")
  func split() async throws {
    let isWatched = Awaited(false)
    try await ScriptedWebSocketServer.with { connection in
      try await isWatched.until { $0 }
      try await connection.acknowledge()
      connection.send(complete(try await connection.subscription()))
    } _: { server in
      let socket = try WebSocketTransport(server)
      let split = SplitNetworkTransport(uploadingNetworkTransport: socket, webSocketNetworkTransport: socket)
      let events = split.subscribe(to: ReviewAdded())
      let states = events.states
      isWatched.change { $0 = true }
      #expect(await states.texts == ["pending", "active", "finished"])
      withExtendedLifetime(events) {}
    }
  }
}

@Suite("A stream of subscription events that an app makes", .timeLimit(.minutes(5)))
struct OwnSubscriptionStreamTests {
  private struct Ended: Error {}

  private func stream(
    saying state: Locked<SubscriptionState>, ending error: (any Error)? = nil
  ) -> SubscriptionStream<Int> {
    let events = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.finish(throwing: error)
    }
    return SubscriptionStream(stream: events) { state.withLock { $0 } }
  }

  @Test("Its state is what the app says, and its watchers hear of it with each event, until the end")
  func provided() async throws {
    let state = Locked(SubscriptionState.pending)
    let events = stream(saying: state)
    #expect(events.state == .pending)
    let states = events.states
    state.withLock { $0 = .active }
    #expect(events.state == .active)
    var received: [Int] = []
    for try await event in events { received.append(event) }
    #expect(received == [1])
    #expect(await states.texts == ["pending", "active", "finished"])
  }

  @Test("An error is the last state, and is thrown as it is")
  func fails() async throws {
    let events = stream(saying: Locked(.active), ending: Ended())
    let states = events.states
    await #expect(throws: Ended.self) { for try await _ in events {} }
    #expect(await states.texts == ["active", "failed: Ended()"])
  }

  @Test("Its states end with the loop over its events, though it is left early")
  func left() async throws {
    func states() async throws -> AsyncStream<SubscriptionState> {
      let events = stream(saying: Locked(.active)), states = events.states
      for try await event in events {
        #expect(event == 1)
        break
      }
      return states
    }
    let texts = try await states().texts
    #expect(texts == ["active", "cancelled"])
  }

  @Test("A state that the app has said before the one that was told last is not told")
  func older() async {
    let count = Locked(0), other = Locked<SubscriptionStream<Int>?>(nil)
    let events = SubscriptionStream(stream: AsyncThrowingStream<Int, any Error> { $0.finish() }) {
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return .active }
      // As another task would: it asks later, and tells before.
      _ = other.withLock { $0 }?.states
      return .pending
    }
    other.withLock { $0 = events }
    var states = events.states.makeAsyncIterator()
    #expect(await states.next() == .active)
    other.withLock { $0 = nil }
  }

  @Test("Its plain stream has the same events, and the same end")
  func plainStream() async throws {
    let events = stream(saying: Locked(.active), ending: Ended()), states = events.states
    var received: [Int] = []
    await #expect(throws: Ended.self) { for try await event in events.stream { received.append(event) } }
    #expect(received == [1])
    #expect(await states.texts == ["active", "failed: Ended()"])
  }

  @Test("States are compared by what they say, errors by being errors")
  func equal() {
    let connecting = if case .connecting = SubscriptionState.pending { true } else { false }
    #expect(connecting)
    #expect(SubscriptionState.finished(.error(Ended())) == .finished(.error(CancellationError())))
    #expect(SubscriptionState.finished(.completed) != .finished(.cancelled))
    #expect(SubscriptionState.reconnecting(attempt: 1, delay: .zero) != .reconnecting(attempt: 2, delay: .zero))
  }
}

extension AsyncStream<SubscriptionState> {
  /// All of them.
  fileprivate var texts: [String] {
    get async {
      var texts: [String] = []
      for await state in self { texts.append("\(state)") }
      return texts
    }
  }
}
