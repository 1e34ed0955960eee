@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

// By behaviour: urql's `store/data.test.ts` ("commutative changes") and `cacheExchange.test.ts` ("commutativity").

@Suite("Results in the order of sending", .everyStyle, .timeLimit(.minutes(5)))
struct SendingOrderTests {
  typealias Way = HeldServer.Way
  private static let ways: [Way] = [.chain, .responseTransport]

  /// A request that a test has begun, and that waits for its answer.
  private struct Sent {
    let task: Task<String?, any Error>
    let request: CheckedContinuation<String, any Error>

    /// Answers it, and waits until the answer is in the cache.
    func answer(_ body: String) async throws {
      request.resume(returning: body)
      _ = try await task.value
    }
  }

  private static func query(
    _ server: HeldServer, _ query: HeroQuery = HeroQuery(), _ configuration: RequestConfiguration? = nil
  ) async throws -> Sent {
    let client = server.client
    let task = Task {
      try await client.fetch(
        query: query, cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration
      ).data?.hero?.name
    }
    return Sent(task: task, request: try await server.request("Hero"))
  }

  private static func mutation(_ server: HeldServer) async throws -> Sent {
    let client = server.client
    let task = Task { try await client.perform(mutation: RenameMutation()).data?.rename.name as String? }
    return Sent(task: task, request: try await server.request("Rename"))
  }

  private static func name(_ server: HeldServer) async throws -> String? {
    try await server.client.store.load(HeroQuery()).hero?.name
  }

  @Test("The answer to an earlier query does not undo what a mutation has changed", arguments: ways)
  func mutationAfterQuery(way: Way) async throws {
    let server = HeldServer(way)
    let query = try await Self.query(server), mutation = try await Self.mutation(server)
    try await mutation.answer(hero("renamed", field: "rename"))
    try await query.answer(hero("old"))
    #expect(try await query.task.value == "old")
    #expect(try await Self.name(server) == "renamed")
  }

  @Test("The answer to a later query counts, whenever it comes", arguments: ways)
  func queries(way: Way) async throws {
    for isInOrder in [true, false] {
      let server = HeldServer(way)
      let first = try await Self.query(server), second = try await Self.query(server)
      try await (isInOrder ? first : second).answer(hero(isInOrder ? "first" : "second"))
      try await (isInOrder ? second : first).answer(hero(isInOrder ? "second" : "first"))
      #expect(try await Self.name(server) == "second")
      #expect(server.client.store.engine.sendingOrder.withLock { $0.written.isEmpty })
    }
  }

  @Test("The result of a mutation counts, though a query that was sent after it was answered before", arguments: ways)
  func queryAfterMutation(way: Way) async throws {
    let server = HeldServer(way)
    let mutation = try await Self.mutation(server), query = try await Self.query(server)
    try await query.answer(hero("old"))
    try await mutation.answer(hero("renamed", field: "rename"))
    #expect(try await Self.name(server) == "renamed")
    try await (Self.query(server)).answer(hero("new"))
    #expect(try await Self.name(server) == "new")
  }

  @Test(
    "Three at a time, in each order",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func three(order: [Int]) async throws {
    let server = HeldServer(.responseTransport)
    var sent: [Sent] = []
    for _ in 0..<3 { sent.append(try await Self.query(server)) }
    for index in order { try await sent[index].answer(hero("\(index)")) }
    #expect(try await Self.name(server) == "2")
  }

  @Test("What the later one has not written is taken from the earlier one", arguments: ways)
  func otherFields(way: Way) async throws {
    let server = HeldServer(way)
    let first = try await Self.query(server, HeroQuery(episode: "JEDI")), second = try await Self.query(server)
    try await second.answer(hero("new"))
    try await first.answer(hero("old"))
    #expect(try await Self.name(server) == "new")
    let jedi = try await server.client.store.load(HeroQuery(episode: "JEDI"))
    #expect(jedi.hero?.name == "new")
  }

  @Test("A later operation that failed, or was refused, protects nothing", arguments: ways, [true, false])
  func failure(way: Way, isRefused: Bool) async throws {
    let server = HeldServer(way)
    let query = try await Self.query(server), mutation = try await Self.mutation(server)
    if isRefused {
      try await mutation.answer(#"{"data":null,"errors":[{"message":"no","path":["rename"]}]}"#)
    } else {
      mutation.request.resume(throwing: URLError(.networkConnectionLost))
      await #expect(throws: (any Error).self) { try await mutation.task.value }
    }
    try await query.answer(hero("answer"))
    #expect(try await Self.name(server) == "answer")
  }

  @Test("An earlier operation that is cancelled is not waited for", arguments: ways)
  func cancellation(way: Way) async throws {
    let server = HeldServer(way)
    let first = try await Self.query(server), second = try await Self.query(server)
    first.task.cancel()
    first.request.resume(throwing: CancellationError())
    _ = try? await first.task.value
    try await second.answer(hero("second"))
    #expect(server.client.store.engine.sendingOrder.withLock { $0.written.isEmpty })
    let third = try await Self.query(server)
    try await third.answer(hero("third"))
    #expect(try await Self.name(server) == "third")
  }

  @Test("A field that is left is not told to watchers, and does not become newer", arguments: ways)
  func watchersAndDates(way: Way) async throws {
    let server = HeldServer(way), store = server.client.store, seconds = Locked(1000.0)
    store.clock = { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    let query = try await Self.query(server), mutation = try await Self.mutation(server)
    try await mutation.answer(hero("renamed", field: "rename"))
    let names = Received<String?>()
    let watcher = server.client.watchFragment(Hero.self, withKey: "Droid:2001", callbackQueue: .callbacks) {
      names.add($0?.name)
    }
    #expect(await names.next() == "renamed")
    seconds.withLock { $0 = 2000 }
    try await query.answer(hero("old"))
    #expect(await names.isQuiet(after: server.client))
    let record = try await store.withinReadTransaction {
      try $0.readOnlyCache.loadRecords(forKeys: ["Droid:2001"])["Droid:2001"]
    }
    #expect(record?.cachedField(for: "name")?.writtenAt == 1000)
    watcher.cancel()
  }

  @Test("A watcher whose request was sent earlier shows what is in the cache", arguments: ways)
  func watcher(way: Way) async throws {
    let server = HeldServer(way), names = Received<String?>()
    let watcher = server.client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    let request = try await server.request("Hero"), mutation = try await Self.mutation(server)
    try await mutation.answer(hero("renamed", field: "rename"))
    request.resume(returning: hero("old"))
    #expect(await names.next() == "renamed")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test("What is sent again counts as sent then")
  func retry() async throws {
    let server = HeldServer(.responseTransport, retry: .init(maxRetries: 1, retryRule: .transientFailures))
    let client = server.client, repeatable = RequestConfiguration(isRepeatable: true)
    let first = Task { try await client.perform(mutation: RenameMutation(), requestConfiguration: repeatable) }
    let request = try await server.request("Rename"), second = try await Self.mutation(server)
    let query = try await Self.query(server)
    request.resume(throwing: URLError(.networkConnectionLost))
    let again = try await server.request("Rename")
    try await second.answer(hero("second", field: "rename"))
    again.resume(returning: hero("first", field: "rename"))
    _ = try await first.value
    try await query.answer(hero("old"))
    #expect(try await Self.name(server) == "first")
    #expect(client.store.engine.sendingOrder.withLock { $0.written.isEmpty })
  }

  @Test(
    "So does what the transport sends again; its first report may be about the first time",
    arguments: [
      ([.active], "renamed"), ([.pending, .active], "renamed"), ([.active, .finished(.completed)], "renamed"),
      ([.reconnecting(attempt: 1, delay: .zero), .active], "new"), ([.active, .active], "new"),
      ([.paused, .active], "new"),
    ] as [([SubscriptionState], String)])
  func sentAgain(states: [SubscriptionState], wanted: String) async throws {
    let server = HeldServer(.responseTransport)
    let query = try await Self.query(server), mutation = try await Self.mutation(server)
    try await mutation.answer(hero("renamed", field: "rename"))
    try server.report("Hero", states)
    try await query.answer(hero("new"))
    #expect(try await Self.name(server) == wanted)
    try await eventually { server.client.store.engine.sendingOrder.withLock { $0.written.isEmpty } }
  }

  @Test("What a mutation changes counts, though its result is not written", arguments: Way.allCases, [true, false])
  func unwrittenResult(way: Way, publishes: Bool) async throws {
    let server = HeldServer(way), client = server.client, store = client.store
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: ResponseBytes(Array(hero("old").utf8)), variables: HeroQuery().variables,
      rootKey: "QUERY_ROOT")
    try await store.write(response: ResponseBytes(Array(hero("old").utf8)), for: HeroQuery())
    let query = store.beginSending(.query)
    let configuration = RequestConfiguration(writeResultsToCache: publishes ? false : nil)
    let mutation = Task {
      try await client.perform(
        mutation: RenameMutation(),
        update: { transaction, data in
          try transaction.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = data.rename.name }
        }, publishResultToStore: publishes, requestConfiguration: configuration)
    }
    try await server.answer("Rename", hero("renamed", field: "rename"))
    #expect(try await mutation.value.cacheInfo.error == nil)
    #expect(await store.publish(try #require(contents.records), sent: query) == nil)
    #expect(try await Self.name(server) == "renamed")
  }

  @Test("It can be switched off", arguments: ways)
  func off(way: Way) async throws {
    let server = HeldServer(way)
    server.client.store.appliesResultsInSendingOrder = false
    let query = try await Self.query(server), mutation = try await Self.mutation(server)
    try await mutation.answer(hero("renamed", field: "rename"))
    try await query.answer(hero("old"))
    #expect(try await Self.name(server) == "old")
  }

  @Test("A result that is written later, or by an interceptor of the app, keeps its place", arguments: ways)
  func laterWrites(way: Way) async throws {
    let server = HeldServer(way)
    let query = try await Self.query(server, HeroQuery(), RequestConfiguration(writesToCacheAsynchronously: true))
    let mutation = try await Self.mutation(server)
    try await mutation.answer(hero("renamed", field: "rename"))
    try await query.answer(hero("old"))
    try await server.client.store.withinReadWriteTransaction { _ in }
    #expect(try await Self.name(server) == "renamed")
    // The query is over a moment after its result was delivered.
    try await eventually { server.client.store.engine.sendingOrder.withLock { $0.written.isEmpty } }
  }

  @Test("Many at a time: what is remembered goes with the oldest")
  func memory() async throws {
    let server = HeldServer(.responseTransport), order = server.client.store.engine.sendingOrder
    let oldest = try await Self.query(server)
    for number in 0..<50 { try await Self.query(server).answer(hero("\(number)", id: "\(number % 10)")) }
    #expect(order.withLock { $0.written.fields.count } <= 60)
    try await oldest.answer(hero("oldest", id: "3"))
    #expect(order.withLock { $0.written.isEmpty })
    #expect(try await Self.name(server) == "49")
  }
}
