@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// Each part of a response is stored as the whole response so far. Here, parts are written by one ticket.
  @Suite("Pages, and responses that come in parts", .everyStyle)
  struct PagePartsTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    private var store: ApolloStore { pages.scenario.store }

    /// Writes the response so far of the operation with the ticket.
    private func write(
      _ ticket: SendingTicket, _ query: String, _ data: String, hasOpenLists: Bool = false
    ) async throws {
      _ = try pages.scenario.prepare(query)
      let text = #"{"@stream":\#(hasOpenLists),"data":\#(data)}"#
      let contents = try ResponseReader.read(
        Model<First>.self, from: ResponseBytes(Array(text.restyled.utf8)), variables: .none,
        rootKey: GraphQLOperationType.query.rootKey)
      let error = await store.publish(try #require(contents.records), sent: ticket)
      #expect(error == nil)
    }

    /// Writes a page, and again with one field more, and something else between the two parts.
    private func load(
      _ letters: String, _ arguments: String, previous: Bool = false, between: () async throws -> Void
    ) async throws {
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let data = #"{"letters":\#(pages.data(letters, .edges, next: !previous, previous: previous))}"#
      try await write(ticket, pages.query(arguments), data)
      try await between()
      try await write(
        ticket, "query Q { letters(\(arguments)) { \(Pages.Selection.edges.rawValue) total } }", data)
    }

    private func items(_ letters: String) -> String {
      "[" + letters.map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ",") + "]"
    }

    private func letters(_ query: String) async throws -> String {
      let text = try await pages.scenario.read(query)
      return String(text.split(separator: "\"id\":\"").dropFirst().compactMap(\.first))
    }

    @Test("If a later part has the same page, the pages loaded since stay")
    func equal() async throws {
      try await pages.load("xy")
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let first = #"{"letters":\#(pages.data("ab", .edges))}"#
      try await write(ticket, pages.query("first: 2"), first)
      #expect(try await pages.list() == "ab>")
      try await pages.load("cd", #"first: 2, after: "cb""#)
      for _ in 0..<2 { try await write(ticket, pages.query("first: 2"), first) }
      #expect(try await pages.list() == "abcd>")
    }

    @Test("If a later part has the same page, what the app has changed in the list since stays")
    func edits() async throws {
      try await pages.load("x")
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let first = #"{"letters":\#(pages.data("ab", .edges))}"#
      try await write(ticket, pages.query("first: 2"), first)
      try await store.withinReadWriteTransaction { transaction in
        try transaction.connection(at: "QUERY_ROOT.letters").remove("Letter:a")
        try transaction.connection(at: "QUERY_ROOT.letters").prepend("Letter:x")
      }
      try await write(ticket, pages.query("first: 2"), first)
      #expect(try await letters(pages.query("")) == "xb")
    }

    @Test("If a later part has more of a page, the pages loaded since stay, and what is new is there")
    func more() async throws {
      try await load("ab", "first: 2") { try await pages.load("cd", #"first: 2, after: "cb""#) }
      #expect(try await pages.list() == "abcd>")
      try await load("ef", #"first: 2, after: "cd""#) { try await pages.load("gh", #"first: 2, after: "cf""#) }
      #expect(try await pages.list() == "abcdefgh>")
      #expect(try await pages.scenario.read("query Q { letters { total } }").contains(#""total":2"#))
      try await pages.load("ij", #"first: 2, after: "ch""#, next: false)
      #expect(try await pages.list() == "abcdefghij", "the cursor of the end is known")
    }

    @Test("So do pages loaded since before the page")
    func backwards() async throws {
      try await load("ef", "last: 2", previous: true) {
        try await pages.load("cd", #"last: 2, before: "ce""#, previous: true)
      }
      #expect(try await pages.list() == "<cdef")
      try await pages.load("ab", #"last: 2, before: "cc""#)
      #expect(try await letters(pages.query("")) == "abcdef", "the cursor of the start is known")
    }

    @Test(
      "They stay where objects of the page have kept other places",
      arguments: [["ad", "ef", "cd", "abcdef"], ["da", "ef", "ca", "abcdef"], ["a", "de", "ca", "abcde"]])
    func moved(texts: [String]) async throws {
      try await pages.load("abc")
      try await load(texts[0], #"first: 2, after: "cc""#) {
        try await pages.load(texts[1], #"first: 2, after: "\#(texts[2])""#)
      }
      #expect(try await letters(pages.query("")) == texts[3])
    }

    @Test(
      "So do those before a page of which objects have kept later places",
      arguments: [["bd", "cb", "xybcde"], ["db", "cd", "xybcde"], ["d", "cd", "xycde"]])
    func movedBackwards(texts: [String]) async throws {
      try await pages.load("cde", "last: 3", previous: true)
      try await load(texts[0], #"last: 2, before: "cc""#, previous: true) {
        try await pages.load("xy", #"last: 2, before: "\#(texts[1])""#, previous: true)
      }
      #expect(Set(try await letters(pages.query(""))) == Set(texts[2]))
      #expect(try await letters(pages.query("")).count == texts[2].count)
    }

    @Test("The first part of another response takes the place of the list")
    func another() async throws {
      try await load("ab", "first: 2") { try await pages.load("cd", #"first: 2, after: "cb""#) }
      try await load("xy", "first: 2") {}
      #expect(try await pages.list() == "xy>")
    }

    @Test("Pages of lists without cursors stay as well")
    func lists() async throws {
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let first = "query Q { items(offset: 0, limit: 2) { id } sheet(page: 1, size: 2) { id } news { id } }"
      let ab = items("ab"), cd = items("cd")
      try await write(ticket, first, #"{"items":\#(ab),"sheet":\#(ab),"news":\#(ab)}"#)
      try await pages.scenario.write(
        #"query Q { items(offset: 2, limit: 2) { id } sheet(page: 2, size: 2) { id } news(since: "1") { id } }"#,
        #"{"items":\#(cd),"sheet":\#(cd),"news":\#(cd)}"#)
      try await write(ticket, first, #"{"items":\#(ab),"sheet":\#(ab),"news":\#(ab)}"#)
      for field in ["items", "sheet", "news"] {
        #expect(try await letters("query Q { \(field) { id } }") == "abcd", "\(field)")
      }
    }

    @Test(
      "So do those of an object with a list in it, of which a later part has more",
      arguments: [
        ["sheets", "(input: {page: 0, size: 2})", "(input: {page: 1, size: 2})"],
        ["rows", "(offset: 0, limit: 2)", "(offset: 2, limit: 2)"], ["stories", "", #"(since: "1")"#],
      ])
    func objects(names: [String]) async throws {
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let field = names[0]
      let first = field + names[1], second = field + names[2]
      func data(_ letters: String) -> String {
        #"{"\#(field)":{"__typename":"Page","total":9,"items":\#(items(letters))}}"#
      }
      try await write(ticket, "query Q { \(first) { items { id } } }", data("ab"))
      try await pages.scenario.write("query Q { \(second) { items { id } } }", data("cd"))
      try await write(ticket, "query Q { \(first) { items { id } total } }", data("ab"))
      #expect(try await letters("query Q { \(field) { items { id } } }") == "abcd")
      #expect(try await pages.scenario.read("query Q { \(field) { total } }").contains("9"))
    }

    @Test(
      "A list under one argument is not taken for an earlier part of the list under another", arguments: ["", "cd"])
    func arguments(list: String) async throws {
      let first = list.isEmpty ? "" : "ab"
      let selection = "{ items(offset: 0) { id } }"
      let query = #"query Q { a: search(q: "x") \#(selection) b: search(q: "y") \#(selection) }"#
      func data(_ a: String, _ b: String) -> String {
        func found(_ letters: String) -> String { #"{"__typename":"Found","items":\#(items(letters))}"# }
        return #"{"a":\#(found(a)),"b":\#(found(b))}"#
      }
      try await pages.scenario.write(query, data("xyz", "uvw"))
      try await write(store.beginSending(.query), query, data(first, list))
      #expect(try await letters(#"query Q { search(q: "x") { items { id } } }"#) == first)
      #expect(try await letters(#"query Q { search(q: "y") { items { id } } }"#) == list)
    }

    @Test("A page that may still grow is taken when it is as long as the list, or complete")
    func open() async throws {
      try await pages.load("abc")
      try await pages.scenario.write("query Q { items(offset: 0, limit: 3) { id } }", #"{"items":\#(items("abc"))}"#)
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let query =
        "query Q { letters(first: 3) { \(Pages.Selection.edges.rawValue) } items(offset: 0, limit: 3) { id } }"
      func data(_ letters: String) -> String {
        #"{"letters":\#(pages.data(letters, .edges)),"items":\#(items(letters))}"#
      }
      for letters in ["d", "de"] {
        try await write(ticket, query, data(letters), hasOpenLists: true)
        #expect(try await pages.list() == "abc>")
        #expect(try await self.letters("query Q { items { id } }") == "abc")
      }
      try await write(ticket, query, data("de"))
      #expect(try await pages.list() == "de>")
      #expect(try await letters("query Q { items { id } }") == "de")
    }

    @Test("A page that would have left a gap is taken with a later part, if the page before it has come since")
    func late() async throws {
      let ticket = store.beginSending(.query)
      ticket.expectParts()
      let query = "query Q { items(offset: 2, limit: 2) { id } }"
      try await write(ticket, query, #"{"items":\#(items("cd"))}"#)
      try await pages.scenario.write("query Q { items(offset: 0, limit: 2) { id } }", #"{"items":\#(items("ab"))}"#)
      #expect(try await letters("query Q { items { id } }") == "ab")
      try await write(ticket, query, #"{"items":\#(items("cd"))}"#)
      #expect(try await letters("query Q { items { id } }") == "abcd")
    }
  }
}
