import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("The policies of release 2", .everyStyle)
struct QueryPolicyTests {
  /// A client whose cache has the hero of the first answer, and its server, which has another one for each request.
  private func started() async throws -> (client: ApolloClient, server: FakeServer) {
    let (client, server) = FakeServer.client { _, count in hero("\(count)") }
    _ = try await client.fetch(query: HeroQuery())
    return (client, server)
  }

  private typealias HeroResult = Result<GraphQLResult<HeroQuery.Data>, any Error>

  private func names(_ results: [HeroResult?]) -> [String?] { results.map { (try? $0?.get())?.data?.hero?.name } }

  @Test("async fetch returns one result, one or none, or a sequence, by the type of the policy")
  func asyncFetch() async throws {
    let (client, server) = try await started()
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheFirst).data?.hero?.name == "1")
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly).data?.hero?.name == "2")
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)?.data?.hero?.name == "2")
    var both: [String?] = []
    for try await result in try client.fetch(query: HeroQuery(), cachePolicy: .cacheAndNetwork) {
      both.append(result.data?.hero?.name)
    }
    #expect(both == ["2", "3"])
    try await client.store.clearCache()
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) == nil)
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .default).data?.hero?.name == "4")
    #expect(server.count == 4)
  }

  @Test("A callback gets one result, or two")
  func callbacks() async throws {
    let (client, server) = try await started()
    let results = Received<HeroResult>()
    client.fetch(query: HeroQuery(), cachePolicy: .cacheFirst, queue: .global()) { results.add($0) }
    #expect(names([await results.next()]) == ["1"])
    client.fetch(query: HeroQuery(), cachePolicy: .networkOnly, queue: .global()) { results.add($0) }
    #expect(names([await results.next()]) == ["2"])
    let policy: CachePolicy.Query.SingleResponse = .networkFirst
    client.fetch(query: HeroQuery(), cachePolicy: policy, queue: .global()) { results.add($0) }
    #expect(names([await results.next()]) == ["3"])
    client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly, queue: .global()) { results.add($0) }
    #expect(names([await results.next()]) == ["3"])
    client.fetch(query: HeroQuery(), cachePolicy: .cacheAndNetwork, queue: .global()) { results.add($0) }
    #expect(names([await results.next(), await results.next()]) == ["3", "4"])
    #expect(server.count == 4)
  }

  @Test("A subscription begins with what the cache has of it, if its policy says so")
  func subscriptions() async throws {
    let (client, server) = FakeServer.client { _, count in #"{"data":{"count":\#(count)}}"# }
    func events(_ stream: SubscriptionStream<GraphQLResult<CountSubscription.Data>>) async throws -> [String] {
      var events: [String] = []
      for try await event in stream { events.append("\(event.data?.count ?? 0) \(event.source)") }
      return events
    }
    let subscription = CountSubscription()
    #expect(try await events(client.subscribe(subscription: subscription)) == ["1 server"])
    #expect(try await events(client.subscribe(subscription: subscription)) == ["1 cache", "2 server"])
    #expect(
      try await events(client.subscribe(subscription: subscription, cachePolicy: .networkOnly)) == ["3 server"])
    #expect(try await events(client.subscribe(to: subscription)) == ["4 server"])
    let anyClient: any ApolloClientProtocol = client
    #expect(try await events(anyClient.subscribe(subscription: subscription)) == ["4 cache", "5 server"])
    try await client.store.clearCache()
    #expect(try await events(client.subscribe(subscription: subscription)) == ["6 server"])
    #expect(server.count == 6)
  }

  @Test("A subscription is not active before the server has answered, whatever the cache has")
  func stateOfSubscription() async throws {
    let mayAnswer = Awaited(true)
    let (client, _) = FakeServer.client { _, count in
      try await mayAnswer.until { $0 }
      return #"{"data":{"count":\#(count)}}"#
    }
    for try await _ in client.subscribe(to: CountSubscription()) {}
    mayAnswer.change { $0 = false }
    let events = try client.subscribe(subscription: CountSubscription())
    var iterator = events.makeAsyncIterator()
    #expect(try await iterator.next()?.source == .cache)
    #expect(events.state == .pending)
    mayAnswer.change { $0 = true }
    #expect(try await iterator.next()?.source == .server)
  }

  @Test("A watcher begins with a fetch behavior")
  func watchingByBehavior() async throws {
    let (client, server) = try await started()
    let results = Received<HeroResult>()
    let watcher = client.watch(
      query: HeroQuery(), fetchBehavior: .CacheFirst, refetchOnFailedUpdates: false, callbackQueue: .global()
    ) { results.add($0) }
    #expect(names([await results.next()]) == ["1"])
    watcher.cancel()
    let other = client.watch(query: HeroQuery(), fetchBehavior: .NetworkOnly, callbackQueue: .global()) {
      results.add($0)
    }
    #expect(names([await results.next()]) == ["2"])
    #expect(!watcher.refetchOnFailedUpdates && other.refetchOnFailedUpdates && server.count == 2)
    other.cancel()
  }

  @Test("A watcher begins with the policy, and takes others")
  func watching() async throws {
    let (client, _) = try await started()
    let results = Received<HeroResult>()
    let watcher = client.watch(query: HeroQuery(), cachePolicy: .cacheOnly, callbackQueue: .global()) {
      results.add($0)
    }
    #expect(names([await results.next()]) == ["1"])
    watcher.refetch(cachePolicy: .networkOnly)
    #expect(names([await results.next()]) == ["2"])
    watcher.refetch()
    #expect(names([await results.next()]) == ["3"])
    watcher.cancel()
    var first: String?
    for try await result in client.watch(query: HeroQuery(), cachePolicy: .cacheFirst) {
      first = result.data?.hero?.name
      break
    }
    #expect(first == "3")
  }

  @Test("A callback gets what the cache has where the server does not answer, and else the error")
  func networkFirst() async throws {
    let (client, _) = FakeServer.client { _, count in
      if count > 1 { throw URLError(.notConnectedToInternet) }
      return hero()
    }
    _ = try await client.fetch(query: HeroQuery())
    let results = Received<HeroResult>()
    client.fetch(query: HeroQuery(), cachePolicy: .networkFirst, queue: .global()) { results.add($0) }
    let cached = try #require(await results.next()).get()
    #expect(cached.source == .cache)
    #expect(cached.cacheInfo.fetchError is URLError)
    try await client.store.clearCache()
    client.fetch(query: HeroQuery(), cachePolicy: .networkFirst, queue: .global()) { results.add($0) }
    let failed = try #require(await results.next())
    #expect(throws: URLError.self) { try failed.get() }
  }
}
