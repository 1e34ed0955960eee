@testable import ApolloAPI
@testable import ApolloCache
import DiskCaches
import Foundation
import GraphQLExecution
import ResponseStyles
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// Each part of a response is stored as the whole response so far. Here, parts are written by one ticket.
  @Suite("Rows without keys, and responses that come in parts")
  struct RowPartsTests {
    private static let schema = """
      type Query { rows: [Row!] sections: [Section!] hero: Hero }
      type Hero @typePolicy(keyFields: "id") { id: ID!, age: Int, name: String }
      type Row { label: String, mark: Boolean, note: String, inner: Inner }
      type Inner { label: String, mark: Boolean, tags: [String!] }
      type Section { title: String, note: String, items(offset: Int, limit: Int): [Hero!] }
      extend type Section @pagination(forField: "items", style: OFFSET)
      """

    private let scenario: Scenario

    init() throws { scenario = try Scenario(Self.schema) }

    private func begin() -> SendingTicket {
      let ticket = scenario.store.beginSending(.query)
      ticket.expectParts()
      return ticket
    }

    /// Writes the response so far of an operation; without a ticket, it is a write of the app.
    private func write(
      _ ticket: SendingTicket?, _ query: String, _ data: String, errors: String? = nil
    ) async throws {
      _ = try scenario.prepare(query)
      let text = #"{"data":\#(data)\#(errors.map { #","errors":\#($0)"# } ?? "")}"#
      let contents = try ResponseReader.read(
        Model<First>.self, from: ResponseBytes(Array(text.utf8)), variables: .none,
        rootKey: GraphQLOperationType.query.rootKey)
      let error = await scenario.store.publish(try #require(contents.records), sent: ticket)
      #expect(error == nil)
    }

    /// A row, as the model has it.
    private struct Row: Equatable {
      var label: String
      var mark: Bool
      var note: String?

      func text(isInner: Bool) -> String {
        let fields = #""label":"\#(label)","mark":\#(mark)"#, note = note.map { #","note":"\#($0)""# } ?? ""
        return isInner
          ? #"{"__typename":"Row","inner":{"__typename":"Inner",\#(fields)}\#(note)}"#
          : #"{"__typename":"Row",\#(fields)\#(note)}"#
      }
    }

    @Test(
      "A row that the app has changed between two parts keeps the change; other rows make those of the server count",
      arguments: Effort.seeds(20), [true, false])
    func random(seed: UInt64, isInner: Bool) async throws {
      var random = SplitMix(state: seed &+ 1)
      let names = isInner ? "inner { label mark }" : "label mark"
      func data(_ rows: [Row]) -> String {
        #"{"rows":[\#(rows.map { $0.text(isInner: isInner) }.joined(separator: ","))]}"#
      }
      for _ in 0..<20 {
        let ticket = begin(), labels = "abcde".shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
        let server = labels.map { Row(label: "\($0)", mark: Bool.random(using: &random)) }
        try await write(ticket, "query Q { rows { \(names) } }", data(server))
        var edited = server, isKept = true
        switch Int.random(in: 0..<4, using: &random) {
        case 0: for index in edited.indices where Bool.random(using: &random) { edited[index].mark.toggle() }
        case 1:
          edited.shuffle(using: &random)
          isKept = edited == server
        case 2:
          edited.removeFirst()
          edited.append(Row(label: "x", mark: Bool.random(using: &random)))
          isKept = false
        default:
          edited.removeLast()
          isKept = false
        }
        // (A single row that has another label may be the one that was there.)
        if server.count == 1, edited.first?.mark == server[0].mark { continue }
        try await write(nil, "query Q { rows { \(names) } }", data(edited))
        let answer = server.map { Row(label: $0.label, mark: $0.mark, note: "of \($0.label)") }
        let query = "query Q { rows { \(names) note } }"
        try await write(ticket, query, data(answer))
        let wanted = isKept ? zip(answer, edited).map { Row(label: $0.label, mark: $1.mark, note: $0.note) } : answer
        #expect(try await scenario.read(query) == data(wanted), "\(server.map(\.label)), then \(edited)")
      }
    }

    @Test("A row keeps what else was read of it when a list grows, and the pages in it stay", arguments: [false, true])
    func pagesInRows(isOnDisk: Bool) async throws {
      let disk = isOnDisk ? try DiskCache() : nil
      let scenario = try Scenario(Self.schema, cache: disk?.cache ?? InMemoryNormalizedCache())
      let other = RowPartsTests(scenario: scenario), ticket = other.begin()
      func section(_ title: String, _ items: [Int], _ note: String = "") -> String {
        let items = items.map { #"{"__typename":"Hero","id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"__typename":"Section","title":"\#(title)"\#(note),"items":[\#(items)]}"#
      }
      let query = "query Q { sections { title items(offset: 0, limit: 2) { id } } }"
      try await other.write(ticket, query, #"{"sections":[\#(section("a", [1, 2]))]}"#)
      try await scenario.write(
        "query Q { sections { title note items(offset: 2, limit: 2) { id } } }",
        #"{"sections":[\#(section("a", [3, 4], #","note":"x""#))]}"#)
      try await other.write(
        ticket, query, #"{"sections":[\#(section("a", [1, 2])),\#(section("b", [5, 6]))]}"#)
      let text = try await scenario.read("query Q { sections { title items { id } } }")
      #expect(text.split(separator: #""id":""#).dropFirst().map { $0.prefix(1) } == ["1", "2", "3", "4", "5", "6"])
      #expect(scenario.store.dump().contains(#"note: "x""#))
    }

    @Test(
      "An error that comes again with a later part replaces nothing that was written since", arguments: [true, false])
    func errors(isReplacing: Bool) async throws {
      scenario.store.errorsReplaceCachedValues = isReplacing
      let ticket = begin(), query = "query Q { hero { id age } }"
      let errors = #"[{"message":"No","path":["hero","age"]}]"#
      func data(_ age: String) -> String { #"{"hero":{"__typename":"Hero","id":"0","age":\#(age)}}"# }
      try await write(ticket, query, data("null"), errors: errors)
      try await scenario.write(query, data("7"))
      try await write(ticket, query, data("null"), errors: errors)
      #expect(try await scenario.read(query).contains(#""age":7"#))
    }

    @Test("Nor does one in a row of a list that has grown", arguments: [true, false])
    func errorsInRows(isReplacing: Bool) async throws {
      scenario.store.errorsReplaceCachedValues = isReplacing
      let ticket = begin(), query = "query Q { rows { label mark } }"
      let errors = #"[{"message":"No","path":["rows",0,"mark"]}]"#
      func row(_ label: String, _ mark: String) -> String {
        #"{"__typename":"Row","label":"\#(label)","mark":\#(mark)}"#
      }
      try await write(ticket, query, #"{"rows":[\#(row("a", "null"))]}"#, errors: errors)
      try await write(nil, query, #"{"rows":[\#(row("a", "true"))]}"#)
      try await write(ticket, query, #"{"rows":[\#(row("a", "null")),\#(row("b", "false"))]}"#, errors: errors)
      #expect(try await scenario.read(query) == #"{"rows":[\#(row("a", "true")),\#(row("b", "false"))]}"#)
    }

    @Test("A row keeps what else was read of it when the list grows, and with it a list inside of the row")
    func grownListsInRows() async throws {
      let ticket = begin(), query = "query Q { rows { inner { tags } } }"
      func row(_ tags: String, _ rest: String = "") -> String {
        #"{"__typename":"Row","inner":{"__typename":"Inner","tags":[\#(tags)]}\#(rest)}"#
      }
      try await write(ticket, query, #"{"rows":[\#(row(#""a""#))]}"#)
      let noted = row(#""a""#, #","note":"of a""#)
      try await write(nil, "query Q { rows { inner { tags } note } }", #"{"rows":[\#(noted)]}"#)
      try await write(ticket, query, #"{"rows":[\#(row(#""a","b""#)),\#(row(""))]}"#)
      #expect(scenario.store.dump().contains(#"note: "of a""#))
    }

    @Test("A list that has grown and begins with another row replaces the one before")
    func otherRows() async throws {
      let ticket = begin(), query = "query Q { rows { label mark } }"
      func row(_ label: String, _ rest: String = "") -> String {
        #"{"__typename":"Row","label":"\#(label)","mark":true\#(rest)}"#
      }
      try await write(ticket, query, #"{"rows":[\#(row("a"))]}"#)
      let noted = row("a", #","note":"of a""#)
      try await write(nil, "query Q { rows { label mark note } }", #"{"rows":[\#(noted)]}"#)
      try await write(
        ticket, query, #"{"rows":[\#(row("b").replacing("true", with: "false")),\#(row("c"))]}"#)
      #expect(!scenario.store.dump().contains("of a"))
    }

    // MARK: Collections

    @Test("What a collection removes between two parts comes again with the later one", arguments: [false, true])
    func collected(isOnDisk: Bool) async throws {
      let disk = isOnDisk ? try DiskCache() : nil
      let scenario = try Scenario(Self.schema, cache: disk?.cache ?? InMemoryNormalizedCache())
      let other = RowPartsTests(scenario: scenario), ticket = other.begin(), store = scenario.store
      let data = #"{"hero":{"__typename":"Hero","id":"0","age":1}}"#
      store.clock = { Date(timeIntervalSince1970: 1000) }
      store.defaultMaxAge = 10
      try await other.write(ticket, "query Q { hero { id age } }", data)
      store.clock = { Date(timeIntervalSince1970: 1020) }
      let removed = try await store.removeStaleFields().removedFields
      #expect(removed.sorted() == ["Hero:0.age", "Hero:0.id", "QUERY_ROOT.hero"])
      try await other.write(ticket, "query Q { hero { id age } }", data)
      #expect(try await scenario.read("query Q { hero { id age } }") == data)
      // Nothing leads to the hero.
      try await store.withinReadWriteTransaction { try $0.removeField("hero", of: "QUERY_ROOT") }
      #expect(try await store.removeUnreachable() == 1)
      let named = #"{"hero":{"__typename":"Hero","id":"0","age":1,"name":"n"}}"#
      try await other.write(ticket, "query Q { hero { id age name } }", named)
      #expect(!store.dump().contains("hero: "), "the app has removed the field")
      #expect(store.dump().contains("age: 1") && store.dump().contains(#"name: "n""#))
    }
  }
}

extension CacheBehaviorTests.RowPartsTests {
  private init(scenario: Scenario) { self.scenario = scenario }
}
