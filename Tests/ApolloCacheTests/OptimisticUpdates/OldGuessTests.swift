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

  @Test("What a guess has read is noted for limits and collections only")
  func notes() async throws {
    for limit in [nil, 1_000_000] {
      let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: limit))
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      try await store.applyOptimisticUpdate(id: "guess") { transaction in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "R2-D2!" }
      }
      #expect((store.engine.layers.reads != nil) == (limit != nil))
      try await store.collectGarbage()
      #expect(store.engine.layers.reads?.contains(GraphQLOperationType.query.rootNumber) == true)
      try await store.publish(records: ["A:1": ["x": 1]])
      #expect((store.engine.layers.reads != nil) == (limit != nil))
    }
  }

  @Test("A limit of memory takes old fields of a root that a guess has read or changed", arguments: [true, false])
  func limit(changesRoot: Bool) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 20_000)), guessed = HeroQuery(episode: "guessed")
    try await store.write(response: bytes(r2d2), for: guessed)
    try await store.applyOptimisticUpdate(id: "guess") { transaction in
      try transaction.update(query: guessed) { data in
        if changesRoot { data.hero = nil } else { data.hero?.name = "R2-D2!" }
      }
    }
    for id in 0..<500 { try await store.write(response: bytes(r2d2), for: HeroQuery(episode: .some("\(id)"))) }
    #expect(store.statistics.byteCount <= 22_000)
    let hero = try await store.load(guessed).hero
    #expect(changesRoot ? hero == nil : hero?.name == "R2-D2!")
    let root = GraphQLOperationType.query.rootNumber
    #expect(store.engine.view[root]?.count == store.engine.table[root]?.count)
    try await store.revertOptimisticUpdate(id: "guess")
    #expect(try await store.load(guessed).hero?.name == "R2-D2")
  }

  @Test("So do records that it has read", arguments: CollectionTests.all)
  func records(place: Collected.Place) async throws {
    _ = try await Self.collect(place) { transaction in
      let record = try transaction.cache.loadRecords(forKeys: ["Human:1000"])["Human:1000"]
      guard case .string(let name)? = record?["name"] else { throw Guess.Failure() }
      try transaction.cache.merge(records: ["Droid:2001": ["name": .string(name)]])
    }
  }

  @Test(
    "A collection ends while guesses have changed more than a step looks at", .timeLimit(.minutes(5)),
    arguments: [Collected.Place.memory, .backend])
  func ending(place: Collected.Place) async throws {
    let keys: [CacheKey] = (0..<3_000).map { "A:\($0)" }
    var records: [CacheKey: Record.Fields] = [
      "QUERY_ROOT": ["list": .list(keys.map { .reference($0) })], "B:1": ["x": 1],
    ]
    for key in keys { records[key] = ["x": 1] }
    let store = try await Collected(place, .received(records)).store
    try await store.applyOptimisticUpdate(id: "long") { transaction in
      try Guess(transaction: transaction).refer("list", to: keys.reversed())
    }
    #expect(try await store.collectGarbage().removedRecords == ["B:1"])
    try await store.revertOptimisticUpdate(id: "long")
    // Many records with a field each are as much.
    try await store.applyOptimisticUpdate(id: "many") { transaction in
      for key in keys { try Guess(transaction: transaction).set("x", 2, of: key) }
    }
    try await store.publish(records: .received(["B:2": ["x": 1]]))
    let found = try await store.engine.collect("unreachable") { collector in
      (try await collector.removeUnreachable().removedRecords, collector.stepCount)
    }
    #expect(found.0 == ["B:2"] && found.1 < 100)
  }
}
