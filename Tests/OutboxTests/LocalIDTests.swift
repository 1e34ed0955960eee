@testable import ApolloCache
@testable import ApolloOutbox
@testable import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

// By behaviour: offix's list of what users expect ("create an object and edit it before it was sent"), and AppSync's
// `MutationOptimisticUpdateTests`.

extension OutboxTests {
  @Suite("Temporary ids", .everyStyle)
  struct LocalIDTests {
    /// Which part of an app knows where the server's id is.
    enum Mapping: CaseIterable, Sendable { case enqueue, enqueueBeforeTheLaunch, registry }

    static func create(
      _ client: ApolloClient, _ id: String, text: String = "a", scope: String = Outbox.defaultScope, maps: Bool = true
    ) async throws -> Outbox.QueuedMutation<CreateTodo> {
      try await client.enqueue(
        CreateTodo(text: text), optimisticData: .init(createTodo: Todo(id: id, text: text)), scope: scope,
        idMapping: maps ? \.createTodo?.id : nil)
    }

    static func rename(
      _ client: ApolloClient, _ id: String, text: String, scope: String = Outbox.defaultScope
    ) async throws -> Outbox.QueuedMutation<RenameTodo> {
      try await client.enqueue(
        RenameTodo(id: id, text: text), optimisticData: .init(renameTodo: Todo(id: id, text: text)), scope: scope)
    }

    @Test("An object is made and changed before the server knows it", arguments: Place.Kind.allCases, Mapping.allCases)
    func mapping(kind: Place.Kind, mapping: Mapping) async throws {
      let server = TodoServer(), place = try Place(kind)
      var registry = Outbox.Registry()
      if mapping == .registry { registry.register(CreateTodo.self, idMapping: \.createTodo?.id) }
      let monitor = ManualNetworkMonitor(isOnline: false)
      var client = server.client(.http, try place.launch { [registry] in $0.registry = registry }, monitor: monitor)
      let id = Outbox.makeLocalID()
      _ = try await Self.create(client, id, maps: mapping != .registry)
      for text in ["b", "c"] { _ = try await Self.rename(client, id, text: text) }
      #expect(try await client.store.text(id) == "c")
      if mapping != .enqueue {
        let copy = try place.copy()
        client = server.client(.http, try copy.launch { [registry] in $0.registry = registry }, monitor: monitor)
        try await client.outbox.ready()
        #expect(try await client.store.text(id) == "c")
      }
      server.plan(.success, .held)
      monitor.isOnline = true
      try await eventually("the object was made, and its first change is under way") { server.heldCount == 1 }
      #expect(client.outbox.serverID(for: id) == "100")
      // What is expected of the later mutations is shown at the object of the server, and the local one is gone.
      #expect(try await client.store.text("100") == "c")
      #expect(try await client.store.text(id) == nil)
      server.release()
      try await client.outbox.flush()
      #expect(server.texts == ["c"] && server.executions == ["CreateTodo a", "RenameTodo b", "RenameTodo c"])
      #expect(server.requests.allSatisfy { !"\($0.variables)".contains("local:") })
      #expect(try await client.store.text("100") == "c")
    }

    @Test(
      "What is enqueued after the answer may still have the temporary id, in a later launch as well",
      arguments: Place.Kind.allCases)
    func later(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), id = Outbox.makeLocalID()
      var client = server.client(.http, try place.launch())
      _ = try await Self.create(client, id)
      try await client.outbox.flush()
      await client.outbox.close()
      client = server.client(.http, try place.launch())
      let renamed = try await Self.rename(client, id, text: "b")
      #expect(try await renamed.value.data?.renameTodo?.text == "b")
      #expect(server.texts == ["b"] && client.outbox.serverID(for: id) == "100")
    }

    @Test(
      "Without a mapping, the object goes with its guess, and what names it fails and says so",
      arguments: [false, true])
    func withoutMapping(restarts: Bool) async throws {
      let server = TodoServer(), place = try Place(.disk), id = Outbox.makeLocalID()
      let monitor = ManualNetworkMonitor(isOnline: false)
      var client = server.client(.http, try place.launch(), monitor: monitor)
      _ = try await Self.create(client, id, maps: false)
      _ = try await Self.rename(client, id, text: "b")
      if restarts { client = server.client(.http, try place.copy().launch(), monitor: monitor) }
      try await client.outbox.ready()
      monitor.isOnline = true
      try await client.outbox.flush()
      let failed = try #require(await client.outbox.failed.first)
      #expect(failed.error?.code == .unknownID && failed.error?.message.contains(id) == true)
      #expect(failed.error?.message.contains("idMapping") == true && server.texts == ["a"])
      #expect(try await client.store.text(id) == nil)
    }

    @Test("A mutation waits for the id of an object that another scope makes")
    func acrossScopes() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.held)
      let id = Outbox.makeLocalID()
      _ = try await Self.create(client, id, scope: "a")
      // What is sent beside it could come to the server first, and be held in its place.
      try await eventually("it is held") { server.requests.count == 1 }
      let renamed = try await Self.rename(client, id, text: "b", scope: "b")
      try await client.enqueue(CreateTodo(text: "other"), scope: "c")
      try await eventually("others go on") { server.texts == ["other"] }
      #expect(server.requests.count == 2)
      server.release()
      #expect(try await renamed.value.data?.renameTodo?.id == "101")
    }

    @Test(
      "If the object is not made, what names it fails: after a refusal and after a cancellation",
      arguments: [false, true])
    func notMade(isCancelled: Bool) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      await client.outbox.pause()
      server.plan(.status(400))
      let id = Outbox.makeLocalID()
      let created = try await Self.create(client, id)
      let renamed = try await Self.rename(client, id, text: "b")
      if isCancelled { #expect(await created.cancel()) }
      await client.outbox.resume()
      let error = await #expect(throws: OperationError.self) { try await renamed.value }
      #expect(error?.code == .unknownID && error?.message.contains(id) == true)
      #expect(!server.requests.contains { $0.name == "RenameTodo" })
      guard !isCancelled else { return }
      // Both can be tried again.
      #expect(error?.message.contains("CreateTodo") == true)
      for one in await client.outbox.failed { #expect(await client.outbox.retry(one.id)) }
      try await client.outbox.flush()
      #expect(server.executions == ["CreateTodo a", "RenameTodo b"])
    }

    /// When one of two mutations that make the same object is cancelled.
    enum Cancelling: CaseIterable, Sendable { case firstBeforeSecond, first, second }

    @Test(
      "An object whose mutation was cancelled is made by another one with the same id", arguments: Cancelling.allCases)
    func usedAgain(cancelling: Cancelling) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      await client.outbox.pause()
      let id = Outbox.makeLocalID()
      let first = try await Self.create(client, id)
      if cancelling == .firstBeforeSecond { #expect(await first.cancel()) }
      let second = try await Self.create(client, id, text: "b")
      if cancelling == .first { #expect(await first.cancel()) }
      let renamed = try await Self.rename(client, id, text: "c")
      if cancelling == .second { #expect(await second.cancel()) }
      server.plan(.success, .held)
      await client.outbox.resume()
      try await eventually("the object was made, and its change is under way") { server.heldCount == 1 }
      #expect(try await client.store.text("100") == "c")
      #expect(try await client.store.text(id) == nil)
      server.release()
      #expect(try await renamed.value.data?.renameTodo?.text == "c")
      #expect(server.executions == ["CreateTodo \(cancelling == .second ? "a" : "b")", "RenameTodo c"])
    }

    @Test("So it is in the next launch", arguments: Place.Kind.allCases)
    func usedAgainInNextLaunch(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), id = Outbox.makeLocalID()
      let monitor = ManualNetworkMonitor(isOnline: false)
      let former = server.client(.http, try place.launch(), monitor: monitor)
      let first = try await Self.create(former, id)
      #expect(await first.cancel())
      _ = try await Self.create(former, id, text: "b")
      _ = try await Self.rename(former, id, text: "c")
      let client = server.client(.http, try place.copy().launch(), monitor: monitor)
      try await client.outbox.ready()
      monitor.isOnline = true
      try await client.outbox.flush()
      #expect(await client.outbox.failed.isEmpty && client.outbox.serverID(for: id) == "100")
      await former.outbox.close()
    }

    @Test(
      "An id that is known stays, though the answer to another mutation with the same temporary id has none",
      arguments: [#"{"data":{"createTodo":null}}"#, #"{"data":{"createTodo":{"__typename":"Todo","id":"7"}}}"#])
    func usedAgainWithoutID(answer: String) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      await client.outbox.pause()
      let id = Outbox.makeLocalID()
      _ = try await Self.create(client, id)
      _ = try await Self.create(client, id, text: "b")
      let renamed = try await Self.rename(client, id, text: "c")
      server.plan(.success, .body(answer))
      await client.outbox.resume()
      #expect(try await renamed.value.data?.renameTodo?.text == "c")
      #expect(client.outbox.serverID(for: id) == "100")
      #expect(server.executions == ["CreateTodo a", "RenameTodo c"])
    }

    @Test("A refused mutation is made anew with the same id, and dismissed before or after the new one is answered")
    func dismissed() async throws {
      for isAnswered in [false, true] {
        let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
        server.plan(.status(400))
        let id = Outbox.makeLocalID(), refused = try await Self.create(client, id)
        await #expect(throws: OperationError.self) { try await refused.value }
        if !isAnswered { await client.outbox.pause() }
        let corrected = try await Self.create(client, id, text: "b")
        if isAnswered { _ = try await corrected.value }
        #expect(await client.outbox.dismiss(refused.id))
        let renamed = try await Self.rename(client, id, text: "c")
        await client.outbox.resume()
        #expect(try await renamed.value.data?.renameTodo?.text == "c")
        #expect(server.executions == ["CreateTodo b", "RenameTodo c"])
      }
    }

    @Test("An id that no mutation makes is an error, and so is one that a later mutation makes")
    func unknown() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      await client.outbox.pause()
      let (nowhere, later) = (Outbox.makeLocalID(), Outbox.makeLocalID())
      let first = try await client.enqueue(RenameTodo(id: nowhere, text: "b"))
      let second = try await client.enqueue(RenameTodo(id: later, text: "b"))
      _ = try await Self.create(client, later)
      await client.outbox.resume()
      for queued in [first, second] {
        let error = await #expect(throws: OperationError.self) { try await queued.value }
        #expect(error?.code == .unknownID)
      }
      #expect(server.executions.isEmpty || server.executions == ["CreateTodo a"])
    }

    @Test("A closure that names the temporary id changes the object of the server, once there is one")
    func closures() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      await client.outbox.pause()
      let id = Outbox.makeLocalID()
      try await client.store.write(response: ResponseBytes(Array(#"{"data":{"todos":[]}}"#.utf8)), for: TodosQuery())
      try await client.enqueue(
        CreateTodo(text: "a"), optimisticData: .init(createTodo: Todo(id: id, text: "a")),
        optimisticUpdate: { transaction, _ in try transaction.connection("todos").append("Todo:\(id)") },
        update: { transaction, data in
          try transaction.connection("todos").append("Todo:\(data.createTodo?.id ?? "")")
        }, idMapping: \.createTodo?.id)
      try await client.enqueue(
        RenameTodo(id: id, text: "b"),
        optimisticUpdate: { transaction, mutation in
          try transaction.updateObject(ofType: Todo.self, withKey: "Todo:\(mutation.id)") { $0.text = mutation.text }
        })
      #expect(try await client.store.texts() == ["b"])
      let seen = Locked<[[String]]>([])
      let watcher = client.watch(query: TodosQuery(), cachePolicy: .returnCacheDataDontFetch, callbackQueue: .global())
      { result in
        if let todos = try? result.get().data?.todos { seen.withLock { $0.append(todos.map(\.text)) } }
      }
      server.plan(.success, .held)
      await client.outbox.resume()
      try await eventually("the change is under way") { server.heldCount == 1 }
      #expect(try await client.store.texts() == ["b"])
      server.release()
      try await client.outbox.flush()
      await client.store.waitUntilTold()
      #expect(try await client.store.texts() == ["b"])
      // A watcher never sees the list without the object, nor the name from before.
      #expect(seen.withLock { Set($0) } == [["b"]])
      watcher.cancel()
    }

    @Test(
      "A text is a temporary id only if it has the form of one",
      arguments: ["local:7", "local:", "x", "local:ZZZZZZZZ-0000-0000-0000-000000000000"])
    func form(text: String) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      _ = try await client.enqueue(CreateTodo(text: text)).value
      #expect(server.texts == [text])
      let error = await #expect(throws: OperationError.self) {
        try await client.enqueue(CreateTodo(text: "a"), localID: text)
      }
      #expect(error?.code == .invalidRequest && error?.message.contains("makeLocalID") == true)
    }

    @Test("All temporary ids in a text are replaced, and what comes in their place stays as it is")
    func texts() {
      let first = Outbox.makeLocalID(), second = Outbox.makeLocalID(), unknown = Outbox.makeLocalID()
      var ids = LocalIDs()
      ids.set("x\(second)", for: first)
      ids.set("2", for: second)
      #expect(ids.resolved("\(first)|\(second)|\(unknown)|\(first)") == "x\(second)|2|\(unknown)|x\(second)")
      #expect(ids.resolved("local:\(second)é") == "local:2é")
      #expect(ids.resolved(unknown) == unknown)
      #expect(LocalIDs.all(in: "\(first)\(second)\(first)".utf8) == [first, second])
    }

    @Test("Ids of the server may be any text")
    func hostileID() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let id = Outbox.makeLocalID(), hostile = #"a"b\c{é🚀}"#
      server.add(hostile, "old")
      server.plan(.body(#"{"data":{"createTodo":{"__typename":"Todo","id":"a\"b\\c{é🚀}","text":"a"}}}"#))
      _ = try await Self.create(client, id)
      #expect(try await Self.rename(client, id, text: "b").value.data?.renameTodo?.id == hostile)
    }
  }
}
