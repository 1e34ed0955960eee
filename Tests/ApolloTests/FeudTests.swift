@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

// `{ current { id url } }` and `{ current { id editors } }`: each answer names another object than the one before, so each
// answer takes from the other query what it had. Reported of Apollo Client as issues 6760 and 7114, of current versions,
// suggestions and advertisements.

private struct URLOfCurrent: GraphQLQuery {
  static let operationName = "URLOfCurrent"
  static let operationDocument = OperationDocument("query URLOfCurrent { current { __typename id url } }")

  struct Version: SelectionSet, Hashable {
    var id: String
    var url: String
    static let __fields = __FieldTable(version: 3, "__typename id!# url")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      _ = try object.typename()
      id = try object.read(1)
      url = try object.read(2)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(1, id)
      writer.write(2, url)
    }
  }

  struct Data: SelectionSet, Hashable {
    var current: Version
    static let __fields = __FieldTable(version: 1, "current")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { current = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, current) }
  }
}

private struct EditorsOfCurrent: GraphQLQuery {
  static let operationName = "EditorsOfCurrent"
  static let operationDocument = OperationDocument("query EditorsOfCurrent { current { __typename id editors } }")

  struct Version: SelectionSet, Hashable {
    var id: String
    var editors: Int
    static let __fields = __FieldTable(version: 3, "__typename id!# editors")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      _ = try object.typename()
      id = try object.read(1)
      editors = try object.read(2)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(1, id)
      writer.write(2, editors)
    }
  }

  struct Data: SelectionSet, Hashable {
    var current: Version
    static let __fields = __FieldTable(version: 1, "current")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { current = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, current) }
  }
}

@Suite("Watchers that make each other's data incomplete", .timeLimit(.minutes(5)))
struct FeudTests {
  /// The seconds that watchers want to wait, which they do until a test says so.
  private final class Pauses: Sendable {
    let asked = Awaited<[Double]>([])
    private let waiting = Awaited<[CheckedContinuation<Void, Never>]>([])

    func sleep(_ seconds: Double) async {
      asked.change { $0.append(seconds) }
      await withCheckedContinuation { continuation in waiting.change { $0.append(continuation) } }
    }

    /// Ends the oldest pause.
    func end() async throws { try await waiting.take { $0.isEmpty ? nil : $0.removeFirst() }.resume() }

    /// Ends the oldest pause, if there is one.
    func endOne() async throws {
      waiting.change { all in if !all.isEmpty { all.removeFirst().resume() } }
    }

    func endAll() {
      waiting.change { all in
        for one in all { one.resume() }; all = []
      }
    }
  }

  /// Answers with another object each time.
  private static func client(_ delay: Duration = .zero) -> (client: ApolloClient, server: FakeServer, Pauses) {
    let (client, server) = FakeServer.client { operation, count in
      if delay > .zero { try await Task.sleep(for: delay) }
      let field = operation == "URLOfCurrent" ? #""url":"u\#(count)""# : #""editors":\#(count)"#
      return #"{"data":{"current":{"__typename":"Version","id":"\#(count)",\#(field)}}}"#
    }
    let pauses = Pauses()
    client.activeQueries.clock = SleepFunction { await pauses.sleep($0) }
    return (client, server, pauses)
  }

  private static func settle(_ client: ApolloClient) async { for _ in 0..<10 { await client.settle() } }

  /// Two watchers, the second of which begins when the first has its data.
  private static func watch(_ client: ApolloClient) async -> [any Cancellable] {
    let urls = Received<Result<GraphQLResult<URLOfCurrent.Data>, any Error>>()
    let first = client.watch(query: URLOfCurrent(), callbackQueue: .callbacks) { urls.add($0) }
    _ = await urls.next()
    return [first, client.watch(query: EditorsOfCurrent(), callbackQueue: .callbacks) { _ in }]
  }

  @Test(
    "They ask at most four times after the last change that is not theirs, and then once in each growing pause",
    arguments: [0, 20, 100])
  func feud(milliseconds: Int) async throws {
    let (client, server, pauses) = Self.client(.milliseconds(milliseconds))
    let watchers = await Self.watch(client)
    try await pauses.asked.until { !$0.isEmpty }
    await Self.settle(client)
    #expect(server.count <= 2 + 4)
    for _ in 0..<6 {
      let (before, asked) = (server.count, pauses.asked.value.count)
      try await pauses.end()
      try await pauses.asked.until { $0.count > asked }
      await Self.settle(client)
      #expect(server.count == before + 1)
    }
    #expect(pauses.asked.value == [1, 1, 2, 2, 4, 4, 8])
    // A warning was logged of these two, and no other will be.
    let isFirst = client.store.engine.observers.withLock { $0.isFirstFeud("EditorsOfCurrent", "URLOfCurrent") }
    #expect(isFirst == false)
    let warning = GraphQLQueryWatcher<URLOfCurrent>.feudWarning(with: "EditorsOfCurrent", "QUERY_ROOT.current")
    #expect(
      warning.contains("The watchers of URLOfCurrent and EditorsOfCurrent") && warning.contains("'QUERY_ROOT.current'"))
    for watcher in watchers { watcher.cancel() }
    pauses.endAll()
  }

  @Test("Those that begin at one moment ask no more often", arguments: [0, 20, 100])
  func together(milliseconds: Int) async throws {
    let (client, server, pauses) = Self.client(.milliseconds(milliseconds))
    let seen = Awaited<Set<Int>>([])
    let first = client.watch(query: URLOfCurrent(), callbackQueue: .callbacks) { _ in seen.change { _ = $0.insert(1) } }
    let second = client.watch(query: EditorsOfCurrent(), callbackQueue: .callbacks) { _ in
      seen.change { _ = $0.insert(2) }
    }
    try await seen.until { $0.count == 2 }
    for _ in 0..<3 { await Self.settle(client) }
    #expect(server.count <= 2 + 4)
    first.cancel()
    second.cancel()
    pauses.endAll()
  }

  @Test("A change from outside is asked for at once, in the middle of a pause")
  func outside() async throws {
    let (client, server, pauses) = Self.client()
    let watchers = await Self.watch(client)
    try await pauses.asked.until { !$0.isEmpty }
    await Self.settle(client)
    for _ in 0..<3 {
      let (before, asked) = (server.count, pauses.asked.value.count)
      try await client.store.withinReadWriteTransaction { try $0.removeObject(for: "Version:\(before)") }
      try await pauses.asked.until { $0.count > asked }
      await Self.settle(client)
      #expect((1...4).contains(server.count - before))
      // What they know of the past is forgotten with it.
      #expect(pauses.asked.value.last == 1)
    }
    for watcher in watchers { watcher.cancel() }
    pauses.endAll()
  }

  @Test("What the app asks for does not count, and is never kept waiting")
  func refetches() async throws {
    let (client, server, pauses) = Self.client()
    let watchers = await Self.watch(client)
    let first = try #require(watchers.first as? GraphQLQueryWatcher<URLOfCurrent>)
    try await pauses.asked.until { !$0.isEmpty }
    await Self.settle(client)
    for _ in 0..<10 {
      let before = server.count
      first.refetch()
      await Self.settle(client)
      #expect((1...5).contains(server.count - before))
    }
    for watcher in watchers { watcher.cancel() }
    pauses.endAll()
  }

  @Test("Two that ask after each change stop, and have the newest data", arguments: [0, 20])
  func always(milliseconds: Int) async throws {
    let (client, server, pauses) = Self.client(.milliseconds(milliseconds))
    let seen = Locked<[Int: String]>([:])
    let watchers = (0..<2).map { number in
      client.watch(query: URLOfCurrent(), refetchPolicy: .always, callbackQueue: .callbacks) { result in
        if let url = try? result.get().data?.current.url { seen.withLock { $0[number] = url } }
      }
    }
    try await eventually { seen.withLock { $0.count } == 2 }
    for _ in 0..<5 { await Self.settle(client) }
    #expect(server.count <= 2 + 4)
    #expect(pauses.asked.value.isEmpty)
    #expect(seen.withLock { Set($0.values).count } == 1)
    for watcher in watchers { watcher.cancel() }
  }

  @Test(
    "Whatever happens: few requests for each change, and in the end all have the newest data",
    arguments: Effort.seeds(35))
  func random(seed: UInt64) async throws {
    var dice = Dice(seed)
    // Whether each answer names another object, and how often the server was changed.
    let server = Locked((isRestless: true, version: 0))
    let (client, requests) = FakeServer.client { operation, count in
      await Task.yield()
      let (isRestless, version) = server.withLock { $0 }
      let id = isRestless ? count : 0
      let field = operation == "URLOfCurrent" ? #""url":"u\#(version)""# : #""editors":\#(version)"#
      return #"{"data":{"current":{"__typename":"Version","id":"\#(id)",\#(field)}}}"#
    }
    let pauses = Pauses()
    client.activeQueries.clock = SleepFunction { await pauses.sleep($0) }
    let now = Locked(1_800_000_000.0)
    func wait(_ seconds: Double) {
      now.withLock { $0 += seconds }
      // (Its timers look at the clock when it is set.)
      client.store.clock = { Date(timeIntervalSince1970: now.withLock { $0 }) }
    }
    wait(0)
    if dice.roll(0...1) == 0 { client.store.defaultMaxAge = 60 }
    let count = dice.roll(2...4), seen = Locked<[Int: String]>([:])
    var watchers: [any ActiveQuery & Cancellable] = [], refreshing = 0
    for number in 0..<count {
      let policy: ApolloClient.WatchRefetchPolicy = dice.roll(0...2) == 0 ? .always : .onMiss
      let refreshes = dice.roll(0...1) == 0
      if refreshes { refreshing += 1 }
      if dice.roll(0...1) == 0 {
        watchers.append(
          client.watch(
            query: URLOfCurrent(), refetchPolicy: policy, automaticallyRefreshOnExpiry: refreshes,
            callbackQueue: .callbacks
          ) { result in
            if let url = try? result.get().data?.current.url { seen.withLock { $0[number] = url } }
          })
      } else {
        watchers.append(
          client.watch(
            query: EditorsOfCurrent(), refetchPolicy: policy, automaticallyRefreshOnExpiry: refreshes,
            callbackQueue: .callbacks
          ) { result in
            if let editors = try? result.get().data?.current.editors { seen.withLock { $0[number] = "u\(editors)" } }
          })
      }
      if dice.roll(0...1) == 0 { await Self.settle(client) }
    }
    await Self.settle(client)
    for _ in 0..<12 {
      let before = requests.count
      // (What a watcher asks for because its data is too old is a change for the others.)
      var changes = 1
      server.withLock { $0.version += 1 }
      switch dice.roll(0...4) {
      case 0: try await client.store.withinReadWriteTransaction { try $0.removeObjects(matching: "Version:*") }
      case 1: try await client.store.clearCache()
      case 2: _ = await watchers[dice.roll(0...(count - 1))].sendAgain()?.value
      case 3:
        wait(61)
        changes += refreshing
      default: try await pauses.endOne()
      }
      await Self.settle(client)
      // Each asks once for the change, and twice for what the others have made of it.
      #expect(requests.count - before <= changes * (3 * count + 1), "seed \(seed)")
    }
    // Now each answer names the same object, so all can have what they want.
    server.withLock { $0 = (false, $0.version + 1) }
    try await client.store.clearCache()
    for _ in 0..<20 {
      await Self.settle(client)
      pauses.endAll()
    }
    await Self.settle(client)
    let newest = "u\(server.withLock { $0.version })"
    #expect(seen.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, newest) }), "seed \(seed)")
    for watcher in watchers { watcher.cancel() }
    pauses.endAll()
  }
}

/// Random numbers that are the same for one seed.
private struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int((state >> 33) % UInt64(range.count))
  }
}
