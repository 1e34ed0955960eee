@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Clearing the cache while operations are under way", .everyStyle, .timeLimit(.minutes(5)))
struct ClearingTests {
  typealias Way = HeldServer.Way

  /// What waits for its answer when the cache is cleared.
  enum Asking: CaseIterable {
    case query, queryWithCallback, cacheAndServer, asynchronousWrite, watcher, mutation, update, guess, subscription
  }

  /// What the callers were given.
  private typealias Given = Received<String?>

  private static func ask(_ asking: Asking, _ client: ApolloClient, _ given: Given) async throws -> [Any] {
    func task(_ body: @escaping @Sendable () async throws -> String?) -> [Any] {
      [Task { given.add(try? await body()) }]
    }
    switch asking {
    case .query:
      return task { try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).data?.hero?.name }
    case .cacheAndServer:
      return task {
        var name: String?
        for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
          name = result.data?.hero?.name
        }
        return name
      }
    case .queryWithCallback:
      return [
        client.fetch(query: HeroQuery(), queue: .callbacks) { given.add(try? $0.get().data?.hero?.name) }
      ]
    case .asynchronousWrite:
      let configuration = RequestConfiguration(writesToCacheAsynchronously: true)
      return task {
        try await client.fetch(query: HeroQuery(), requestConfiguration: configuration).data?.hero?.name
      }
    case .watcher:
      return [
        client.watch(query: HeroQuery(), refetchPolicy: .never, callbackQueue: .callbacks) {
          given.add(try? $0.get().data?.hero?.name)
        }
      ]
    case .mutation: return task { try await client.perform(mutation: RenameMutation()).data?.rename.name }
    case .update:
      return task {
        try await client.perform(
          mutation: RenameMutation(),
          update: { transaction, data in try transaction.write(selectionSet: data.rename, withKey: "Droid:9") }
        ).data?.rename.name
      }
    case .guess:
      return task {
        try await client.perform(
          mutation: RenameMutation(),
          optimisticUpdate: { transaction, _ in
            try transaction.write(selectionSet: Guessed(), withKey: "Droid:8")
          }
        ).data?.rename.name
      }
    case .subscription:
      return task {
        for try await event in client.subscribe(to: CountSubscription()) { return event.data.map { "\($0.count)" } }
        return nil
      }
    }
  }

  private static func name(_ asking: Asking) -> String {
    switch asking {
    case .mutation, .update, .guess: "Rename"
    case .subscription: "Count"
    default: "Hero"
    }
  }

  @Test("When clearing the cache of a client returns, nothing is left", arguments: [false, true])
  func waits(isErased: Bool) async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    for _ in 0..<50 {
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      if isErased {
        let any: any ApolloClientProtocol = client
        try await any.clearCache()
      } else {
        try await client.clearCache()
      }
      #expect(await client.store.read(HeroQuery(), .permissive).isHit == false)
    }
  }

  @Test("Their answers are given to their callers, and not written", arguments: Way.allCases, Asking.allCases)
  func answers(way: Way, asking: Asking) async throws {
    let server = HeldServer(way), client = server.client, given = Given()
    let held = try await Self.ask(asking, client, given)
    let request = try await server.request(Self.name(asking))
    try await client.store.clearCache()
    switch asking {
    case .mutation, .update, .guess: request.resume(returning: hero("old", field: "rename"))
    case .subscription: request.resume(returning: #"{"data":{"count":7}}"#)
    default: request.resume(returning: hero("old"))
    }
    #expect(await given.next() == (asking == .subscription ? "7" : "old"))
    try await client.store.flush()
    let memory = try #require(client.store.cache as? InMemoryNormalizedCache)
    #expect(memory.keys(after: nil, limit: 100).filter { $0.hasPrefix("Droid") || $0 == "QUERY_ROOT" } == [])
    let roots = memory.loadRecords(forKeys: ["SUBSCRIPTION_ROOT", "MUTATION_ROOT"])
    #expect(roots.values.flatMap { $0.fields.keys } == [])
    #expect(client.store.optimisticUpdates.isEmpty)
    withExtendedLifetime(held) {}
  }

  @Test("If a cache refuses to be cleared, the answers are written, and say so")
  func refused() async throws {
    let server = HeldServer(.responseTransport, cache: Refusing()), client = server.client
    let task = Task { try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) }
    let request = try await server.request("Hero")
    await #expect(throws: Refusing.Refusal.self) { try await client.store.clearCache() }
    request.resume(returning: hero("new"))
    #expect(try await task.value.isStored)
    #expect(try await client.store.load(HeroQuery()).hero?.name == "new")
  }

  /// A cache that cannot be cleared.
  private final class Refusing: NormalizedCache {
    struct Refusal: Error {}

    private let inner = InMemoryNormalizedCache()

    func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] { inner.loadRecords(forKeys: keys) }

    func merge(records: RecordSet) throws -> Set<CacheKey> { try inner.merge(records: records) }

    func removeRecord(for key: CacheKey) throws { try inner.removeRecord(for: key) }

    func removeRecords(matching pattern: CacheKey) throws { try inner.removeRecords(matching: pattern) }

    func clear() throws { throw Refusal() }
  }

  @Test(
    "A query that is asked for after it does not share the request of one before it", arguments: [Way.responseTransport]
  )
  func sharedRequest(way: Way) async throws {
    let server = HeldServer(way), client = server.client
    let configuration = RequestConfiguration(deduplicates: true)
    let first = Task {
      try await client.fetch(query: HeroQuery(), requestConfiguration: configuration).data?.hero?.name
    }
    let old = try await server.request("Hero")
    try await client.store.clearCache()
    let second = Task {
      try await client.fetch(query: HeroQuery(), requestConfiguration: configuration).data?.hero?.name
    }
    try await server.answer("Hero", hero("new"))
    old.resume(returning: hero("old"))
    #expect(try await first.value == "old")
    #expect(try await second.value == "new")
    #expect(try await client.store.load(HeroQuery()).hero?.name == "new")
  }

  @Test("A cache interceptor of an app that publishes the records itself writes none of them")
  func interceptorOfApp() async throws {
    let held = Locked<CheckedContinuation<Void, Never>?>(nil), asked = Received<Int>()
    var configuration = ApolloClient.Configuration(url: URL(string: "http://localhost/graphql")!)
    configuration.http.session = HeldSession {
      await withCheckedContinuation { continuation in
        held.withLock { $0 = continuation }
        asked.add(1)
      }
    }
    let session = configuration.http.session!
    let store = ApolloStore()
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        urlSession: session, interceptorProvider: Publishing(), store: store,
        endpointURL: URL(string: "http://localhost/graphql")!), store: store)
    for clears in [false, true] {
      let task = Task {
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).data?.hero?.name
      }
      _ = await asked.next()
      if clears { try await store.clearCache() }
      held.withLock { $0.take() }?.resume()
      #expect(try await task.value == "old")
      #expect((try? await store.load(HeroQuery()).hero?.name) == (clears ? nil : "old"))
    }
  }

  private struct Publishing: InterceptorProvider, CacheInterceptor {
    func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor { self }

    func readCacheData<Request: GraphQLRequest>(
      from store: ApolloStore, request: Request
    ) async throws -> GraphQLResult<Request.Operation.Data>? { nil }

    func writeCacheData<Request: GraphQLRequest>(
      to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
    ) async throws {
      if let records = response.cacheRecords { try await store.publish(records: records) }
    }
  }
}

private struct Guessed: SelectionSet {
  static let __fields = __FieldTable(version: 1, "__typename id!# name")

  init() {}

  init(__reading object: inout __ObjectReader) throws(__ReadError) {}

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "Droid")
    writer.write(1, "8")
    writer.write(2, "guess")
  }
}

/// A session whose answers wait for a test.
private struct HeldSession: ApolloURLSession {
  let wait: @Sendable () async -> Void

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    await wait()
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "application/json"])!
    return (ChunkedHTTPResponse.Chunks(Data(hero("old").utf8)), response)
  }
}
