@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution
import StyledTests
import Testing

/// A connection `letters` of nodes with one-letter ids, and pages of it as a server would send them.
struct Pages {
  static let schema = """
    type Query {
      letters(first: Int, after: String, last: Int, before: String, order: String): LetterConnection
      kept(first: Int, after: String): LetterConnection
      inner(input: Input): LetterConnection
      box: Box
      items(offset: Int, limit: Int): [Letter!]
      held(offset: Int, limit: Int): [Letter!]
      sheet(page: Int, size: Int): [Letter!]
      sheets(input: Sheet): Page
      news(since: String): [Letter!]
    }
    input Input { first: Int, after: String, order: String }
    input Sheet { page: Int!, size: Int }
    type Box { letters(first: Int, after: String): LetterConnection }
    type LetterConnection @connection { edges: [LetterEdge], nodes: [Letter], pageInfo: PageInfo!, total: Int }
    type LetterEdge { cursor: String!, node: Letter, note: String }
    type Letter @typePolicy(keyFields: "id") { id: ID!, name: String }
    type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
    type Page { total: Int, items: [Letter!] }
    extend type Query
      @pagination(forField: "kept", style: RELAY, refetchKeepsPages: true)
      @pagination(forField: "inner", style: RELAY, first: "input.first", after: "input.after")
      @pagination(forField: "items", style: OFFSET)
      @pagination(forField: "held", style: OFFSET, refetchKeepsPages: true)
      @pagination(forField: "sheet", style: PAGE)
      @pagination(forField: "sheets", style: PAGE, page: "input.page", size: "input.size", firstPage: 0)
      @pagination(forField: "news", style: APPEND, args: "since")
    """

  let scenario: Scenario

  init(_ cache: any NormalizedCache = InMemoryNormalizedCache()) throws {
    scenario = try Scenario(Self.schema, cache: cache)
  }

  enum Selection: String, CaseIterable {
    case edges = "edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
    case withoutCursors = "edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
    case withoutPageInfo = "edges { cursor node { id } }"
    case nodes = "nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
    case both =
      "edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } total"
  }

  /// A page of the alphabet, from one letter to another.
  func data(_ letters: String, _ selection: Selection, next: Bool = true, previous: Bool = false) -> String {
    func node(_ letter: Character) -> String { #"{"__typename":"Letter","id":"\#(letter)"}"# }
    let edges = letters.map { letter in
      #"{"__typename":"LetterEdge","cursor":"c\#(letter)","node":\#(node(letter))}"#
    }
    func cursor(_ letter: Character?) -> String { letter.map { "\"c\($0)\"" } ?? "null" }
    let info = """
      {"__typename":"PageInfo","hasNextPage":\(next),"hasPreviousPage":\(previous),"startCursor":\(cursor(letters.first)),\
      "endCursor":\(cursor(letters.last))}
      """
    return """
      {"__typename":"LetterConnection","edges":[\(edges.joined(separator: ","))],\
      "nodes":[\(letters.map(node).joined(separator: ","))],"pageInfo":\(info),"total":\(letters.count)}
      """
  }

  func query(_ arguments: String, _ selection: Selection = .edges, _ field: String = "letters") -> String {
    "query Q { \(field)\(arguments.isEmpty ? "" : "(\(arguments))") { \(selection.rawValue) } }"
  }

  func load(
    _ letters: String, _ arguments: String = "first: 9", _ selection: Selection = .edges, _ field: String = "letters",
    next: Bool = true, previous: Bool = false
  ) async throws {
    try await scenario.write(
      query(arguments, selection, field),
      #"{"\#(field)":\#(data(letters, selection, next: next, previous: previous))}"#)
  }

  /// The letters that the cache has, with `<` and `>` where there are more pages.
  func list(_ selection: Selection = .edges, _ field: String = "letters") async throws -> String {
    let text = try await scenario.read(query("", selection, field))
    let part = selection == .nodes ? text : String(text.prefix { $0 != "\n" })
    let edges = part.range(of: "\"nodes\"").map { selection == .both ? String(part[..<$0.lowerBound]) : part } ?? part
    let letters = edges.split(separator: "\"id\":\"").dropFirst().compactMap(\.first)
    return (text.contains(#""hasPreviousPage":true"#) ? "<" : "") + String(letters)
      + (text.contains(#""hasNextPage":true"#) ? ">" : "")
  }
}

extension CacheBehaviorTests {
  /// The rules are those of Relay's `ConnectionHandler`, Apollo Kotlin's `ConnectionPaginationTest` and Apollo Client's
  /// `relayStylePagination`; where they differ, `Docs/cache.md` says what holds here.
  @Suite("Pages of a connection become one list", .everyStyle)
  struct PageTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    @Test("Pages behind the end are appended, whatever is selected", arguments: Pages.Selection.allCases)
    func append(selection: Pages.Selection) async throws {
      try await pages.load("ab", "first: 2", selection)
      try await pages.load("cd", #"first: 2, after: "cb""#, selection)
      try await pages.load("ef", #"first: 2, after: "cd""#, selection, next: false)
      #expect(try await pages.list(selection) == "abcdef")
    }

    @Test("Pages before the start are prepended", arguments: Pages.Selection.allCases)
    func prepend(selection: Pages.Selection) async throws {
      let hasInfo = selection != .withoutPageInfo
      try await pages.load("ef", "last: 2", selection, next: false, previous: true)
      #expect(try await pages.list(selection) == (hasInfo ? "<ef" : "ef"))
      try await pages.load("cd", #"last: 2, before: "ce""#, selection, next: true, previous: true)
      try await pages.load("ab", #"last: 2, before: "cc""#, selection, next: true)
      #expect(try await pages.list(selection) == "abcdef")
    }

    @Test("A page behind an element in the middle takes the place of what follows it")
    func cut() async throws {
      try await pages.load("ab")
      try await pages.load("cd", #"after: "cb""#)
      try await pages.load("xy", #"after: "ca""#)
      #expect(try await pages.list() == "axy>")
      try await pages.load("z", #"before: "cy""#, previous: true)
      #expect(try await pages.list() == "<zy>")
    }

    @Test(
      "The end of an earlier page is a place to cut at, also if elements have no cursor",
      arguments: [Pages.Selection.withoutCursors, .nodes])
    func cutWithoutCursors(selection: Pages.Selection) async throws {
      try await pages.load("ab", "first: 2", selection)
      try await pages.load("cd", #"after: "cb""#, selection)
      try await pages.load("ef", #"after: "cd""#, selection)
      try await pages.load("xy", #"after: "cb""#, selection)
      #expect(try await pages.list(selection) == "abxy>")
    }

    @Test("Pages that come out of order wait beside the list until the page between them comes")
    func islands() async throws {
      try await pages.load("ab")
      try await pages.load("gh", #"after: "cf""#, next: false)
      try await pages.load("ef", #"after: "cd""#)
      #expect(try await pages.list() == "ab>")
      try await pages.load("cd", #"after: "cb""#)
      #expect(try await pages.list() == "abcdefgh")
    }

    @Test("Pages that come out of order backwards wait as well")
    func islandsBackwards() async throws {
      try await pages.load("gh", "last: 2", next: false, previous: true)
      try await pages.load("ab", #"last: 2, before: "cc""#)
      #expect(try await pages.list() == "<gh")
      try await pages.load("cdef", #"last: 4, before: "cg""#, previous: true)
      #expect(try await pages.list() == "abcdefgh")
    }

    @Test("A later page may be the first that comes; the first page joins it")
    func laterFirst() async throws {
      try await pages.load("cd", #"after: "cb""#, previous: true)
      #expect(try await pages.list() == "<cd>")
      try await pages.load("ab")
      #expect(try await pages.list() == "abcd>")
    }

    @Test("The first page again starts the list anew, and drops what was beside it")
    func reset() async throws {
      try await pages.load("ab")
      try await pages.load("cd", #"after: "cb""#)
      try await pages.load("gh", #"after: "cf""#)
      try await pages.load("xa")
      #expect(try await pages.list() == "xa>")
      try await pages.load("ef", #"after: "cd""#)
      #expect(try await pages.list() == "xa>")
    }

    @Test("With refetchKeepsPages, the pages behind the first one stay if they fit")
    func keepsPages() async throws {
      try await pages.load("ab", "first: 2", .edges, "kept")
      try await pages.load("cd", #"first: 2, after: "cb""#, .edges, "kept", next: false)
      try await pages.load("xa", "first: 2", .edges, "kept")
      #expect(try await pages.list(.edges, "kept") == "xabcd")
      try await pages.load("yz", "first: 2", .edges, "kept")
      #expect(try await pages.list(.edges, "kept") == "yz>", "nothing in common")
    }

    @Test("An empty page changes no element, and says whether there are more")
    func empty() async throws {
      try await pages.load("ab")
      try await pages.load("", #"after: "cb""#, next: false)
      #expect(try await pages.list() == "ab")
      try await pages.load("cd", #"after: "cb""#)
      #expect(try await pages.list() == "abcd>", "the cursor of the end stays")
    }

    @Test("A node that is in two pages is in the list once, where it was first")
    func duplicates() async throws {
      try await pages.load("ab")
      try await pages.load("bc", #"after: "cb""#)
      #expect(try await pages.list() == "abc>")
      try await pages.load("da", #"before: "ca""#)
      #expect(try await pages.list() == "dabc>")
    }

    @Test("A node that is twice in one page is in the list once")
    func duplicatesInAPage() async throws {
      try await pages.load("ab")
      try await pages.load("cdc", #"after: "cb""#)
      #expect(try await pages.list() == "abcd>")
    }

    @Test("Edges and nodes beside each other are merged alike, and other fields are those of the last page")
    func both() async throws {
      try await pages.load("ab", "first: 2", .both)
      try await pages.load("c", #"after: "cb""#, .both)
      let text = try await pages.scenario.read(pages.query("", .both))
      #expect(text.contains(#""total":1"#))
      #expect(try await pages.list(.nodes) == "abc>")
      #expect(try await pages.list(.edges) == "abc>")
    }

    @Test("A query without a list changes neither the elements nor their cursors")
    func withoutList() async throws {
      try await pages.load("ab")
      try await pages.scenario.write(
        "query Q { letters(first: 0) { total pageInfo { hasNextPage endCursor } } }",
        #"""
        {"letters":{"__typename":"LetterConnection","total":26,
        "pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":null}}}
        """#)
      #expect(try await pages.list() == "ab>")
      #expect(try await pages.scenario.read("query Q { letters { total } }").contains("26"))
      try await pages.load("c", #"after: "cb""#)
      #expect(try await pages.list() == "abc>")
    }

    @Test("A null connection takes the place of the list; an error does not")
    func nulls() async throws {
      try await pages.load("ab")
      try await pages.scenario.write(
        pages.query(#"after: "cb""#), #"{"letters":null}"#, errors: #"[{"message":"No","path":["letters"]}]"#)
      #expect(try await pages.list() == "ab>")
      try await pages.scenario.write(pages.query(""), #"{"letters":null}"#)
      #expect(try await pages.scenario.read(pages.query("")) == #"{"letters":null}"#)
      try await pages.load("cd", #"after: "cb""#)
      #expect(try await pages.list() == "cd>")
    }

    @Test("Null edges are elements as others are")
    func nullEdges() async throws {
      let query = pages.query(#"first: 2"#, .withoutCursors)
      try await pages.scenario.write(
        query,
        #"{"letters":{"__typename":"LetterConnection","edges":[null,{"__typename":"LetterEdge","node":null}],"#
          + #""pageInfo":{"__typename":"PageInfo","hasNextPage":true,"hasPreviousPage":false,"startCursor":"c1","#
          + #""endCursor":"c2"}}}"#)
      try await pages.load("ab", #"after: "c2""#, .withoutCursors)
      let text = try await pages.scenario.read(query)
      #expect(text.contains(#""edges":[null,{"__typename":"LetterEdge","node":null},{"#))
      #expect(try await pages.list(.withoutCursors) == "ab>")
    }

    @Test("Arguments that are not of pages keep lists apart; those inside of an input object are left out of the key")
    func arguments() async throws {
      try await pages.load("ab", #"first: 2, order: "UP""#)
      try await pages.load("zy", #"first: 2, order: "DOWN""#)
      try await pages.load("ab", #"input: {first: 2, order: "UP"}"#, .edges, "inner")
      try await pages.load("cd", #"input: {first: 2, order: "UP", after: "cb"}"#, .edges, "inner")
      try await pages.load("q", #"input: {first: 2}"#, .edges, "inner")
      #expect(
        pages.scenario.fields() == [
          "inner", #"inner(input:{"order":"UP"})"#, #"letters(order:"DOWN")"#, #"letters(order:"UP")"#,
        ])
      #expect(
        try await pages.scenario.read(pages.query(#"input: {order: "UP", first: 7}"#, .edges, "inner"))
          .split(separator: #""id":"#).count == 5)
    }

    @Test("Pages of one response, under aliases, are merged in their order")
    func aliases() async throws {
      try await pages.scenario.write(
        #"""
        query Q {
          a: letters(first: 2) { \#(Pages.Selection.edges.rawValue) }
          b: letters(after: "cb") { \#(Pages.Selection.edges.rawValue) }
        }
        """#, #"{"a":\#(pages.data("ab", .edges)),"b":\#(pages.data("cd", .edges))}"#)
      #expect(try await pages.list() == "abcd>")
    }

    @Test("Connections inside of objects without keys are merged as well")
    func embedded() async throws {
      for (letters, arguments) in [("ab", "first: 2"), ("cd", #"first: 2, after: "cb""#)] {
        try await pages.scenario.write(
          "query Q { box { letters(\(arguments)) { \(Pages.Selection.edges.rawValue) } } }",
          #"{"box":{"__typename":"Box","letters":\#(pages.data(letters, .edges))}}"#)
      }
      let text = try await pages.scenario.read("query Q { box { letters { edges { node { id } } } } }")
      #expect(text.split(separator: #""id":"#).count == 5)
    }

    @Test("An edge whose node was removed is skipped, and is there again when the node is")
    func goneNodes() async throws {
      try await pages.load("abc", "first: 3", .both)
      try await pages.scenario.store.remove("Letter:b")
      #expect(try await pages.list(.both) == "ac>")
      #expect(try await pages.list(.nodes) == "ac>")
      let told = Locked(0)
      let observer = pages.scenario.store.addObserver(ignoring: UUID()) { _ in told.withLock { $0 += 1 } }
      pages.scenario.store.observe(try pages.scenario.prepare(pages.query("")), for: observer) { _ in }
      try await pages.load("b", "first: 1, order: \"X\"")
      await pages.scenario.store.waitUntilTold()
      #expect(told.withLock { $0 } == 1)
      #expect(try await pages.list() == "abc>")
      pages.scenario.store.removeObserver(observer)
    }

    @Test("A page that was there already changes nothing, and tells nobody")
    func unchanged() async throws {
      try await pages.load("ab")
      try await pages.load("cd", #"after: "cb""#)
      let told = Locked(0)
      let observer = pages.scenario.store.addObserver(ignoring: UUID()) { _ in told.withLock { $0 += 1 } }
      pages.scenario.store.observe(try pages.scenario.prepare(pages.query("")), for: observer) { _ in }
      try await pages.load("cd", #"after: "cb""#)
      await pages.scenario.store.waitUntilTold()
      #expect(told.withLock { $0 } == 0)
      pages.scenario.store.removeObserver(observer)
    }

    @Test("All of it survives a backend: the list, its cursors, and pages beside it")
    func backend() async throws {
      let cache = RecordsOnly()
      let first = try Pages(cache)
      try await first.load("ab", "first: 2", .withoutCursors)
      try await first.load("gh", #"after: "cf""#, .withoutCursors, next: false)
      let second = try Pages(cache)
      #expect(try await second.list(.withoutCursors) == "ab>")
      try await second.load("cd", #"after: "cb""#, .withoutCursors)
      try await second.load("ef", #"after: "cd""#, .withoutCursors)
      let third = try Pages(cache)
      #expect(try await third.list(.withoutCursors) == "abcdefgh")
      try await third.load("xy", #"after: "cd""#, .withoutCursors)
      #expect(try await third.list(.withoutCursors) == "abcdxy>")
    }

    @Test("A collection keeps the nodes of pages beside the list")
    func collection() async throws {
      try await pages.load("ab")
      try await pages.load("gh", #"after: "cf""#)
      _ = try await pages.scenario.store.removeUnreachable()
      try await pages.load("cdef", #"after: "cb""#)
      #expect(try await pages.list() == "abcdefgh>")
    }
  }
}
