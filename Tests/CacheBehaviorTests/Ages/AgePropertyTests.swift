@testable import ApolloAPI
@testable import ApolloCache
import DiskCaches
import Foundation
import GraphQLExecution
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// `APOLLO_RANDOM_AGE_STEPS` says how many steps there are, and `APOLLO_SEED` which.
  @Suite("Values with ages, beside a naive cache")
  struct AgePropertyTests {
    static let stepsOfCase = 50
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    static var seeds: Range<Int> {
      let count = (number("APOLLO_RANDOM_AGE_STEPS") ?? 600) / (stepsOfCase * LibraryRun.Place.allCases.count)
      let first = number("APOLLO_SEED") ?? 0
      return first..<first + max(1, count)
    }

    @Test(
      "Responses, clocks, reads of every kind, removals, collections and new stores over a backend",
      arguments: LibraryRun.Place.allCases)
    func random(_ place: LibraryRun.Place) async throws {
      for seed in Self.seeds {
        var run = try LibraryRun(place, seed: seed)
        for _ in 0..<Self.stepsOfCase {
          try await run.step()
          guard run.problem == nil else { break }
        }
        #expect(run.problem == nil, "seed \(seed)")
      }
    }
  }
}

/// A store and a naive cache, which take the same steps.
struct LibraryRun {
  enum Place: CaseIterable {
    case memory
    /// Records are dropped from memory when there are many, so what is missing is not a mistake.
    case smallMemory
    case backend
    /// Records are dropped from the memory in front of the backend.
    case smallMemoryOfBackend
    case disk
    case smallMemoryOfDisk

    var canReopen: Bool { self != .memory && self != .smallMemory }
    var isOnDisk: Bool { self == .disk || self == .smallMemoryOfDisk }
  }

  private enum Schema: SchemaMetadata {
    enum Configuration: SchemaConfiguration {
      static let fieldMergers: [String: any FieldPolicy.Merger] = [
        "Book.title": KeepGreater(), "Author.books": KeepOld(),
      ]
    }

    static let configuration: any SchemaConfiguration.Type = Configuration.self

    static func objectType(forTypename typename: String) -> Object? {
      Object(typename: typename, cascadingFields: RandomLibrary.cascadingFields[typename]?.sorted() ?? [])
    }
  }

  /// Keeps the greater text, unless it is a minute older.
  private struct KeepGreater: FieldPolicy.Merger {
    func merge(
      existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
    ) throws -> CachedValue {
      guard let existing, case .string(let old) = existing.value, case .string(let new) = incoming.value,
        NaiveLibrary.keeps(old, of: Int(existing.writtenAt), over: new, of: Int(incoming.writtenAt))
      else { return incoming.value }
      return existing.value
    }
  }

  /// Keeps what is not in the new list behind it.
  private struct KeepOld: FieldPolicy.Merger {
    func merge(
      existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
    ) throws -> CachedValue {
      guard case .list(let old)? = existing?.value, case .list(let new) = incoming.value else { return incoming.value }
      return .list(new + old.filter { !new.contains($0) })
    }
  }

  private let place: Place
  private let library: RandomLibrary
  private let plans: [ModelPlan]
  private let query: ModelQuery<First>
  private let backend = DictionaryBackend()
  private let disk: DiskCache?
  private let clock = Locked(1_000_000.0)
  private var store: ApolloStore
  private var naive: NaiveLibrary
  private var random: SplitMix
  private var log: [String] = []
  /// Whether a record was there of which nothing may be in a file. Then the file cannot tell which of the records that
  /// it lacks were removed.
  private var leavesOut = false
  /// What differs, with all steps that have led to it; nil if nothing does.
  private(set) var problem: String?

  init(_ place: Place, seed: Int) throws {
    self.place = place
    random = SplitMix(state: UInt64(seed) &* 7919 &+ 11)
    library = RandomLibrary(&random)
    let scenario = try Scenario(library.schema, maxAgeRule: library.rule)
    plans = try library.queries.map { query in
      _ = try scenario.prepare(RandomLibrary.text(query))
      return First.plan!
    }
    query = ModelQuery<First>(variables: .none)
    naive = NaiveLibrary(library, hasBackend: place.canReopen)
    store = ApolloStore()
    disk = place.isOnDisk ? try DiskCache() : nil
    open()
  }

  private mutating func open() {
    switch place {
    case .memory: store = ApolloStore()
    case .smallMemory: store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 2500))
    case .backend: store = ApolloStore(cache: backend)
    case .smallMemoryOfBackend: store = ApolloStore(cache: backend, memoryLimit: 1500)
    case .disk: store = ApolloStore(cache: disk?.cache ?? backend)
    case .smallMemoryOfDisk: store = ApolloStore(cache: disk?.cache ?? backend, memoryLimit: 1500)
    }
    store.clock = { [clock] in Date(timeIntervalSince1970: clock.withLock { $0 }) }
    if library.cascades { store.register(Schema.self) }
    setAges()
  }

  private func setAges() {
    store.defaultMaxAge = naive.defaultMaxAge.map(Double.init)
    store.maxAgeProvider = naive.appAges.map { ApolloStore.SchemaCoordinatesMaxAgeProvider($0.mapValues(Double.init)) }
  }

  // MARK: Steps

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func key() -> (key: String, type: String) {
    let type = Bool.random(using: &random) ? "Book" : "Author"
    return ("\(type):\(number(1..<5))", type)
  }

  mutating func step() async throws {
    switch number(0..<24) {
    case 0..<9: try await write()
    case 9..<14: wait()
    case 14: try await remove()
    case 15, 16: try await removeField()
    case 17: try await writeLocally()
    case 18, 19: try await collect()
    case 20, 21: changeAges()
    default: try await reopen()
    }
    leavesOut =
      leavesOut
      || naive.records.values.contains { record in
        !record.fields.isEmpty && !record.fields.values.contains(where: \.isForBackend)
      }
    for _ in 0..<3 where problem == nil { try await read() }
  }

  private mutating func write() async throws {
    let index = number(0..<plans.count), answer = RandomLibrary.answer(library.queries[index], &random)
    let lifetime: (naive: NaiveLibrary.Lifetime, Lifetime?) =
      switch number(0..<12) {
      case 0: (.notStored, .notStored)
      case 1: (.inMemory, .inMemory)
      case 2: (.seconds(0), .seconds(0))
      case 3...5: (.seconds(120), .seconds(120))
      default: (.forEver, nil)
      }
    log.append("write \(lifetime.naive) \(RandomLibrary.text(library.queries[index])) \(answer.json)")
    First.plan = plans[index]
    // What small memory has forgotten is not merged.
    First.schema = library.merges && place != .smallMemory ? Schema.self : nil
    defer { First.schema = nil }
    let contents = try ResponseReader.read(
      Model<First>.self, from: ResponseBytes(Array("{\"data\":\(answer.json)}".utf8)), variables: .none,
      rootKey: "QUERY_ROOT", identity: store.identity, lifetimes: store.lifetimeRules)
    if let records = contents.records { await store.publish(records, lifetime: lifetime.1) }
    naive.write(answer, library.queries[index], lifetime.naive, merges: First.schema != nil)
  }

  private mutating func wait() {
    let seconds = number(0..<4) == 0 ? -number(1..<200) : number(1..<150)
    log.append("wait \(seconds)")
    clock.withLock { $0 += Double(seconds) }
    naive.now += seconds
  }

  private mutating func remove() async throws {
    let key = key().key, cascade = Bool.random(using: &random) && place != .smallMemory
    if place == .smallMemory, library.cascades { return }
    log.append("remove \(key) \(cascade)")
    try await store.remove(key, cascade: cascade)
    naive.remove(key, cascade: cascade)
  }

  private mutating func removeField() async throws {
    let (key, type) = key(), fields = RandomLibrary.fields[type] ?? []
    let field = fields[number(0..<fields.count)].name
    log.append("remove \(key).\(field)")
    try await store.withinReadWriteTransaction { try $0.removeField(field, of: key) }
    for name in naive.records[key]?.fields.keys.filter({ $0.prefix { $0 != "(" } == field }) ?? [] {
      naive.records[key]?.fields[name] = nil
    }
  }

  private mutating func writeLocally() async throws {
    let (key, type) = key(), field = type == "Book" ? "title" : "name", text = "\(number(0..<4))"
    log.append("write \(key).\(field) = \(text)")
    try await store.publish(records: [key: ["__typename": .string(type), field: .string(text)]])
    naive.writeLocally(.string(text), field, of: key, type)
  }

  private mutating func collect() async throws {
    // What small memory has forgotten leads nowhere.
    switch number(0..<(place == .smallMemory ? 1 : 3)) {
    case 0:
      let maxStale = number(0..<3) * 40
      log.append("remove stale \(maxStale)")
      try await store.removeStaleFields(maxStale: Double(maxStale))
      naive.removeStaleFields(maxStale: maxStale)
    case 1:
      log.append("remove dangling")
      try await store.removeDanglingReferences()
      naive.removeDanglingReferences()
    default:
      log.append("remove unreachable")
      try await store.removeUnreachable()
      naive.removeUnreachable()
    }
  }

  private mutating func changeAges() {
    if Bool.random(using: &random) {
      naive.defaultMaxAge = number(0..<3) == 0 ? nil : number(0..<6) * 40
    } else {
      var ages: [String: Int]? = number(0..<3) == 0 ? nil : [:]
      let names = ["Book", "Author", "Size", "Book.title", "Book.author", "Book.size", "Author.books", "Query.books"]
      for name in names where number(0..<3) == 0 { ages?[name] = number(0..<6) * 40 }
      naive.appAges = ages
    }
    log.append("default \(naive.defaultMaxAge ?? -1), app \(naive.appAges ?? [:])")
    setAges()
  }

  private mutating func reopen() async throws {
    guard place.canReopen else { return }
    log.append("reopen")
    try await store.flush()
    try await disk?.reopen()
    open()
    naive.reopen()
  }

  // MARK: Reading

  private mutating func read() async throws {
    let index = number(0..<plans.count)
    var wanted = NaiveLibrary.Read(maxStale: nil, isPartial: number(0..<4) == 0)
    if number(0..<3) > 0 { wanted.maxStale = number(0..<3) == 0 ? 100 : 0 }
    let limit = wanted.maxStale.map { StaleLimit(.strict, maxStale: Double($0)) } ?? .permissive
    First.plan = plans[index]
    let reading = await store.read(query, limit, returnsPartialData: wanted.isPartial)
    let expected = naive.read(library.queries[index], wanted)
    if place == .smallMemory, !reading.isHit { return }
    if place.isOnDisk, leavesOut, !reading.isHit, case .index? = reading.firstMiss?.path.last { return }
    let data = (try? reading.data.get()).map { model in
      var writer = __JSONWriter()
      model.__write(to: &writer)
      return Self.canonical(writer.text)
    }
    var found = ["data \(data ?? "none")", "hit \(reading.isHit)"]
    var wantedTexts = ["data \(expected.data.map { Self.canonical($0.json) } ?? "none")", "hit \(expected.isHit)"]
    // What was forgotten and then written by the app has no date any more.
    if reading.isHit, expected.isHit, place != .smallMemory {
      let dates = [reading.earliestExpiry, reading.date].map { $0.map { "\(Int($0.timeIntervalSince1970))" } ?? "none" }
      found += ["stale \(reading.staleFields)"] + dates
      wantedTexts += ["stale \(expected.stale.sorted())"]
      wantedTexts += [expected.earliestExpiry, expected.oldest].map { $0.map { "\($0)" } ?? "none" }
    }
    guard found != wantedTexts else { return }
    problem = """
      \(place), now \(naive.now), read \(wanted) of \(RandomLibrary.text(library.queries[index])):
      found    \(found)
      expected \(wantedTexts)
      \(reading.firstMiss.map(String.init(describing:)) ?? "")
      \(library.schema)
      \(log.joined(separator: "\n"))
      \(store.dump())
      """
  }

  private static func canonical(_ json: String) -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    let data = object.flatMap {
      try? JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys, .fragmentsAllowed])
    }
    return data.map { String(decoding: $0, as: UTF8.self) } ?? json
  }
}

/// A backend that keeps records as they are.
private final class DictionaryBackend: EnumerableNormalizedCache, Sendable {
  private let records = Locked<[CacheKey: Record]>([:])

  func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    records.withLock { $0.filter { keys.contains($0.key) } }
  }

  func merge(records: RecordSet) -> Set<CacheKey> {
    self.records.withLock { kept in
      var all = RecordSet(records: Array(kept.values))
      let changed = all.merge(records: records)
      kept = all.storage
      return changed
    }
  }

  func keys(after key: CacheKey?, limit: Int) -> [CacheKey] {
    records.withLock { records in
      let keys = records.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return Array(
        keys.drop { other in key.map { !$0.utf8.lexicographicallyPrecedes(other.utf8) } ?? false }.prefix(limit))
    }
  }

  func removeRecord(for key: CacheKey) { records.withLock { $0[key] = nil } }
  func removeRecords(matching pattern: CacheKey) {}
  func clear() { records.withLock { $0 = [:] } }
}
