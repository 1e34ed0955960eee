@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloAPI
import ApolloTestSupport
import Foundation
import Fixture0042
import Testing
import Waiting

// What servers, apps and disks do that they should not.

extension OutboxTests {
  @Suite("What should not happen")
  struct FaultTests {
    @Test("A cache that cannot be written to a disk does not make a flush of the outbox wait")
    func stuckCache() async throws {
      let server = TodoServer(), place = try Place(.memory)
      let client = server.client(.http, try place.launch(), store: ApolloStore(cache: StuckCache()))
      try await client.enqueue(CreateTodo(text: "a"))
      try await client.outbox.flush()
      #expect(server.texts == ["a"] && client.outbox.count == 0)
      #expect(try await place.storage().load().rows.map(\.state) == [.answered])
    }

    @Test("A storage that fails is an error of the call, nothing is shown, and nothing is sent")
    func failingStorage() async throws {
      let server = TodoServer(), storage = FailingStorage(), failures = Locked(0)
      let client = server.client(
        .http,
        Outbox.Configuration(storage: storage, onStorageFailure: { _ in failures.withLock { $0 += 1 } }))
      try await client.outbox.ready()
      storage.fails.withLock { $0 = true }
      let error = await #expect(throws: OperationError.self) {
        try await client.enqueue(
          CreateTodo(text: "a"), optimisticData: .init(createTodo: Todo(id: "7", text: "guess")))
      }
      #expect(error?.code == .storage && error?.message.contains("disk") == true && failures.withLock { $0 } > 0)
      #expect(try await client.store.text("7") == nil)
      #expect(server.requests.isEmpty && client.outbox.count == 0)
      // What was answered while the storage failed is not sent again, and is gone when it works again.
      storage.fails.withLock { $0 = false }
      server.plan(.held)
      let queued = try await client.enqueue(CreateTodo(text: "b"))
      try await eventually("it is under way") { server.heldCount == 1 }
      storage.fails.withLock { $0 = true }
      server.release()
      _ = try await queued.value
      storage.fails.withLock { $0 = false }
      try await eventually("it is written") { storage.memory.load().rows.isEmpty }
      #expect(server.executions == ["CreateTodo b"])
    }

    @Test("A storage that cannot be loaded is an error, and is tried again by the next call")
    func unreadableStorage() async throws {
      let server = TodoServer(), storage = FailingStorage()
      storage.fails.withLock { $0 = true }
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      await #expect(throws: FailingStorage.Full.self) { try await client.enqueue(CreateTodo(text: "a")) }
      // Queries work.
      #expect(try await client.fetch(query: TodosQuery(), cachePolicy: .networkOnly).data?.todos.isEmpty == true)
      storage.fails.withLock { $0 = false }
      _ = try await client.enqueue(CreateTodo(text: "a")).value
      #expect(server.texts == ["a"])
    }

    @Test("Nothing is enqueued from an optimistic update")
    func withinUpdate() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let errors = Locked<[any Error]>([])
      try await client.store.applyOptimisticUpdate(id: "x") { _ in
        client.enqueue(CreateTodo(text: "a"), queue: .global()) { result in
          if case .failure(let error) = result { errors.withLock { $0.append(error) } }
        }
      }
      try await eventually("it is refused") { errors.withLock { !$0.isEmpty } }
      #expect((errors.withLock { $0.first } as? OperationError)?.message.contains("optimistic update 'x'") == true)
      #expect(client.outbox.count == 0)
    }

    @Test("Variables may be any JSON", arguments: Place.Kind.allCases)
    func anyJSON(kind: Place.Kind) async throws {
      let values: [JSONValue] = [
        JSONNull(), true, -0.0, 1e300, Int.min, "", "\u{0}\u{1f}\"\\/é🚀\u{2028}", "local:x", [JSONValue](),
        [[[1]]] as [[[Int]]], JSONObject(), ["": ["a": JSONNull()] as JSONObject] as JSONObject,
        String(repeating: "x", count: 200_000),
        try ResponseReader.jsonValue(ResponseBytes("123456789012345678901234567890.5".utf8)),
      ].map { $0 as? [[[Int]]] != nil ? [[[1] as [JSONValue]] as [JSONValue]] as [JSONValue] : $0 }
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), monitor: monitor)
      for value in values { try await first.enqueue(Attach(json: value)) }
      let wanted = try values.map { value in
        let json = try ResponseReader.jsonValue(ResponseBytes(Attach(json: value).variables.json))
        return Variables(try #require(json as? JSONObject))
      }
      let copy = try place.copy()
      await first.outbox.close()
      let next = server.client(.http, try copy.launch())
      try await next.outbox.flush()
      let sent = server.requests.map { Variables($0.variables) }
      #expect(sent == wanted)
    }

    @Test("A variable that is not JSON is an error of the call")
    func notJSON() async throws {
      let client = TodoServer().client(.http, try Place(.memory).launch())
      let error = await #expect(throws: OperationError.self) { try await client.enqueue(Attach(json: Double.nan)) }
      #expect(error?.code == .invalidRequest && client.outbox.count == 0)
    }

    @Test("Header fields of the policy are sent by the next launch; one with a line break is refused")
    func headers() async throws {
      let server = TodoServer(), place = try Place(.disk)
      server.always = .noNetwork
      let first = server.client(.http, try place.launch())
      try await first.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(headers: ["X-Tag": "7"]))
      try await first.enqueue(CreateTodo(text: "b"), policy: Outbox.Policy(headers: ["X-Tag": "7\r\nX-Evil: 1"]))
      server.always = nil
      let next = server.client(.http, try place.copy().launch())
      try await next.outbox.flush()
      #expect(server.requests.last?.headers["X-Tag"] == "7" && server.texts == ["a"])
      #expect(await next.outbox.failed.first?.error?.code == .invalidRequest)
    }

    @Test("An answer that does not fit the app ends the mutation, and it is not sent again")
    func unreadableAnswer() async throws {
      let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
      server.plan(.body(#"{"data":{"createTodo":{"__typename":"Todo","id":"1"}}}"#))
      let error = await #expect(throws: OperationError.self) { try await client.enqueue(CreateTodo(text: "a")).value }
      #expect(error?.code == .invalidResponse && server.requests.count == 1)
      try await client.outbox.flush()
      // The server has done it, so there is nothing to try again.
      #expect(await client.outbox.failed.isEmpty && client.outbox.count == 0)
      #expect(try await place.copy().storage().load().rows.isEmpty)
    }

    @Test("A mutation that cannot be written keeps no other back, now or later", arguments: 0..<5)
    func unwritable(round: Int) async throws {
      let server = TodoServer(), storage = FailingStorage()
      storage.refused.withLock { $0 = "bad" }
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      try await client.outbox.ready()
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for text in ["a", "bad", "b", "bad", "c"] {
          group.addTask { (try? await client.enqueue(CreateTodo(text: text))) != nil }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(outcomes == 3)
      try await client.outbox.flush()
      #expect(Set(server.texts) == ["a", "b", "c"] && client.outbox.count == 0)
      _ = try await client.enqueue(CreateTodo(text: "d")).value
      try await client.outbox.flush()
      #expect(storage.memory.load().rows.isEmpty)
    }

    @Test("An expired mutation that waits is given up when its time is over, and can be tried again")
    func expiryWhileWaiting() async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false), clock = TestClock()
      let client = server.client(.http, try Place(.memory).launch(), monitor: monitor) { $0.clock = clock }
      let queued = try await client.enqueue(
        CreateTodo(text: "a"), optimisticData: .init(createTodo: Todo(id: "7", text: "guess")),
        policy: Outbox.Policy(expiresAfter: 1))
      try await eventually("it waits") { clock.waits.contains { $0 <= .seconds(1) } }
      await clock.advance(by: .seconds(1))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .expired)
      #expect(try await client.store.text("7") == nil)
      monitor.isOnline = true
      #expect(await client.outbox.retry(queued.id))
      try await client.outbox.flush()
      #expect(server.texts == ["a"])
      for limit in [Double.nan, -.infinity] {
        await #expect(throws: OperationError.self) {
          try await client.enqueue(CreateTodo(text: "b"), policy: Outbox.Policy(expiresAfter: limit))
        }
      }
      _ = try await client.enqueue(CreateTodo(text: "c"), policy: Outbox.Policy(expiresAfter: .infinity)).value
    }

    @Test("A server that never answers is given up after the deadline of a try, and tried again")
    func neverAnswers() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch { $0.deadline = 0.5 })
      server.plan(.held)
      _ = try await client.enqueue(CreateTodo(text: "a")).value
      server.release()
      #expect(server.requests.count == 2)
      #expect(Set(server.requests.map(\.extensionKey)).count == 1)
    }

    @Test("The clock may be changed: the next launch waits for an hour at most")
    func clock() async throws {
      let server = TodoServer(), place = try Place(.memory), storage = try place.storage()
      let first = server.client(.http, try place.launch())
      await first.outbox.pause()
      try await first.enqueue(CreateTodo(text: "a"))
      await first.outbox.close()
      var change = Outbox.Change()
      for var row in try await storage.load().rows {
        row.notBefore = Date(timeIntervalSinceNow: 1e9)
        change.formUnion(Outbox.Change(saving: row))
      }
      try await storage.write(change)
      let next = server.client(.http, try place.launch(), monitor: ManualNetworkMonitor())
      try await next.outbox.ready()
      let wait = try #require(await next.outbox.queue.mutations.items.values.first?.retryAt) - ContinuousClock.now
      #expect(wait > .seconds(3000) && wait <= .seconds(3600))
      try await next.outbox.flush()
      #expect(server.texts == ["a"])
    }

    @Test(
      "Files are kept as they were, in another launch as well; one that is gone is said", arguments: Place.Kind.allCases
    )
    func files(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), monitor: monitor)
      let original = place.folder.appendingPathComponent("original.txt")
      try Data("contents of a file".utf8).write(to: original)
      try await first.enqueue(
        Attach(),
        files: [try GraphQLFile(fieldName: "file", originalName: "a.txt", mimeType: "text/plain", fileURL: original)])
      try await first.enqueue(
        Attach(), files: [GraphQLFile(fieldName: "file", originalName: "b.txt", data: Data("other contents".utf8))])
      try FileManager.default.removeItem(at: original)
      let copy = try place.copy()
      await first.outbox.close()
      let next = server.client(.http, try copy.launch())
      try await next.outbox.flush()
      let sent = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(sent.count == 2 && sent[0].contains("contents of a file") && sent[0].contains("a.txt"))
      #expect(sent.last?.contains("other contents") == true)
      if kind != .memory { #expect(copy.fileNames.isEmpty) }

      await #expect(throws: GraphQLFile.GraphQLFileError.self) {
        let gone = place.folder.appendingPathComponent("gone.txt")
        try Data("x".utf8).write(to: gone)
        let file = try GraphQLFile(fieldName: "file", originalName: "a.txt", fileURL: gone)
        try FileManager.default.removeItem(at: gone)
        try await next.enqueue(Attach(), files: [file])
      }
      guard kind != .memory else { return }
      let damaged = try place.copy()
      for name in damaged.fileNames {
        try FileManager.default.removeItem(at: damaged.folder.appendingPathComponent(name))
      }
      let last = server.client(.http, try damaged.launch())
      try await last.outbox.flush()
      #expect(await last.outbox.failed.count == 2)
      #expect(await last.outbox.failed.first?.error?.code == .storage)
    }

    @Test(
      "A refusal that the launch before has not kept leaves the mutation its files; without them it is not sent again",
      arguments: Place.Kind.allCases)
    func filesOfRefused(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), monitor: monitor)
      let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("contents of a file".utf8))
      try await first.enqueue(Attach(), files: [file])
      await first.outbox.close()
      // As a process leaves it that ends when the answer is kept, and not yet that it is a refusal.
      let storage = try place.storage()
      var row = try #require(try await storage.load(ownedBy: nil).rows.first)
      row.state = .answered
      row.answer = Data(#"{"data":null,"errors":[{"message":"not now"}]}"#.utf8)
      try await storage.write(Outbox.Change(saving: row))
      await storage.close()
      let damaged = try place.copy()

      let next = server.client(.http, try place.launch())
      try await next.outbox.flush()
      let failed = try #require(await next.outbox.failed.first)
      #expect(failed.error?.code == .operationRefused && server.requests.isEmpty)
      #expect(await next.outbox.retry(failed.id))
      try await next.outbox.flush()
      #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self).contains("contents of a file") } == [true])

      guard kind != .memory else { return }
      for name in damaged.fileNames {
        try FileManager.default.removeItem(at: damaged.folder.appendingPathComponent(name))
      }
      let last = server.client(.http, try damaged.launch())
      try await last.outbox.flush()
      #expect(await last.outbox.failed.map { $0.error?.code } == [.storage])
      #expect(!(await last.outbox.retry(failed.id)))
    }

    @Test("A mutation whose copies go while the client runs is given up, and cannot be tried again")
    func lostCopies() async throws {
      let server = TodoServer(), place = try Place(.disk)
      let client = server.client(.http, try place.launch())
      let original = place.folder.appendingPathComponent("original.txt")
      try Data("x".utf8).write(to: original)
      await client.outbox.pause()
      let file = try GraphQLFile(fieldName: "file", originalName: "a.txt", fileURL: original)
      let queued = try await client.enqueue(Attach(), files: [file])
      try FileManager.default.removeItem(atPath: place.file.path + "-files")
      await client.outbox.resume()
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .storage && server.requests.isEmpty)
      #expect(await client.outbox.failed.count == 1)
      #expect(!(await client.outbox.retry(queued.id)))
      await client.outbox.close()
    }

    @Test(
      "Directives for lists hold for guesses and answers, in another launch as well", arguments: Place.Kind.allCases)
    func listDirectives(kind: Place.Kind) async throws {
      let answer =
        #"{"data":{"addPost":{"__typename":"AddPostPayload","post":{"__typename":"Post","id":"9","text":"x"}}}}"#
      let server = TodoServer(), place = try Place(kind), monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), monitor: monitor)
      let mutation = AddPostMutation(text: "x", lists: ["QUERY_ROOT.posts"])
      let guess = try ResponseReader.read(
        AddPostMutation.Data.self,
        from: ResponseBytes(Array(answer.replacingOccurrences(of: "\"9\"", with: "\"guess\"").utf8)),
        variables: mutation.variables
      ).data
      try await first.enqueue(mutation, optimisticData: guess)
      let store = ApolloStore(), copy = try place.copy()
      await first.outbox.close()
      try await store.publish(records: ["QUERY_ROOT": ["posts": .list([])]])
      let next = server.client(.http, try copy.launch(), store: store, monitor: monitor)
      try await next.outbox.ready()
      func nodes() async throws -> [String] {
        try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: ["QUERY_ROOT"]) }[
          "QUERY_ROOT"
        ]
        .map { "\($0["posts"] ?? .null)" }.map { [$0] } ?? []
      }
      #expect(try await nodes().first?.contains("Post:guess") == true)
      server.plan(.body(answer))
      monitor.isOnline = true
      try await next.outbox.flush()
      #expect(try await nodes().first?.contains("Post:9") == true)
      #expect(try await nodes().first?.contains("guess") == false)
    }
  }
}

/// A storage that fails when a test says so.
final class FailingStorage: Outbox.Storage {
  struct Full: Error, CustomStringConvertible { let description = "the disk is full" }
  let memory = Outbox.InMemoryStorage()
  let fails = Locked(false)
  /// Whether it fails to remove something.
  let failsToRemove = Locked(false)
  /// Whether it throws when it has made a change.
  let failsAfterwards = Locked(false)
  /// A text of a mutation that cannot be written; nil: all can.
  let refused = Locked<String?>(nil)

  func load() async throws -> Outbox.Contents {
    if fails.withLock({ $0 }) { throw Full() }
    return memory.load()
  }

  func write(_ change: Outbox.Change) async throws {
    let refused = refused.withLock { $0 }
    let texts = change.saved.values.map { String(decoding: $0.variables, as: UTF8.self) }
    if fails.withLock({ $0 }) || texts.contains(where: { refused.map($0.contains) ?? false }) { throw Full() }
    if failsToRemove.withLock({ $0 }), !change.removed.isEmpty { throw Full() }
    memory.write(change)
    if failsAfterwards.withLock({ $0 }) { throw Full() }
  }
}

extension Place {
  /// What is in the folder of the copies of files.
  var fileNames: [String] {
    let folder = file.path + "-files"
    let subpaths = FileManager.default.subpaths(atPath: folder) ?? []
    return subpaths.filter { $0.contains("/") }.map { "outbox.sqlite-files/\($0)" }
  }
}
