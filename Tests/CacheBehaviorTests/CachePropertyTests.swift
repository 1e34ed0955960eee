@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
import ApolloIR
import Foundation
import GraphQLExecution
import GraphQLSyntax
import GraphQLValidation
import RandomDocuments
import StyledTests
import Testing

/// What the cache does with operations that are given as text: they were never compiled, but ``ModelPlan`` reads them as
/// generated code would. One test after the other: see ``Slot``.
@Suite("The cache", .serialized)
enum CacheBehaviorTests {}

extension CacheBehaviorTests {
  /// What has to hold for every operation: for those of public applications, and for random ones.
  ///
  /// `APOLLO_RANDOM_OPERATIONS` says how many random ones there are; where it is set, applications are checked whole.
  @Suite("Every operation")
  struct CachePropertyTests {
    /// Everything that is claimed of one operation.
    private func check(_ test: PropertyCase, beside other: PropertyCase) async throws {
      First.plan = test.plan
      Second.plan = other.plan
      try await roundTrip(test)
      try await errors(test)
      try await writingBack(test)
      try await watching(test, other)
      try await naive(test, other)
      try await dates(test, other)
    }

    /// After responses to two operations, both read what a naive cache has for them, or miss where it does.
    private func naive(_ test: PropertyCase, _ other: PropertyCase) async throws {
      let query = ModelQuery<First>(variables: test.variables), second = ModelQuery<Second>(variables: other.variables)
      let store = ApolloStore()
      var naive = NaiveStore()
      func compare(_ step: String) async throws {
        let context = "\(step)\n\(test.description)\n\(other.description)\n\(store.dump())"
        try same(try? await store.load(query).value, naive.read(test.naive), "the first operation \(context)")
        try same(try? await store.load(second).value, naive.read(other.naive), "the second operation \(context)")
      }
      try await store.write(response: test.response, for: query)
      naive.write(test.response.data, test.naive)
      let expected = NaiveStore.evaluate(test.response.data, test.naive)
      try same(try? await store.load(query).value, expected, "its own response\n\(test.description)")
      try await store.write(response: other.response, for: second)
      naive.write(other.response.data, other.naive)
      try await compare("after one response to each")
      try await store.write(response: other.changed, for: second)
      naive.write(other.changed.data, other.naive)
      try await compare("after other data for the second")
      try await store.write(response: test.changed, for: query)
      naive.write(test.changed.data, test.naive)
      try await compare("after other data for both")
    }

    /// What was read from a response reads back from the cache, with a dependency on each field that was written.
    private func roundTrip(_ test: PropertyCase) async throws {
      let query = ModelQuery<First>(variables: test.variables)
      let data = try ResponseReader.read(Model<First>.self, from: test.response, variables: test.variables).data
      let store = ApolloStore()
      let written = try await store.write(response: test.response, for: query)
      #expect(written == data, "\(test.description)")
      let reading = await store.read(query)
      #expect(reading.errors.isEmpty)
      guard case .success(let read) = reading.data else {
        Issue.record("\(reading.data)\n\(test.description)\n\(store.dump())")
        return
      }
      #expect(read == data, "\(test.description)\n\(store.dump())")
      #expect(store.keyPaths(of: reading.dependencies) == store.keyPaths, "\(test.description)\n\(store.dump())")
      #expect(read.json == data?.json)

      let counter = Locked(0)
      let observer = store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
      await withCheckedContinuation { done in store.observe(query, for: observer) { _ in done.resume() } }
      try await store.write(response: test.response, for: query)
      await store.waitUntilTold()
      #expect(counter.withLock { $0 } == 0, "a write that changes nothing tells no watcher\n\(test.description)")
      // (Numbers of scalars that are strings here are other strings in another spelling.)
      let style = JSONStyle(seed: UInt64(test.response.count), allowing: [.order, .repeats])
      let restyled = ResponseBytes(style.restyle(Array(test.response.text.utf8)))
      #expect(
        try await store.write(response: restyled, for: query) == data, "\(style): \(restyled.text)\n\(test.description)"
      )
      await store.waitUntilTold()
      #expect(counter.withLock { $0 } == 0, "\(style) is no news\n\(restyled.text)\n\(test.description)")
    }

    /// Each field has the date of the last response that had it. New numbers for records and fields change nothing.
    private func dates(_ test: PropertyCase, _ other: PropertyCase) async throws {
      let query = ModelQuery<First>(variables: test.variables), second = ModelQuery<Second>(variables: other.variables)
      let store = ApolloStore()
      var time: Int64 = 1000, expected: [String: Int64] = [:]
      func write<Plan>(_ response: ResponseBytes, for query: ModelQuery<Plan>) async throws {
        time += 10
        let now = Date(timeIntervalSince1970: Double(time))
        store.clock = { now }
        try await store.write(response: response, for: query)
        let contents = try ResponseReader.read(
          Model<Plan>.self, from: response, variables: query.variables, rootKey: ModelQuery<Plan>.operationType.rootKey,
          identity: store.identity)
        let records = contents.records.map { RecordSet($0, receivedAt: now) } ?? RecordSet()
        for record in records.storage.values {
          for field in record.fields.keys where field != "__typename" { expected["\(record.key).\(field)"] = time }
        }
      }
      func compare(_ step: String) async {
        let records = store.engine.table.exportedRecords
        for record in records {
          for field in record.fields.keys where field != "__typename" {
            let path = "\(record.key).\(field)"
            #expect(
              record.cachedField(for: field)?.writtenAt == expected[path],
              "\(path) \(step)\n\(test.description)\n\(other.description)")
          }
        }
        #expect(store.engine.table.compacted().table.exportedRecords == records, "\(test.description)")
        let reading = await store.read(query)
        let oldest = store.keyPaths(of: reading.dependencies).compactMap { expected[$0] }.min()
        let date = reading.date.map { Int64($0.timeIntervalSince1970) }
        // What a condition leaves out counts, so there the date may be too old. It is never too new.
        let mayBeOlder = ["@skip", "@include", ": __typename"].contains { test.document.contains($0) }
        #expect(
          date == oldest || mayBeOlder && (date ?? 0) <= (oldest ?? .max),
          "\(step): \(date ?? 0), not \(oldest ?? 0)\n\(test.description)\n\(other.description)\n\(store.dump())")
      }
      try await write(test.response, for: query)
      await compare("after one response")
      try await write(other.response, for: second)
      await compare("after another one")
      try await write(test.changed, for: query)
      await compare("after other data")
      try await write(other.response, for: second)
      await compare("after no news")
    }

    /// A response with errors reads back with the same errors.
    private func errors(_ test: PropertyCase) async throws {
      let query = ModelQuery<First>(variables: test.variables)
      let contents = try ResponseReader.read(Model<First>.self, from: test.failed, variables: test.variables)
      let store = ApolloStore()
      try await store.write(response: test.failed, for: query)
      let reading = await store.read(query)
      guard case .success(let read) = reading.data else {
        Issue.record("\(reading.data)\n\(test.failed.prefix(4000))\n\(test.description)\n\(store.dump())")
        return
      }
      #expect(read == contents.data, "\(test.failed.prefix(4000))\n\(test.description)")
      // An error of a type that the app does not know, in a field that it does not read, belongs to no result.
      let seen = NaiveStore.evaluate(test.failed.data, test.naive)
      let paths = Set((contents.errors ?? []).compactMap(\.path).filter { seen.has($0) }.map(\.description))
      #expect(
        Set(reading.errors.compactMap { $0.path?.description }) == paths,
        "\(test.failed.prefix(4000))\n\(test.description)")
    }

    /// What was read can be written, and leaves what the response would have left.
    private func writingBack(_ test: PropertyCase) async throws {
      let query = ModelQuery<First>(variables: test.variables)
      let store = ApolloStore(), other = ApolloStore()
      guard let data = try await store.write(response: test.response, for: query) else { return }
      try await other.withinReadWriteTransaction { try $0.write(data: data, for: query) }
      // A model knows the type of the root also where the operation asks for it under a condition only.
      func lines(_ store: ApolloStore) -> String {
        let ofRoot = ["QUERY_ROOT", #"  __typename: "Query""#]
        return store.dump().split(separator: "\n").filter { !ofRoot.contains(String($0)) }.joined(separator: "\n")
      }
      try same(lines(other), lines(store), test.description)
    }

    /// It makes no difference which of two responses of one server comes first, if both select the keys of all objects.
    private func order(_ test: PropertyCase, _ other: PropertyCase) async throws {
      let first = ModelQuery<First>(variables: test.variables), second = ModelQuery<Second>(variables: other.variables)
      let one = ApolloStore(), two = ApolloStore()
      try await one.write(response: test.response, for: first)
      try await one.write(response: other.response, for: second)
      try await two.write(response: other.response, for: second)
      try await two.write(response: test.response, for: first)
      try same(one.dump(), two.dump(), "\(test.description)\n\(other.description)")
    }

    /// After any writes and removals, a watcher has what a read finds.
    private func watching(_ test: PropertyCase, _ other: PropertyCase) async throws {
      let query = ModelQuery<First>(variables: test.variables), second = ModelQuery<Second>(variables: other.variables)
      let store = ApolloStore()
      try await store.write(response: test.response, for: query)
      let last = Locked<Model<First>?>(nil)
      let client = ApolloClient(networkTransport: NoTransport(), store: store)
      let watcher = GraphQLQueryWatcher(
        client: client, query: query, refetchPolicy: .never, context: nil, queue: nil
      ) { result in
        if case .success(let value) = result { last.withLock { $0 = value.data } }
      }
      await withCheckedContinuation { done in
        watcher.observe { done.resume() }
      }
      for step in [test.changed, test.response] {
        try await store.write(response: other.changed, for: second)
        try await store.write(response: step, for: query)
        let key = store.keys.filter { !$0.hasSuffix("_ROOT") }.first
        if let key { try await store.withinReadWriteTransaction { try $0.removeObject(for: key) } }
        try await store.write(response: other.response, for: second)
        await store.waitUntilTold()
        if let fresh = try? await store.load(query) {
          #expect(last.withLock { $0 } == fresh, "\(test.description)\n\(other.description)")
        }
      }
      watcher.cancel()
    }

    private func same(_ one: String, _ two: String, _ context: String) throws {
      guard one != two else { return }
      let lines = zip(one.split(separator: "\n"), two.split(separator: "\n")).first { $0 != $1 }
      throw CaseMaker.Unexpected(description: "\(lines?.0 ?? "")\n\(lines?.1 ?? "")\n\(context)")
    }

    /// A model knows the type of the root also where the operation asks for it under a condition only.
    private func same(_ found: GraphQLValue?, _ wanted: GraphQLValue?, _ context: String) throws {
      func withoutRootType(_ value: GraphQLValue?) -> GraphQLValue? {
        guard case .object(var members)? = value else { return value }
        members["__typename"] = nil
        return .object(members)
      }
      guard withoutRootType(found) != withoutRootType(wanted) else { return }
      throw CaseMaker.Unexpected(
        description: "\(found?.description ?? "a miss")\ninstead of \(wanted?.description ?? "a miss")\n\(context)")
    }

    // MARK: - Operations

    @Test("of random documents keeps what the cache promises")
    func random() async throws {
      let wanted = Int(ProcessInfo.processInfo.environment["APOLLO_RANDOM_OPERATIONS"] ?? "") ?? 40
      var count = 0, seed: UInt64 = 0
      while count < wanted {
        seed += 1
        let text = RandomSchema.text(seed: seed)
        let later = Source(RandomSchema.laterText(seed: seed), name: "later.graphqls")
        let maker = try #require(
          try CaseMaker(schema: [Source(text, name: "schema.graphqls")], later: [later], seed: seed), "\(text)")
        var options = RandomDocument.Options()
        // Only then does the order of responses make no difference.
        options.selectsAllKeys = seed % 2 == 0
        let documents = RandomDocument(maker.schema.value, options)
        var previous: PropertyCase?, found = 0, refusals: Set<String> = []
        for index in 0..<60 where count < wanted {
          let document = documents.text(seed: seed &* 1000 &+ UInt64(index))
          guard let program = try? maker.program([Source(document, name: "Random.graphql")]),
            let operation = program.operations.first,
            let test = try await maker.make(operation, of: program, seed: seed)
          else { continue }
          try await check(test, beside: previous ?? test)
          if let previous, options.selectsAllKeys { try await order(test, previous) }
          previous = test
          count += 1
          found += 1
        }
        #expect(found > 0, "no document of 60 was valid: \(refusals)\n\(text)")
        if found == 0 { break }
      }
    }

    private static let isWhole = ProcessInfo.processInfo.environment["APOLLO_RANDOM_OPERATIONS"] != nil
    private static let applications = Shared.projects.filter { isWhole || Shared.areFast.contains($0) }

    @Test(
      "of public applications keeps what the cache promises",
      .enabled(if: !applications.isEmpty, "the reference material is not there"), arguments: applications)
    func projects(project: String) async throws {
      let files = try Shared.files(of: project)
      let maker = try #require(try CaseMaker(schema: files.schema, seed: 1))
      var previous: PropertyCase?, count = 0
      for documents in files.documents {
        let program = try maker.program(documents)
        for operation in program.operations.prefix(Self.isWhole ? .max : 6) {
          guard let test = try await maker.make(operation, of: program, seed: 1) else { continue }
          try await check(test, beside: previous ?? test)
          previous = test
          count += 1
        }
      }
      #expect(count > 0)
    }
  }
}

/// Never answers.
final class NoTransport: NetworkTransport {
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable { EmptyCancellable() }
}

extension GraphQLQueryWatcher {
  /// Starts to watch what the cache has, without a request.
  fileprivate func observe(_ done: @escaping @Sendable () -> Void) {
    Task {
      await receive(GraphQLResult(data: nil, source: .cache), of: 0)
      store.engine.deliver { _ in done() }
    }
  }
}

extension RecordTable {
  /// All records, in the order of their keys.
  fileprivate var exportedRecords: [Record] { numbers.compactMap { exported($0) }.sorted { $0.key < $1.key } }
}

extension ApolloStore {
  /// Every field of every record.
  fileprivate var keyPaths: Set<String> {
    let table = engine.table
    return Set(
      table.numbers.flatMap { number in
        (table[number]?.fields ?? []).map { "\(table.records.key(of: number) ?? "").\(table.records.text(of: $0.key))" }
      })
  }

  /// The fields that a read depended on, as far as they are there.
  fileprivate func keyPaths(of dependencies: Dependencies) -> Set<String> {
    let table = engine.table
    var paths: Set<String> = []
    for read in dependencies.reads {
      for field in table[read.record]?.fields ?? [] where dependencies.includes(field.key, of: read) {
        paths.insert("\(table.records.key(of: read.record) ?? "").\(table.records.text(of: field.key))")
      }
    }
    return paths
  }
}

extension Model {
  fileprivate var json: [UInt8] {
    var writer = __JSONWriter()
    __write(to: &writer)
    return writer.bytes
  }

  fileprivate var value: GraphQLValue { (try? GraphQLValue(json: json)) ?? .null }
}

extension GraphQLValue {
  fileprivate func has(_ path: [PathComponent]) -> Bool {
    var value: GraphQLValue? = self
    for component in path {
      switch component {
      case .field(let name): value = value?[name]
      case .index(let index): value = value?[index]
      }
    }
    return value != nil
  }
}

extension ResponseBytes {
  fileprivate var data: GraphQLValue {
    (try? GraphQLValue(json: (0..<count).map { self[$0] }))?["data"] ?? .null
  }
}
