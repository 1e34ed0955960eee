import Apollo
import Foundation
import StyledTests
import Testing

@Suite("Watching fragments of several objects", .everyStyle, .timeLimit(.minutes(5)))
struct FragmentListWatcherTests {
  private func client(cache: any NormalizedCache = InMemoryNormalizedCache()) async throws -> ApolloClient {
    let (client, _) = FakeServer.client(cache: cache) { _, _ in hero() }
    try await client.store.publish(records: ["Droid:1": droid("1", "one"), "Droid:2": droid("2", "two")])
    return client
  }

  private func droid(_ id: String, _ name: String) -> Record.Fields {
    ["__typename": "Droid", "id": .string(id), "name": .string(name), "height": nil]
  }

  private func rename(_ client: ApolloClient, _ names: [String: String]) async throws {
    try await client.store.withinReadWriteTransaction { transaction in
      for (id, name) in names {
        try transaction.updateObject(ofType: Hero.self, withKey: "Droid:\(id)") { $0.name = name }
      }
    }
  }

  @Test("At the start and after each change, in the order of the keys; a write is one delivery")
  func deliveries() async throws {
    let client = try await client()
    let names = Received<[String?]>()
    let keys = ["Droid:2", "Droid:9", "Droid:1", "Droid:2"]
    let watcher = client.watchFragments(Hero.self, withKeys: keys, callbackQueue: .callbacks) { heroes in
      names.add(heroes.map { $0?.name })
    }
    #expect(await names.next() == ["two", nil, "one", "two"])
    try await rename(client, ["1": "1", "2": "2"])
    #expect(await names.next() == ["2", nil, "1", "2"])
    #expect(await names.isQuiet(after: client))
    try await client.store.publish(records: ["Droid:9": droid("9", "nine"), "Droid:8": droid("8", "eight")])
    #expect(await names.next() == ["2", "nine", "1", "2"])
    try await rename(client, ["8": "other"])
    #expect(await names.isQuiet(after: client), "another object is no news")
    try await rename(client, ["1": "a"])
    try await rename(client, ["2": "b"])
    #expect(await names.next() == ["2", "nine", "a", "2"])
    #expect(await names.next() == ["b", "nine", "a", "b"])
    try await client.store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:1") }
    #expect(await names.next() == ["b", "nine", nil, "b"])
    watcher.cancel()
    try await rename(client, ["2": "c"])
    #expect(await names.isQuiet(after: client))
  }

  @Test("As a sequence; without keys it is one empty list")
  func sequence() async throws {
    let client = try await client()
    var heroes = client.watchFragments(Hero.self, withKeys: ["Droid:1", "Droid:2"]).makeAsyncIterator()
    #expect(await heroes.next()?.map { $0?.name } == ["one", "two"])
    try await rename(client, ["1": "1", "2": "2"])
    #expect(await heroes.next()?.map { $0?.name } == ["1", "2"])
    var none = client.watchFragments(Hero.self, withKeys: []).makeAsyncIterator()
    #expect(await none.next()?.isEmpty == true)
  }

  @Test("Objects that are in a backend are loaded")
  func backend() async throws {
    let shelf = Shelf()
    _ = try await client(cache: shelf)
    let (later, _) = FakeServer.client(cache: shelf) { _, _ in hero() }
    var heroes = later.watchFragments(Hero.self, withKeys: ["Droid:1", "Droid:7", "Droid:2"]).makeAsyncIterator()
    #expect(await heroes.next()?.map { $0?.name } == ["one", nil, "two"])
    try await rename(later, ["1": "1"])
    #expect(await heroes.next()?.map { $0?.name } == ["1", nil, "two"])
  }
}
