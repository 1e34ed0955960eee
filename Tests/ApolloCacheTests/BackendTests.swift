@testable import ApolloAPI
@testable import ApolloCache
import ApolloTestSupport
import Foundation
import StyledTests
import Testing

/// Keeps records as text, counts what it is asked, and fails when it is told to.
final class TextCache: EnumerableNormalizedCache, Sendable {
  struct Failure: Error {}
  struct State {
    var texts: [CacheKey: String] = [:]
    /// Records without their fields.
    var dates: [CacheKey: Record] = [:]
    var loads: [Set<CacheKey>] = []
    var merges: [RecordSet] = []
    var fails = false

    func record(_ key: CacheKey) throws -> Record? {
      guard let text = texts[key], var record = dates[key] else { return nil }
      record.fields = try Record(key: key, json: text).fields
      return record
    }
  }

  let state = Locked(State())

  var loads: [Set<CacheKey>] { state.withLock { $0.loads } }
  /// The records of each write, one write after the other.
  var merges: [RecordSet] { state.withLock { $0.merges } }
  var keys: Set<CacheKey> { state.withLock { Set($0.texts.keys) } }
  func fail(_ fails: Bool = true) { state.withLock { $0.fails = fails } }

  private func access<T: Sendable>(_ body: (inout State) throws -> T) throws -> T {
    try state.withLock { state in
      if state.fails { throw Failure() }
      return try body(&state)
    }
  }

  func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
    try access { state in
      state.loads.append(keys)
      var records: [CacheKey: Record] = [:]
      for key in keys {
        records[key] = try state.record(key)
      }
      return records
    }
  }

  func merge(records: RecordSet) throws -> Set<CacheKey> {
    try access { state in
      var all = RecordSet()
      for key in records.keys {
        if let record = try state.record(key) { all.insert(record) }
      }
      state.merges.append(records)
      let changed = all.merge(records: records)
      for record in all.storage.values {
        state.texts[record.key] = record.json
        var dates = record
        dates.fields = [:]
        state.dates[record.key] = dates
      }
      return changed
    }
  }

  func keys(after key: CacheKey?, limit: Int) throws -> [CacheKey] {
    try access { state in
      let keys = state.texts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return Array(
        keys.drop { other in key.map { !$0.utf8.lexicographicallyPrecedes(other.utf8) } ?? false }.prefix(limit))
    }
  }

  func removeRecord(for key: CacheKey) throws { try access { $0.texts[key] = nil } }

  func removeRecords(matching pattern: CacheKey) throws {
    try access { state in state.texts = state.texts.filter { !CacheKeyPattern(pattern).matches($0.key) } }
  }

  func clear() throws { try access { $0.texts = [:] } }
}

@Suite("Backends", .everyStyle)
struct BackendTests {
  @Test(
    "The cache in memory does what every backend has to", .asWritten, arguments: NormalizedCacheConformance.allChecks)
  func memory(check: NormalizedCacheConformance) async throws { try await check.run { InMemoryNormalizedCache() } }

  @Test("So does one that keeps the JSON of records", .asWritten, arguments: NormalizedCacheConformance.allChecks)
  func text(check: NormalizedCacheConformance) async throws { try await check.run { TextCache() } }

  @Test("A backend that forgets a field is found out", .asWritten)
  func failing() async throws {
    final class Forgetful: NormalizedCache {
      let inner = InMemoryNormalizedCache()
      func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] { inner.loadRecords(forKeys: keys) }
      func merge(records: RecordSet) throws -> Set<CacheKey> {
        for key in records.keys { try inner.removeRecord(for: key) }
        return try inner.merge(records: records)
      }
      func removeRecord(for key: CacheKey) throws { try inner.removeRecord(for: key) }
      func removeRecords(matching pattern: CacheKey) throws { try inner.removeRecords(matching: pattern) }
      func clear() { inner.clear() }
    }
    var failures: [String] = []
    for check in NormalizedCacheConformance.allChecks {
      do { try await check.run { Forgetful() } } catch { failures.append(check.description) }
    }
    #expect(failures.contains { $0.contains("all others stay") })
  }

  @Test("Another store over the same backend reads what the first one wrote")
  func persistence() async throws {
    let backend = TextCache()
    let written = try #require(try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery()))
    #expect(backend.keys == ["QUERY_ROOT", "Droid:2001", "Human:1000"])
    let store = ApolloStore(cache: backend)
    #expect(try await store.load(HeroQuery()) == written)
    #expect(store.keys == ["Droid:2001", "Human:1000", "QUERY_ROOT"])
    let loads = backend.loads.count
    #expect(try await store.load(HeroQuery()) == written)
    #expect(backend.loads.count == loads, "what is in memory is not loaded again")
  }

  @Test("The objects of a list are loaded together, whatever is in memory already")
  func batches() async throws {
    let backend = TextCache()
    let friends = (0..<500).map { #"{"__typename":"Human","id":"\#($0)","name":"n\#($0)"}"# }
    let json =
      #"{"hero":{"__typename":"Droid","id":"1","name":"a","size":null,"friends":[\#(friends.joined(separator: ","))]}}"#
    _ = try await ApolloStore(cache: backend).write(response: bytes(json), for: HeroQuery())
    let store = ApolloStore(cache: backend)
    let before = backend.loads.count
    #expect(try await store.load(HeroQuery()).hero?.friends?.count == 500)
    #expect(backend.loads.count - before <= 3, "\(backend.loads.count - before) loads")
  }

  @Test("What the backend does not have is asked for once")
  func absent() async throws {
    let backend = TextCache()
    let store = ApolloStore(cache: backend)
    for _ in 0..<3 { await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) } }
    #expect(backend.loads.count == 1)
  }

  @Test("A merge keeps the fields that only the backend has")
  func partial() async throws {
    let backend = TextCache()
    _ = try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    let store = ApolloStore(cache: backend)
    let feet = #"{"hero":{"__typename":"Droid","id":"2001","size":{"__typename":"Size","feet":3.1}}}"#
    _ = try await store.write(response: bytes(feet), for: SizesQuery())
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == 0.96)
    #expect(try await ApolloStore(cache: backend).load(SizesQuery()).hero?.size?.feet == 3.1)
  }

  @Test("Transactions read from the backend, write to it, and remove from it")
  func transactions() async throws {
    let backend = TextCache()
    _ = try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    let store = ApolloStore(cache: backend)
    try await store.withinReadWriteTransaction { try $0.update(query: HeroQuery()) { $0.hero?.name = "Artoo" } }
    #expect(try await ApolloStore(cache: backend).load(HeroQuery()).hero?.name == "Artoo")
    let name = try await ApolloStore(cache: backend).withinReadTransaction {
      try $0.read(query: HeroQuery()).hero?.name
    }
    #expect(name == "Artoo")
    let other = ApolloStore(cache: backend)
    try await other.withinReadWriteTransaction { try $0.removeField("size", of: "Droid:2001") }
    await #expect(throws: ResponseDecodingError.self) { try await ApolloStore(cache: backend).load(HeroQuery()) }
    try await ApolloStore(cache: backend).withinReadWriteTransaction { try $0.removeObjects(matching: "Human:*") }
    #expect(backend.keys == ["QUERY_ROOT", "Droid:2001"])
    try await other.clearCache()
    #expect(backend.keys.isEmpty)
  }

  @Test("A backend that fails to load is a miss that says so; one that fails to write loses nothing in memory")
  func failures() async throws {
    let backend = TextCache()
    _ = try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    let store = ApolloStore(cache: backend)
    backend.fail()
    let reading = await store.read(HeroQuery())
    #expect(reading.backendError is TextCache.Failure)
    #expect(throws: ResponseDecodingError.self) { try reading.data.get() }
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    await #expect(throws: TextCache.Failure.self) { try await store.clearCache() }
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2", "what could not be cleared is still there")
    await #expect(throws: TextCache.Failure.self) {
      try await store.withinReadWriteTransaction { try $0.update(query: HeroQuery()) { $0.hero?.name = "Artoo" } }
    }
    #expect(
      try await store.load(HeroQuery()).hero?.name == "R2-D2", "a transaction that could not be kept did not happen")
    backend.fail(false)
    #expect(try await ApolloStore(cache: backend).load(HeroQuery()).hero?.name == "R2-D2")
  }

  @Test("What was written while the backend did not answer is joined with what it has, in memory and in the backend")
  func partlyLoaded() async throws {
    let backend = TextCache(), first = ApolloStore(cache: backend)
    first.clock = { Date(timeIntervalSince1970: 1000) }
    try await first.write(response: bytes(r2d2), for: HeroQuery())
    let whole = try #require(try backend.loadRecords(forKeys: ["Droid:2001"])["Droid:2001"])

    let store = ApolloStore(cache: backend)
    store.clock = { Date(timeIntervalSince1970: 2000) }
    backend.fail()
    let part = #"{"hero":{"__typename":"Droid","id":"2001","name":"New"}}"#
    try await store.write(response: bytes(part), for: ConfiguredQuery())
    backend.fail(false)
    let droid = try await store.withinReadTransaction {
      try $0.readObject(ofType: Character.self, withKey: "Droid:2001")
    }
    #expect(droid.name == "New" && droid.friends?.first??.name == "Luke")
    let read = await store.read(HeroQuery())
    #expect(try read.data.get().hero == droid)

    try await store.write(response: bytes(part.replacing("New", with: "Newer")), for: ConfiguredQuery())
    let written = try #require(try backend.loadRecords(forKeys: ["Droid:2001"])["Droid:2001"])
    #expect(written["name"] == "Newer" && written["friends"] == whole["friends"])
    #expect(
      written.cachedField(for: "friends")?.writtenAt == 1000 && written.cachedField(for: "name")?.writtenAt == 2000)
    #expect(store.engine.table.exported(try #require(store.engine.table.records.number(of: "Droid:2001"))) == written)
  }

  @Test("The text of a record reads back, and other text is an error that names the key")
  func recordText() throws {
    let record = Record(key: "a", ["d": .double(2), "r": .reference("b"), "j": .json("[1,{}]"), "e": .error("{}")])
    #expect(try Record(key: "a", json: record.json) == record)
    for text in ["", "[]", "{\"a\":{\"$unknown\":1}}", "{"] {
      let error = #expect(throws: Record.DecodingError.self) { try Record(key: "a", json: text) }
      #expect(error?.description.contains("'a'") == true)
    }
  }
}
