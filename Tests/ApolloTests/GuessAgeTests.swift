import Apollo
@testable import ApolloAPI
import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Guesses and limits of age", .everyStyle, .timeLimit(.minutes(5)))
struct GuessAgeTests {
  private static func data(_ json: String) throws -> HeroQuery.Data {
    try #require(try ResponseReader.read(HeroQuery.Data.self, from: ResponseBytes(Array(json.utf8))).data)
  }

  private static func read(_ client: ApolloClient) async -> String? {
    try? await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero?.name
  }

  @Test("A guess of another object can be read under any limit, and gives way to the base", arguments: [0.0, 1, 3600])
  func newObject(limit: Double) async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    client.store.defaultMaxAge = limit
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    let before = await Self.read(client)
    #expect(before == (limit > 1 ? "R2-D2" : before))
    let guess = try Self.data(hero("C-3PO", id: "2000"))
    try await client.store.applyOptimisticUpdate(id: "guess") { try $0.write(data: guess, for: HeroQuery()) }
    #expect(await Self.read(client) == "C-3PO")
    // Other writes make the layer run again.
    try await client.store.publish(records: ["Droid:7": ["name": "other"]])
    #expect(await Self.read(client) == "C-3PO")
    try await client.store.revertOptimisticUpdate(id: "guess")
    if limit > 1 { #expect(await Self.read(client) == "R2-D2") }
    if limit == 0 { #expect(await Self.read(client) == nil) }
  }

  @Test("A field that a guess has changed is not too old, however old the server's value is; one that it has not is")
  func oldValues() async throws {
    let clock = Locked(Date(timeIntervalSince1970: 1_800_000_000))
    let (client, _) = FakeServer.client { _, _ in hero() }
    client.store.clock = { clock.withLock { $0 } }
    client.store.defaultMaxAge = 60
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    try await client.store.applyOptimisticUpdate(id: "guess") {
      try $0.update(query: HeroQuery()) { $0.hero?.name = "Artoo" }
    }
    #expect(await Self.read(client) == "Artoo")
    clock.withLock { $0 += 61 }
    // The name is the guess's, and the height the server's.
    #expect(await Self.read(client) == nil)
    let object = try await client.store.withinReadTransaction { transaction in
      try? transaction.readObject(ofType: NameOfHero.self, withKey: "Droid:2001").name
    }
    #expect(object == "Artoo")
  }
}

private struct NameOfHero: SelectionSet {
  var name: String
  static let __fields = __FieldTable(version: 1, "name")
  init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
}

@Suite("Errors without a path", .everyStyle, .timeLimit(.minutes(5)))
struct ErrorWithoutPathTests {
  private static let careful = #""errors":[{"message":"careful"}]"#

  @Test("Values are written, and nulls are not: none of them hides what the cache has")
  func values() async throws {
    let (client, _) = FakeServer.client { _, count in
      count == 1
        ? hero()
        : #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":"Artoo","height":null}},\#(Self.careful)}"#
    }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    #expect(result.data?.hero?.name == "Artoo")
    #expect(result.data?.hero?.height == nil)
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero
    #expect(cached?.name == "Artoo")
    #expect(cached?.height == 0.96)
  }

  @Test("A null in place of an object leaves the object")
  func object() async throws {
    let (client, _) = FakeServer.client { _, count in
      count == 1 ? hero() : #"{"data":{"hero":null},\#(Self.careful)}"#
    }
    for _ in 0..<2 { _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) }
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero
    #expect(cached?.name == "R2-D2")
  }

  @Test("A mutation that was done keeps its values when its guess ends")
  func mutation() async throws {
    let (client, _) = FakeServer.client { operation, _ in
      operation == "Hero"
        ? hero()
        : #"{"data":{"rename":{"__typename":"Droid","id":"2001","name":"Artoo","height":0.96}},\#(Self.careful)}"#
    }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    _ = try await client.perform(mutation: RenameMutation())
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero
    #expect(cached?.name == "Artoo")
  }
}
