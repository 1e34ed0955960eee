@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

// By behaviour: Apollo Client's `refetchQueries.ts`, the polling cases of `ObservableQuery.ts`, and its event-based
// refetching of 4.2.

@Suite("Queries that are sent again", .timeLimit(.minutes(5)))
struct RefetchTests {
  private static func watch(
    _ client: ApolloClient, _ query: HeroQuery = HeroQuery(), _ configuration: RequestConfiguration? = nil,
    policy: CachePolicy = .default, interval: Double? = nil
  ) -> (names: Received<String?>, watcher: GraphQLQueryWatcher<HeroQuery>) {
    let names = Received<String?>()
    let watcher = client.watch(
      query: query, cachePolicy: policy, requestConfiguration: configuration, pollInterval: interval,
      callbackQueue: .callbacks
    ) { names.add((try? $0.get())?.data?.hero?.name) }
    return (names, watcher)
  }

  private static func numbered() -> (client: ApolloClient, server: FakeServer) {
    FakeServer.client { name, count in hero("name \(count)", field: name == "Rename" ? "rename" : "hero") }
  }

  // MARK: By what they are

  static let targets: [ApolloClient.RefetchTarget] = [
    .type(HeroQuery.self), .named("Hero"), .reading("Droid:2001"), .query(HeroQuery()), .watched,
  ]

  @Test("A watched query is sent again, by each way to name it", arguments: targets.indices)
  func matching(index: Int) async throws {
    let (client, server) = Self.numbered(), (names, watcher) = Self.watch(client)
    #expect(await names.next() == "name 1")
    #expect(await client.refetch(matching: Self.targets[index]) == 1)
    #expect(await names.next() == "name 2")
    #expect(server.count == 2)
    watcher.cancel()
  }

  @Test("What listens in place of a watched query notes that it would be sent", arguments: targets.indices)
  func listening(index: Int) async throws {
    let (client, server) = Self.numbered()
    let same = SignOutListener(client, of: HeroQuery()) {}, none = SignOutListener(client) {}
    let other = SignOutListener(client, of: IdentifiedQuery()) {}
    client.activeQueries.send([Self.targets[index]])
    #expect(same.hasMissedEvent && !none.hasMissedEvent && server.count == 0)
    // (The other query has the same name, and it is not known what it reads.)
    #expect(other.hasMissedEvent == [1, 2, 4].contains(index))
    #expect(client.post("mine") == 0)
  }

  @Test("What does not match is not sent")
  func notMatching() async throws {
    let (client, server) = Self.numbered(), (names, watcher) = Self.watch(client)
    #expect(await names.next() == "name 1")
    let others: [ApolloClient.RefetchTarget] = [
      .type(IdentifiedQuery.self), .named("hero"), .named(""), .reading("Droid:2"), .reading("unknown"),
    ]
    for other in others { #expect(await client.refetch(matching: other) == 0) }
    #expect(await client.refetch() == 0)
    #expect(server.count == 1)
    watcher.cancel()
  }

  @Test("Equal queries are sent once, however many watchers they have and however often they are named")
  func deduplication() async throws {
    let (client, server) = Self.numbered()
    let (first, a) = Self.watch(client)
    #expect(await first.next() == "name 1")
    let (second, b) = Self.watch(client)
    #expect(await second.next() == "name 1")
    #expect(await client.refetch(matching: .watched, .named("Hero"), .query(HeroQuery())) == 1)
    #expect(await first.next() == "name 2")
    #expect(await second.next() == "name 2")
    #expect(server.count == 2)
    #expect(await client.refetch(matching: .query(HeroQuery(episode: "JEDI")), .query(HeroQuery(episode: "JEDI"))) == 1)
    #expect(server.count == 3)
    a.cancel()
    b.cancel()
  }

  @Test("A watcher that was cancelled or released is not asked for")
  func ended() async throws {
    let (client, server) = Self.numbered()
    do {
      let (names, watcher) = Self.watch(client)
      #expect(await names.next() == "name 1")
      watcher.cancel()
      #expect(await client.refetch(matching: .watched) == 0)
      let (again, released) = Self.watch(client)
      #expect(await again.next() == "name 1")
      withExtendedLifetime(released) {}
    }
    // What has delivered a result may hold the watcher for a moment.
    try await eventually { client.activeQueries.all.isEmpty }
    #expect(await client.refetch(matching: .watched) == 0)
    #expect(server.count == 1)
  }

  @Test("With a completion")
  func completion() async throws {
    let (client, server) = Self.numbered()
    let count = await withCheckedContinuation { done in
      client.refetch(matching: [.query(HeroQuery())]) { done.resume(returning: $0) }
    }
    #expect(count == 1 && server.count == 1)
    #expect(try await client.store.load(HeroQuery()).hero?.name == "name 1")
  }

  // MARK: After a mutation

  @Test(
    "After a mutation, once, and only if it has data", arguments: OptimisticMutationTests.Style.allCases, [true, false])
  func afterMutation(style: OptimisticMutationTests.Style, succeeds: Bool) async throws {
    let (client, server) = FakeServer.client { name, count in
      if name == "Rename", !succeeds { return #"{"data":null,"errors":[{"message":"no"}]}"# }
      return hero("name \(count)", field: name == "Rename" ? "rename" : "hero", id: name == "Rename" ? "7" : "2001")
    }
    let (names, watcher) = Self.watch(client)
    #expect(await names.next() == "name 1")
    switch style {
    case .waiting:
      try await client.perform(mutation: RenameMutation(), refetchQueries: [.named("Hero"), .watched])
    case .callback:
      client.perform(mutation: RenameMutation(), refetchQueries: [.named("Hero"), .watched], queue: .global())
    }
    if succeeds { #expect(await names.next() == "name 3") }
    #expect(await names.isQuiet(after: client))
    #expect(server.count == (succeeds ? 3 : 2))
    watcher.cancel()
  }

  // MARK: After events

  @Test("After the events that a query names, or that the app says yes to")
  func events() async throws {
    let (client, server) = Self.numbered()
    let (named, a) = Self.watch(client, HeroQuery(), RequestConfiguration(refetchesOn: [.networkRestored, "account"]))
    #expect(await named.next() == "name 1")
    let asked = Locked<[ApolloClient.RefetchEvent]>([])
    let condition = RequestConfiguration.RefetchCondition.when { event in
      asked.withLock { $0.append(event) }
      return event.name.hasPrefix("yes")
    }
    let (free, b) = Self.watch(client, HeroQuery(episode: "JEDI"), RequestConfiguration(refetchesOn: condition))
    #expect(await free.next() == "name 2")
    _ = await named.next()
    #expect(client.post("other") == 0)
    #expect(client.post("account") == 1)
    #expect(await named.next() == "name 3")
    #expect(client.post("yes!") == 1)
    #expect(client.post(.foreground) == 0)
    #expect(asked.withLock { $0 } == ["other", "account", "yes!", .foreground])
    try await eventually { server.count == 4 }
    a.cancel()
    b.cancel()
    #expect(client.post("account") == 0)
  }

  @Test("A watcher that is made while an event is told hears it as well, and so does a listener")
  func meanwhile() async throws {
    let (client, server) = Self.numbered()
    let watchers = Locked<[GraphQLQueryWatcher<HeroQuery>]>([]), listeners = Locked<[SignOutListener]>([])
    let first = SignOutListener(
      client,
      refetchesOn: .when { _ in
        let watcher = Self.idleWatcher(
          client,
          .when { _ in
            listeners.withLock { $0.append(SignOutListener(client, refetchesOn: ["mine"]) {}) }
            return true
          })
        watchers.withLock { $0.append(watcher) }
        return true
      }
    ) {}
    #expect(client.post("mine") == 1)
    #expect(first.hasMissedEvent && listeners.withLock { $0.map(\.hasMissedEvent) } == [true])
    try await eventually { server.count == 1 }
    for watcher in watchers.withLock({ $0 }) { watcher.cancel() }
  }

  /// A watcher that has not been started.
  private static func idleWatcher(
    _ client: ApolloClient, _ condition: RequestConfiguration.RefetchCondition
  ) -> GraphQLQueryWatcher<HeroQuery> {
    GraphQLQueryWatcher(
      client: client, query: HeroQuery(), requestConfiguration: RequestConfiguration(refetchesOn: condition),
      callbackQueue: .callbacks
    ) { _ in }
  }

  @Test("What the system says of the app is an event")
  func system() async throws {
    let (client, _) = Self.numbered(), center = NotificationCenter()
    client.activeQueries.listenToSystem(center)
    let (names, watcher) = Self.watch(client, HeroQuery(), RequestConfiguration(refetchesOn: [.foreground]))
    #expect(await names.next() == "name 1")
    center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    #expect(client.activeQueries.isInBackground)
    center.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
    #expect(!client.activeQueries.isInBackground)
    #expect(await names.next() == .some("name 2"))
    watcher.cancel()
  }

  @Test("A client's default holds for all of its watchers")
  func defaults() async throws {
    let store = ApolloStore(), server = FakeServer(store: store) { _, count in hero("name \(count)") }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: server, endpointURL: URL(string: "http://localhost/graphql")!),
      store: store, defaultRequestConfiguration: RequestConfiguration(refetchesOn: ["mine"]))
    let (names, watcher) = Self.watch(client)
    #expect(await names.next() == "name 1")
    #expect(client.post("mine") == 1)
    #expect(await names.next() == "name 2")
    watcher.cancel()
  }

  // MARK: Polling

  /// A clock that a test moves: each wait of the watchers is one tick.
  private struct Ticks {
    let waits = Awaited<[Double]>([])
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ client: ApolloClient) {
      (stream, continuation) = AsyncStream<Void>.makeStream()
      let stream = stream, waits = waits
      client.activeQueries.clock = SleepFunction { seconds in
        waits.change { $0.append(seconds) }
        for await _ in stream { return }
        throw CancellationError()
      }
    }

    /// Lets a wait end, when the next one has begun.
    func tick() async throws {
      let count = waits.value.count
      continuation.yield()
      try await waits.until { $0.count > count }
    }
  }

  @Test("It is sent again and again, not quite regularly, until it is cancelled")
  func polling() async throws {
    let (client, server) = Self.numbered(), ticks = Ticks(client)
    let (names, watcher) = Self.watch(client, interval: 30)
    #expect(await names.next() == "name 1")
    for number in 2...6 {
      // (While a request is under way, nothing is sent.)
      await client.settle()
      try await ticks.tick()
      #expect(await names.next() == "name \(number)")
    }
    let waits = ticks.waits.value
    #expect(waits.allSatisfy { $0 >= 27 && $0 <= 33 } && Set(waits).count > 1)
    watcher.cancel()
    #expect(server.count == 6)
  }

  @Test("Nothing is sent in the background, nor while a request is under way")
  func pauses() async throws {
    let server = HeldServer(.chain), client = server.client, ticks = Ticks(client)
    let (names, watcher) = Self.watch(client, interval: 30)
    try await server.until(waitingCount: 1)
    try await ticks.tick()
    #expect(server.waitingCount == 1)
    try await server.answer("Hero", hero("first"))
    #expect(await names.next() == "first")
    await client.settle()
    client.post(.background)
    try await ticks.tick()
    #expect(server.waitingCount == 0)
    client.post(.foreground)
    try await ticks.tick()
    try await server.answer("Hero", hero("second"))
    #expect(await names.next() == "second")
    watcher.cancel()
  }

  @Test("Nothing is sent while a sequence is not iterated")
  func nobodyListens() async throws {
    let (client, server) = Self.numbered(), ticks = Ticks(client)
    let results = client.watch(query: HeroQuery(), pollInterval: 30)
    try await eventually { server.count == 1 }
    await client.store.waitUntilTold()
    for _ in 0..<3 { try await ticks.tick() }
    #expect(server.count == 1)
    let iterator = results.makeAsyncIterator()
    #expect(try await iterator.next()?.data?.hero?.name == "name 1")
    await client.settle()
    try await ticks.tick()
    #expect(try await iterator.next()?.data?.hero?.name == "name 2")
    results.cancel()
  }

  @Test(
    "A watcher that reads the cache alone sends nothing by itself, and an interval that is none is an error",
    arguments: [-1, 0, Double.nan])
  func noPolling(interval: Double) async throws {
    let (client, server) = Self.numbered(), ticks = Ticks(client)
    let (names, watcher) = Self.watch(
      client, HeroQuery(), RequestConfiguration(refetchesOn: ["mine"]), policy: .returnCacheDataDontFetch, interval: 30)
    #expect(await names.next() == .some(nil))
    try await ticks.tick()
    #expect(client.post("mine") == 0)
    #expect(server.count == 0)
    watcher.cancel()
    await #expect(throws: OperationError.self) {
      for try await _ in client.watch(query: HeroQuery(), pollInterval: interval) {}
    }
  }

  @Test("What a watcher sends by itself is not stored if its own results are not")
  func notStored() async throws {
    let (client, _) = Self.numbered(), ticks = Ticks(client)
    let (names, watcher) = Self.watch(
      client, HeroQuery(), RequestConfiguration(refetchesOn: ["mine"]), policy: .fetchIgnoringCacheCompletely,
      interval: 30)
    #expect(await names.next() == "name 1")
    await client.settle()
    try await ticks.tick()
    #expect(await names.next() == "name 2")
    #expect(client.post("mine") == 1)
    #expect(await names.next() == "name 3")
    #expect(await client.refetch(matching: .watched) == 1)
    #expect(await names.next() == "name 4")
    #expect(client.store.keys.isEmpty)
    watcher.cancel()
  }

  @Test("An interval that was chosen holds for later requests, whatever the configuration says")
  func chosenInterval() async throws {
    let (client, _) = Self.numbered(), ticks = Ticks(client)
    let (names, watcher) = Self.watch(client, interval: 30)
    #expect(await names.next() == "name 1")
    watcher.poll(every: 0)
    watcher.refetch()
    #expect(await names.next() == "name 2")
    #expect(watcher.state.withLock { $0.polling == nil })
    #expect(ticks.waits.value.allSatisfy { $0 >= 27 && $0 <= 33 })
    watcher.cancel()
  }

  @Test("A sequence that was cancelled sends no other query")
  func cancelledSequence() {
    let (client, _) = Self.numbered()
    let results = client.watch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    results.cancel()
    results.setQuery(HeroQuery(episode: "JEDI"), cachePolicy: .returnCacheDataDontFetch)
    #expect(client.activeQueries.all.isEmpty)
  }

  // MARK: Before it is needed

  @Test("What was loaded before is there, and is kept from collections")
  func prefetch() async throws {
    let (client, server) = Self.numbered()
    let retention = client.prefetch(query: HeroQuery())
    try await eventually { client.store.keys.contains("Droid:2001") }
    client.prefetch(query: HeroQuery())
    try await client.store.collectGarbage()
    #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "name 1")
    #expect(server.count == 1)
    retention.release()
  }
}
