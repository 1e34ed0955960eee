import ApolloConcurrency
@testable import Apollo
import Foundation
import StyledTests
import Testing

// By behaviour: Relay's `…ExecuteMutation` and `…ApplyUpdate`, Apollo Client's `optimistic.ts`, Apollo Kotlin's
// `OptimisticCacheTest` (mutation and watcher), and urql's `cacheExchange` ("optimistic updates").

@Suite("Mutations with a guess", .everyStyle, .timeLimit(.minutes(5)))
struct OptimisticMutationTests {
  /// How the mutation is called for.
  enum Style: CaseIterable { case waiting, callback }

  typealias Outcome = Result<GraphQLResult<RenameMutation.Data>, any Error>

  /// A mutation that is under way.
  struct Running {
    let task: Task<Outcome, Never>
    let cancel: @Sendable () -> Void
  }

  static let data = data("guess")

  static func data(_ name: String, height: String = "null") -> RenameMutation.Data? {
    let hero = #"{"__typename":"Droid","id":"2001","name":"\#(name)","height":\#(height)}"#
    let response = ResponseBytes(Array(#"{"data":{"rename":\#(hero)}}"#.utf8))
    return try? ResponseReader.read(RenameMutation.Data.self, from: response).data
  }

  static func perform(
    _ style: Style, _ client: ApolloClient, data: RenameMutation.Data? = data,
    guess: ApolloClient.MutationGuess<RenameMutation>? = nil, id: String? = nil,
    update: ApolloClient.MutationUpdate<RenameMutation>? = nil, publishes: Bool = true,
    configuration: RequestConfiguration? = nil
  ) -> Running {
    switch style {
    case .waiting:
      let task = Task {
        do {
          return Outcome.success(
            try await client.perform(
              mutation: RenameMutation(), optimisticData: data, optimisticUpdate: guess, optimisticID: id,
              update: update, publishResultToStore: publishes, requestConfiguration: configuration))
        } catch {
          return .failure(error)
        }
      }
      return Running(task: task) { task.cancel() }
    case .callback:
      let (outcomes, continuation) = AsyncStream<Outcome>.makeStream()
      let cancellable = Handoff(
        client.perform(
          mutation: RenameMutation(), optimisticData: data, optimisticUpdate: guess, optimisticID: id, update: update,
          publishResultToStore: publishes, requestConfiguration: configuration, queue: .global()
        ) {
          continuation.yield($0)
          continuation.finish()
        })
      let task = Task<Outcome, Never> {
        for await outcome in outcomes { return outcome }
        return .failure(CancellationError())
      }
      return Running(task: task) {
        cancellable.value.cancel()
        continuation.finish()
      }
    }
  }

  /// A client whose cache has R2-D2, and a watcher of it.
  static func start(
    _ way: HeldServer.Way, cache: any NormalizedCache = InMemoryNormalizedCache()
  ) async throws -> (server: HeldServer, names: Received<String?>, watcher: any Cancellable) {
    let server = HeldServer(way, cache: cache), names = Received<String?>()
    try await server.client.store.write(response: ResponseBytes(Array(hero().utf8)), for: HeroQuery())
    // (A transport of an app answers queries as it likes, so it is not a query that is watched.)
    let watcher = server.client.watchFragment(Hero.self, withKey: "Droid:2001", callbackQueue: .callbacks) {
      names.add($0?.name)
    }
    #expect(await names.next() == "R2-D2")
    return (server, names, watcher)
  }

  private static func name(_ client: ApolloClient) async throws -> String? {
    try await client.store.load(HeroQuery()).hero?.name
  }

  @Test("A watcher sees the guess, and then the result", arguments: HeldServer.Way.allCases, Style.allCases)
  func guessAndResult(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(style, server.client)
    #expect(await names.next() == "guess")
    try await server.answer("Rename", hero("result", field: "rename"))
    #expect(try await running.task.value.get().data?.rename.name == "result")
    // A transport of an app that writes nothing leaves the cache as it was.
    let end = way == .foreign ? "R2-D2" : "result"
    #expect(await names.next() == end)
    #expect(try await Self.name(server.client) == end)
    #expect(server.client.store.optimisticUpdates.isEmpty)
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "A guess whose type is an interface is an error that says what to do, and nothing is sent",
    arguments: Style.allCases)
  func abstractType(style: Style) async throws {
    let server = HeldServer(.chain)
    var data = Self.data
    data?.rename.__typename = "Character"
    let outcome = await Self.perform(style, server.client, data: data).task.value
    let error = #expect(throws: OperationError.self) { try outcome.get() }
    #expect(error?.code == .invalidRequest)
    #expect(
      error?.message.contains(#"'rename' has the '__typename' "Character", which is an interface or a union."#) == true)
    #expect(server.client.store.optimisticUpdates.isEmpty && server.client.store.dump() == "")
  }

  @Test("A guess that was right is told once", arguments: [HeldServer.Way.chain, .responseTransport], Style.allCases)
  func rightGuess(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(
      style, server.client, data: Self.data("new", height: "0.96"))
    #expect(await names.next() == "new")
    try await server.answer("Rename", hero("new", field: "rename"))
    _ = try await running.task.value.get()
    #expect(try await Self.name(server.client) == "new")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "When it fails, the guess is gone before the caller hears of it", arguments: HeldServer.Way.allCases, Style.allCases
  )
  func failure(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(style, server.client)
    #expect(await names.next() == "guess")
    try await server.fail("Rename")
    await #expect(throws: (any Error).self) { try await running.task.value.get() }
    #expect(try await Self.name(server.client) == "R2-D2")
    #expect(await names.next() == "R2-D2")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "When the server refuses it, the guess is gone, and the errors are in the result",
    arguments: HeldServer.Way.allCases, Style.allCases)
  func refusal(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(style, server.client, update: { _, _ in _ = Issue.record("There is no data.") })
    #expect(await names.next() == "guess")
    try await server.answer("Rename", #"{"data":null,"errors":[{"message":"no"}]}"#)
    #expect(try await running.task.value.get().errors?.first?.message == "no")
    #expect(await names.next() == "R2-D2")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test("When it is cancelled, the guess is gone", arguments: HeldServer.Way.allCases, Style.allCases)
  func cancellation(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(style, server.client)
    #expect(await names.next() == "guess")
    let request = try await server.request("Rename")
    running.cancel()
    request.resume(throwing: CancellationError())
    #expect(await names.next() == "R2-D2")
    #expect(server.client.store.optimisticUpdates.isEmpty)
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test("When its deadline has passed, the guess is gone", arguments: [HeldServer.Way.chain, .foreign], Style.allCases)
  func deadline(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(style, server.client, configuration: RequestConfiguration(deadline: 0.05))
    #expect(await names.next() == "guess")
    #expect(await names.next() == "R2-D2")
    // (On a slow machine the time is over before the request is sent, if it is sent at all.)
    let late = Task { try await server.request("Rename").resume(throwing: CancellationError()) }
    defer { late.cancel() }
    await #expect(throws: (any Error).self) { try await running.task.value.get() }
    watcher.cancel()
  }

  @Test("What is written meanwhile is below the guess", arguments: HeldServer.Way.allCases)
  func writesMeanwhile(way: HeldServer.Way) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(
      .waiting, server.client, data: nil,
      guess: { transaction, _ in
        try transaction.update(query: HeroQuery()) { $0.hero?.name += "!" }
      })
    #expect(await names.next() == "R2-D2!")
    try await server.client.store.write(response: ResponseBytes(Array(hero("C-3PO").utf8)), for: HeroQuery())
    #expect(await names.next() == "C-3PO!")
    try await server.fail("Rename")
    await #expect(throws: (any Error).self) { try await running.task.value.get() }
    #expect(await names.next() == "C-3PO")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "Two mutations at a time: each guess stays until its own end",
    arguments: [HeldServer.Way.chain, .responseTransport], Style.allCases)
  func two(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    func append(_ text: String) -> ApolloClient.MutationGuess<RenameMutation> {
      { transaction, _ in try transaction.update(query: HeroQuery()) { $0.hero?.name += text } }
    }
    let first = Self.perform(style, server.client, data: nil, guess: append("1"))
    #expect(await names.next() == "R2-D21")
    let firstRequest = try await server.request("Rename")
    let second = Self.perform(style, server.client, data: nil, guess: append("2"))
    #expect(await names.next() == "R2-D212")
    let secondRequest = try await server.request("Rename")
    firstRequest.resume(returning: hero("one", field: "rename"))
    _ = try await first.task.value.get()
    #expect(await names.next() == "one2")
    secondRequest.resume(throwing: URLError(.notConnectedToInternet))
    _ = await second.task.value
    #expect(await names.next() == "one")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test("Guesses of one name replace each other; the end of the first does not end the second")
  func sameName() async throws {
    let (server, names, watcher) = try await Self.start(.chain)
    func set(_ name: String) -> ApolloClient.MutationGuess<RenameMutation> {
      { transaction, _ in try transaction.update(query: HeroQuery()) { $0.hero?.name = name } }
    }
    let first = Self.perform(.waiting, server.client, data: nil, guess: set("1"), id: "slider")
    #expect(await names.next() == "1")
    let firstRequest = try await server.request("Rename")
    let second = Self.perform(.waiting, server.client, data: nil, guess: set("2"), id: "slider")
    #expect(await names.next() == "2")
    #expect(server.client.store.optimisticUpdates == ["slider"])
    firstRequest.resume(returning: hero("one", field: "rename"))
    _ = await first.task.value
    #expect(await names.isQuiet(after: server.client))
    try await server.answer("Rename", hero("two", field: "rename"))
    _ = await second.task.value
    #expect(await names.next() == "two")
    watcher.cancel()
  }

  // MARK: With the real data

  @Test("`update` has the real data, in the commit of the result", arguments: HeldServer.Way.allCases, Style.allCases)
  func update(way: HeldServer.Way, style: Style) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(
      style, server.client,
      update: { transaction, data in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "updated by \(data.rename.name)" }
      })
    #expect(await names.next() == "guess")
    try await server.answer("Rename", hero("result", field: "rename"))
    #expect(try await running.task.value.get().cacheInfo.error == nil)
    #expect(await names.next() == "updated by result")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "What `update` throws is in the result, and it has changed nothing", arguments: HeldServer.Way.allCases,
    Style.allCases)
  func updateFails(way: HeldServer.Way, style: Style) async throws {
    struct Failure: Error {}
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(
      style, server.client, data: nil,
      update: { transaction, data in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "half" }
        throw Failure()
      })
    try await server.answer("Rename", hero("result", field: "rename"))
    let result = try await running.task.value.get()
    #expect(result.cacheInfo.error is Failure)
    #expect(result.data?.rename.name == "result")
    if way != .foreign { #expect(await names.next() == "result") }
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "A result that is not to be stored ends the guess, and `update` is called", arguments: HeldServer.Way.allCases,
    [nil, RequestConfiguration(writeResultsToCache: false), RequestConfiguration(writesToCacheAsynchronously: true)])
  func notStored(way: HeldServer.Way, configuration: RequestConfiguration?) async throws {
    let (server, names, watcher) = try await Self.start(way)
    let running = Self.perform(
      .waiting, server.client,
      update: { transaction, data in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "updated by \(data.rename.name)" }
      }, publishes: configuration != nil, configuration: configuration)
    #expect(await names.next() == "guess")
    try await server.answer("Rename", hero("result", field: "rename"))
    _ = try await running.task.value.get()
    #expect(await names.next() == "updated by result")
    #expect(server.client.store.optimisticUpdates.isEmpty)
    watcher.cancel()
  }

  /// Sends an operation again when it has failed, as transports of apps did before there were interceptors.
  private final class Retrying: RequestChainNetworkTransport, @unchecked Sendable {
    override func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      super.send(
        operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
        callbackQueue: callbackQueue
      ) { result in
        guard case .failure = result else { return completionHandler(result) }
        _ = super.send(
          operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
          callbackQueue: callbackQueue, completionHandler: completionHandler)
      }
    }
  }

  @Test("A transport of the app may send it again: the guess stays meanwhile, and the update runs once")
  func sentAgain() async throws {
    let store = ApolloStore(), names = Received<String?>(), updates = Locked(0)
    let server = FakeServer(store: store) { _, count in
      if count == 1 { throw URLError(.networkConnectionLost) }
      return hero("renamed", field: "rename")
    }
    let client = ApolloClient(
      networkTransport: Retrying(
        interceptorProvider: server, endpointURL: try #require(URL(string: "http://localhost/graphql"))),
      store: store)
    try await store.write(response: ResponseBytes(Array(hero().utf8)), for: HeroQuery())
    let watcher = client.watchFragment(Hero.self, withKey: "Droid:2001", callbackQueue: .callbacks) {
      names.add($0?.name)
    }
    #expect(await names.next() == "R2-D2")
    let running = Self.perform(.callback, client, update: { _, _ in updates.withLock { $0 += 1 } })
    _ = try await running.task.value.get()
    #expect(await names.next() == "guess")
    #expect(await names.next() == "renamed")
    #expect(updates.withLock { $0 } == 1 && server.count == 2)
    watcher.cancel()
  }
}

extension Received where Value: Equatable {
  /// Waits for a value, whatever comes before it.
  func contains(_ value: Value) async -> Bool {
    while let next = await next() { if next == value { return true } }
    return false
  }
}
