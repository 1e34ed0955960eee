@testable import ApolloAPI
@testable import ApolloCache
import ApolloCodegenLib
import DiskCaches
import Foundation
import StyledTests
import Testing

/// A store whose clock the test sets, with operations as text.
private final class AgedScenario {
  private(set) var scenario: Scenario
  private let time = Locked(1_000_000.0)
  /// The file of the cache; nil if it is in memory.
  private let disk: DiskCache?

  init(_ schema: String, _ rule: RenderingOptions.MaxAgeRule = .mostSpecific) throws {
    disk = CachePlace.current == .disk ? try DiskCache() : nil
    scenario = try Scenario(schema, maxAgeRule: rule, cache: disk?.cache ?? InMemoryNormalizedCache())
    setClock()
  }

  private func setClock() {
    scenario.store.clock = { [time] in Date(timeIntervalSince1970: time.withLock { $0 }) }
  }

  /// Writes the `data` of a response. Then a cache on disk is opened again, as by the next launch of an app.
  func write(_ query: String, _ data: String) async throws {
    try await scenario.write(query, data)
    guard let disk else { return }
    let old = scenario.store
    try await old.flush()
    try await disk.reopen()
    scenario.store = ApolloStore(cache: disk.cache)
    setClock()
    scenario.store.defaultMaxAge = old.defaultMaxAge
    scenario.store.maxAgeProvider = old.maxAgeProvider
  }

  var store: ApolloStore { scenario.store }

  var elapsed: Double { time.withLock { $0 } - 1_000_000 }

  func wait(_ seconds: Double) { time.withLock { $0 += seconds } }

  /// What a strict read finds too old, as `record.field age of maximum`; nil if nothing is.
  func expired(_ query: String) async throws -> String? {
    guard let error = try await scenario.miss(query) else { return nil }
    guard case .expired(let record, let field, let age, let maxAge) = error.reason else { return error.description }
    return "\(record).\(field) \(age.map { "\(Int($0))" } ?? "?") of \(Int(maxAge))"
  }

  /// After how many seconds, of 1 to 10,000, a strict read misses, by the field that is too old first; nil: never.
  func lifetime(of query: String) async throws -> Int? {
    let start = time.withLock { $0 }
    defer { time.withLock { $0 = start } }
    func isExpired(_ seconds: Int) async throws -> Bool {
      time.withLock { $0 = start + Double(seconds) }
      return try await expired(query) != nil
    }
    guard try await isExpired(10_000) else { return nil }
    var fresh = -1, stale = 10_000
    while stale - fresh > 1 {
      let middle = (fresh + stale) / 2
      if try await isExpired(middle) { stale = middle } else { fresh = middle }
    }
    return stale
  }
}

extension CacheBehaviorTests {
  /// By behaviour, Apollo Kotlin's `ClientSideCacheControlTest`, `ServerSideCacheControlTest`,
  /// `ClientAndServerSideCacheControlTest` and `StaleTest`, beside the samples of Apollo iOS 3.
  @Suite("How old values may be", .everyPlace)
  struct AgeTests {
    private static let data = """
      {"__typename":"Query","count":7,"books":[{"__typename":"Book","id":"1","title":"T","price":3,
      "author":{"__typename":"Author","id":"9","name":"N"}}]}
      """

    /// The samples that Apollo iOS 3 has published for `@cacheControl`, and what its documentation says of each field.
    @Test(
      "What is said of a field, of its type and of the object around it",
      arguments: [
        // A leaf of the root.
        ("count: Int @cacheControl(maxAge: 30)", "", "query Q { count }", 30),
        ("count: Int", "", "query Q { count }", nil),
        ("count: Int @cacheControl(maxAge: 0)", "", "query Q { count }", 0),
        // A type; a field of that type; the leafs of its objects.
        ("books: [Book]", "type Book @cacheControl(maxAge: 1800)", "query Q { books { id title } }", 1800),
        (
          "books: [Book] @cacheControl(maxAge: 900)", "type Book @cacheControl(maxAge: 1800)",
          "query Q { books { id title } }",
          900
        ),
        ("books: [Book] @cacheControl(maxAge: 900)", "type Book", "query Q { books { title } }", 900),
        // What is said of a field goes before what is said around it, even if it is more.
        ("books: [Book] @cacheControl(maxAge: 900)", "type Book", "query Q { books { price } }", 900),
        // An object does not inherit, unless it says so.
        ("books: [Book] @cacheControl(maxAge: 900)", "type Book", "query Q { books { author { name } } }", 900),
        ("books: [Book]", "type Book @cacheControl(maxAge: 1800)", "query Q { books { author { name } } }", 1800),
        // Operations.
        ("count: Int @cacheControl(maxAge: 30)", "", "query Q { count @cacheControl(maxAge: 60) }", 60),
        ("count: Int", "", "query Q { count @cacheControl(maxAge: 60) }", 60),
        (
          "books: [Book]", "type Book @cacheControl(maxAge: 1800)",
          "query Q { books { title @cacheControl(maxAge: 5) } }", 5
        ),
        // Fragments do not know what leads to them.
        (
          "books: [Book] @cacheControl(maxAge: 900)", "type Book @cacheControl(maxAge: 1800)",
          "query Q { books { ...F } } fragment F on Book { title }", 900
        ),
        (
          "books: [Book]", "type Book @cacheControl(maxAge: 1800)",
          "query Q { books { ...F } } fragment F on Book { title }", 1800
        ),
        (
          "books: [Book]", "type Book",
          "query Q { books { ...F } } fragment F on Book { title @cacheControl(maxAge: 7) }", 7
        ),
        // A value that is not read does not count.
        (
          "books: [Book]", "type Book", "query Q { books { id title @cacheControl(maxAge: 7) @skip(if: true) } }", nil
        ),
      ] as [(String, String, String, Int?)])
    func samples(field: String, type: String, query: String, expected: Int?) async throws {
      let book = (type.isEmpty ? "type Book" : type) + " { id: ID! title: String price: Int author: Author }"
      let count = field.contains("count") ? "books: [Book]" : "count: Int"
      let aged = try AgedScenario(
        "type Query { \(field) \(count) } \(book) type Author { id: ID! name: String } extend type Book @typePolicy(keyFields: \"id\") extend type Author @typePolicy(keyFields: \"id\")"
      )
      try await aged.write(
        "query Q { __typename count books { __typename id title price author { __typename id name } } }", Self.data)
      #expect(try await aged.lifetime(of: query) == expected)
    }

    @Test(
      "A fragment with ages is compared where nothing around it has an age",
      arguments: [
        ("query Q { book { author { ...A } } } fragment A on Author { name @cacheControl(maxAge: 60) }", 60),
        ("query Q { book { ...B } } fragment B on Book { author { name @cacheControl(maxAge: 60) } }", 60),
        (
          "query Q { book { author { ...A } } } fragment A on Author { ...N } fragment N on Author { name @cacheControl(maxAge: 60) }",
          60
        ),
        ("query Q { book { author { name ...A } title } } fragment A on Author { name }", nil),
      ] as [(String, Int?)])
    func fragments(query: String, expected: Int?) async throws {
      // The author has no key, so it is inside of the record of the book.
      let aged = try AgedScenario(
        "type Query { book: Book } type Book { title: String author: Author } type Author { name: String }")
      try await aged.write(
        "query Q { book { title author { name } } }", #"{"book":{"title":"T","author":{"name":"N"}}}"#)
      #expect(try await aged.lifetime(of: query) == expected)
      if let expected {
        aged.store.defaultMaxAge = 30
        #expect(
          try await aged.lifetime(of: query) == min(30, expected), "fields of objects around it have an age as well")
      }
    }

    @Test("An expired field is a miss that names record, field, age and limit; with its time it comes back")
    func message() async throws {
      let aged = try AgedScenario("type Query { count: Int @cacheControl(maxAge: 60) }")
      try await aged.write("query Q { count }", #"{"count":7}"#)
      aged.wait(59)
      #expect(try await aged.expired("query Q { count }") == nil)
      aged.wait(1)
      #expect(try await aged.expired("query Q { count }") == "QUERY_ROOT.count 60 of 60")
      aged.wait(12)
      #expect(
        try await aged.scenario.miss("query Q { count }")?.description
          == "count: The cache has the field 'count' of 'QUERY_ROOT', but it is 72 s old, and it may be 60 s old.")
      #expect(try await aged.scenario.miss("query Q { count }")?.isCacheMiss == true)
      try await aged.write("query Q { count }", #"{"count":7}"#)
      #expect(try await aged.expired("query Q { count }") == nil, "the response confirmed the value")
    }

    @Test("Only the fields that an operation reads are compared; one of them is enough")
    func selected() async throws {
      let aged = try AgedScenario(
        """
        type Query { book: Book } type Book { id: ID! title: String @cacheControl(maxAge: 10) price: Int }
        extend type Book @typePolicy(keyFields: "id")
        """)
      try await aged.write(
        "query Q { book { __typename id title price } }",
        #"{"book":{"__typename":"Book","id":"1","title":"T","price":3}}"#)
      aged.wait(100)
      #expect(try await aged.expired("query Q { book { id price } }") == nil)
      #expect(try await aged.expired("query Q { book { id price title } }") == "Book:1.title 100 of 10")
      // Another operation has sent the title again.
      try await aged.write(
        "query Q { book { __typename id title } }", #"{"book":{"__typename":"Book","id":"1","title":"T"}}"#)
      #expect(try await aged.expired("query Q { book { id price title } }") == nil)
    }

    @Test("An object without a key has the age of the field that it is in")
    func embedded() async throws {
      let aged = try AgedScenario(
        "type Query { book: Book } type Book { title: String @cacheControl(maxAge: 10) author: Author } type Author { name: String @cacheControl(maxAge: 20) }"
      )
      try await aged.write(
        "query Q { book { __typename title author { __typename name } } }",
        #"{"book":{"__typename":"Book","title":"T","author":{"__typename":"Author","name":"N"}}}"#)
      #expect(try await aged.lifetime(of: "query Q { book { title } }") == 10)
      #expect(try await aged.lifetime(of: "query Q { book { author { name } } }") == 20)
    }

    @Test(
      "Random ages of types, fields and operations, by both rules, against the rules written down", arguments: 0..<120)
    func random(seed: Int) async throws {
      let ages = RandomAges(seed: seed)
      let aged = try AgedScenario(ages.schema, ages.rule)
      try await aged.write(ages.fullQuery, ages.data)
      let context: Comment = "\(ages.schema)\n\(ages.query)"
      let query = try aged.scenario.prepare(ages.query)
      for _ in 0..<6 {
        let reading = await aged.store.read(query, .permissive)
        if CachePlace.current == .disk, case .failure = reading.data {
          // What may never be used again is in no file.
          #expect(ages.expected.values.contains(0), context)
          break
        }
        let stale = Set(ages.expected.filter { Double($0.value) <= aged.elapsed }.keys)
        #expect(Set(reading.staleFields) == stale, context)
        #expect(((try? await aged.store.read(query).data.get()) != nil) == stale.isEmpty, context)
        let expiry = ages.earliestExpiry.map { Double($0) + 1_000_000 }
        #expect(reading.earliestExpiry?.timeIntervalSince1970 == expiry, context)
        aged.wait(170)
      }
    }

    @Test("A default, and what the app says of types and fields")
    func app() async throws {
      let aged = try AgedScenario(
        """
        type Query { count: Int book: Book } type Book { id: ID! title: String @cacheControl(maxAge: 10) price: Int }
        extend type Book @typePolicy(keyFields: "id")
        """)
      try await aged.write(
        "query Q { count book { __typename id title price } }",
        #"{"count":7,"book":{"__typename":"Book","id":"1","title":"T","price":3}}"#)
      aged.store.defaultMaxAge = 100
      #expect(try await aged.lifetime(of: "query Q { count }") == 100)
      #expect(try await aged.lifetime(of: "query Q { book { price } }") == 100)
      #expect(try await aged.lifetime(of: "query Q { book { price title } }") == 10)
      aged.store.defaultMaxAge = .nan
      #expect(try await aged.lifetime(of: "query Q { count }") == 0)
      aged.store.defaultMaxAge = -5
      #expect(try await aged.lifetime(of: "query Q { count }") == 0)
      aged.store.defaultMaxAge = nil
      aged.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider([
        "Query.count": 300, "Book": 50, "Book.title": 40, "Unknown.field": 1,
      ])
      #expect(try await aged.lifetime(of: "query Q { count }") == 300)
      #expect(try await aged.lifetime(of: "query Q { book { price } }") == 50)
      #expect(try await aged.lifetime(of: "query Q { book { id title } }") == 40, "it goes before the schema")
      aged.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Book": 50, "Book.price": .infinity])
      #expect(
        try await aged.lifetime(of: "query Q { book { price } }") == 50,
        "the field that leads to the book is of the type")
      #expect(try await aged.lifetime(of: "query Q { book { title } }") == 10)
    }

    @Test(
      "A limit by code that is not a number of seconds is 0, and one that is too large is for ever",
      arguments: [
        (-5, 0), (-.infinity, 0), (.nan, 0), (0.5, 0), (1.9, 1), (.infinity, nil), (1e300, nil), (4_294_967_295, nil),
      ] as [(Double, Int?)])
    func limits(limit: Double, lifetime: Int?) async throws {
      let aged = try AgedScenario("type Query { count: Int book: Book } type Book { title: String }")
      try await aged.write(
        "query Q { __typename count book { __typename title } }",
        #"{"__typename":"Query","count":7,"book":{"__typename":"Book","title":"T"}}"#)
      aged.store.defaultMaxAge = limit
      #expect(try await aged.lifetime(of: "query Q { count }") == lifetime)
      aged.store.defaultMaxAge = nil
      aged.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Query.count": limit])
      #expect(try await aged.lifetime(of: "query Q { count }") == lifetime)
      aged.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Book": limit])
      #expect(try await aged.lifetime(of: "query Q { book { title } }") == lifetime)
    }

    @Test("A field that leads to an object and says nothing has the default, also where that is less than its object's")
    func defaultOfComposites() async throws {
      let aged = try AgedScenario(
        """
        type Query { book: Book @cacheControl(maxAge: 200) } type Book { id: ID! title: String author: Author }
        type Author @cacheControl(maxAge: 300) { id: ID! name: String }
        extend type Book @typePolicy(keyFields: "id") extend type Author @typePolicy(keyFields: "id")
        """)
      try await aged.write(
        "query Q { book { __typename id title author { __typename id name } } }",
        #"{"book":{"__typename":"Book","id":"1","title":"T","author":{"__typename":"Author","id":"9","name":"N"}}}"#)
      #expect(try await aged.lifetime(of: "query Q { book { title author { name } } }") == 200)
      aged.store.defaultMaxAge = 40
      #expect(try await aged.lifetime(of: "query Q { book { title } }") == 200)
      #expect(try await aged.lifetime(of: "query Q { book { title author { name } } }") == 200, "its type says 300")
    }

    @Test("A default that no field has does not count for when the data will be too old")
    func unusedDefault() async throws {
      let aged = try AgedScenario("type Query { count: Int @cacheControl(maxAge: 100) other: Int }")
      try await aged.write("query Q { count other }", #"{"count":7,"other":1}"#)
      aged.store.defaultMaxAge = 80
      func expiry(_ query: String) async throws -> Double? {
        await aged.store.read(try aged.scenario.prepare(query), .strict).earliestExpiry?.timeIntervalSince1970
      }
      #expect(try await expiry("query Q { count }") == 1_000_100)
      #expect(try await expiry("query Q { count other }") == 1_000_080)
    }

    @Test("Permissive reads give values of any age, and say which are stale; a limit gives those that are stale enough")
    func enforcement() async throws {
      let aged = try AgedScenario("type Query { count: Int @cacheControl(maxAge: 60) other: Int }")
      try await aged.write("query Q { count other }", #"{"count":7,"other":8}"#)
      let query = try aged.scenario.prepare("query Q { count other }")
      func read(_ limit: StaleLimit) async -> (isRead: Bool, stale: [String], expiry: Double?) {
        let reading = await aged.store.read(query, limit)
        return ((try? reading.data.get()) != nil, reading.staleFields, reading.earliestExpiry?.timeIntervalSince1970)
      }
      #expect(await read(.strict) == (true, [], 1_000_060))
      aged.wait(100)
      #expect(await read(.strict).isRead == false)
      #expect(await read(.permissive) == (true, ["QUERY_ROOT.count"], 1_000_060))
      #expect(await read(StaleLimit(.strict, maxStale: 41)) == (true, ["QUERY_ROOT.count"], 1_000_060))
      #expect(await read(StaleLimit(.strict, maxStale: 40)).isRead == false)
      _ = try await aged.store.load(query, ttlEnforcement: .permissive)
      await #expect(throws: ResponseDecodingError.self) { try await aged.store.load(query) }
    }

    @Test("A value without a date, a clock that goes back, and dates from the future")
    func clocks() async throws {
      let aged = try AgedScenario(
        "type Query { count: Int @cacheControl(maxAge: 60) other: Int now: Int @cacheControl(maxAge: 0) }")
      try await aged.store.publish(records: RecordSet(records: [Record(key: "QUERY_ROOT", ["count": 7, "other": 8])]))
      #expect(try await aged.expired("query Q { count }") == "QUERY_ROOT.count ? of 60")
      #expect(try await aged.expired("query Q { other }") == nil)
      try await aged.write("query Q { count now }", #"{"count":7,"now":7}"#)
      aged.wait(-59)
      #expect(try await aged.expired("query Q { now }") != nil, "a clock that was set back makes no value of 0 s fresh")
      #expect(try await aged.expired("query Q { count }") == nil, "the clock was set back by less than the age")
      aged.wait(-1)
      #expect(try await aged.expired("query Q { count }") == "QUERY_ROOT.count 0 of 60")
      aged.wait(-2_000_000)
      #expect(try await aged.expired("query Q { count }") != nil, "a time before 1970")
      aged.wait(1e12)
      #expect(try await aged.expired("query Q { count }") != nil, "a time after 2106")
    }
  }
}
