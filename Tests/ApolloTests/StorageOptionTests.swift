import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

/// A backend that shows what it keeps.
final class Shelf: NormalizedCache, Sendable {
  private let state = Locked<[CacheKey: Record]>([:])

  var keys: Set<CacheKey> { state.withLock { Set($0.keys) } }
  func name(_ key: CacheKey) -> Record.Value? { state.withLock { $0[key]?["name"] } }

  func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    state.withLock { $0.filter { keys.contains($0.key) } }
  }

  func merge(records: RecordSet) -> Set<CacheKey> {
    state.withLock { state in
      var all = RecordSet(records: Array(state.values))
      let changed = all.merge(records: records)
      state = all.storage
      return changed
    }
  }

  func removeRecord(for key: CacheKey) { state.withLock { $0[key] = nil } }
  func removeRecords(matching pattern: CacheKey) { state.withLock { $0.removeAll() } }
  func clear() { state.withLock { $0.removeAll() } }
}

@Suite("Where the results of one request are stored", .everyStyle, .timeLimit(.minutes(5)))
struct StorageOptionTests {
  private let transient = RequestConfiguration(doNotStore: true)
  private let volatile = RequestConfiguration(memoryOnly: true)

  private func fetch(
    _ client: ApolloClient, _ policy: CachePolicy = .fetchIgnoringCacheData,
    _ configuration: RequestConfiguration? = nil
  ) async throws -> GraphQLResult<HeroQuery.Data> {
    try await client.fetch(query: HeroQuery(), cachePolicy: policy, requestConfiguration: configuration)
  }

  @Test("memoryOnly: read like all other data, and never in the backend")
  func memoryOnly() async throws {
    let shelf = Shelf()
    let (client, server) = FakeServer.client(cache: shelf) { _, count in hero("name \(count)") }
    _ = try await fetch(client, .default, volatile)
    #expect(shelf.keys.isEmpty)
    let cached = try await fetch(client, .returnCacheDataElseFetch)
    #expect(cached.source == .cache && cached.data?.hero?.name == "name 1")
    _ = try await client.store.collectGarbage()
    #expect(try await fetch(client, .returnCacheDataElseFetch).source == .cache)
    // In memory means: not for another store over the same backend.
    await #expect(throws: (any Error).self) { try await ApolloStore(cache: shelf).load(HeroQuery()) }
    // What was stored before does not stay there with an old value, and what comes after is stored again.
    _ = try await fetch(client)
    #expect(shelf.name("Droid:2001") == "name 2")
    _ = try await fetch(client, .fetchIgnoringCacheData, volatile)
    #expect(shelf.name("Droid:2001") == nil)
    #expect(try await fetch(client, .returnCacheDataElseFetch).data?.hero?.name == "name 3")
    _ = try await fetch(client)
    #expect(shelf.name("Droid:2001") == "name 4")
    #expect(server.count == 4)
  }

  @Test("doNotStore: not there for later reads, and gone with the next collection")
  func doNotStore() async throws {
    let shelf = Shelf()
    let (client, server) = FakeServer.client(cache: shelf) { _, count in hero("name \(count)") }
    let result = try await fetch(client, .default, transient)
    #expect(result.data?.hero?.name == "name 1")
    #expect(shelf.keys.isEmpty)
    await #expect(throws: (any Error).self) { try await client.store.load(HeroQuery()) }
    #expect(try await client.store.load(HeroQuery(), ttlEnforcement: .permissive).hero?.name == "name 1")
    try await client.store.collectGarbage()
    await #expect(throws: (any Error).self) {
      try await client.store.load(HeroQuery(), ttlEnforcement: .permissive)
    }
    #expect(try await fetch(client, .returnCacheDataElseFetch).source == .server)
    #expect(server.count == 2)
    #expect(shelf.name("Droid:2001") == "name 2")
  }

  @Test("doNotStore: watchers are told, and what they read stays as long as they do")
  func watched() async throws {
    let (client, _) = FakeServer.client(cache: Shelf()) { _, count in hero("name \(count)") }
    let names = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "name 1")
    _ = try await fetch(client, .fetchIgnoringCacheData, transient)
    #expect(await names.next() == "name 2")
    try await client.store.collectGarbage()
    #expect(await names.isQuiet(after: client))
    #expect(try await client.store.load(HeroQuery(), ttlEnforcement: .permissive).hero?.name == "name 2")
    watcher.cancel()
    try await client.store.collectGarbage()
    await #expect(throws: (any Error).self) {
      try await client.store.load(HeroQuery(), ttlEnforcement: .permissive)
    }
  }

  /// Answers with the result that has come.
  private struct Answering: ApolloInterceptor {
    let id = "answering"

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      if let result = response?.parsedResponse { completion(.success(result)) }
    }
  }

  private struct AnsweringProvider: InterceptorProvider {
    let server: FakeServer
    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      server.interceptors(for: operation) + [Answering()]
    }
  }

  @Test("A result with errors is written also where an interceptor behind that answers itself")
  func answeredBehind() async throws {
    let store = ApolloStore()
    let server = FakeServer(store: store) { _, _ in
      #"{"errors":[{"message":"down","path":["hero"]}],"data":{"hero":null}}"#
    }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: AnsweringProvider(server: server),
        endpointURL: try #require(URL(string: "http://localhost/graphql"))),
      store: store)
    #expect(try await fetch(client).errors?.count == 1)
    #expect(store.keys == ["QUERY_ROOT"])
  }

  @Test("A watcher delivers the answer to a request that is not stored, and not older data of the cache")
  func unstoredRefetch() async throws {
    let (client, _) = FakeServer.client { _, count in hero("name \(count)") }
    let names = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "name 1")
    watcher.refetch(requestConfiguration: RequestConfiguration(writeResultsToCache: false))
    #expect(await names.next() == "name 2")
    #expect(try await client.store.load(HeroQuery()).hero?.name == "name 1")
    watcher.cancel()
  }

  @Test("A watcher over a transport that stores nothing delivers its answers, whatever the cache has")
  func foreignTransport() async throws {
    let server = HeldServer(.foreign)
    try await server.client.store.write(response: ResponseBytes(Array(hero("old").restyled.utf8)), for: HeroQuery())
    let names = Received<String?>()
    let watcher = server.client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, callbackQueue: .callbacks
    ) { names.add((try? $0.get())?.data?.hero?.name) }
    try await server.answer("Hero", hero("new"))
    #expect(await names.next() == "new")
    watcher.cancel()
  }

  @Test("A watcher whose own requests are not stored delivers each of them once")
  func transientWatcher() async throws {
    let shelf = Shelf()
    let (client, server) = FakeServer.client(cache: shelf) { _, count in hero("name \(count)") }
    let names = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), requestConfiguration: transient, callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "name 1")
    watcher.refetch()
    #expect(await names.next() == "name 2")
    #expect(await names.isQuiet(after: client))
    #expect(server.count == 2 && shelf.keys.isEmpty)
    watcher.cancel()
  }

  @Test("writeResultsToCache: false, in contrast: nothing is in the cache, and watchers are not told")
  func notWritten() async throws {
    let (client, _) = FakeServer.client { _, count in hero("name \(count)") }
    let names = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "name 1")
    _ = try await fetch(client, .fetchIgnoringCacheData, RequestConfiguration(writeResultsToCache: false))
    #expect(await names.isQuiet(after: client))
    #expect(try await client.store.load(HeroQuery()).hero?.name == "name 1")
    watcher.cancel()
  }

  @Test("Both together are doNotStore; false is the same as nothing")
  func together() async throws {
    let shelf = Shelf()
    let (client, _) = FakeServer.client(cache: shelf) { _, count in hero("name \(count)") }
    _ = try await fetch(client, .default, RequestConfiguration(doNotStore: true, memoryOnly: true))
    await #expect(throws: (any Error).self) { try await client.store.load(HeroQuery()) }
    _ = try await fetch(client, .default, RequestConfiguration(doNotStore: false, memoryOnly: false))
    #expect(shelf.name("Droid:2001") == "name 2")
  }
}

/// A schema in which droids are deleted together with their crews.
private enum CrewSchema: SchemaMetadata {
  enum Configuration: SchemaConfiguration {}

  static let configuration: any SchemaConfiguration.Type = Configuration.self

  static func objectType(forTypename typename: String) -> Object? {
    Object(typename: typename, cascadingFields: typename == "Droid" ? ["crew"] : [])
  }
}

/// `{ hero { id name } }`, of a schema that the store does not know before.
private struct CrewQuery: GraphQLQuery {
  static let operationName = "Crew"
  static let operationDocument = OperationDocument("query Crew { hero { __typename id name height } }")

  struct Data: SelectionSet, Hashable {
    var hero: Hero?
    static let __fields = __FieldTable(version: 1, "hero")
    static var schema: (any SchemaMetadata.Type)? { CrewSchema.self }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }
}

@Suite("Deletion by what the schema of a response says", .everyStyle)
struct ResponseSchemaTests {
  @Test("The schema of a response counts for removals that follow", arguments: [false, true])
  func learning(_ hasResponse: Bool) async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    try await client.store.publish(records: [
      "Droid:2001": ["__typename": "Droid", "crew": .reference("Human:1")], "Human:1": ["__typename": "Human"],
    ])
    if hasResponse { _ = try await client.fetch(query: CrewQuery(), cachePolicy: .fetchIgnoringCacheData) }
    try await client.store.remove("Droid:2001")
    #expect(client.store.keys.contains("Human:1") == !hasResponse)
  }
}
