@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing
import Waiting

// By behaviour: AWS AppSync's "resumes when a new client is created", TanStack Query's "restore a mutation" and "should not
// re-execute a settled mutation", and urql's "reads metadata and dispatches on init".

extension OutboxTests {
  @Suite("Another launch")
  struct RestartTests {
    static let list = ResponseBytes(Array(#"{"data":{"todos":[{"__typename":"Todo","id":"1","text":"old"}]}}"#.utf8))

    @Test(
      "What was not sent is shown and sent by the next launch, in its order", arguments: Place.Kind.allCases,
      TodoServer.Way.allCases)
    func nextLaunch(kind: Place.Kind, way: TodoServer.Way) async throws {
      let server = TodoServer(), place = try Place(kind)
      server.add("1", "old")
      server.always = .noNetwork
      let first = server.client(way, try place.launch())
      for text in ["a", "b"] {
        try await first.enqueue(
          RenameTodo(id: "1", text: text), optimisticData: .init(renameTodo: Todo(id: "1", text: text)))
      }
      let keys = await first.outbox.pending.map(\.id)
      // The process is stopped.
      let copy = try place.copy()
      await first.outbox.close()

      let monitor = ManualNetworkMonitor(isOnline: false), store = ApolloStore()
      let next = server.client(way, try copy.launch(), store: store, monitor: monitor)
      try await next.outbox.ready()
      try await store.write(response: Self.list, for: TodosQuery())
      #expect(try await store.texts() == ["b"])
      #expect(await next.outbox.pending.map(\.id) == keys)
      let queued = await next.outbox.queued(RenameTodo.self)
      #expect(queued.count == 2)
      server.always = nil
      monitor.isOnline = true
      #expect(try await queued[1].value.data?.renameTodo?.text == "b")
      #expect(server.executions == ["RenameTodo a", "RenameTodo b"])
      #expect(try await store.texts() == ["b"])
      try await next.outbox.flush()
      await next.outbox.close()
      #expect(try await copy.storage().load().rows.isEmpty)
    }

    @Test(
      "Queries that a mutation names are asked again when it was done, in a later launch too",
      arguments: Place.Kind.allCases, [false, true])
    func refetchQueries(kind: Place.Kind, isLater: Bool) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: !isLater)
      server.add("1", "old")
      if isLater { server.always = .noNetwork }
      var client = server.client(.http, try place.launch())
      if isLater {
        try await client.enqueue(CreateTodo(text: "new"), refetchQueries: ["Todos", "Nobody"])
        let copy = try place.copy()
        await client.outbox.close()
        server.always = nil
        client = server.client(.http, try copy.launch(), monitor: monitor)
        try await client.outbox.ready()
      }
      let texts = Awaited<[[String]]>([])
      let watcher = client.watch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData, callbackQueue: .global()) {
        result in
        if let todos = try? result.get().data?.todos { texts.change { $0.append(todos.map(\.text)) } }
      }
      try await texts.until { !$0.isEmpty }
      if isLater {
        monitor.isOnline = true
      } else {
        _ = try await client.enqueue(CreateTodo(text: "new"), refetchQueries: ["Todos", "Nobody"]).value
      }
      try await texts.until { $0.last == ["old", "new"] }
      #expect(server.requests.count { $0.name == "Todos" } == 2)
      watcher.cancel()
      await client.outbox.close()
    }

    @Test("What waits is shown together: at the start, and when a mutation before it is tried again")
    func shownTogether() async throws {
      let server = TodoServer(), place = try Place(.memory), store = ApolloStore(), runs = Locked(0)
      server.plan(.status(422))
      let first = server.client(.http, try place.launch())
      let refused = try await first.enqueue(RenameTodo(id: "1", text: "0"))
      await #expect(throws: OperationError.self) { try await refused.value }
      await first.outbox.pause()
      for number in 1...200 { try await first.enqueue(RenameTodo(id: "1", text: "\(number)")) }
      let ids = await first.outbox.pending.map(\.id.uuidString)
      await first.outbox.close()

      var launch = try place.launch()
      launch.registry.register(RenameTodo.self, optimisticUpdate: { _, _ in runs.withLock { $0 += 1 } })
      let next = server.client(.http, launch, store: store, monitor: ManualNetworkMonitor(isOnline: false))
      try await next.outbox.ready()
      #expect(store.optimisticUpdates == ids)
      #expect(runs.withLock { $0 } <= 2 * 200)
      runs.withLock { $0 = 0 }
      #expect(await next.outbox.retry(refused.id))
      #expect(store.optimisticUpdates == [refused.id.uuidString] + ids)
      #expect(runs.withLock { $0 } <= 2 * 201)
      await next.outbox.close()
    }

    @Test("The client's first read has the guesses of the launch before")
    func firstRead() async throws {
      let server = TodoServer(), place = try Place(.disk)
      server.always = .noNetwork
      let first = server.client(.http, try place.launch())
      try await first.enqueue(
        RenameTodo(id: "1", text: "guess"), optimisticData: .init(renameTodo: Todo(id: "1", text: "guess")))
      let copy = try place.copy(), store = ApolloStore()
      try await store.write(response: Self.list, for: TodosQuery())
      let next = server.client(.http, try copy.launch(), store: store)
      #expect(try await next.fetch(query: TodosQuery(), cachePolicy: .cacheFirst).data?.todos.map(\.text) == ["guess"])
    }

    @Test(
      "An answer that was kept is brought into the cache, and the mutation is not sent again",
      arguments: Place.Kind.allCases)
    func answered(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind)
      server.add("1", "old")
      // A cache that is never on disk: so the mutation stays, with its answer.
      let first = server.client(
        .http, try place.launch(), store: ApolloStore(cache: StuckCache()))
      let queued = try await first.enqueue(RenameTodo(id: "1", text: "new"))
      _ = try await queued.value
      let copy = try place.copy()
      let kept = try await copy.storage().load().rows
      #expect(kept.map(\.state) == [.answered])

      let store = ApolloStore(), outcomes = Locked<[String]>([])
      try await store.write(response: Self.list, for: TodosQuery())
      var launch = try copy.launch()
      launch.registry.register(
        RenameTodo.self,
        update: { _, data in outcomes.withLock { $0.append("update \(data.renameTodo?.text ?? "")") } },
        completion: { result in outcomes.withLock { $0.append("\(try! result.get().data!.renameTodo!.text)") } })
      let next = server.client(.http, launch, store: store)
      try await next.outbox.flush()
      #expect(try await store.texts() == ["new"])
      #expect(outcomes.withLock { $0 } == ["update new", "new"])
      #expect(server.requests.count == 1)
      await next.outbox.close()
      #expect(try await copy.storage().load().rows.isEmpty)
    }

    @Test("A storage that is released leaves its file to the next one at once")
    func released() async throws {
      let place = try Place(.disk)
      for _ in 0..<200 {
        _ = try await place.storage().load()
        _ = try await place.storage().write(Outbox.Change())
        _ = try await place.storage().keep([], of: UUID())
      }
    }

    @Test("What was given up stays readable, and can be tried again", arguments: Place.Kind.allCases)
    func failedStays(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind)
      server.plan(.status(422))
      let first = server.client(.http, try place.launch())
      _ = try await first.enqueue(
        CreateTodo(text: "a"), optimisticData: .init(createTodo: Todo(id: "7", text: "guess")))
      try await first.outbox.flush()
      let copy = try place.copy(), store = ApolloStore()
      let next = server.client(.http, try copy.launch(), store: store)
      try await next.outbox.flush()
      let failed = try #require(await next.outbox.failed.first)
      #expect(failed.error?.code == .httpStatus && failed.error?.message.contains("422") == true)
      #expect(try await store.text("7") == nil && server.requests.count == 1)
      #expect(await next.outbox.retry(failed.id))
      try await next.outbox.flush()
      #expect(server.texts == ["a"])
    }

    @Test(
      "Closures of an app come from the registry; with an idMapping and a completion", arguments: Place.Kind.allCases)
    func registry(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), outcomes = Locked<[String]>([])
      server.add("1", "old")
      var registry = Outbox.Registry()
      registry.register(
        RenameTodo.self,
        optimisticUpdate: { transaction, variables in
          try transaction.updateObject(ofType: Todo.self, withKey: "Todo:\(variables["id"] as? String ?? "")") {
            $0.text = "\(variables["text"] as? String ?? "")?"
          }
        },
        completion: { result in outcomes.withLock { $0.append((try? result.get().data?.renameTodo?.text) ?? "failed") }
        })
      server.always = .noNetwork
      let first = server.client(.http, try place.launch { $0.registry = registry })
      try await first.store.write(response: Self.list, for: TodosQuery())
      try await first.enqueue(RenameTodo(id: "1", text: "new"))
      #expect(try await first.store.texts() == ["new?"])

      let copy = try place.copy(), store = ApolloStore()
      await first.outbox.close()
      try await store.write(response: Self.list, for: TodosQuery())
      server.always = nil
      let monitor = ManualNetworkMonitor(isOnline: false)
      let next = server.client(.http, try copy.launch { $0.registry = registry }, store: store, monitor: monitor)
      try await next.outbox.ready()
      #expect(try await store.texts() == ["new?"])
      monitor.isOnline = true
      try await eventually("the app is told") { outcomes.withLock { $0 } == ["new"] }
      #expect(try await store.texts() == ["new"])
    }

    @Test("An operation that the app no longer has is given up, and kept", arguments: Place.Kind.allCases)
    func unknownOperation(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind)
      server.always = .noNetwork
      let first = server.client(.http, try place.launch())
      try await first.enqueue(CreateTodo(text: "a"))
      try await first.enqueue(RenameTodo(id: "1", text: "b"))
      await first.outbox.close()
      let storage = try place.storage()
      var change = Outbox.Change()
      for var row in try await storage.load().rows where row.operationName == "CreateTodo" {
        row = row.renamed("Renamed", type: "4Gone3TodoV")
        change.formUnion(Outbox.Change(saving: row))
      }
      try await storage.write(change)
      await storage.close()

      server.always = nil
      server.add("1", "old")
      let next = server.client(.http, try place.launch())
      try await next.outbox.flush()
      let failed = try #require(await next.outbox.failed.first)
      #expect(failed.operationName == "Renamed" && failed.error?.code == .unknownOperation)
      #expect(failed.error?.message.contains("'Renamed'") == true)
      #expect(await !next.outbox.retry(failed.id))
      #expect(server.executions == ["RenameTodo b"])
      // Another update of the app may have it again.
      await next.outbox.close()
      var launch = try place.launch()
      launch.registry.entries["Renamed"] = Registration<CreateTodo>(
        optimisticUpdate: nil, update: nil, idMapping: nil, completion: nil)
      let later = server.client(.http, launch)
      try await later.outbox.ready()
      #expect(await later.outbox.retry(failed.id))
      try await later.outbox.flush()
      #expect(server.executions == ["RenameTodo b", "CreateTodo a"])
    }

    @Test("Two outboxes do not share a storage; one that was closed leaves it to the next")
    func sharedStorage() async throws {
      let server = TodoServer(), storage = Outbox.InMemoryStorage()
      server.always = .noNetwork
      let first = server.client(.http, Outbox.Configuration(storage: storage))
      try await first.enqueue(CreateTodo(text: "a"))
      let second = server.client(.http, Outbox.Configuration(storage: storage))
      async let refused = { () async -> (any Error)? in
        do { try await second.outbox.ready() } catch { return error }
        return nil
      }()
      #expect((await refused as? OperationError)?.code == .configuration)
      await first.outbox.close()
      await #expect(throws: OperationError.self) { try await first.enqueue(CreateTodo(text: "b")) }
      try await second.outbox.ready()
      #expect(second.outbox.count == 1)
    }

    @Test("A client that is released leaves its mutations to the next one", arguments: Place.Kind.allCases)
    func release(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind)
      server.plan(.held)
      do {
        let first = server.client(.http, try place.launch())
        for number in 0..<3 { try await first.enqueue(CreateTodo(text: "\(number)")) }
        try await eventually("one is under way") { server.heldCount == 1 }
      }
      let next = Locked<ApolloClient?>(nil)
      try await eventually("the storage is free") {
        guard let launch = try? place.launch() else { return false }
        next.withLock { $0 = server.client(.http, launch) }
        return true
      }
      server.release()
      try await eventually("all were done") { server.texts.count == 3 }
      #expect(server.texts == ["0", "1", "2"])
      try await next.withLock { $0 }?.outbox.flush()
    }
  }
}

extension Outbox.Row {
  /// The mutation as an earlier version of an app would have left it.
  func renamed(_ name: String, type: String) -> Outbox.Row {
    var row = Outbox.Row(
      id: id, number: number, operationName: name, typeName: type, scope: scope, variables: variables,
      optimisticData: optimisticData, listEdits: listEdits, localID: localID, localIDPath: localIDPath, policy: policy,
      date: date, idempotencyKey: idempotencyKey, files: files)
    row.state = state
    return row
  }
}

/// A cache whose disk is full.
final class StuckCache: RecordBackend {
  struct Full: Error {}

  func load(_ keys: [CacheKey], numberedBy numbers: Locked<StoreKeys>) throws -> [StoredRecord?] {
    keys.map { _ in nil }
  }
  func take(_ write: RecordWrite) async throws {}
  func flush() async throws { throw Full() }
  func waitingRecords(numberedBy numbers: Locked<StoreKeys>) -> Set<Int32> { [] }
  func keepsRecords(of type: TypeSymbol) -> Bool { true }
  func onForeignChange(_ body: @escaping @Sendable () async throws -> Void) {}
  func onSuspension(_ body: @escaping @Sendable () async throws -> Void) {}
  var foreignChangeCount: Int { 0 }
  func readForeignChanges() async throws -> Int { 0 }
  func forgetRemovals() async throws {}
  func keys(after key: CacheKey?, limit: Int) async throws -> [CacheKey] { [] }
  func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] { [:] }
  func merge(records: RecordSet) async throws -> Set<CacheKey> { [] }
  func removeRecord(for key: CacheKey) async throws {}
  func removeRecords(matching pattern: CacheKey) async throws {}
  func clear() async throws {}
}
