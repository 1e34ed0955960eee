@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution
import StyledTests
import Testing

// MARK: - What the app says

private struct Failure: Error, Equatable {}

/// Calls a closure of the test.
private struct Merge: FieldPolicy.Merger {
  let body: @Sendable (CachedValue.Field?, CachedValue.Field, FieldPolicy.InputData) throws -> CachedValue

  func merge(
    existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
  ) throws -> CachedValue { try body(existing, incoming, arguments) }
}

private struct Compute: FieldPolicy.Reader {
  let body: @Sendable (CachedValue.Field?, FieldPolicy.Context) throws -> CachedValue?

  func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? {
    try body(existing, object)
  }
}

/// Puts a page behind the pages before it.
private let append = Merge { existing, incoming, _ in
  guard case .list(let pages)? = existing?.value, case .list(let page) = incoming.value else { return incoming.value }
  return .list(pages + page)
}

private enum FunctionSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = Functions.self

  static func objectType(forTypename typename: String) -> Object? {
    let node = Interface(name: "Node", implementingObjects: ["Person"])
    return typename == "Person" ? Object(typename: typename, implementedInterfaces: [node]) : nil
  }
}

private enum Functions: SchemaConfiguration {
  static let calls = Locked<[String]>([])

  static let fieldMergers: [String: any FieldPolicy.Merger] = [
    "Query.feed": append,
    "Folder.items": append,
    "Query.page": Merge { existing, incoming, arguments in
      calls.withLock {
        $0.append("\(existing?.writtenAt ?? -1) \(incoming.writtenAt) \(arguments["offset"] ?? "none")")
      }
      guard case .list(var all)? = existing?.value, case .list(let page) = incoming.value else { return incoming.value }
      let offset = arguments["offset"] as? Int ?? 0
      while all.count < offset + page.count { all.append(.null) }
      all.replaceSubrange(offset..<(offset + page.count), with: page)
      return .list(all)
    },
    "Query.broken": Merge { existing, incoming, _ in if existing == nil { incoming.value } else { throw Failure() } },
    "Query.bent": Merge { _, _, _ in .string("text") },
    "Query.total": Merge { existing, incoming, _ in
      guard case .int(let old)? = existing?.value, case .int(let new) = incoming.value else { return incoming.value }
      return .int(max(old, new))
    },
    "Node.tags": append,
    "Nowhere.nothing": append,
    "nonsense": append,
  ]

  static let fieldReaders: [String: any FieldPolicy.Reader] = [
    "Person.name": Compute { _, person in
      guard case .string(let first)? = person["first"], case .string(let last)? = person["last"] else { return nil }
      return .string("\(first) \(last)")
    },
    "Person.boss": Compute { _, person in
      guard case .reference(let friend)? = person["friend"] else { return .null }
      return person.value(of: "friend", in: friend)
    },
    "Query.person": Compute { existing, query in
      existing?.value ?? (query.arguments["id"] as? String).map { .reference("Person:\($0)") }
    },
    "Person.sizes": Compute { _, person in .list([.int(person.arguments["by"] as? Int ?? 0), .null]) },
    "Person.failing": Compute { _, _ in throw Failure() },
    "Person.card": Compute { _, person in
      .object([
        "__typename": "Card", "title": person["first"] ?? .null,
        "tags": .list((0..<4).map { .string("a tag that is long enough for memory of its own, \($0)") }),
      ])
    },
  ]
}

extension CacheBehaviorTests {
  @Suite("Functions of the app for single fields", .everyStyle)
  struct FieldFunctionTests {
    private static let schema = """
      type Query {
        feed(after: Int, kind: String): [Item]
        page(offset: Int!, limit: Int): [Item]
        broken: [Int], bent: [Int], total: Int, folder: Folder, shelf: [Folder]
        person(id: ID!): Person
        node: Node
      }
      interface Node { id: ID!, tags: [String] }
      type Item @typePolicy(keyFields: "id") { id: ID!, title: String }
      type Folder { name: String, items: [Item] }
      type Card { title: String, tags: [String] }
      type Person implements Node @typePolicy(keyFields: "id") {
        id: ID!, first: String, last: String, name: String, friend: Person, boss: Person, tags: [String]
        sizes(by: Int): [Int], failing: String, card: Card
      }
      extend type Query
        @fieldPolicy(forField: "feed", paginationArgs: "after")
        @fieldPolicy(forField: "page", paginationArgs: "offset, limit")
      """

    var scenario: Scenario

    init() throws {
      scenario = try Scenario(Self.schema)
      scenario.metadata = FunctionSchema.self
    }

    private func item(_ id: Int) -> String { #"{"__typename":"Item","id":"\#(id)"}"# }

    private func items(_ ids: ClosedRange<Int>) -> String { "[" + ids.map(item).joined(separator: ",") + "]" }

    private func ids(_ text: String) -> [String] {
      text.split(separator: "\"id\":\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    // MARK: Merging

    private let feed = "query Q($after: Int, $kind: String) { feed(after: $after, kind: $kind) { id } }"

    @Test("Pages under other arguments become one list; an argument in the key keeps lists apart")
    func pages() async throws {
      try await scenario.write(feed, #"{"feed":\#(items(1...2))}"#, ["kind": .string("new")])
      try await scenario.write(feed, #"{"feed":\#(items(3...4))}"#, ["kind": .string("new"), "after": .int(2)])
      try await scenario.write(feed, #"{"feed":\#(items(7...7))}"#, ["kind": .string("top")])
      #expect(ids(try await scenario.read(feed, ["kind": .string("new"), "after": .int(99)])) == ["1", "2", "3", "4"])
      #expect(ids(try await scenario.read(feed, ["kind": .string("top")])) == ["7"])
      #expect(scenario.fields() == [#"feed(kind:"new")"#, #"feed(kind:"top")"#])
    }

    @Test("Two pages of one response are merged one after the other")
    func aliases() async throws {
      let query = #"query Q { a: feed(kind: "new") { id } b: feed(kind: "new", after: 2) { id title } }"#
      try await scenario.write(
        query, #"{"a":\#(items(1...2)),"b":[{"__typename":"Item","id":"3","title":"T"}]}"#)
      #expect(ids(try await scenario.read(feed, ["kind": .string("new")])) == ["1", "2", "3"])
    }

    @Test("A merger is told when the fields came, and under which arguments")
    func arguments() async throws {
      let query = "query Q($offset: Int!) { page(offset: $offset, limit: 2) { id } }"
      Functions.calls.withLock { $0 = [] }
      scenario.store.clock = { Date(timeIntervalSince1970: 500) }
      try await scenario.write(query, #"{"page":\#(items(1...2))}"#, ["offset": .int(0)])
      scenario.store.clock = { Date(timeIntervalSince1970: 600) }
      try await scenario.write(query, #"{"page":\#(items(3...4))}"#, ["offset": .int(0)])
      #expect(Functions.calls.withLock { $0 } == ["-1 500 0", "500 600 0"])
      #expect(ids(try await scenario.read(query, ["offset": .int(0)])) == ["3", "4"])
    }

    @Test("Objects without keys have fields that are merged, also in lists, and where they are new")
    func embedded() async throws {
      let query = "query Q { folder { name items { id } } shelf { items { id } } }"
      func data(_ ids: ClosedRange<Int>) -> String {
        let folder = #"{"__typename":"Folder","name":"F","items":\#(items(ids))}"#
        return #"{"folder":\#(folder),"shelf":[{"__typename":"Folder","items":\#(items(ids))}]}"#
      }
      try await scenario.write(query, data(1...1))
      try await scenario.write(query, data(2...3))
      #expect(ids(try await scenario.read(query)) == ["1", "2", "3", "1", "2", "3"])
    }

    @Test("A null takes the place of a list, and a list the place of a null")
    func nulls() async throws {
      try await scenario.write(feed, #"{"feed":\#(items(1...2))}"#)
      try await scenario.write(feed, #"{"feed":null}"#)
      #expect(try await scenario.read(feed) == #"{"feed":null}"#)
      try await scenario.write(feed, #"{"feed":\#(items(5...5))}"#)
      #expect(ids(try await scenario.read(feed)) == ["5"])
    }

    @Test("An error in place of a list leaves the list as it was")
    func errors() async throws {
      try await scenario.write(feed, #"{"feed":\#(items(1...2))}"#)
      try await scenario.write(
        feed, #"{"feed":null}"#, errors: #"[{"message":"No","path":["feed"]}]"#)
      #expect(ids(try await scenario.read(feed)) == ["1", "2"])
    }

    @Test("Scalars are merged, and a watcher is not told of a result that is equal")
    func scalars() async throws {
      try await scenario.write("query Q { total }", #"{"total":7}"#)
      let version = scenario.store.engine.table.version
      let told = Locked(0)
      let observer = scenario.store.addObserver(ignoring: UUID()) { _ in told.withLock { $0 += 1 } }
      scenario.store.observe(try scenario.prepare("query Q { total }"), for: observer) { _ in }
      try await scenario.write("query Q { total }", #"{"total":5}"#)
      await scenario.store.waitUntilTold()
      #expect(try await scenario.read("query Q { total }") == #"{"total":7}"#)
      #expect(scenario.store.engine.table.version > version)
      #expect(told.withLock { $0 } == 0)
      scenario.store.removeObserver(observer)
    }

    @Test("What is said of an interface holds for its types")
    func interfaces() async throws {
      let query = "query Q { node { id tags } }"
      try await scenario.write(query, #"{"node":{"__typename":"Person","id":"1","tags":["a"]}}"#)
      try await scenario.write(query, #"{"node":{"__typename":"Person","id":"1","tags":["b"]}}"#)
      #expect(try await scenario.read(query).contains(#"["a","b"]"#))
    }

    @Test("If a merger throws, what came in is stored, and the error names the field", arguments: [false, true])
    func throwing(hasBackend: Bool) async throws {
      var scenario = try Scenario(Self.schema, cache: hasBackend ? RecordsOnly() : InMemoryNormalizedCache())
      scenario.metadata = FunctionSchema.self
      try await scenario.write("query Q { broken }", #"{"broken":[1]}"#)
      let error = try await scenario.publish("query Q { broken }", #"{"broken":[2]}"#) as? FieldPolicy.MergerError
      #expect(error?.coordinate == "Query.broken" && error?.underlyingError is Failure)
      #expect(try await scenario.read("query Q { broken }") == #"{"broken":[2]}"#)
    }

    @Test("If a merger returns a value of another kind, what came in is stored, and the error says so")
    func otherKind() async throws {
      let error = try await scenario.publish("query Q { bent }", #"{"bent":[2]}"#) as? FieldPolicy.MergerError
      #expect(error?.coordinate == "Query.bent" && error?.underlyingError == nil)
      #expect(error?.description.contains("another kind") == true)
      #expect(try await scenario.read("query Q { bent }") == #"{"bent":[2]}"#)
    }

    @Test("What a transaction writes takes the place of the list")
    func transactions() async throws {
      try await scenario.write(feed, #"{"feed":\#(items(1...3))}"#)
      try await scenario.edit(feed) { data in data["feed"] = .list([data["feed"][2]]) }
      #expect(ids(try await scenario.read(feed)) == ["3"])
    }

    // MARK: Computing

    private let people = "query Q { node { id ... on Person { name first } } }"

    private func writePerson(_ id: Int, first: String = "Ada", friend: Int? = nil) async throws {
      let friend = friend.map { #"{"__typename":"Person","id":"\#($0)"}"# } ?? "null"
      try await scenario.write(
        "query Q { node { ... on Person { id first last friend { id } } } }",
        #"{"node":{"__typename":"Person","id":"\#(id)","first":"\#(first)","last":"L","friend":\#(friend)}}"#)
    }

    @Test("A field is computed of other fields of the object, and a watcher is told when these change")
    func computed() async throws {
      try await writePerson(1)
      let text = try await scenario.read(people)
      #expect(text.contains(#""name":"Ada L""#) && text.contains(#""first":"Ada""#))
      let names = Locked<[String]>([])
      let observer = scenario.store.addObserver(ignoring: UUID()) { _ in names.withLock { $0.append("told") } }
      scenario.store.observe(
        try scenario.prepare("query Q { node { ... on Person { name } } }"), for: observer
      ) { _ in }
      try await writePerson(1, first: "Bea")
      await scenario.store.waitUntilTold()
      #expect(names.withLock { $0 } == ["told"])
      #expect(try await scenario.read(people).contains(#""name":"Bea L""#))
      scenario.store.removeObserver(observer)
    }

    @Test("A reader that returns nil is a miss, which names the field")
    func missing() async throws {
      try await scenario.write("query Q { node { id } }", #"{"node":{"__typename":"Person","id":"1"}}"#)
      let miss = try await scenario.miss("query Q { node { ... on Person { name } } }")
      #expect(miss?.reason == .cacheMiss(record: "Person:1", field: "name"))
    }

    @Test("A reader follows references, and leads to an object that other operations have read")
    func references() async throws {
      try await writePerson(3)
      try await writePerson(2, friend: 3)
      try await writePerson(1, friend: 2)
      let query = #"query Q { person(id: "1") { boss { id name } } }"#
      let text = try await scenario.read(query)
      #expect(text.contains(#""id":"3""#) && text.contains("Ada L"))
    }

    @Test("Lists, and objects without keys, are computed")
    func composites() async throws {
      try await writePerson(1)
      let text = try await scenario.read("query Q { node { ... on Person { sizes(by: 4) card { title } } } }")
      #expect(text.contains(#""sizes":[4,null]"#) && text.contains(#""title":"Ada""#))
    }

    @Test("A computed object is there as long as it is read, also after a list in it")
    func listInObject() async throws {
      let name = "a name that is long enough for memory of its own"
      try await writePerson(1, first: name)
      let text = try await scenario.read("query Q { node { ... on Person { card { tags title } first } } }")
      #expect(text.contains(#""title":"\#(name)""#) && text.contains("of its own, 3"))
    }

    @Test("If a reader throws, the read fails with an error that names the field")
    func failing() async throws {
      try await writePerson(1)
      let error = try await scenario.miss("query Q { node { ... on Person { failing } } }")
      #expect(error?.reason == .failedFieldReader(record: "Person:1", field: "failing"))
      #expect(error?.underlyingError is Failure)
      #expect(error?.path == ["node", "failing"])
    }

    @Test("Records that a reader asks for are loaded from a backend first")
    func backends() async throws {
      let cache = RecordsOnly()
      var scenario = try Scenario(Self.schema, cache: cache)
      scenario.metadata = FunctionSchema.self
      let person = "query Q { node { ... on Person { id first last friend { id } } } }"
      for (id, friend) in [
        (3, "null"), (2, #"{"__typename":"Person","id":"3"}"#), (1, #"{"__typename":"Person","id":"2"}"#),
      ] {
        try await scenario.write(
          person, #"{"node":{"__typename":"Person","id":"\#(id)","first":"Ada","last":"L","friend":\#(friend)}}"#)
      }
      var reopened = try Scenario(Self.schema, cache: cache)
      reopened.metadata = FunctionSchema.self
      #expect(try await reopened.read(#"query Q { person(id: "1") { boss { id } } }"#).contains(#""id":"3""#))
      let feed = feed
      try await reopened.write(feed, #"{"feed":\#(items(1...2))}"#)
      var again = try Scenario(Self.schema, cache: cache)
      again.metadata = FunctionSchema.self
      try await again.write(feed, #"{"feed":\#(items(3...3))}"#, ["after": .int(2)])
      #expect(ids(try await again.read(feed)) == ["1", "2", "3"])
    }

    @Test("With ages, a computed field has none, and the fields beside it keep theirs")
    func ages() async throws {
      let time = Locked(1_000.0)
      scenario.store.clock = { Date(timeIntervalSince1970: time.withLock { $0 }) }
      try await writePerson(1)
      scenario.store.defaultMaxAge = 60
      #expect(try await scenario.read(people).contains("Ada L"))
      time.withLock { $0 += 100 }
      #expect(try await scenario.miss(people)?.description.contains("old") == true)
    }
  }
}

extension Scenario {
  /// Stores the `data` of a response, as a request does.
  ///
  /// - Returns: What failed.
  fileprivate func publish(_ query: String, _ data: String) async throws -> (any Error)? {
    let query = try prepare(query)
    let contents = try ResponseReader.read(
      Model<First>.self, from: ResponseBytes(Array(#"{"data":\#(data)}"#.utf8)), variables: query.values,
      rootKey: "QUERY_ROOT", identity: store.identity)
    guard let records = contents.records else { return nil }
    return await store.publish(records)
  }
}
