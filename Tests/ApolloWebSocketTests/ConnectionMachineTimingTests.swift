import Apollo
import Testing

@testable import ApolloWebSocket

@Suite("The state machine and time")
struct ConnectionMachineTimingTests {
  // MARK: Losses

  @Test("After a loss it waits, connects, and sends its subscriptions again with their ids")
  func reconnect() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.lose(1006) == ["tell disconnected: The connection was closed: 1006 (the connection broke)."])
    #expect(script.wait(.milliseconds(499)) == [])
    #expect(script.wait(.milliseconds(1)) == ["connect"])
    #expect(script.open() == [#"send {"type":"connection_init"}"#])
    #expect(script.receive(ack) == ["tell reconnected", sendSubscribe("1")])
  }

  @Test("Without operations a loss is no reason to connect again")
  func lossWithoutOperations() {
    var script = MachineScript.ready()
    #expect(script.lose(1000).count == 1)
    #expect(script.machine.deadline == nil)
  }

  @Test("The delay doubles up to its maximum; after the last attempt the operations fail")
  func backoff() {
    var script = MachineScript(
      reconnection: ReconnectionPolicy(
        maximumAttempts: 5, initialDelay: .seconds(1), maximumDelay: .seconds(5), jitter: 0))
    script.start("1")
    for delay in [1, 2, 4, 5, 5] {
      #expect(script.run(.lost(WebSocketError(.timeout))).count == 1)
      #expect(script.wait(.seconds(delay) - .nanoseconds(1)) == [])
      #expect(script.wait(.nanoseconds(1)) == ["connect"])
    }
    let actions = script.run(.lost(WebSocketError(.timeout)))
    #expect(
      actions.last
        == "fail 1: The connection failed 6 times in a row, the last time so: The server did not answer in time."
    )
    #expect(script.machine.deadline == nil)
  }

  @Test(
    "A first delay of zero, or next to it, grows from the second attempt on",
    arguments: [Duration.zero, .nanoseconds(1)])
  func shortestDelay(first: Duration) {
    var script = MachineScript(reconnection: ReconnectionPolicy(initialDelay: first, jitter: 0))
    script.start("1")
    for delay in [first, .milliseconds(20), .milliseconds(40), .milliseconds(80)] {
      script.run(.lost(WebSocketError(.timeout)))
      #expect(script.machine.deadline == script.now + delay)
      #expect(script.wait(delay) == ["connect"])
    }
  }

  @Test(
    "A reconnection interval below zero means no second attempt, as in 2.x",
    arguments: [-1, -.infinity] as [Double])
  func noReconnection(seconds: Double) {
    let configuration = WebSocketTransport.Configuration(reconnect: true, reconnectionInterval: seconds)
    #expect(!configuration.reconnect)
    var script = MachineScript.ready(reconnection: configuration.reconnection)
    script.start("1")
    #expect(script.lose(1006).last == "fail 1: The connection was closed: 1006 (the connection broke).")
    #expect(script.machine.deadline == nil)
    var changed = WebSocketTransport.Configuration(reconnectionInterval: 0)
    #expect(changed.reconnect)
    changed.reconnectionInterval = seconds
    #expect(!changed.reconnect)
  }

  @Test("Queries fail with a loss, sent or not; those that are safe stay")
  func queries() {
    var script = MachineScript.ready()
    script.start("1", .query)
    script.start("2", .query, isResendable: true)
    #expect(script.lose(1001).last == "fail 1: The connection was closed: 1001 (going away).")
    #expect(script.start("3", .mutation) == [])
    #expect(script.wait(.seconds(1)) == ["connect"])
    #expect(script.lose(1006).last == "fail 3: The connection was closed: 1006 (the connection broke).")
  }

  @Test("While it waits, the end of the last operation ends the wait")
  func backoffWithoutOperations() {
    var script = MachineScript.ready()
    script.start("1")
    script.lose(1006)
    #expect(script.run(.cancel(id: "1")) == ["finish 1"])
    #expect(script.wait(.seconds(60)) == [])
  }

  @Test("A fatal loss fails everything, and the next operation connects anew")
  func fatal() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.lose(4400).last == "fail 1: The connection was closed: 4400 (bad request).")
    #expect(script.start("2") == ["connect"])
  }

  /// The delays after which a machine connects again, if each connection lasts so long after its acknowledgement.
  private func delays(lasting: [Duration], _ policy: ReconnectionPolicy) -> [Duration] {
    var script = MachineScript(reconnection: policy)
    script.start("1")
    var delays: [Duration] = []
    for duration in lasting {
      script.open()
      script.receive(ack)
      script.receive(next("1", #"{"data":{"a":1}}"#))
      script.wait(duration)
      let lost = script.now
      script.lose(1000)
      guard let deadline = script.machine.deadline else { break }
      delays.append(deadline - lost)
      #expect(script.wait(deadline - lost) == ["connect"])
    }
    return delays
  }

  @Test("A server that acknowledges, sends an event and closes is asked again after longer and longer, up to its limit")
  func flapping() {
    let policy = ReconnectionPolicy(maximumServerFailures: 6, maximumDelay: .seconds(8), jitter: 0)
    #expect(policy.stableAfter == .seconds(10))
    #expect(
      delays(lasting: Array(repeating: .seconds(9), count: 10), policy)
        == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(8)])
  }

  @Test("The count starts anew after a connection that has lasted, and only then")
  func stableConnection() {
    let policy = ReconnectionPolicy(maximumServerFailures: 6, jitter: 0, stableAfter: .seconds(3))
    let short = Duration.seconds(3) - .nanoseconds(1)
    #expect(
      delays(lasting: [short, short, short, .seconds(3), short, short], policy)
        == [.milliseconds(500), .seconds(1), .seconds(2), .milliseconds(500), .seconds(1), .seconds(2)])
    let always = ReconnectionPolicy(maximumServerFailures: 6, jitter: 0, stableAfter: .zero)
    #expect(
      delays(lasting: Array(repeating: .zero, count: 20), always) == Array(repeating: .milliseconds(500), count: 20))
  }

  @Test("An attempt that fails before the acknowledgement does not profit from the connection before it")
  func failureAfterStableConnection() {
    var script = MachineScript.ready()
    script.start("1")
    script.wait(.seconds(60))
    for delay in [500, 1_000, 2_000, 4_000] {
      script.lose(1006)
      #expect(script.wait(.milliseconds(delay)) == ["connect"])
    }
  }

  // MARK: Deadlines

  @Test("A handshake that takes too long is given up, and tried again")
  func connectionTimeout() {
    var script = MachineScript()
    script.start("1")
    #expect(script.wait(.milliseconds(9_999)) == [])
    #expect(script.wait(.milliseconds(1)).first == "disconnect 4499")
    #expect(script.wait(.milliseconds(500)) == ["connect"])
    #expect(script.open() == [#"send {"type":"connection_init"}"#])
  }

  @Test("Without an acknowledgement the connection is closed with 4504, and tried again")
  func acknowledgementTimeout() {
    var script = MachineScript(timeouts: WebSocketTimeouts(acknowledgement: .seconds(3)))
    script.start("1")
    script.open()
    script.wait(.seconds(2))
    script.receive(#"{"type":"ping"}"#)
    #expect(script.wait(.seconds(1)).first == "disconnect 4504 Connection acknowledgement timeout")
    #expect(script.wait(.milliseconds(500)) == ["connect"])
  }

  @Test("A connection without operations is closed after the idle time, which an operation starts anew")
  func idle() {
    var script = MachineScript.ready(timeouts: WebSocketTimeouts(idle: .seconds(10), pingInterval: nil))
    script.wait(.seconds(9))
    script.start("1")
    #expect(script.wait(.seconds(100)) == [])
    script.receive(complete("1"))
    #expect(script.wait(.milliseconds(9_999)) == [])
    #expect(script.wait(.milliseconds(1)) == ["disconnect 1000", "tell disconnected"])
    #expect(script.start("2") == ["connect"])
  }

  @Test("Without an idle time the connection stays open")
  func neverIdle() {
    let script = MachineScript.ready(timeouts: WebSocketTimeouts(idle: nil, pingInterval: nil))
    #expect(script.machine.deadline == nil)
  }

  @Test("Pings come at their interval after each answer, of which any message is one")
  func pings() {
    var script = MachineScript.ready(timeouts: WebSocketTimeouts(idle: nil, pingInterval: .seconds(30)))
    #expect(script.wait(.seconds(30)) == [#"send {"type":"ping"}"#])
    script.wait(.seconds(1))
    script.receive(#"{"type":"pong"}"#)
    #expect(script.wait(.seconds(29)) == [])
    #expect(script.wait(.seconds(1)) == [#"send {"type":"ping"}"#])
    script.receive(next("9", "{}"))
    #expect(script.wait(.seconds(30)) == [#"send {"type":"ping"}"#])
  }

  @Test("No answer to a ping in time, and the connection is closed with 4499 and tried again")
  func noPong() {
    var script = MachineScript.ready(timeouts: WebSocketTimeouts(pingInterval: .seconds(30), pong: .seconds(5)))
    script.start("1")
    #expect(
      script.wait(.seconds(35)) == [
        #"send {"type":"ping"}"#, "disconnect 4499 No sign of life",
        "tell disconnected: The connection was closed: 4499 (no sign of life from the server).",
      ])
    #expect(script.wait(.milliseconds(500)) == ["connect"])
  }

  @Test("A query without a result in time fails, sent or not, and the server is told to stop")
  func resultTimeout() {
    var script = MachineScript.ready()
    script.start("1", .query, timeout: .seconds(5))
    script.start("2")
    #expect(script.wait(.milliseconds(4_999)) == [])
    #expect(
      script.wait(.milliseconds(1)) == [
        #"send {"id":"1","type":"complete"}"#, "fail 1: The server did not answer in time.",
      ])
    script.lose(1006)
    script.start("3", .query, timeout: .milliseconds(100))
    #expect(script.wait(.milliseconds(100)) == ["fail 3: The server did not answer in time."])
    #expect(script.wait(.milliseconds(400)) == ["connect"])
  }

  @Test("Each part of a result in parts begins the wait for the next one; events of a subscription have no limit")
  func partTimeout() {
    var script = MachineScript.ready()
    script.start("1", .query, timeout: .seconds(60), limit: .seconds(60))
    for _ in 0..<3 {
      #expect(script.wait(.seconds(59)) == [])
      #expect(script.receive(next("1", #"{"data":{},"hasNext":true}"#)).count == 1)
    }
    #expect(script.wait(.seconds(60) - .nanoseconds(1)) == [])
    #expect(
      script.wait(.nanoseconds(1)) == [
        #"send {"id":"1","type":"complete"}"#, "fail 1: The server did not answer in time: the limit is 60.0 s.",
      ])
    script.start("2", limit: .seconds(60))
    script.receive(next("2", #"{"data":{},"hasNext":true}"#))
    #expect(script.machine.deadline == nil)
  }

  @Test("A time that has not come yet does nothing")
  func earlyAlarm() {
    var script = MachineScript()
    script.start("1")
    #expect(script.run(.timeIsUp) == [])
  }

  // MARK: What the app asks for

  @Test("Paused, everything waits; resumed, it connects and sends")
  func pause() {
    var script = MachineScript.ready()
    script.start("1")
    script.start("2", .query)
    #expect(script.run(.pause) == ["fail 2: The app closed the connection.", "disconnect 1001", "tell disconnected"])
    #expect(script.start("3", .query) == [])
    #expect(script.wait(.seconds(100)) == [])
    #expect(script.run(.resume(reopens: true)) == ["connect"])
    script.open()
    #expect(script.receive(ack).count == 3)
  }

  @Test("Resuming connects without operations, too", arguments: [true, false])
  func resumeIdle(reopens: Bool) {
    var new = MachineScript()
    #expect(new.run(.resume(reopens: reopens)) == ["connect"])
    #expect(new.run(.resume(reopens: reopens)) == [], "it connects already")
    var script = MachineScript()
    script.run(.pause)
    #expect(script.run(.resume(reopens: reopens)) == ["connect"])
  }

  @Test("Resumed without reconnecting, a lost connection is not opened again, until it is resumed with it")
  func resumeOnce() {
    let broken = "The connection was closed: 1006 (the connection broke)."
    var script = MachineScript.ready()
    script.start("1")
    script.run(.pause)
    #expect(script.run(.resume(reopens: false)) == ["connect"])
    script.open()
    script.receive(ack)
    #expect(script.lose(1006).last == "fail 1: " + broken)
    #expect(script.machine.deadline == nil)
    #expect(script.start("2") == ["connect"])
    script.open()
    script.receive(ack)
    #expect(script.lose(1000).last == "finish 2")
    script.start("3")
    #expect(script.lose(1006).last == "fail 3: " + broken)
    script.run(.resume(reopens: true))
    script.start("4")
    script.lose(1006)
    #expect(script.wait(.milliseconds(500)) == ["connect"])
  }

  @Test("Resuming while it waits for the next attempt connects at once")
  func resumeBackoff() {
    var script = MachineScript.ready()
    script.start("1")
    script.lose(1006)
    #expect(script.run(.resume(reopens: true)) == ["connect"])
  }

  @Test("A connection that was asked for is opened once, also if the operations have ended that waited for it")
  func askedWhileWaiting() {
    var script = MachineScript.ready(renewsCredentials: true)
    script.start("1")
    script.lose(1006)
    #expect(script.run(.connect) == [])
    #expect(script.run(.cancel(id: "1")) == ["finish 1"])
    #expect(script.wait(.milliseconds(500)) == ["connect"])
    script.start("2")
    #expect(script.lose(4401).last == "renew")
    script.run(.connect)
    #expect(script.run(.cancel(id: "2")) == ["finish 2"])
    #expect(script.run(.renewed(.success(true))) == ["connect"])
    script.lose(1006)
    #expect(script.machine.deadline == nil)
  }

  @Test("Reconnecting replaces an open connection, and does nothing where there is none")
  func replace() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.run(.reconnect) == ["disconnect 1000", "tell disconnected", "connect"])
    var idle = MachineScript()
    #expect(idle.run(.reconnect) == [])
  }

  @Test("Closing ends subscriptions without and queries with an error")
  func close() {
    var script = MachineScript.ready()
    script.start("1")
    script.start("2", .mutation)
    #expect(
      script.run(.close) == [
        "disconnect 1000", "tell disconnected", "finish 1", "fail 2: The app closed the connection.",
      ])
    #expect(script.start("3") == ["connect"])
  }

  @Test("Released, it ends with its last operation")
  func release() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.run(.release) == [])
    #expect(script.receive(complete("1")) == ["finish 1", "disconnect 1000", "end"])
    var idle = MachineScript()
    #expect(idle.run(.release) == ["end"])
    #expect(idle.run(.timeIsUp) == [])
  }

  @Test("Released while it is paused, it ends: it cannot be resumed")
  func releasePaused() {
    var script = MachineScript.ready()
    script.start("1")
    script.run(.pause)
    #expect(script.run(.release) == ["finish 1", "end"])
  }
}
