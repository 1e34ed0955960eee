@testable import Apollo
import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("A request that one watcher sends for all of its query", .timeLimit(.minutes(5)))
struct SharedRequestTests {
  /// How all watchers are asked.
  enum Way: CaseIterable { case event, call }

  private func watch(
    _ client: ApolloClient, _ texts: Received<String>, _ policy: ErrorPolicy = .inherited
  ) -> GraphQLQueryWatcher<HeroQuery> {
    client.watch(
      query: HeroQuery(), requestConfiguration: RequestConfiguration(refetchesOn: ["mine"], errorPolicy: policy),
      refetchPolicy: .never, callbackQueue: .callbacks
    ) { result in
      switch result {
      case .success(let result) where result.data != nil: texts.add(result.data?.hero?.name ?? "nothing")
      case .success: texts.add("no data")
      case .failure: texts.add("failure")
      }
    }
  }

  private func ask(_ client: ApolloClient, _ way: Way) -> Task<Int, Never> {
    Task {
      if way == .event { return client.post("mine") }
      return await client.refetch(matching: .watched)
    }
  }

  @Test("If its watcher is cancelled, the next one sends it", arguments: Way.allCases)
  func cancelled(way: Way) async throws {
    let server = HeldServer(.chain), client = server.client
    let first = Received<String>(), second = Received<String>()
    let a = watch(client, first)
    try await server.answer("Hero", hero("one"))
    #expect(await first.next() == "one")
    let b = watch(client, second)
    #expect(await second.next() == "one")
    await client.settle()
    let count = ask(client, way)
    try await server.until(waitingCount: 1)
    a.cancel()
    try await server.until(waitingCount: 2)
    try await server.request("Hero", at: 1).resume(returning: hero("two"))
    #expect(await second.next() == "two")
    #expect(await count.value == 1)
    try await server.answer("Hero", hero("late"))
    b.cancel()
  }

  @Test("If its watcher is released, it is not kept for that, and the next one sends it", arguments: Way.allCases)
  func released(way: Way) async throws {
    let server = HeldServer(.chain), client = server.client
    let first = Received<String>(), second = Received<String>()
    var a: GraphQLQueryWatcher<HeroQuery>? = watch(client, first)
    try await server.answer("Hero", hero("one"))
    #expect(await first.next() == "one")
    let b = watch(client, second)
    #expect(await second.next() == "one")
    await client.settle()
    let count = ask(client, way)
    try await server.until(waitingCount: 1)
    withExtendedLifetime(a) {}
    a = nil
    try await server.until(waitingCount: 2)
    try await server.request("Hero", at: 1).resume(returning: hero("two"))
    #expect(await second.next() == "two")
    #expect(await count.value == 1)
    try await server.answer("Hero", hero("late"))
    b.cancel()
  }

  @Test("If it fails, each of the others sends it, so that all are told", arguments: Way.allCases)
  func failed(way: Way) async throws {
    let server = HeldServer(.chain), client = server.client
    let texts = (0..<3).map { _ in Received<String>() }
    var watchers = [watch(client, texts[0])]
    try await server.answer("Hero", hero("one"))
    #expect(await texts[0].next() == "one")
    for text in texts[1...] {
      watchers.append(watch(client, text))
      #expect(await text.next() == "one")
    }
    await client.settle()
    let count = ask(client, way)
    try await server.fail("Hero")
    #expect(await texts[0].next() == "failure")
    try await server.until(waitingCount: 2)
    for _ in 0..<2 { try await server.fail("Hero") }
    for text in texts[1...] { #expect(await text.next() == "failure") }
    #expect(await count.value == 1)
    await client.settle()
    #expect(texts.allSatisfy { $0.count == 0 } && server.waitingCount == 0)
    for watcher in watchers { watcher.cancel() }
  }

  @Test("If its answer has no data, all are told")
  func withoutData() async throws {
    let (client, server) = FakeServer.client { _, count in
      count == 1 ? hero("one") : #"{"data":null,"errors":[{"message":"closed"}]}"#
    }
    let first = Received<String>(), second = Received<String>()
    let a = watch(client, first)
    #expect(await first.next() == "one")
    let b = watch(client, second)
    #expect(await second.next() == "one")
    await client.settle()
    #expect(await client.refetch(matching: .watched) == 1)
    #expect(await first.next() == "no data")
    #expect(await second.next() == "no data")
    #expect(server.count == 3)
    a.cancel()
    b.cancel()
  }

  @Test("If its watcher may have no errors, the others have the data that they may have", arguments: Way.allCases)
  func unstored(way: Way) async throws {
    let (client, server) = FakeServer.client { _, count in
      count == 1 ? hero("one") : #"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero"]}]}"#
    }
    let first = Received<String>(), second = Received<String>()
    let a = watch(client, first, .none)
    #expect(await first.next() == "one")
    let b = watch(client, second)
    #expect(await second.next() == "one")
    await client.settle()
    let count = ask(client, way)
    #expect(await first.next() == "failure")
    #expect(await second.next() == "nothing")
    #expect(await count.value == 1 && server.count == 3)
    a.cancel()
    b.cancel()
  }

  @Test("If another request of its watcher takes its place, that one is for all", arguments: Way.allCases)
  func replaced(way: Way) async throws {
    let server = HeldServer(.chain), client = server.client
    let first = Received<String>(), second = Received<String>()
    let a = watch(client, first)
    try await server.answer("Hero", hero("one"))
    #expect(await first.next() == "one")
    let b = watch(client, second)
    #expect(await second.next() == "one")
    await client.settle()
    let count = ask(client, way)
    try await server.until(waitingCount: 1)
    let again = ask(client, way)
    try await server.until(waitingCount: 2)
    try await server.request("Hero", at: 1).resume(returning: hero("two"))
    #expect(await first.next() == "two")
    #expect(await second.next() == "two")
    #expect(await count.value == 1)
    #expect(await again.value == 1)
    await client.settle()
    #expect(server.waitingCount == 1, "the first one")
    try await server.answer("Hero", hero("late"))
    a.cancel()
    b.cancel()
  }

  @Test("A query that is named is not sent once more if its watcher has asked meanwhile")
  func namedAndReplaced() async throws {
    let server = HeldServer(.chain), client = server.client, texts = Received<String>()
    let watcher = watch(client, texts)
    try await server.answer("Hero", hero("one"))
    #expect(await texts.next() == "one")
    await client.settle()
    let count = Task { await client.refetch(matching: .query(HeroQuery())) }
    try await server.until(waitingCount: 1)
    watcher.refetch()
    try await server.until(waitingCount: 2)
    try await server.request("Hero", at: 1).resume(returning: hero("two"))
    #expect(await texts.next() == "two")
    #expect(await count.value == 1 && server.waitingCount == 1)
    try await server.answer("Hero", hero("late"))
    watcher.cancel()
  }

  @Test("A query that is named is sent, although its only watcher is cancelled meanwhile")
  func named() async throws {
    let server = HeldServer(.chain), client = server.client, texts = Received<String>()
    let watcher = watch(client, texts)
    try await server.answer("Hero", hero("one"))
    #expect(await texts.next() == "one")
    await client.settle()
    let count = Task { await client.refetch(matching: .query(HeroQuery())) }
    try await server.until(waitingCount: 1)
    watcher.cancel()
    try await server.until(waitingCount: 2)
    try await server.request("Hero", at: 1).resume(returning: hero("two"))
    #expect(await count.value == 1)
    #expect(try await client.store.load(HeroQuery()).hero?.name == "two")
    try await server.answer("Hero", hero("late"))
  }

  @Test("A completion is called on the main queue, unless told otherwise")
  func mainQueue() async throws {
    let (client, _) = FakeServer.client { _, _ in hero("one") }
    let refetch = await isOnMain { done in
      client.refetch(matching: [.query(HeroQuery())]) { _ in done() }
    }
    let apply = await isOnMain { done in
      client.store.applyOptimisticUpdate(id: "a") { _ in
      } completion: { _ in
        done()
      }
    }
    let revert = await isOnMain { done in client.store.revertOptimisticUpdate(id: "a") { _ in done() } }
    #expect(refetch && apply && revert)
    let elsewhere = await isOnMain { done in
      client.refetch(matching: [.query(HeroQuery())], callbackQueue: .callbacks) { _ in done() }
    }
    #expect(!elsewhere)
  }

  /// Marks the main queue. (On Linux its blocks may run on any thread.)
  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether a completion is called on the main queue.
  private func isOnMain(_ start: (_ done: @escaping @Sendable () -> Void) -> Void) async -> Bool {
    await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let key = Self.mainQueue
      start { continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true) }
    }
  }
}
