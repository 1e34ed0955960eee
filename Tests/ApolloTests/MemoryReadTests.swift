import Apollo
import ApolloAPI
import ApolloCache
import DiskCaches
import Foundation
import StyledTests
import Testing

@Suite("What memory has, at once")
struct MemoryReadTests {
  /// The name that memory has for a query.
  private func name(_ store: ApolloStore, _ query: HeroQuery = HeroQuery()) -> String? {
    store.readIfInMemory(query)?.data?.hero?.name
  }

  private func write(_ name: String, into store: ApolloStore, _ query: HeroQuery = HeroQuery()) async throws {
    try await store.write(response: ResponseBytes(Array(hero(name).utf8)), for: query)
  }

  @Test("What was written is read as the cache has it; what is not there is nil")
  func memory() async throws {
    let store = ApolloStore()
    #expect(store.readIfInMemory(HeroQuery()) == nil)
    try await write("R2-D2", into: store)
    let result = try #require(store.readIfInMemory(HeroQuery()))
    #expect(result.data == (try await store.load(HeroQuery())))
    #expect(result.source == .cache && result.cacheInfo.isHit && result.errors?.isEmpty ?? true)
    #expect(name(store, HeroQuery(episode: "EMPIRE")) == nil)
    try await store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:2001") }
    #expect(name(store) == nil)
    try await write("R2-D2", into: store)
    try await store.clearCache()
    #expect(name(store) == nil)
  }

  @Test("With a cache on disk, memory has what was read or written since the launch")
  func disk() async throws {
    let disk = try DiskCache()
    let first = ApolloStore(cache: disk.cache)
    try await write("R2-D2", into: first)
    #expect(name(first) == "R2-D2")
    try await first.flush()
    try await disk.reopen()
    let second = ApolloStore(cache: disk.cache)
    #expect(name(second) == nil)
    #expect(try await second.load(HeroQuery()).hero?.name == "R2-D2")
    #expect(name(second) == "R2-D2")
  }

  @Test("It waits for no transaction, and sees nothing of one that is under way")
  func transaction() async throws {
    let disk = try DiskCache()
    for store in [ApolloStore(), ApolloStore(cache: disk.cache)] {
      try await write("R2-D2", into: store)
      let (isIn, isInNow) = AsyncStream<Void>.makeStream(), (mayEnd, end) = AsyncStream<Void>.makeStream()
      let transaction = Task {
        try await store.withinReadWriteTransaction { transaction in
          try await transaction.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = "Artoo" }
          isInNow.finish()
          for await _ in mayEnd {}
        }
      }
      for await _ in isIn {}
      #expect(name(store) == "R2-D2")
      end.finish()
      try await transaction.value
      #expect(name(store) == "Artoo")
    }
  }

  @Test("A value that is too old is nil, unless ages do not matter")
  func ages() async throws {
    let store = ApolloStore(), start = Date(timeIntervalSince1970: 1_000_000)
    store.clock = { start }
    store.defaultMaxAge = 60
    try await write("R2-D2", into: store)
    #expect(name(store) == "R2-D2")
    store.clock = { start + 61 }
    #expect(name(store) == nil)
    let result = store.readIfInMemory(HeroQuery(), ttlEnforcement: .permissive)
    #expect(result?.data?.hero?.name == "R2-D2" && result?.cacheInfo.staleFields.isEmpty == false)
  }

  @Test("A part is read only where it is asked for, with what is missing")
  func parts() async throws {
    let store = ApolloStore()
    try await write("R2-D2", into: store)
    try await store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:2001") }
    #expect(store.readIfInMemory(HeroQuery()) == nil)
    let part = try #require(store.readIfInMemory(HeroQuery(), returnsPartialData: true))
    #expect(part.cacheInfo.isPartial && part.data?.hero == nil && part.errors?.isEmpty == false)
  }

  @Test(
    "It has what the asynchronous read has, or nil, whatever was written, removed and opened anew",
    arguments: Effort.seeds(20))
  func property(seed: UInt64) async throws {
    var random = SplitMix(state: seed &+ 1)
    let disk = seed % 2 == 0 ? nil : try DiskCache()
    var store = disk.map { ApolloStore(cache: $0.cache) } ?? ApolloStore()
    let episodes = ["NEWHOPE", "EMPIRE", "JEDI"]
    for _ in 0..<40 {
      let query = HeroQuery(episode: .some(episodes.randomElement(using: &random)!))
      let key = "\(Int.random(in: 0..<3, using: &random))"
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        try await store.write(response: ResponseBytes(Array(hero("n\(key)", id: key).utf8)), for: query)
      case 3: try await store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:\(key)") }
      case 4: try await store.clearCache()
      case 5:
        guard let disk else { continue }
        try await store.flush()
        try await disk.reopen()
        store = ApolloStore(cache: disk.cache)
      default: break
      }
      let atOnce = store.readIfInMemory(query)?.data
      let whole = try? await store.load(query)
      // Memory alone has everything; in front of a disk it may have nothing, but never anything else.
      #expect(disk == nil || atOnce != nil ? atOnce == whole : true)
      // The read has brought it there.
      #expect(store.readIfInMemory(query)?.data == whole)
    }
  }
}
