import Apollo
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

@testable import ApolloWebSocket

@Suite("Credentials that are renewed or forgotten", .timeLimit(.minutes(5)))
struct RenewalTests {
  private func script(_ policy: ReconnectionPolicy = ReconnectionPolicy(jitter: 0)) -> MachineScript {
    var script = MachineScript.ready(reconnection: policy, renewsCredentials: true)
    script.start("1")
    script.start("2")
    return script
  }

  /// Renews, connects, and gets an event for one of the subscriptions.
  private func renew(_ script: inout MachineScript) {
    #expect(script.run(.renewed(.success(true))) == ["connect"])
    script.open()
    script.receive(ack)
    script.receive(next("1", #"{"data":{"a":1}}"#))
  }

  @Test("A server that takes new credentials and refuses them again is asked after longer and longer, up to its limit")
  func again() {
    var script = script(ReconnectionPolicy(maximumServerFailures: 3, jitter: 0))
    #expect(script.lose(4403).last == "renew")
    for delay in [Duration.milliseconds(500), .seconds(1), .seconds(2)] {
      renew(&script)
      #expect(script.lose(4403).count == 1)
      #expect(script.machine.deadline == script.now + delay)
      #expect(script.wait(delay) == ["renew"])
    }
    renew(&script)
    #expect(
      script.lose(4403).last
        == "fail 2: The connection failed 4 times in a row, the last time so: "
        + "The connection was closed: 4403 (forbidden).")
    #expect(
      script.states.filter { $0.hasPrefix("1 reconnecting") } == [
        "1 reconnecting, attempt 1 after 0.0 seconds", "1 reconnecting, attempt 1 after 0.5 seconds",
        "1 reconnecting, attempt 2 after 1.0 seconds", "1 reconnecting, attempt 3 after 2.0 seconds",
      ])
  }

  @Test("Credentials that were taken for a while are renewed at once")
  func later() {
    var script = script(ReconnectionPolicy(maximumServerFailures: 0, jitter: 0))
    for _ in 1...5 {
      #expect(script.lose(4401).last == "renew")
      renew(&script)
      script.wait(.seconds(10))
    }
  }

  @Test("Credentials that were renewed long ago are renewed at once, however long there was no network")
  func longAgo() throws {
    var script = script(ReconnectionPolicy(maximumServerFailures: 0, jitter: 0))
    #expect(script.lose(4401).last == "renew")
    script.run(.renewed(.success(true)))
    for _ in 1...10 {
      script.lose(1006)
      let deadline = try #require(script.machine.deadline)
      #expect(script.wait(deadline - script.now) == ["connect"])
    }
    #expect(script.lose(4401).last == "renew")
  }

  @Test("A connection that has lasted counts as one that has, though the client has replaced it")
  func replaced() {
    var script = script(ReconnectionPolicy(maximumServerFailures: 0, jitter: 0))
    script.lose(4401)
    renew(&script)
    script.wait(.seconds(10))
    script.run(.reconnect)
    script.open()
    script.receive(ack)
    #expect(script.lose(4401).last == "renew")
  }

  @Test("Renewed credentials with which a connection has lasted count as taken, though no event came")
  func quiet() {
    var script = script()
    #expect(script.lose(4401).last == "renew")
    script.run(.renewed(.success(true)))
    script.open()
    script.receive(ack)
    script.wait(.seconds(31))
    #expect(script.lose(4401).last == "renew")
    // One that is refused at once has not lasted.
    script.run(.renewed(.success(true)))
    script.open()
    script.receive(ack)
    #expect(script.lose(4401).last?.hasPrefix("fail 2") == true)
  }

  @Test("Where each connection counts as one that has lasted, one that is refused at once has not been taken")
  func alwaysStable() {
    var script = script(ReconnectionPolicy(jitter: 0, stableAfter: .zero))
    #expect(script.lose(4401).last == "renew")
    script.run(.renewed(.success(true)))
    script.open()
    script.receive(ack)
    #expect(script.lose(4401).last?.hasPrefix("fail 2") == true)
  }

  @Test("What was renewed for one user says nothing of the next one's credentials")
  func nextUser() {
    var script = script()
    script.lose(4401)
    script.run(.renewed(.success(true)))
    script.open()
    script.receive(ack)
    script.run(.close)
    script.start("3")
    #expect(script.lose(4401).last == "renew")
  }

  @Test("The time of a renewal is not time that a connection has lasted")
  func longRenewal() {
    var script = script()
    script.lose(1006)
    script.wait(.milliseconds(500))
    script.open()
    script.receive(ack)
    #expect(script.lose(4401).last == "renew")
    script.wait(.seconds(60))
    script.run(.renewed(.failure(WebSocketError(.credentials, error: URLError(.notConnectedToInternet)))))
    #expect(script.machine.deadline == script.now + .seconds(1))
  }

  /// Its first renewal brings nothing, and the second one other credentials. Both end when a test says so.
  private final class Renewing: Authenticator {
    let begun = Awaited(0), ended = Awaited(0), mayEnd = Awaited(0)

    func credentials() async throws -> [String: String] { [:] }

    func renew(refused: [String: String]) async throws -> Bool {
      let number = begun.change { (begun: inout Int) -> Int in
        begun += 1
        return begun
      }
      try await mayEnd.until { $0 >= number }
      ended.change { $0 += 1 }
      return number > 1
    }
  }

  @Test("What an earlier renewal brings does not count for a later one")
  func twoRenewals() async throws {
    let count = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number == 3 else { return connection.close(4401, "no") }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(5)))
      connection.send(complete(id))
    } _: { server in
      let authenticator = Renewing()
      let transport = try WebSocketTransport(server) { $0.authenticator = authenticator }
      let first = Task { try await transport.all(ReviewAdded()).map { $0.data?.reviewAdded?.stars } }
      try await authenticator.begun.until { $0 == 1 }
      transport.closeConnection()
      #expect(try await first.value == [])
      let second = Task { try await transport.all(ReviewAdded()).map { $0.data?.reviewAdded?.stars } }
      try await authenticator.begun.until { $0 == 2 }
      authenticator.mayEnd.change { $0 = 1 }
      try await authenticator.ended.until { $0 == 1 }
      for _ in 1...1000 { await Task.yield() }
      authenticator.mayEnd.change { $0 = 2 }
      #expect(try await second.value == [5])
    }
  }

  /// Forgets its credentials when a test says so.
  private final class SlowlyForgetting: Authenticator {
    let token = Locked<String?>("A"), isForgetting = Awaited(false), mayGoOn = Awaited(false)

    func credentials() async throws -> [String: String] {
      token.withLock { $0 }.map { ["Authorization": $0] } ?? [:]
    }

    func renew(refused: [String: String]) async throws -> Bool { false }

    func forgetCredentials() async {
      isForgetting.change { $0 = true }
      try? await mayGoOn.until { $0 }
      token.withLock { $0 = nil }
    }
  }

  @Test("What connects while the user is forgotten is closed as well")
  func forgotten() async throws {
    let users = Locked<[String]>([])
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      while true {
        switch try await connection.receive() {
        case .text(let text) where text.contains("ReviewAdded"):
          users.withLock { $0.append(connection.headers["authorization"] ?? "none") }
          connection.send(complete("1"))
        case .close, .gone: return
        default: continue
        }
      }
    } _: { server in
      let authenticator = SlowlyForgetting()
      let transport = try WebSocketTransport(server) { $0.authenticator = authenticator }
      async let forgotten: Void = transport.forgetUser()
      try await authenticator.isForgetting.until { $0 }
      // As the delegate may do that is told of the end.
      try await transport.connect()
      authenticator.mayGoOn.change { $0 = true }
      try await forgotten
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(users.withLock { $0 } == ["none"])
      #expect(server.connections.count == 2)
    }
  }
}
