import Apollo
import Foundation
import StyledTests
import Testing

private struct Offline: Error {}

/// A hero of which the cache has all but the height, which may be null.
private let part = #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":"R2-D2"}}}"#

@Suite("Data of which the cache has a part", .everyStyle)
struct PartialDataTests {
  private let configuration = RequestConfiguration(returnsPartialData: true)

  /// A client whose cache has the hero without its height.
  private func client(_ answer: @escaping FakeServer.Answer) async throws -> (ApolloClient, FakeServer) {
    let (client, server) = FakeServer.client(answer)
    try await client.store.publish(records: [
      "QUERY_ROOT": ["hero": .reference("Droid:2001")],
      "Droid:2001": ["__typename": "Droid", "id": "2001", "name": "R2-D2"],
    ])
    return (client, server)
  }

  @Test("cacheOnly: what is missing is nil, and an error at its path says so")
  func cacheOnly() async throws {
    let (client, server) = try await client { _, _ in hero() }
    let result = try #require(
      try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly, requestConfiguration: configuration))
    #expect(result.data?.hero?.name == "R2-D2" && result.data?.hero?.height == nil)
    #expect(result.cacheInfo.isPartial && !result.cacheInfo.isHit)
    let error = try #require(result.errors?.first)
    #expect(error.path == ["hero", "height"])
    #expect(error.extensions?["code"] as? String == "CACHE_MISS")
    #expect(error.message == "The cache has no field 'height' of 'Droid:2001'.")
    #expect(result.errors?.count == 1)
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) == nil)
    #expect(server.count == 0)
  }

  @Test("A store gives a part if it is asked for one")
  func store() async throws {
    let (client, _) = try await client { _, _ in hero() }, store = client.store
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    let part = try await store.load(HeroQuery(), returnsPartialData: true)
    #expect(part.hero?.name == "R2-D2" && part.hero?.height == nil)
    let result = try await withCheckedThrowingContinuation { done in
      store.load(HeroQuery(), returnsPartialData: true) { done.resume(with: $0) }
    }
    #expect(result.errors?.map(\.path) == [["hero", "height"]] && result.cacheInfo.isPartial)
    #expect(result.data == part)
    await #expect(throws: ResponseDecodingError.self) {
      try await withCheckedThrowingContinuation { done in
        store.load(HeroQuery()) { done.resume(with: $0) }
      }
    }
  }

  @Test("What may not be null makes the nearest object nil that may; without one there is no data")
  func moving() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    try await client.store.publish(records: ["QUERY_ROOT": ["hero": .reference("Droid:2001")]])
    let lost = try #require(
      try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly, requestConfiguration: configuration))
    #expect(lost.data != nil && lost.data?.hero == nil)
    #expect(lost.errors?.map(\.path) == [["hero"]])
    try await client.store.publish(records: ["Droid:2001": ["__typename": "Droid", "id": "2001"]])
    let nameless = try #require(
      try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly, requestConfiguration: configuration))
    #expect(nameless.data != nil && nameless.data?.hero == nil)
    #expect(nameless.errors?.map(\.path) == [["hero", "name"]])
  }

  @Test("A query with one result asks the server, and gets the part only where that does not answer")
  func oneResult() async throws {
    let (client, server) = try await client { _, count in
      if count > 1 { throw Offline() }
      return hero("whole")
    }
    let whole = try await client.fetch(query: HeroQuery(), requestConfiguration: configuration)
    #expect(whole.source == .server)
    #expect(server.count == 1)
    try await client.store.withinReadWriteTransaction { try $0.removeField("height", of: "Droid:2001") }
    let fallback = try await client.fetch(
      query: HeroQuery(), cachePolicy: .networkFirst, requestConfiguration: configuration)
    #expect(fallback.source == .cache && fallback.cacheInfo.isPartial)
    #expect(fallback.cacheInfo.fetchError is Offline)
  }

  @Test(
    "Up to two results: the part, and then the whole",
    arguments: [CachePolicy.Query.CacheAndNetwork.cacheAndNetwork, .revalidateCache])
  func twoResults(policy: CachePolicy.Query.CacheAndNetwork) async throws {
    let (client, _) = try await client { _, _ in hero("whole") }
    var results: [String] = []
    for try await result in try client.fetch(
      query: HeroQuery(), cachePolicy: policy, requestConfiguration: configuration)
    {
      results.append("\(result.source) \(result.data?.hero?.name ?? "") \(result.errors?.count ?? 0)")
    }
    #expect(results == ["cache R2-D2 1", "server whole 0"])
  }

  @Test("A watcher of the cache alone begins with the part that a guess leaves")
  func guess() async throws {
    let (client, server) = FakeServer.client { _, _ in hero() }
    _ = try await client.fetch(query: HeroQuery())
    try await client.store.applyOptimisticUpdate(id: "guess") { try $0.removeField("height", of: "Droid:2001") }
    let results = Received<String>()
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch, requestConfiguration: configuration,
      callbackQueue: .callbacks
    ) {
      let result = try? $0.get()
      let hero = result?.data?.hero
      results.add("\(hero?.name ?? "") \(hero?.height ?? 0) \(result?.errors?.count ?? 0)")
    }
    #expect(await results.next() == "R2-D2 0.0 1")
    try await client.store.publish(records: ["Droid:9": ["name": "other"]])
    #expect(await results.isQuiet(after: client), "nothing of it has changed")
    try await client.store.publish(records: ["Droid:2001": ["name": "Artoo"]])
    #expect(await results.next() == "Artoo 0.0 1", "it follows the part")
    try await client.store.revertOptimisticUpdate(id: "guess")
    #expect(await results.next() == "Artoo 0.96 0")
    #expect(await results.isQuiet(after: client))
    #expect(server.count == 1)
    watcher.cancel()
  }

  @Test("A watcher delivers the part, then the whole; after a change that takes something away, again")
  func watching() async throws {
    let (client, server) = try await client { _, count in hero("whole \(count)") }
    let results = Received<String>()
    let watcher = client.watch(query: HeroQuery(), requestConfiguration: configuration) {
      let result = try? $0.get()
      results.add("\(result?.data?.hero?.name ?? "nil") \(result?.errors?.count ?? 0)")
    }
    #expect(await results.next() == "R2-D2 1")
    #expect(await results.next() == "whole 1 0")
    try await client.store.withinReadWriteTransaction { try $0.removeField("height", of: "Droid:2001") }
    #expect(await results.next() == "whole 1 1")
    #expect(await results.next() == "whole 2 0")
    #expect(await results.isQuiet(after: client))
    #expect(server.count == 2)
    watcher.cancel()
  }

  @Test("What an app writes back is never read in part")
  func writing() async throws {
    let (client, _) = try await client { _, _ in hero() }
    await #expect(throws: ResponseDecodingError.self) {
      try await client.store.withinReadWriteTransaction { transaction in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "new" }
      }
    }
  }
}
