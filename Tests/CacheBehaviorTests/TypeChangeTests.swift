@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

extension CacheBehaviorTests {
  @Suite("Objects that change their type and keep their key", .everyStyle)
  struct TypeChangeTests {
    private static let schema = """
      type Query { video: Video }
      interface Video { id: ID!, title: String }
      type DraftVideo implements Video { id: ID!, title: String, note: String }
      type ReadyVideo implements Video { id: ID!, title: String, url: String }
      """
    private static let query = "query Q { video { id title ... on DraftVideo { note } ... on ReadyVideo { url } } }"
    private static let draft = #"{"video":{"__typename":"DraftVideo","id":"42","title":"T","note":"later"}}"#
    private static let ready = #"{"video":{"__typename":"ReadyVideo","id":"42","title":"T","url":"there"}}"#

    private let cache = RecordsOnly()
    private var scenario: Scenario

    init() throws {
      scenario = try Scenario(Self.schema, cache: cache)
      scenario.store.cacheKeyForObject = { $0["id"] }
    }

    @Test("The last type counts, in memory and in a backend")
    func response() async throws {
      try await scenario.write(Self.query, Self.draft)
      #expect(try await scenario.read(Self.query).contains(#""note":"later""#))
      try await scenario.write(Self.query, Self.ready)
      var later = scenario
      later.store = ApolloStore(cache: cache)
      for scenario in [scenario, later] {
        let text = try await scenario.read(Self.query)
        #expect(text.contains("ReadyVideo") && text.contains(#""url":"there""#) && !text.contains("note"))
      }
    }

    @Test("So it does if nothing else changes, and if an app writes the record")
    func record() async throws {
      try await scenario.write(Self.query, Self.draft)
      let record = Record(key: "42", ["__typename": "ReadyVideo", "title": "T"])
      try await scenario.store.publish(records: RecordSet(records: [record]))
      #expect(scenario.value("__typename", of: "42") == .string("ReadyVideo"))
      #expect(cache.records.storage["42"]?.fields["__typename"] == .string("ReadyVideo"))
    }

    @Test("An answer that comes after that to a later operation leaves the type with the fields")
    func order() {
      func record(_ type: String) -> ObjectRecord {
        let record = ObjectRecord.make(type: .declare(type), capacity: 2)
        record.append(ObjectRecord.Field(.forName("title"), .string(type)))
        return record
      }
      var written = SendingOrder.Written()
      for key in [FieldKey.forName("title"), .typename] {
        written.fields[RecordField(record: 9, key: key)] = SendingOrder.Writers(operation: 2)
      }
      var order = OrderedWrite(number: 1, isMutation: false, written: written, notes: false)
      let part = order.part(of: record("DraftVideo"), 9, over: record("ReadyVideo"))
      #expect(part.count == 0 && part.type == .unknown)
      #expect(order.part(of: record("DraftVideo"), 8, over: nil).type == .declare("DraftVideo"))
      let aliased = record("DraftVideo")
      aliased.append(ObjectRecord.Field(.typename, .string("DraftVideo")))
      let name = order.part(of: aliased, 9, over: record("ReadyVideo")).value(of: .typename)
      #expect(name?.isSame(as: .string("ReadyVideo")) == true)
    }

    @Test("An answer brings its type though the app has changed another field since, and not if an answer told a type")
    func change() async throws {
      try await scenario.write(Self.query, Self.draft)
      let store = scenario.store, first = store.beginSending(.query), second = store.beginSending(.query)
      let mutation = store.beginSending(.mutation)
      let completion = store.completion(nil) { transaction in
        try transaction.cache.merge(records: RecordSet(records: [Record(key: "42", ["title": "New"])]))
      }
      #expect(await store.complete(completion, asked: mutation.asked, sent: mutation) == nil)
      for (ticket, data) in [(second, Self.ready), (first, Self.draft)] {
        _ = try scenario.prepare(Self.query)
        let contents = try ResponseReader.read(
          Model<First>.self, from: ResponseBytes(Array(#"{"data":\#(data)}"#.restyled.utf8)), variables: .none,
          rootKey: GraphQLOperationType.query.rootKey, identity: store.identity)
        let error = await store.publish(try #require(contents.records), sent: ticket)
        #expect(error == nil)
        let text = try await scenario.read(Self.query)
        #expect(text.contains("ReadyVideo") && text.contains(#""url":"there""#) && text.contains(#""title":"New""#))
      }
    }

    @Test("A watcher is told of a type alone, also while a guess is shown, and if a guess makes the object again")
    func guess() async throws {
      try await scenario.write(Self.query, Self.draft)
      let store = scenario.store, query = try scenario.prepare(Self.query), told = Locked(0)
      let observer = store.addObserver(ignoring: UUID()) { _ in told.withLock { $0 += 1 } }
      func read() async {
        await withCheckedContinuation { done in store.observe(query, for: observer) { _ in done.resume() } }
      }
      await read()
      try await store.applyOptimisticUpdate(id: "other") { transaction in
        try transaction.cache.merge(records: RecordSet(records: [Record(key: "7", ["title": "T"])]))
      }
      await store.engine.waitUntilTold()
      #expect(told.withLock { $0 } == 0)
      try await store.publish(records: RecordSet(records: [Record(key: "42", ["__typename": "ReadyVideo"])]))
      await store.engine.waitUntilTold()
      #expect(told.withLock { $0 } == 1)
      await read()
      try await store.applyOptimisticUpdate(id: "again") { transaction in
        guard var record = try transaction.cache.loadRecords(forKeys: ["42"])["42"] else { return }
        record.fields["__typename"] = "DraftVideo"
        try transaction.removeObject(for: "42")
        try transaction.cache.merge(records: RecordSet(records: [record]))
      }
      await store.engine.waitUntilTold()
      #expect(told.withLock { $0 } == 2)
      store.removeObserver(observer)
    }
  }
}
