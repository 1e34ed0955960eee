@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("How long a server lets its answers be kept", .everyStyle)
struct ServerAgeTests {
  private final class Clock: Sendable {
    private let time = Locked(1_000_000.0)
    func wait(_ seconds: Double) { time.withLock { $0 += seconds } }
    var now: Date { Date(timeIntervalSince1970: time.withLock { $0 }) }
  }

  private func store(_ backend: any NormalizedCache = InMemoryNormalizedCache()) -> (ApolloStore, Clock) {
    let store = ApolloStore(cache: backend), clock = Clock()
    store.clock = { clock.now }
    store.serverCacheControl = [.maxAge, .noStore, .fieldHints]
    return (store, clock)
  }

  /// Writes the answer of a server.
  private func write(
    _ body: String = r2d2, _ headers: [String: String] = [:], extensions: String? = nil, to store: ApolloStore,
    _ query: HeroQuery = HeroQuery()
  ) async throws {
    // (`bytes` puts the braces around it.)
    let text = body + (extensions.map { ",\"extensions\":\($0)" } ?? "")
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: bytes(text), variables: query.variables, rootKey: "QUERY_ROOT",
      identity: store.identity, lifetimes: store.lifetimeRules)
    let error = await store.publish(
      try #require(contents.records), lifetime: store.serverCacheControl.lifetime { headers[$0] })
    #expect(error == nil)
  }

  private func isHit(_ store: ApolloStore, _ query: HeroQuery = HeroQuery()) async -> Bool {
    (try? await store.read(query).data.get()) != nil
  }

  @Test("A store that several users share has nothing that is for one of them", arguments: [false, true])
  func shared(isOnDisk: Bool) async throws {
    let memory = InMemoryNormalizedCache(), backend = TextCache()
    let (store, _) = store(isOnDisk ? backend : memory)
    store.serverCacheControl = []
    store.isShared = true
    func fields() throws -> Set<String> {
      let key: CacheKey = "Droid:2001"
      let kept = isOnDisk ? try backend.loadRecords(forKeys: [key]) : memory.loadRecords(forKeys: [key])
      let records = [kept[key], store.engine.table.exported([key])[key]].compactMap(\.self)
      return Set(records.flatMap(\.fields.keys)).subtracting(["__typename"])
    }
    for control in ["private", "max-age=60, Private", "no-store"] {
      try await write(r2d2, ["Cache-Control": control], to: store)
      #expect(try fields() == [], "\(control)")
    }
    let hints = #"{"cacheControl":{"version":1,"hints":[{"path":["hero","name"],"maxAge":60,"scope":"PRIVATE"}]}}"#
    try await write(extensions: hints, to: store)
    #expect(try fields().contains("id") && !fields().contains("name"))
  }

  @Test("An object of a list that is private as a whole is a miss in a shared store, and not null")
  func sharedList() async throws {
    let (store, _) = store()
    store.isShared = true
    let hints = #"{"cacheControl":{"version":1,"hints":[{"path":["hero","friends",0],"scope":"PRIVATE"}]}}"#
    try await write(extensions: hints, to: store)
    #expect(store.dump().contains("Droid:2001") && !store.dump().contains("Human:1000"))
    #expect(await !isHit(store))
  }

  @Test(
    "The header, less the age of the answer",
    arguments: [
      ("max-age=60", nil, 60), ("Max-Age=60, must-revalidate", nil, 60), ("public,max-age=\"60\"", nil, 60),
      ("max-age=60", "20", 40), ("max-age=60", " 100 ", 0), ("max-age=60", "x", 60), ("max-age=0", nil, 0),
      ("max-age=-5", nil, 0), ("max-age=", nil, 0), ("max-age", nil, 0), ("max-age=1.5", nil, 0),
      ("max-age=60, max-age=30", nil, 30), ("no-cache", nil, 0), ("max-age=60, no-cache", nil, 0),
      ("s-maxage=60", nil, nil), ("private", nil, nil), ("", nil, nil),
    ] as [(String, String?, Int?)])
  func header(control: String, age: String?, expected: Int?) async throws {
    let (store, clock) = store()
    var headers = ["Cache-Control": control]
    headers["Age"] = age
    try await write(r2d2, headers, to: store)
    if let expected {
      if expected > 0 {
        clock.wait(Double(expected) - 1)
        #expect(await isHit(store))
        clock.wait(1)
      }
      #expect(await !isHit(store))
    } else {
      clock.wait(1e8)
      #expect(await isHit(store))
    }
  }

  @Test("An overlong age is long; a store that does not follow servers is not moved")
  func limits() async throws {
    let (store, clock) = store()
    try await write(r2d2, ["Cache-Control": "max-age=99999999999999999999"], to: store)
    clock.wait(2e9)
    #expect(await isHit(store))
    store.serverCacheControl = []
    try await write(r2d2, ["Cache-Control": "max-age=1, no-store"], extensions: hints(#"["hero"]"#, 1), to: store)
    clock.wait(100)
    #expect(await isHit(store), "the last answer counts, and it says nothing that is followed")
  }

  @Test("A clock that was set back, or a date from the future, is believed if it is less than the lifetime away")
  func clocks() async throws {
    let (store, clock) = store()
    try await write(r2d2, ["Cache-Control": "max-age=60"], to: store)
    clock.wait(-59)
    #expect(await isHit(store))
    clock.wait(-1)
    #expect(await !isHit(store))
    clock.wait(119)
    #expect(await isHit(store))
    clock.wait(1)
    #expect(await !isHit(store))
    try await write(r2d2, ["Cache-Control": "max-age=0"], to: store)
    clock.wait(-1)
    #expect(await !isHit(store), "what may have no age has none before it came either")
  }

  @Test(
    "A hint that is not a number of seconds",
    arguments: [
      ("-5", 0), ("1.9", 1), ("-1.5", 0), ("\"60\"", nil), ("null", nil), ("99999999999999", nil), ("1e300", nil),
    ] as [(String, Int?)])
  func oddHints(maxAge: String, expected: Int?) async throws {
    let (store, clock) = store()
    try await write(
      r2d2, extensions: #"{"cacheControl":{"version":1,"hints":[{"path":["hero"],"maxAge":\#(maxAge)}]}}"#, to: store)
    if let expected {
      if expected > 0 { #expect(await isHit(store)) }
      clock.wait(Double(expected))
      #expect(await !isHit(store))
    } else {
      clock.wait(1e9)
      #expect(await isHit(store))
    }
  }

  private func hints(_ path: String, _ maxAge: Int, scope: String = "PUBLIC") -> String {
    #"{"cacheControl":{"version":1,"hints":[{"path":\#(path),"maxAge":\#(maxAge),"scope":"\#(scope)"}]}}"#
  }

  @Test(
    "Hints of Apollo Server for single fields, which the fields below them share",
    arguments: [
      (#"["hero"]"#, ["QUERY_ROOT.hero", "Droid:2001.name", "Human:1000.name"]),
      (#"["hero","name"]"#, ["Droid:2001.name"]),
      (#"["hero","friends",0]"#, ["Human:1000.name"]),
      (#"["hero","friends",0,"name"]"#, ["Human:1000.name"]),
      (#"["hero","friends",1]"#, []), (#"["villain"]"#, []), (#"[true]"#, []), ("7", []),
      (#"[]"#, ["QUERY_ROOT.hero", "Droid:2001.name", "Human:1000.name"]),
    ])
  func fieldHints(path: String, expected: [String]) async throws {
    let (store, _) = store()
    try await write(extensions: hints(path, 60), to: store)
    var found: Set<String> = []
    for record in store.engine.table.exportedRecords {
      for field in record.expirations.keys { found.insert("\(record.key).\(field)") }
    }
    for field in ["QUERY_ROOT.hero", "Droid:2001.name", "Human:1000.name"] {
      #expect(found.contains(field) == expected.contains(field), "\(field) in \(found.sorted())")
    }
  }

  @Test("Fields with arguments and aliases, objects without a key, and a header beside the hints")
  func otherFields() async throws {
    let (store, clock) = store()
    let query = HeroQuery(episode: "JEDI")
    try await write(r2d2, ["Cache-Control": "max-age=100"], extensions: hints(#"["hero"]"#, 60), to: store, query)
    #expect(
      store.engine.table.exported(0)?.expirations
        == [#"hero(episode:"JEDI")"#: Date(timeIntervalSince1970: 1_000_060)])
    clock.wait(60)
    #expect(await !isHit(store, query))
    try await write(r2d2, to: store, query)
    #expect(await isHit(store, query))
    #expect(store.engine.table.exportedRecords.allSatisfy { $0.expirations.isEmpty })
  }

  @Test("What must not be stored, and what is too old at once, is in memory and never in the backend")
  func notOnDisk() async throws {
    for (control, extensions) in [
      ("no-store", nil), ("max-age=0", nil), ("", hints("[]", 0)), ("private", nil),
      ("", hints("[]", 60, scope: "PRIVATE")),
    ] {
      let backend = TextCache(), (store, _) = store(backend)
      store.serverCacheControl.insert(.privateIsNotStored)
      try await write(r2d2, ["Cache-Control": control], extensions: extensions, to: store)
      #expect(backend.keys.isEmpty, "\(control)")
      #expect(await !isHit(store), "\(control)")
      #expect(try await store.load(HeroQuery(), ttlEnforcement: .permissive).hero?.name == "R2-D2")
      // An earlier value is not left behind either.
      try await write(r2d2, to: store)
      #expect(backend.keys.count == 3)
      try await write(
        r2d2.replacingOccurrences(of: "R2-D2", with: "secret"), ["Cache-Control": control], extensions: extensions,
        to: store)
      #expect(backend.state.withLock { $0.texts["Droid:2001"]?.contains("R2-D2") } != true, "\(control)")
      #expect(backend.state.withLock { $0.texts["Droid:2001"]?.contains("secret") } != true, "\(control)")
    }
  }

  @Test("A limit for a whole response holds for fields with hints of their own as well")
  func limitsOfResponses() async throws {
    for limit in [Lifetime.notStored, .inMemory] {
      let backend = TextCache(), (store, clock) = store(backend)
      let contents = try ResponseReader.read(
        HeroQuery.Data.self, from: bytes(r2d2 + ",\"extensions\":" + hints(#"["hero"]"#, 60)), variables: .none,
        rootKey: "QUERY_ROOT", identity: store.identity, lifetimes: store.lifetimeRules)
      #expect(await store.publish(try #require(contents.records), lifetime: limit) == nil)
      #expect(backend.keys.isEmpty, "\(limit)")
      clock.wait(60)
      #expect(await isHit(store) == (limit == .inMemory), "\(limit)")
    }
  }

  @Test("Records that an app has made of a response keep to the limit of the response")
  func limitsOfRecords() {
    var record = Record(
      key: "A:1", ["own": 1, "late": 2, "plain": 3], receivedAt: Date(timeIntervalSince1970: 1_000_000))
    record.expirations = [
      "own": Date(timeIntervalSince1970: 1_000_060), "late": Date(timeIntervalSince1970: 999_000),
    ]
    let records = RecordSet(records: [record])
    func expiries(_ lifetime: Lifetime) -> [String: Double]? {
      records.keeping(lifetime).storage["A:1"]?.expirations.mapValues(\.timeIntervalSince1970)
    }
    #expect(expiries(.seconds(5)) == ["own": 1_000_060, "late": 999_000, "plain": 1_000_005])
    #expect(expiries(.notStored) == ["own": 1, "late": 1, "plain": 1])
    #expect(expiries(.inMemory) == ["own": 2, "late": 999_000, "plain": 2])
  }

  @Test("Expiries come back from a backend, and keep their meaning under new numbers")
  func reopened() async throws {
    let backend = TextCache(), (first, _) = store(backend)
    try await write(r2d2, ["Cache-Control": "max-age=60"], to: first)
    let (second, clock) = store(backend)
    #expect(await isHit(second))
    #expect(first.engine.table.compacted().table.exportedRecords == second.engine.table.exportedRecords)
    clock.wait(60)
    #expect(await !isHit(second))
  }

  @Test("Dates alone are written with the next change, at most once in a minute for a record, and by flush")
  func dates() async throws {
    let backend = TextCache(), (store, clock) = store(backend)
    try await write(to: store)
    #expect(backend.merges.count == 1)
    clock.wait(10)
    try await write(to: store)
    #expect(backend.merges.count == 1, "nothing has changed")
    try await store.publish(records: ["A:1": ["x": 1]])
    #expect(backend.merges.last?.keys.map(\.self) == ["A:1"], "their dates were written ten seconds ago")
    clock.wait(60)
    try await store.publish(records: ["A:1": ["x": 2]])
    #expect(Set(backend.merges.last?.keys.map(\.self) ?? []) == ["A:1", "QUERY_ROOT", "Droid:2001", "Human:1000"])
    #expect(backend.state.withLock { $0.dates["Droid:2001"]?.receivedAt } == Date(timeIntervalSince1970: 1_000_010))
    clock.wait(10)
    try await write(to: store)
    backend.fail()
    await #expect(throws: TextCache.Failure.self) { try await store.flush() }
    backend.fail(false)
    try await store.flush()
    #expect(backend.state.withLock { $0.dates["Droid:2001"]?.receivedAt } == Date(timeIntervalSince1970: 1_000_080))
    let writes = backend.merges.count
    try await store.flush()
    #expect(backend.merges.count == writes, "nothing is left to write")
  }

  @Test("A hint whose path is longer than that of any field does no harm")
  func longPath() throws {
    let path = [JSONValue](repeating: 0, count: 200_000)
    func hint(_ path: [JSONValue], _ maxAge: Int) -> JSONObject { ["path": path, "maxAge": maxAge] }
    let hints: [JSONValue] = [hint(path, 1), hint(["a"], 2), hint(["a", "b"], 3)]
    let found = try #require(LifetimeHints(["cacheControl": ["hints": hints] as JSONObject], keepsPrivate: true))
    #expect(found.lifetime(of: "a") == .seconds(2))
    let (inner, inherited) = found.hints(at: ["a"])
    #expect(inner?.lifetime(of: "b") == .seconds(3) && inherited == .seconds(2))
    #expect(found.hints(at: ["c"]).hints == nil)
  }
}

extension RecordTable {
  fileprivate var exportedRecords: [Record] {
    numbers.compactMap { exported($0) }.sorted { $0.key < $1.key }
  }
}
