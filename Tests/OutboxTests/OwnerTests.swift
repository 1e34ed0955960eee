@testable import Apollo
@testable import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing
import Waiting

extension OutboxTests {
  @Suite("The owner of an outbox")
  struct OwnerTests {
    /// Whose credentials a client sends. A renewal waits for the test.
    private final class Session: Authenticator {
      private let state: Locked<String>
      let renewals = Awaited<[CheckedContinuation<Void, Never>]>([])

      init(_ user: String) { state = Locked(user) }

      var user: String {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
      }

      func credentials() -> [String: String] { ["Authorization": "Bearer token of \(user)"] }

      func renew(refused: [String: String]) async -> Bool {
        await withCheckedContinuation { renewal in renewals.change { $0.append(renewal) } }
        return true
      }
    }

    private static func local(_ number: Int) -> String { "local:00000000-0000-4000-8000-00000000000\(number)" }

    private func client(
      _ server: TodoServer, _ place: Place, _ way: TodoServer.Way, owner: String?, _ session: Session,
      _ monitor: ManualNetworkMonitor
    ) throws -> ApolloClient {
      let settings = try place.launch {
        $0.owner = owner
        // What an app says of a single mutation ends when the owner changes, as it does in another launch.
        $0.registry.register(CreateTodo.self, idMapping: { $0.createTodo?.id })
      }
      return server.client(way, settings, monitor: monitor) { $0.authenticator = session }
    }

    /// The texts of the mutations that were sent, with whose credentials each was.
    private func sent(_ server: TodoServer) -> [String] {
      server.requests.filter { $0.name == "CreateTodo" }.map { request in
        let token = request.headers["Authorization"]?.replacingOccurrences(of: "Bearer token ", with: "") ?? "?"
        return "\(request.variables["text"] as? String ?? "") \(token)"
      }
    }

    @Test(
      "One client: A enqueues offline, B signs in, the network returns, A comes back", arguments: Place.Kind.allCases,
      ["A", nil])
    func twoUsers(kind: Place.Kind, former: String?) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let session = Session("A"), client = try self.client(server, place, .http, owner: former, session, monitor)
      let local = Self.local(1)
      let queued = try await client.enqueue(
        CreateTodo(text: "secret of A"), optimisticData: .init(createTodo: Todo(id: local, text: "secret of A")))
      #expect(try await client.store.text(local) == "secret of A" && client.outbox.owner == former)
      try await client.outbox.setOwner("B") { session.user = "B" }
      #expect(client.outbox.owner == "B" && client.outbox.count == 0)
      #expect(await client.outbox.pending.isEmpty)
      #expect(try await client.store.text(local) == nil && client.store.optimisticUpdates.isEmpty)
      await #expect(throws: CancellationError.self) { try await queued.value }
      #expect(await queued.cancel() == false)
      monitor.isOnline = true
      _ = try await client.enqueue(CreateTodo(text: "text")).value
      try await client.outbox.flush()
      #expect(sent(server) == ["text of B"])
      // It is still there, and nothing shows whose.
      await client.outbox.close()
      if kind != .memory {
        let bytes = try Data(contentsOf: place.file)
        #expect(former == nil || bytes.range(of: Data(Outbox.mark(of: "A").utf8)) != nil)
      }
      let next = try self.client(server, place, .http, owner: "B", session, monitor)
      try await next.outbox.setOwner(former) { session.user = "A" }
      #expect(await next.outbox.queued(CreateTodo.self).count <= 1)
      try await next.outbox.flush()
      #expect(sent(server) == ["text of B", "secret of A of A"])
      #expect(await next.outbox.pending.isEmpty)
      try await next.outbox.setOwner("C")
      #expect(await next.outbox.pending.isEmpty)
      #expect(await next.outbox.failed.isEmpty)
    }

    @Test(
      "A mutation whose credentials are renewed while another user signs in is not sent with those of that user",
      arguments: Place.Kind.allCases)
    func renewalInBetween(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(), session = Session("A")
      let client = try self.client(server, place, .http, owner: "A", session, monitor)
      server.plan(.status(401))
      try await client.enqueue(CreateTodo(text: "1"))
      let renewal = try await session.renewals.take { $0.isEmpty ? nil : $0.removeFirst() }
      try await client.outbox.setOwner("B") { session.user = "B" }
      renewal.resume()
      _ = try await client.enqueue(CreateTodo(text: "2")).value
      try await client.outbox.flush()
      #expect(sent(server) == ["1 of A", "2 of B"])
      try await client.outbox.setOwner("A") { session.user = "A" }
      try await client.outbox.flush()
      #expect(sent(server) == ["1 of A", "2 of B", "1 of A"] && server.texts == ["2", "1"])
    }

    @Test("What is sent when the owner changes does not finish as the new one's", arguments: TodoServer.Way.allCases)
    func underWay(way: TodoServer.Way) async throws {
      let server = TodoServer(), place = try Place(.memory), monitor = ManualNetworkMonitor(), session = Session("A")
      let client = try self.client(server, place, way, owner: "A", session, monitor)
      server.plan(.held)
      let local = Self.local(1)
      try await client.enqueue(CreateTodo(text: "1"), localID: local, idMapping: { $0.createTodo?.id })
      try await eventually("it is sent") { server.heldCount == 1 }
      try await client.outbox.setOwner("B")
      server.release()
      try await client.enqueue(CreateTodo(text: "2"))
      try await client.outbox.flush()
      #expect(client.outbox.serverID(for: local) == nil)
      #expect(try await client.store.text("100") == "2" || server.texts.first != "2")
      try await client.outbox.setOwner("A")
      try await client.outbox.flush()
      // The key tells the server that it is the same.
      #expect(Set(server.texts) == ["1", "2"] && server.texts.count == 2)
      #expect(client.outbox.serverID(for: local) != nil)
    }

    @Test("An owner who comes late finds what is the owner's, and nothing else", arguments: Place.Kind.allCases)
    func lateOwner(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let session = Session("A")
      for owner in ["A", "B", nil] {
        let client = try self.client(server, place, .http, owner: owner, session, monitor)
        try await client.enqueue(CreateTodo(text: owner ?? "nobody's"))
        await client.outbox.close()
      }
      monitor.isOnline = true
      let client = try self.client(server, place, .http, owner: "C", session, monitor)
      try await client.outbox.flush()
      #expect(server.texts == [])
      try await client.outbox.setOwner("A")
      try await client.outbox.flush()
      #expect(server.texts == ["A"])
      try await client.outbox.setOwner(nil)
      try await client.outbox.flush()
      #expect(server.texts == ["A", "nobody's"])
    }

    @Test("What was given up, and the ids of a server, are the owner's as well", arguments: Place.Kind.allCases)
    func failedAndIDs(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(), session = Session("A")
      let client = try self.client(server, place, .http, owner: "A", session, monitor)
      let local = Self.local(1)
      _ = try await client.enqueue(CreateTodo(text: "1"), localID: local, idMapping: { $0.createTodo?.id }).value
      _ = try? await client.enqueue(RenameTodo(id: "none", text: "x")).value
      try await client.outbox.flush()
      #expect(await client.outbox.failed.count == 1 && client.outbox.serverID(for: local) == "100")
      try await client.outbox.setOwner("B")
      #expect(await client.outbox.failed.isEmpty && client.outbox.serverID(for: local) == nil)
      try await client.outbox.setOwner("A")
      #expect(await client.outbox.failed.count == 1 && client.outbox.serverID(for: local) == "100")
    }

    @Test("The statuses go on with another owner, and a paused outbox stays paused")
    func statuses() async throws {
      let server = TodoServer(), place = try Place(.memory), monitor = ManualNetworkMonitor(), session = Session("A")
      let client = try self.client(server, place, .http, owner: "A", session, monitor)
      await client.outbox.pause()
      try await client.enqueue(CreateTodo(text: "1"))
      var statuses = client.outbox.statuses.makeAsyncIterator()
      while await statuses.next()?.pending.count != 1 {}
      try await client.outbox.setOwner("B")
      while let status = await statuses.next(), !status.pending.isEmpty || !status.isPaused {}
      try await client.enqueue(CreateTodo(text: "2"))
      while await statuses.next()?.pending.count != 1 {}
      #expect(server.requests.isEmpty)
    }

    @Test("An authenticator that changes the owner while it renews waits for nothing that waits for it")
    func changeWithinRenewal() async throws {
      final class Leaving: Authenticator {
        let client = Locked<ApolloClient?>(nil)
        func credentials() -> [String: String] { ["Authorization": "x"] }
        func renew(refused: [String: String]) async throws -> Bool {
          try await client.withLock { $0 }?.outbox.setOwner(nil)
          return false
        }
      }
      let server = TodoServer(), leaving = Leaving()
      let client = server.client(.http, Outbox.Configuration(owner: "A")) { $0.authenticator = leaving }
      leaving.client.withLock { $0 = client }
      server.plan(.status(401))
      let queued = try await client.enqueue(CreateTodo(text: "1"))
      await #expect(throws: CancellationError.self) { try await queued.value }
      #expect(client.outbox.owner == nil)
      leaving.client.withLock { $0 = nil }
    }

    @Test(
      "Whichever user signs in, and whatever fails: each mutation is done once, with its owner's credentials",
      arguments: 1...6,
      [Place.Kind.memory, .disk])
    func random(seed: Int, kind: Place.Kind) async throws {
      var dice = Numbers(UInt64(seed)), place = try Place(kind), enqueued: Set<String> = []
      let server = TodoServer(), monitor = ManualNetworkMonitor(), session = Session("none"), users = ["A", "B", nil]
      var client = try self.client(server, place, .http, owner: nil, session, monitor)
      func name(_ user: String?) -> String { user ?? "none" }
      func signIn(_ user: String?) async throws {
        try await client.outbox.setOwner(user) { session.user = name(user) }
      }
      for step in 0..<60 {
        switch Int.random(in: 0..<9, using: &dice) {
        case 0..<4:
          let text = "\(step)"
          try await client.enqueue(CreateTodo(text: text), scope: "\(step % 3)")
          enqueued.insert("\(text) of \(session.user)")
        case 4..<6: try await signIn(users.randomElement(using: &dice)!)
        case 6: server.plan([.noNetwork, .lost, .status(503)].randomElement(using: &dice)!)
        case 7: monitor.isOnline = Bool.random(using: &dice)
        default:
          await client.outbox.close()
          place = try place.copy()
          client = try self.client(server, place, .http, owner: client.outbox.owner, session, monitor)
        }
        let own = await client.outbox.pending.map { "\($0.variables["text"] as? String ?? "") of \(session.user)" }
        #expect(Set(own).isSubset(of: enqueued), "step \(step)")
      }
      monitor.isOnline = true
      for user in users {
        try await signIn(user)
        try await eventually("all of \(name(user)) is sent") {
          try await client.outbox.flush()
          return await client.outbox.pending.isEmpty
        }
      }
      #expect(Set(sent(server)) == enqueued)
      #expect(server.executions.count == enqueued.count)
    }
  }
}
