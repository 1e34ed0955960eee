@testable import Apollo
import ApolloCache
import ApolloSQLite
import Foundation
internal import GRDB
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension OutboxTests {
  @Suite("Signing out")
  struct SignOutTests {
    private static let secrets = ["secret-text-of-A", "secret-token-of-A", "secret-account-of-A"]

    /// How a text may stand in a file: as it is, and in base64 at each of three places.
    private static func forms(_ text: String) -> [Data] {
      let encoded = (0..<3).map { offset in
        let whole = Data(String(repeating: "x", count: offset).utf8) + Data(text.utf8)
        // Without what depends on what comes before and after.
        return String(whole.base64EncodedString().dropFirst(offset == 0 ? 0 : 4).dropLast(4))
      }
      return ([text] + encoded).map { Data($0.replacingOccurrences(of: "/", with: "\\/").utf8) }
    }

    /// The files in which a secret is found.
    private static func leaks(in folder: URL) throws -> [String] {
      var found: [String] = []
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard let bytes = try? Data(contentsOf: file) else { continue }
        for secret in secrets where forms(secret).contains(where: { bytes.range(of: $0) != nil }) {
          found.append("\(file.lastPathComponent): \(secret)")
        }
      }
      return found
    }

    private final class Session: Authenticator {
      private let token = Locked<String?>("secret-token-of-A")
      func use(_ new: String) { token.withLock { $0 = new } }
      func credentials() -> [String: String] { token.withLock { $0 }.map { ["Authorization": $0] } ?? [:] }
      func renew(refused: [String: String]) -> Bool { false }
      func forgetCredentials() { token.withLock { $0 = nil } }
    }

    @Test("No byte of the former user is in a file of the client, or in a request")
    func search() async throws {
      let server = TodoServer(), place = try Place(.disk), monitor = ManualNetworkMonitor(), session = Session()
      let text = Self.secrets[0], cacheFile = place.folder.appendingPathComponent("cache.sqlite")
      // Another program's, or those of another client that the app had, which are put aside.
      for file in [place.file, cacheFile] {
        let other = try DatabaseQueue(path: file.path)
        try await other.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA application_id = 7; CREATE TABLE notes(text)")
          try database.execute(sql: "INSERT INTO notes VALUES(?)", arguments: [text])
        }
        try other.close()
      }
      let cache = try SQLiteNormalizedCache(fileURL: cacheFile)
      let client = server.client(
        .http, try place.launch { $0.owner = Self.secrets[2] }, store: ApolloStore(cache: cache), monitor: monitor
      ) { $0.authenticator = session }
      server.add("1", text)
      _ = try await client.fetch(query: TodosQuery())
      // One of each state: answered, given up, one with a file that waits, and one of another owner.
      _ = try await client.enqueue(CreateTodo(text: text)).value
      _ = try? await client.enqueue(RenameTodo(id: "none", text: text)).value
      try await client.outbox.setOwner("other")
      await client.outbox.pause()
      try await client.enqueue(CreateTodo(text: text + " of another owner"))
      try await client.outbox.setOwner(Self.secrets[2])
      monitor.isOnline = false
      let local = Outbox.makeLocalID()
      let waiting = try await client.enqueue(
        CreateTodo(text: text), optimisticData: .init(createTodo: Todo(id: local, text: text)))
      try await client.enqueue(
        Attach(json: text),
        files: [
          GraphQLFile(fieldName: "file", originalName: text, mimeType: "text/plain", data: Data(text.utf8))
        ], scope: "files")
      try await client.store.flush()
      #expect(Set(try Self.leaks(in: place.folder).map { $0.prefix(5) }).count >= 2, "the search finds something")
      let requestCount = server.requests.count
      try await client.signOut()
      #expect(try Self.leaks(in: place.folder) == [])
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(client.outbox.owner == nil && client.outbox.count == 0 && client.store.optimisticUpdates.isEmpty)
      #expect(await client.outbox.pending.isEmpty)
      #expect(await client.outbox.failed.isEmpty)

      // The next user.
      session.use("token-of-B")
      monitor.isOnline = true
      try await client.outbox.setOwner("B")
      _ = try await client.enqueue(CreateTodo(text: "of B")).value
      try await client.outbox.flush()
      for request in server.requests.dropFirst(requestCount) {
        #expect(request.name == "CreateTodo" && request.headers["Authorization"] == "token-of-B")
        #expect(request.body.range(of: Data(text.utf8)) == nil)
      }
      #expect(server.requests.count == requestCount + 1)
      await client.outbox.close()
      try await cache.close()
      #expect(try Self.leaks(in: place.folder) == [])
    }

    /// Notes the parts of a client that forget their user, in their order. What forgets twice in a row is noted once.
    private final class Parts: Sendable {
      private let names = Locked<[String]>([])
      var all: [String] { names.withLock { $0 } }
      func note(_ name: String) { names.withLock { if $0.last != name { $0.append(name) } } }
    }

    private final class NotingStorage: Outbox.Storage, UserForgetting {
      private let memory = Outbox.InMemoryStorage(), parts: Parts
      init(_ parts: Parts) { self.parts = parts }
      func load() -> Outbox.Contents { memory.load() }
      func load(ownedBy owner: String?) -> Outbox.Contents { memory.load(ownedBy: owner) }
      func write(_ change: Outbox.Change) { memory.write(change) }
      func removeAll() {
        memory.removeAll()
        parts.note("outbox")
      }
      func forgetUser() { parts.note("storage of the outbox") }
    }

    private final class NotingCache: NormalizedCache, UserForgetting {
      private let memory = InMemoryNormalizedCache(), parts: Parts
      init(_ parts: Parts) { self.parts = parts }
      func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: ApolloCache.Record] {
        memory.loadRecords(forKeys: keys)
      }
      func merge(records: RecordSet) throws -> Set<CacheKey> { try memory.merge(records: records) }
      func removeRecord(for key: CacheKey) throws { try memory.removeRecord(for: key) }
      func removeRecords(matching pattern: CacheKey) throws { try memory.removeRecords(matching: pattern) }
      func clear() {
        memory.clear()
        parts.note("cache")
      }
      func forgetUser() { parts.note("backend of the cache") }
    }

    private struct NotingSession: ApolloURLSession, UserForgetting {
      let inner: any ApolloURLSession, parts: Parts
      func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
        try await inner.chunks(for: request)
      }
      func forgetUser() { parts.note("session") }
    }

    /// Runs a body when it is to forget its credentials.
    private struct Forgetting: Authenticator {
      let body: @Sendable () throws -> Void
      func credentials() -> [String: String] { [:] }
      func renew(refused: [String: String]) -> Bool { false }
      func forgetCredentials() { do { try body() } catch { Issue.record("\(error)") } }
    }

    @Test("What says who the user is goes last")
    func order() async throws {
      let server = TodoServer(), parts = Parts()
      let client = server.client(
        .http, Outbox.Configuration(storage: NotingStorage(parts)), store: ApolloStore(cache: NotingCache(parts))
      ) {
        $0.authenticator = Forgetting { parts.note("authenticator") }
        $0.http.session = NotingSession(inner: server.session, parts: parts)
      }
      try await client.outbox.ready()
      try await client.signOut()
      #expect(
        parts.all == [
          "outbox", "storage of the outbox", "cache", "backend of the cache", "session", "authenticator",
        ])
    }

    @Test(
      "A process that ends before the credentials are forgotten leaves nothing that the next launch sends",
      arguments: [Place.Kind.memory, .disk])
    func endOfProcess(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let left = Locked<Place?>(nil)
      let client = server.client(.http, try place.launch(), monitor: monitor) {
        $0.authenticator = Forgetting {
          let copy = try place.copy()
          left.withLock { $0 = copy }
        }
      }
      try await client.enqueue(CreateTodo(text: "of A"))
      try await client.signOut()
      monitor.isOnline = true
      // (The next user's, whose credentials would be sent with it.)
      let next = server.client(.http, try #require(left.withLock { $0 }).launch(), monitor: monitor)
      try await next.outbox.flush()
      #expect(server.requests.isEmpty)
      #expect(await next.outbox.pending.isEmpty)
      await next.outbox.close()
    }

    @Test(
      "Mutations of the former user, in any state and of any owner, are not there in the next launch",
      arguments: Place.Kind.allCases)
    func nextLaunch(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, try place.launch { $0.owner = "A" }, monitor: monitor)
      try await client.enqueue(CreateTodo(text: "of A"))
      try await client.outbox.setOwner(nil)
      try await client.enqueue(CreateTodo(text: "without an owner"))
      try await client.signOut()
      await client.outbox.close()
      monitor.isOnline = true
      let next = server.client(.http, try place.copy().launch { $0.owner = "A" }, monitor: monitor)
      try await next.outbox.flush()
      try await next.outbox.setOwner(nil)
      try await next.outbox.flush()
      #expect(server.requests.isEmpty)
    }

    @Test("What the storage could not remove is neither shown nor sent, and removed before anything else is kept")
    func failingRemoval() async throws {
      let server = TodoServer(), storage = FailingStorage(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, Outbox.Configuration(storage: storage), monitor: monitor)
      try await client.enqueue(
        CreateTodo(text: "of A"), optimisticData: .init(createTodo: Todo(id: "7", text: "of A")))
      storage.failsToRemove.withLock { $0 = true }
      await #expect(throws: FailingStorage.Full.self) { try await client.signOut() }
      monitor.isOnline = true
      #expect(await client.outbox.pending.isEmpty)
      await #expect(throws: FailingStorage.Full.self) { try await client.outbox.flush() }
      await #expect(throws: FailingStorage.Full.self) { try await client.outbox.setOwner("B") }
      await #expect(throws: FailingStorage.Full.self) { try await client.enqueue(CreateTodo(text: "of B")) }
      #expect(client.store.optimisticUpdates.isEmpty && storage.memory.load().rows.count == 1)

      storage.failsToRemove.withLock { $0 = false }
      try await client.outbox.setOwner(nil)
      #expect(storage.memory.load().rows.isEmpty && client.outbox.count == 0)
      try await client.outbox.flush()
      #expect(server.requests.isEmpty)
      // It is removed once.
      await client.outbox.pause()
      try await client.enqueue(CreateTodo(text: "of no owner"))
      for owner in ["B", nil] { try await client.outbox.setOwner(owner) }
      #expect(await client.outbox.pending.count == 1)
    }

    @Test("So it is with the next client over the same storage")
    func failingRemovalBeforeNextClient() async throws {
      let server = TodoServer(), storage = FailingStorage(), monitor = ManualNetworkMonitor(isOnline: false)
      do {
        let client = server.client(.http, Outbox.Configuration(storage: storage), monitor: monitor)
        try await client.enqueue(
          CreateTodo(text: "of A"), optimisticData: .init(createTodo: Todo(id: "7", text: "of A")))
        storage.failsToRemove.withLock { $0 = true }
        await #expect(throws: FailingStorage.Full.self) { try await client.signOut() }
      }
      monitor.isOnline = true
      let next = server.client(.http, Outbox.Configuration(storage: storage), monitor: monitor)
      await #expect(throws: FailingStorage.Full.self) { try await next.outbox.flush() }
      #expect(next.store.optimisticUpdates.isEmpty && storage.memory.load().rows.count == 1)
      storage.failsToRemove.withLock { $0 = false }
      try await next.outbox.flush()
      #expect(storage.memory.load().rows.isEmpty && server.requests.isEmpty)
    }

    @Test("A mutation that is enqueued while the user signs out is not kept")
    func meanwhile() async throws {
      let server = TodoServer(), place = try Place(.disk), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, try place.launch { $0.owner = "A" }, monitor: monitor)
      try await client.outbox.ready()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask { _ = try? await client.enqueue(CreateTodo(text: "\(number)")) }
          if number == 10 { group.addTask { try? await client.signOut() } }
        }
      }
      // Those that came later have no owner.
      try await client.outbox.setOwner("A")
      #expect(await client.outbox.pending.isEmpty)
    }
  }
}
