import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

@Suite("Mutations that wait, over a WebSocket", .timeLimit(.minutes(5)))
struct QueuedMutationTests {
  /// An authenticator that throws errors first.
  private final class Failing: Authenticator {
    private let errors: Locked<[any Error]>

    init(_ errors: [any Error]) { self.errors = Locked(errors) }

    func credentials() async throws -> [String: String] {
      if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
      return ["Authorization": "Bearer 1"]
    }

    func renew(refused: [String: String]) async throws -> Bool { false }
  }

  private struct KeychainLocked: Error {}

  /// An answer for each mutation of a connection.
  private static let answering: ScriptedWebSocketServer.Script = { connection in
    try await connection.acknowledge()
    let id = try await connection.subscription()
    connection.send(next(id, review(5, field: "rate")))
    connection.send(complete(id))
  }

  private static func untilGone(_ connection: ScriptedConnection) async throws {
    while true { if case .gone = try await connection.receive() { return } }
  }

  private static func client(
    _ address: String, _ configuration: WebSocketTransport.Configuration = .init()
  ) throws -> (ApolloClient, WebSocketTransport) {
    let url = try #require(URL(string: address))
    let transport = WebSocketTransport(url: url, configuration: configuration)
    var settings = ApolloClient.Configuration(url: url)
    settings.outbox = Outbox.Configuration(
      retry: .init(maxRetries: .max, baseDelay: 0.01, maxDelay: 0.01, retryRule: .queuedMutations))
    return (ApolloClient(networkTransport: transport, configuration: settings), transport)
  }

  @Test("An error of the authenticator, or of the payload, is tried again, whether it is one of the network or not")
  func credentials() async throws {
    for error in [URLError(.notConnectedToInternet), KeychainLocked()] as [any Error] {
      try await ScriptedWebSocketServer.with(Self.answering) { server in
        let (client, _) = try Self.client(server.address, .init(authenticator: Failing([error, error])))
        #expect(try await client.enqueue(RateMutation()).value.data?.rate?.stars == 5)
      }
      let failures = Locked(1)
      try await ScriptedWebSocketServer.with(Self.answering) { server in
        let payload = WebSocketTransport.ConnectingPayload.perConnection {
          let isFirst = failures.withLock { count in
            defer { count = 0 }
            return count > 0
          }
          if isFirst { throw error }
          return [:]
        }
        let (client, _) = try Self.client(server.address, .init(connectingPayload: payload))
        #expect(try await client.enqueue(RateMutation()).value.data?.rate?.stars == 5)
      }
    }
  }

  @Test(
    "A connection that the app closes, pauses or replaces does not end a mutation that is under way", arguments: 0..<3)
  func closedByClient(way: Int) async throws {
    let hasMutation = Locked(false)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      let isFirst = hasMutation.withLock { hasMutation in
        defer { hasMutation = true }
        return !hasMutation
      }
      if isFirst {
        // (Until the client closes.)
        try await Self.untilGone(connection)
        return
      }
      connection.send(next(id, review(5, field: "rate")))
      connection.send(complete(id))
    } _: { server in
      let (client, transport) = try Self.client(server.address)
      let queued = try await client.enqueue(RateMutation())
      try await eventually { hasMutation.withLock { $0 } }
      switch way {
      case 0:
        transport.pauseWebSocketConnection()
        transport.resumeWebSocketConnection()
      case 1: transport.updateHeaderValues(["X-App": "2"])
      default: transport.closeConnection()
      }
      #expect(try await queued.value.data?.rate?.stars == 5)
    }
  }

  @Test("A mutation for which the server closes the connection, as one that is too big, is given up at once")
  func refusedByClose() async throws {
    let count = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      _ = try await connection.subscription()
      count.withLock { $0 += 1 }
      connection.close(1009, "too big")
    } _: { server in
      let (client, _) = try Self.client(server.address)
      let error = await #expect(throws: OperationError.self) { try await client.enqueue(RateMutation()).value }
      #expect(error?.message.contains("1009") == true && count.withLock { $0 } == 1)
    }
  }

  @Test("A server that does not answer in time is asked as often as the policy allows")
  func timeouts() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await Self.untilGone(connection)
    } _: { server in
      var configuration = WebSocketTransport.Configuration()
      configuration.timeouts.result = .milliseconds(50)
      let (client, _) = try Self.client(server.address, configuration)
      var policy = Outbox.Policy()
      policy.maximumAttempts = 2
      let queued = try await client.enqueue(RateMutation(), policy: policy)
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .retriesExhausted)
    }
  }
}
