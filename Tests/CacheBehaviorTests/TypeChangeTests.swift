@testable import ApolloAPI
@testable import ApolloCache
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
        let record = ObjectRecord.make(type: .declare(type), capacity: 1)
        record.append(ObjectRecord.Field(.forName("title"), .string(type)))
        return record
      }
      let place = RecordField(record: 9, key: .forName("title"))
      var order = OrderedWrite(
        number: 1, isMutation: false, written: [place: SendingOrder.Writers(operation: 2)], notes: false)
      let part = order.part(of: record("DraftVideo"), 9, over: record("ReadyVideo"))
      #expect(part.count == 0 && part.type == .unknown)
      #expect(order.part(of: record("DraftVideo"), 8, over: nil).type == .declare("DraftVideo"))
    }
  }
}
