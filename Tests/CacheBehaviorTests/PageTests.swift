@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// The rules are those of Relay's `ConnectionHandler`, Apollo Kotlin's `ConnectionPaginationTest` and Apollo Client's
  /// `relayStylePagination`; where they differ, `Docs/pages.md` says what holds here.
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

    @Test("With refetchKeepsPages, a page after a middle element replaces what is between, and the rest stays")
    func keepsPagesBehindTheMiddle() async throws {
      try await pages.load("ab", "first: 2", .edges, "kept")
      try await pages.load("cd", #"first: 2, after: "cb""#, .edges, "kept")
      try await pages.load("ef", #"first: 2, after: "cd""#, .edges, "kept", next: false)
      // It ends at an element that is there: b is gone, x is new, d and what follows stay.
      try await pages.load("xd", #"first: 2, after: "ca""#, .edges, "kept")
      #expect(try await pages.list(.edges, "kept") == "axdef")
      try await pages.load("yz", #"first: 2, after: "ca""#, .edges, "kept")
      #expect(try await pages.list(.edges, "kept") == "ayz>", "nothing in common")
    }

    @Test("An empty page before the start says whether there are more there, and the start keeps its cursor")
    func emptyBeforeStart() async throws {
      try await pages.load("cd", "last: 2", next: false, previous: true)
      try await pages.load("", #"last: 2, before: "cc""#, previous: false)
      #expect(try await pages.list() == "cd")
      try await pages.load("ab", #"last: 2, before: "cc""#, previous: true)
      #expect(try await pages.list() == "<abcd", "the cursor of the start stays")
    }

    @Test("A new edge of a node that is there is merged over the old one")
    func mergedEdges() async throws {
      func write(_ edge: String, _ arguments: String) async throws {
        try await pages.scenario.write(
          "query Q { letters(\(arguments)) { edges { cursor note node { id } } pageInfo { endCursor hasNextPage } } }",
          #"""
          {"letters":{"__typename":"LetterConnection","edges":[\#(edge)],
          "pageInfo":{"__typename":"PageInfo","endCursor":"ca","hasNextPage":true}}}
          """#)
      }
      let node = #""node":{"__typename":"Letter","id":"a"}"#
      try await write(#"{"__typename":"LetterEdge","cursor":"ca","note":"old",\#(node)}"#, "first: 1")
      try await write(#"{"__typename":"LetterEdge","cursor":"ca","note":"new",\#(node)}"#, #"first: 1, after: "ca""#)
      let text = try await pages.scenario.read("query Q { letters { edges { note node { id } } } }")
      #expect(text.contains(#""note":"new""#) && !text.contains("old"))
      #expect(text.split(separator: #""id":"#).count == 2)
    }

    @Test("A cursor that is in a page twice cuts at one of its elements, and nothing is lost before them")
    func cursorTwice() async throws {
      let page = pages.data("abc", .edges).replacingOccurrences(of: #""cursor":"cb""#, with: #""cursor":"ca""#)
      try await pages.scenario.write(pages.query("first: 3"), #"{"letters":\#(page)}"#)
      #expect(try await pages.list() == "abc>")
      try await pages.load("xy", #"after: "ca""#)
      let list = try await pages.list()
      #expect(list == "axy>" || list == "abxy>")
    }

    @Test("Numbers of elements that make no sense do no harm", arguments: [-1, 0, Int.min, Int.max])
    func nonsense(number: Int) async throws {
      try await pages.load("ab", "first: 2")
      for arguments in ["first: $n", "last: $n", #"first: $n, after: "cb""#, #"last: $n, before: "ca""#] {
        try await pages.scenario.write(
          "query Q($n: Int) { letters(\(arguments)) { \(Pages.Selection.edges.rawValue) } }",
          #"{"letters":\#(pages.data("", .edges, next: false))}"#, ["n": .int(number)])
      }
      try await pages.load("cd", "first: 2")
      #expect(try await pages.list() == "cd>")
    }

    @Test("Nodes of a union are told apart by their types and keys")
    func unionNodes() async throws {
      let scenario = try Scenario(
        """
        type Query { things(first: Int, after: String): ThingConnection }
        type ThingConnection @connection { edges: [ThingEdge], pageInfo: PageInfo! }
        type ThingEdge { cursor: String!, node: Thing }
        union Thing = Cat | Dog
        type Cat @typePolicy(keyFields: "id") { id: ID! }
        type Dog @typePolicy(keyFields: "id") { id: ID! }
        type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
        """)
      func load(_ things: [(type: String, id: String)], _ arguments: String) async throws {
        let edges = things.map { thing in
          let cursor = "c\(thing.type)\(thing.id)"
          return
            #"{"__typename":"ThingEdge","cursor":"\#(cursor)","node":{"__typename":"\#(thing.type)","id":"\#(thing.id)"}}"#
        }
        let end = things.last.map { "c\($0.type)\($0.id)" } ?? ""
        try await scenario.write(
          "query Q { things(\(arguments)) { edges { cursor node { ... on Cat { id } ... on Dog { id } } } pageInfo { endCursor hasNextPage } } }",
          #"""
          {"things":{"__typename":"ThingConnection","edges":[\#(edges.joined(separator: ","))],
          "pageInfo":{"__typename":"PageInfo","endCursor":"\#(end)","hasNextPage":true}}}
          """#)
      }
      try await load([("Cat", "1"), ("Dog", "1")], "first: 2")
      try await load([("Dog", "1"), ("Cat", "2")], #"first: 2, after: "cDog1""#)
      let text = try await scenario.read(
        "query Q { things { edges { node { __typename ... on Cat { id } ... on Dog { id } } } } }")
      let types = text.split(separator: #""__typename":"#).compactMap {
        $0.hasPrefix("\"Cat") ? "Cat" : $0.hasPrefix("\"Dog") ? "Dog" : nil
      }
      #expect(types == ["Cat", "Dog", "Cat"])
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

    @Test("Null in the place of an object that has only arguments of pages leads to the same list")
    func nullArguments() async throws {
      try await pages.load("ab", "input: null", .edges, "inner")
      try await pages.load("cd", #"input: {first: 2, after: "cb"}"#, .edges, "inner")
      #expect(pages.scenario.fields() == ["inner"])
      #expect(try await pages.list(.edges, "inner") == "abcd>")
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

    @Test("A page that was there already changes nothing, and tells no watcher")
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
