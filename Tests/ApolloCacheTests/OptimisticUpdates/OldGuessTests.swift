import ApolloConcurrency
import ApolloAPI
@testable import ApolloCache
import Testing

@Suite("Guesses, and collections of old fields")
struct OldGuessTests {
  typealias Change = @Sendable (ApolloStore.ReadWriteTransaction) throws -> Void

  /// Makes a guess, collects when all fields are too old, and has the guess run again. It must not throw.
  private static func collect(_ place: Collected.Place, _ change: @escaping Change) async throws -> Collected {
    let collected = try await Collected(place, [:]), store = collected.store, failures = Locked(0)
    store.onOptimisticFailure = { _, _ in failures.withLock { $0 += 1 } }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    try await store.applyOptimisticUpdate(id: "guess", change)
    store.defaultMaxAge = 60
    collected.wait(100)
    try await store.collectGarbage()
    try await store.publish(records: ["A:1": ["x": 1]])
    #expect(failures.withLock { $0 } == 0)
    return collected
  }

  @Test("What a guess has read and changed stays as long as the guess stands", arguments: CollectionTests.all)
  func query(place: Collected.Place) async throws {
    let collected = try await Self.collect(place) { transaction in
      try transaction.update(query: HeroQuery()) { $0.hero?.name = "R2-D2!" }
    }
    let store = collected.store
    #expect(try await store.load(HeroQuery(), ttlEnforcement: .permissive).hero?.name == "R2-D2!")
    try await store.revertOptimisticUpdate(id: "guess")
    try await store.collectGarbage()
    #expect(collected.records.keys.allSatisfy { $0 == "QUERY_ROOT" })
  }

  @Test("So does the path to a list that it edits, and the list", arguments: CollectionTests.all)
  func path(place: Collected.Place) async throws {
    let collected = try await Self.collect(place) { transaction in
      try transaction.connection(at: "QUERY_ROOT.hero.friends").append("Human:7")
    }
    #expect(collected.records["QUERY_ROOT"]?["hero"] != nil && collected.records["Droid:2001"]?["friends"] != nil)
    #expect(collected.records["Droid:2001"]?["size"] == nil, "what it does not need goes")
  }

  @Test("So do records that it has read", arguments: CollectionTests.all)
  func records(place: Collected.Place) async throws {
    _ = try await Self.collect(place) { transaction in
      let record = try transaction.cache.loadRecords(forKeys: ["Human:1000"])["Human:1000"]
      guard case .string(let name)? = record?["name"] else { throw Guess.Failure() }
      try transaction.cache.merge(records: ["Droid:2001": ["name": .string(name)]])
    }
  }
}
