@testable import ApolloOperations
@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Results that are delivered before they are in the cache", .everyStyle, .timeLimit(.minutes(5)))
struct AsynchronousWriteTests {
  private let asynchronous = RequestConfiguration(writesToCacheAsynchronously: true)

  /// A transaction that keeps its turn until it is told to end. All writes wait for it.
  private struct Held {
    private let task: Task<Void, any Error>
    private let end: AsyncStream<Void>.Continuation

    init(in store: ApolloStore) async {
      let (began, ended) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
      end = ended.continuation
      task = Task {
        try await store.withinReadWriteTransaction { _ in
          began.continuation.finish()
          for await _ in ended.stream {}
        }
      }
      for await _ in began.stream {}
    }

    func release() async throws {
      end.finish()
      try await task.value
    }
  }

  private func fetch(
    _ client: ApolloClient, _ configuration: RequestConfiguration
  ) async throws -> GraphQLResult<HeroQuery.Data> {
    try await client.fetch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration)
  }

  @Test("They do not wait for a write that goes on, and are written after it, in their order")
  func order() async throws {
    let shelf = Shelf()
    let (client, _) = FakeServer.client(cache: shelf) { _, count in hero("name \(count)") }
    let held = await Held(in: client.store)
    #expect(try await fetch(client, asynchronous).data?.hero?.name == "name 1")
    #expect(try await fetch(client, asynchronous).data?.hero?.name == "name 2")
    await #expect(throws: (any Error).self) { try await client.store.load(HeroQuery()) }
    try await held.release()
    try await client.store.withinReadWriteTransaction { _ in }
    #expect(try await client.store.load(HeroQuery()).hero?.name == "name 2")
    #expect(shelf.name("Droid:2001") == "name 2")
  }

  @Test("Other watchers are told; a watcher's own requests are written before they are delivered")
  func watchers() async throws {
    let (client, server) = FakeServer.client { _, count in hero("name \(count)") }
    // Whether the write was still held back when a name came.
    let names = Received<(name: String?, isHeld: Bool)>(), isHeld = Locked(false)
    let watcher = client.watch(query: HeroQuery(), requestConfiguration: asynchronous, callbackQueue: .callbacks) {
      names.add(((try? $0.get())?.data?.hero?.name, isHeld.withLock { $0 }))
    }
    #expect(await names.next()?.name == "name 1")
    _ = try await fetch(client, asynchronous)
    #expect(await names.next()?.name == "name 2")
    let held = await Held(in: client.store)
    isHeld.withLock { $0 = true }
    watcher.refetch()
    try await eventually { server.count == 3 }
    // Another one, which is written nowhere, comes behind it.
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
    isHeld.withLock { $0 = false }
    try await held.release()
    let third = try #require(await names.next())
    #expect(third.name == "name 3" && !third.isHeld)
    #expect(try await client.store.load(HeroQuery()).hero?.name == "name 3")
    watcher.cancel()
  }

  /// A backend that takes nothing.
  private final class Broken: NormalizedCache, Sendable {
    struct Failure: Error {}

    func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] { [:] }
    func merge(records: RecordSet) throws -> Set<CacheKey> { throw Failure() }
    func removeRecord(for key: CacheKey) {}
    func removeRecords(matching pattern: CacheKey) {}
    func clear() {}
  }

  @Test("What a backend throws is in no result, and the data is in memory all the same")
  func failure() async throws {
    let (client, _) = FakeServer.client(cache: Broken()) { _, count in hero("name \(count)") }
    #expect(try await fetch(client, RequestConfiguration()).cacheInfo.error is Broken.Failure)
    #expect(try await fetch(client, asynchronous).cacheInfo.error == nil)
    try await client.store.withinReadWriteTransaction { _ in }
    #expect(try await client.store.load(HeroQuery()).hero?.name == "name 2")
  }

  @Test("Records that an interceptor of the app has read are written later as well")
  func ownRecords() async throws {
    let store = ApolloStore()
    let answer = OperationPipeline.Answer(
      result: GraphQLResult<HeroQuery.Data>(data: nil, source: .server),
      records: .own(["Droid:2001": ["__typename": "Droid"]]))
    let held = await Held(in: store)
    #expect(
      await OperationPipeline(store: store).write(answer, origin: nil, asynchronous.writeRules, OperationOptions())
        .error == nil)
    #expect(store.keys.isEmpty)
    try await held.release()
    try await store.withinReadWriteTransaction { _ in }
    #expect(store.keys == ["Droid:2001"])
  }
}

@Suite("When requests were sent and answered", .everyStyle)
struct RequestTimeTests {
  /// A second passes each time that it is read.
  private static func client(_ transport: some NetworkTransport) -> ApolloClient {
    let client = ApolloClient(networkTransport: transport, store: ApolloStore()), seconds = Locked(0.0)
    client.store.clock = {
      Date(
        timeIntervalSince1970: seconds.withLock { seconds in
          seconds += 1
          return seconds
        })
    }
    return client
  }

  /// Answers in place of a network.
  private struct Answering: HTTPInterceptor {
    func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
      let response = HTTPURLResponse(
        url: request.url!, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "application/json"])
      return ChunkedHTTPResponse(response: response!, body: Data(hero().utf8))
    }
  }

  private final class Canned: ResponseTransport {
    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      try await receive(TransportResponse(Data(hero().utf8)))
    }
  }

  enum Way: CaseIterable { case chain, transport }

  @Test("The times of the network and of the cache are in cacheInfo, one after the other", arguments: Way.allCases)
  func times(_ way: Way) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.httpInterceptors = [Answering()]
    let client =
      switch way {
      case .chain:
        Self.client(
          RequestChainNetworkTransport(
            interceptorProvider: DefaultInterceptorProvider(store: ApolloStore(), options: options),
            endpointURL: URL(string: "http://localhost:1")!))
      case .transport: Self.client(Canned())
      }
    let sent = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).cacheInfo
    #expect(try #require(sent.networkStart) < #require(sent.networkEnd))
    #expect(sent.cacheStart == nil && sent.cacheEnd == nil)
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataElseFetch)
    #expect(cached.source == .cache)
    #expect(try #require(cached.cacheInfo.cacheStart) < #require(cached.cacheInfo.cacheEnd))
    #expect(try #require(sent.networkEnd) < #require(cached.cacheInfo.cacheStart))
    #expect(cached.cacheInfo.networkStart == nil && cached.cacheInfo.networkEnd == nil)
  }

  @Test("A clock that goes back makes an end before its start, and nothing worse")
  func backwards() async throws {
    let client = Self.client(Canned()), seconds = Locked(1_000.0)
    client.store.clock = {
      Date(
        timeIntervalSince1970: seconds.withLock { seconds in
          seconds -= 1
          return seconds
        })
    }
    let info = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).cacheInfo
    #expect(try #require(info.networkStart) > #require(info.networkEnd))
  }
}
