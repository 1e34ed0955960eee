@testable import ApolloCache
@testable import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Watchers", .everyStyle, .timeLimit(.minutes(5)))
struct WatcherTests {
  typealias Watched = Received<Result<GraphQLResult<HeroQuery.Data>, any Error>>

  let received = Watched()

  func watch(
    _ client: ApolloClient, _ query: HeroQuery = HeroQuery(), policy: CachePolicy = .default, refetches: Bool = true
  ) -> GraphQLQueryWatcher<HeroQuery> {
    let received = received
    return client.watch(
      query: query, cachePolicy: policy, refetchOnFailedUpdates: refetches, callbackQueue: .callbacks
    ) { received.add($0) }
  }

  func name() async -> String? { try? await received.next()?.get().data?.hero?.name }

  func write(_ client: ApolloClient, _ name: String, id: String = "2001", _ query: HeroQuery = HeroQuery()) async throws
  {
    try await client.store.write(response: ResponseBytes(Array(hero(name, id: id).restyled.utf8)), for: query)
  }

  @Test("Its own fetch is delivered once; of ten equal fetches by others, only the first is news")
  func ownFetch() async throws {
    let (client, server) = FakeServer.client { _, count in hero(count == 1 ? "R2-D2" : "Artoo") }
    let watcher = watch(client)
    #expect(await name() == "R2-D2")
    #expect(await received.isQuiet(after: client))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) }
      }
      try await group.waitForAll()
    }
    #expect(await name() == "Artoo")
    #expect(await received.isQuiet(after: client))
    #expect(server.count == 11)
    watcher.cancel()
  }

  @Test("A response that changes nothing is no news")
  func noChange() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    let watcher = watch(client)
    #expect(await name() == "R2-D2")
    try await write(client, "R2-D2")
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    #expect(await received.isQuiet(after: client))
    watcher.cancel()
  }

  @Test("The same field with other arguments is no news; the same object through it is, from the cache")
  func otherArguments() async throws {
    let (client, server) = FakeServer.client { _, _ in hero() }
    let watcher = watch(client)
    #expect(await name() == "R2-D2")
    try await write(client, "Luke", id: "1000", HeroQuery(episode: "EMPIRE"))
    #expect(await received.isQuiet(after: client))
    try await write(client, "Artoo", HeroQuery(episode: "JEDI"))
    let update = try await received.next()?.get()
    #expect(update?.data?.hero?.name == "Artoo")
    #expect(update?.source == .cache)
    #expect(server.count == 1)
    // Another hero: the watcher depends on the new one from now on, and no longer on the old one.
    try await write(client, "Luke", id: "1000")
    #expect(await name() == "Luke")
    try await write(client, "old", HeroQuery(episode: "JEDI"))
    #expect(await received.isQuiet(after: client))
    watcher.cancel()
  }

  @Test("One transaction is one update, however much it writes")
  func transaction() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    let watcher = watch(client)
    #expect(await name() == "R2-D2")
    try await client.store.withinReadWriteTransaction { transaction in
      for name in ["a", "b", "c"] { try transaction.update(query: HeroQuery()) { $0.hero?.name = name } }
    }
    #expect(await name() == "c")
    #expect(await received.isQuiet(after: client))
    watcher.cancel()
  }

  @Test("When the cache no longer has all of it, a watcher asks the server, unless it may not")
  func missing() async throws {
    for (policy, refetches, fetches) in [
      (CachePolicy.default, true, 2), (.default, false, 1), (.returnCacheDataDontFetch, true, 0),
    ] {
      let (client, server) = FakeServer.client { _, count in hero("\(count)") }
      try await write(client, "first")
      let watcher = watch(client, policy: policy, refetches: refetches)
      #expect(await name() == "first")
      try await client.store.withinReadWriteTransaction { try $0.removeField("height", of: "Droid:2001") }
      if fetches == 2 { #expect(await name() == "1") } else { #expect(await received.isQuiet(after: client)) }
      #expect(server.count == max(0, fetches - 1))
      watcher.cancel()
    }
  }

  @Test("A removed object and a cleared cache make it ask the server; another query fills it again", .asWritten)
  func removal() async throws {
    let (client, server) = FakeServer.client { _, count in hero("\(count)") }
    let watcher = watch(client)
    #expect(await name() == "1")
    try await client.store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001") }
    #expect(await name() == "2")
    try await client.store.clearCache()
    #expect(await name() == "3")
    #expect(server.count == 3)
    watcher.cancel()

    let quiet = watch(client, policy: .returnCacheDataDontFetch, refetches: false)
    #expect(await name() == "3")
    try await client.store.clearCache()
    try await write(client, "other")
    #expect(await name() == "other")
    #expect(server.count == 3)
    quiet.cancel()
  }

  @Test("A handler may write to the cache: the watcher is told again, and of each write once")
  func writesInHandler() async throws {
    let (client, server) = FakeServer.client { _, _ in hero("1") }
    let received = received
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) { result in
      received.add(result)
      guard let name = try? result.get().data?.hero?.name, let number = Int(name), number < 5 else { return }
      client.store.withinReadWriteTransaction({ transaction in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "\(number + 1)" }
      })
    }
    for number in 1...5 { #expect(await name() == "\(number)") }
    #expect(await received.isQuiet(after: client))
    #expect(server.count == 1, "a write of its own is no reason to ask the server")
    watcher.cancel()
  }

  @Test("While a watcher is told, no lock is held: a synchronous handler reads the store")
  func noLock() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    let store = client.store
    let watched = Received<String?>()
    let observer = store.addObserver(ignoring: UUID()) { _ in
      watched.add(try? await store.load(HeroQuery()).hero?.name)
    }
    await withCheckedContinuation { done in store.observe(HeroQuery(), for: observer) { _ in done.resume() } }
    try await write(client, "Artoo")
    #expect(await watched.next() == "Artoo")
    store.removeObserver(observer)
  }

  @Test("One that is released before its first result says so; one that has delivered, or was cancelled, does not")
  func releasedEarly() async throws {
    let server = HeldServer(.chain)
    let watcher = watch(server.client)
    #expect(watcher.earlyEnd?.hasPrefix("The watcher of Hero was released before its first result") == true)
    try await server.answer("Hero", hero())
    #expect(await name() == "R2-D2")
    #expect(watcher.earlyEnd == nil)
    let cancelled = watch(server.client, policy: .fetchIgnoringCacheData)
    cancelled.cancel()
    #expect(cancelled.earlyEnd == nil)
  }

  @Test("A watcher that nothing holds watches no more")
  func weaklyHeld() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    weak var released: GraphQLQueryWatcher<HeroQuery>?
    do {
      let watcher = watch(client)
      released = watcher
      #expect(await name() == "R2-D2")
    }
    try await eventually { released == nil }
    try await write(client, "Artoo")
    #expect(await received.isQuiet(after: client))
  }

  @Test("Cancelling a watcher cancels its fetch, and nothing is delivered any more")
  func cancel() async throws {
    let isCancelled = Received<Bool>(), hasStarted = Received<Bool>()
    let (client, _) = FakeServer.client { _, _ in
      hasStarted.add(true)
      do { try await untilCancelled() } catch { isCancelled.add(true) }
      return hero()
    }
    let watcher = watch(client)
    #expect(await hasStarted.next() == true)
    watcher.cancel()
    #expect(await isCancelled.next() == true)
    try await write(client, "Artoo")
    #expect(await received.isQuiet(after: client))
  }

  @Test("The sequence of a query ends with its task, and cancels what is under way")
  func sequence() async throws {
    let isCancelled = Received<Bool>(), hasStarted = Received<Bool>()
    let (client, _) = FakeServer.client { _, _ in
      hasStarted.add(true)
      do { try await untilCancelled() } catch { isCancelled.add(true) }
      return hero()
    }
    let task = Task {
      var count = 0
      for try await _ in client.watch(query: HeroQuery()) { count += 1 }
      return count
    }
    #expect(await hasStarted.next() == true)
    task.cancel()
    #expect(try await task.value == 0)
    #expect(await isCancelled.next() == true)
  }

  @Test("An error of its fetch is delivered, and it goes on watching")
  func failure() async throws {
    let (client, _) = FakeServer.client { _, _ in throw URLError(.notConnectedToInternet) }
    let watcher = watch(client)
    let failure = await received.next()
    #expect(throws: (any Error).self) { try failure?.get() }
    try await write(client, "Artoo")
    #expect(await name() == "Artoo")
    watcher.cancel()
  }

  @Test("A fragment of one object is watched by its key: it comes, changes, and goes")
  func fragment() async throws {
    let (client, server) = FakeServer.client { _, _ in hero() }
    let names = Received<String?>()
    let watcher = client.watchFragment(Hero.self, withKey: "Droid:2001", callbackQueue: .callbacks) {
      names.add($0?.name)
    }
    #expect(await names.next() == .some(nil))
    try await write(client, "R2-D2")
    #expect(await names.next() == "R2-D2")
    try await client.store.withinReadWriteTransaction {
      try $0.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = "Artoo" }
    }
    #expect(await names.next() == "Artoo")
    try await write(client, "Luke", id: "1000")
    #expect(await names.isQuiet(after: client), "another object is no news")
    try await client.store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001") }
    #expect(await names.next() == .some(nil))
    #expect(server.count == 0)
    watcher.cancel()
    try await write(client, "again")
    #expect(await names.isQuiet(after: client))
    var sequence = client.watchFragment(Hero.self, withKey: "Droid:2001").makeAsyncIterator()
    #expect(await sequence.next()??.name == "again")
  }
}

@Suite("What results say of the cache", .everyStyle)
struct CacheInfoTests {
  @Test("A result from the server, from the cache, and with what the cache has no value for")
  func info() async throws {
    let body =
      #"{"errors":[{"message":"secret","path":["hero","height"]}],"data":{"hero":{"__typename":"Droid","id":"1","name":"R2","height":null}}}"#
    let (client, server) = FakeServer.client { _, count in count == 1 ? hero() : body }
    let before = Date()
    let first = try await client.fetch(query: HeroQuery())
    #expect(first.source == .server)
    #expect(!first.cacheInfo.isHit && !first.cacheInfo.isPartial && first.cacheInfo.receivedAt == nil)
    let second = try await client.fetch(query: HeroQuery())
    #expect(second.source == .cache)
    #expect(second.cacheInfo.isHit && !second.cacheInfo.isPartial)
    let date = try #require(second.cacheInfo.receivedAt)
    #expect(date.timeIntervalSince(before) > -2 && date.timeIntervalSince(before) < 60)
    try await client.store.clearCache()
    _ = try await client.fetch(query: HeroQuery())
    let partial = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(partial.cacheInfo.isHit && partial.cacheInfo.isPartial)
    #expect(server.count == 2)
    // What the server could not tell is asked for again.
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataElseFetch)
    #expect(server.count == 3)
  }

  @Test("returnCacheDataAndFetch: a hit and an error of the server are both delivered")
  func cacheThenError() async throws {
    let (client, _) = FakeServer.client { _, count in
      if count > 1 { throw URLError(.notConnectedToInternet) }
      return hero()
    }
    _ = try await client.fetch(query: HeroQuery())
    var names: [String?] = []
    await #expect(throws: OperationError.self) {
      for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
        names.append(result.data?.hero?.name)
      }
    }
    #expect(names == ["R2-D2"])
  }
}

@Suite("A backend that throws", .everyStyle)
struct FailingBackendTests {
  struct Failure: Error {}

  /// Throws in some of its functions.
  final class Backend: NormalizedCache {
    enum Function { case load, merge, clear }
    let failing = Locked<Set<Function>>([])
    private let records = Locked(RecordSet())

    private func check(_ function: Function) throws {
      if failing.withLock({ $0.contains(function) }) { throw Failure() }
    }

    func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
      try check(.load)
      return records.withLock { records in records.storage.filter { keys.contains($0.key) } }
    }
    func merge(records new: RecordSet) throws -> Set<CacheKey> {
      try check(.merge)
      return records.withLock { $0.merge(records: new) }
    }
    func removeRecord(for key: CacheKey) { records.withLock { $0.removeRecord(for: key) } }
    func removeRecords(matching pattern: CacheKey) { records.withLock { $0.removeRecords(matching: pattern) } }
    func clear() throws {
      try check(.clear)
      records.withLock { $0.clear() }
    }
  }

  let backend = Backend()

  @Test("on merge: a watcher shows the guess over the answer, which is in memory")
  func watchUnderGuess() async throws {
    backend.failing.withLock { $0 = [.merge] }
    let (client, _) = FakeServer.client(cache: backend) { _, count in hero("name \(count)") }
    let names = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "name 1")
    try await client.store.applyOptimisticUpdate(id: "guess") {
      try $0.update(query: HeroQuery()) { $0.hero?.name = "guess" }
    }
    #expect(await names.next() == "guess")
    watcher.refetch()
    #expect(await names.next() == "guess")
    watcher.cancel()
  }

  @Test(
    "on load or merge: a fetch is answered by the server, and the result says what was thrown",
    arguments: [Backend.Function.load, .merge], [CachePolicy.returnCacheDataElseFetch, .returnCacheDataAndFetch])
  func fetch(function: Backend.Function, policy: CachePolicy) async throws {
    backend.failing.withLock { $0 = [function] }
    let (client, server) = FakeServer.client(cache: backend) { _, _ in hero() }
    var last: GraphQLResult<HeroQuery.Data>?
    for try await result in client.results(of: HeroQuery(), cachePolicy: policy) { last = result }
    #expect(last?.data?.hero?.name == "R2-D2")
    #expect(last?.source == .server)
    #expect(last?.cacheInfo.error is Failure)
    #expect(server.count == 1)
    // It is in memory all the same.
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(cached.data?.hero?.name == "R2-D2")
  }

  @Test("on load, where the server may not be asked: the error is what was thrown")
  func cacheOnly() async throws {
    backend.failing.withLock { $0 = [.load] }
    let (client, _) = FakeServer.client(cache: backend) { _, _ in hero() }
    let error = await #expect(throws: OperationError.self) {
      try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    }
    #expect(error?.cause is Failure)
    #expect(error?.operationName == "Hero")
  }

  @Test("on clear: the error is reported, and everything is still there")
  func clear() async throws {
    let (client, _) = FakeServer.client(cache: backend) { _, _ in hero() }
    _ = try await client.fetch(query: HeroQuery())
    backend.failing.withLock { $0 = [.clear] }
    let result: Result<Void, any Error> = await withCheckedContinuation { done in
      client.clearCache(callbackQueue: .callbacks) { done.resume(returning: $0) }
    }
    #expect(throws: Failure.self) { try result.get() }
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero != nil)
  }
}
