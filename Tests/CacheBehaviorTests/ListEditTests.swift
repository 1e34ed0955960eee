@testable import ApolloAPI
@testable import ApolloCache
import DiskCaches
import Foundation
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// By behaviour: Relay's `ConnectionHandler-test` (`insertEdgeAfter`, `insertEdgeBefore`, `deleteNode`) and its
  /// `ConnectionInterface` defaults.
  @Suite("Edits of lists")
  struct ListEditTests {
    typealias Editor = ApolloStore.ReadWriteTransaction.ListEditor

    /// Where the list is that is edited: in the memory, or in a backend or a file of an earlier launch.
    enum Place: CaseIterable { case memory, reopened, reopenedDisk }

    private static func pages(
      _ place: Place, _ letters: String = "abc", _ selection: Pages.Selection = .edges
    ) async throws -> Pages {
      let cache = RecordsOnly(), disk = place == .reopenedDisk ? try DiskCache() : nil
      var pages = try place == .memory ? Pages() : Pages(disk?.cache ?? cache)
      try await pages.load(letters, "first: 9", selection)
      // The objects that are added.
      try await pages.scenario.write(
        "query Q { news { id } }",
        #"{"news":[\#("xyz".map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ","))]}"#)
      try await disk?.reopen()
      if place != .memory { pages = try Pages(disk?.cache ?? cache) }
      return pages
    }

    private static func edit(
      _ pages: Pages, _ key: CacheKey = "QUERY_ROOT.letters", _ body: @escaping @Sendable (Editor) throws -> Void
    ) async throws {
      try await pages.scenario.store.withinReadWriteTransaction { try body($0.connection(at: key)) }
    }

    private static func letter(_ letter: String) -> CacheKey { "Letter:\(letter)" }

    enum Edit: CaseIterable, Sendable {
      case append, prepend, before, beforeFirst, after, afterLast, beforeUnknown, afterUnknown, again
      case remove, removeUnknown, moveBefore, moveAfter, moveToEnd, moveBeforeItself, moveAfterUnknown, moveUnknown

      func run(_ list: Editor) throws {
        switch self {
        case .append: try list.append("Letter:x")
        case .prepend: try list.prepend("Letter:x")
        case .before: try list.insert("Letter:x", before: "Letter:b")
        case .beforeFirst: try list.insert("Letter:x", before: "Letter:a")
        case .after: try list.insert("Letter:x", after: "Letter:a")
        case .afterLast: try list.insert("Letter:x", after: "Letter:c")
        case .beforeUnknown: try list.insert("Letter:x", before: "Letter:q")
        case .afterUnknown: try list.insert("Letter:x", after: "Letter:q")
        case .again: try list.append("Letter:a")
        case .remove: try list.remove("Letter:b")
        case .removeUnknown: try list.remove("Letter:q")
        case .moveBefore: try list.move("Letter:c", before: "Letter:a")
        case .moveAfter: try list.move("Letter:a", after: "Letter:b")
        case .moveToEnd: try list.move("Letter:a", after: "Letter:c")
        case .moveBeforeItself: try list.move("Letter:a", before: "Letter:a")
        case .moveAfterUnknown: try list.move("Letter:a", after: "Letter:q")
        case .moveUnknown: try list.move("Letter:x", after: "Letter:a")
        }
      }

      var result: String {
        switch self {
        case .append, .afterLast, .afterUnknown: "abcx"
        case .prepend, .beforeFirst, .beforeUnknown: "xabc"
        case .before, .after: self == .before ? "axbc" : "axbc"
        case .again, .removeUnknown, .moveUnknown, .moveBeforeItself: "abc"
        case .remove: "ac"
        case .moveBefore: "cab"
        case .moveAfter: "bac"
        case .moveToEnd, .moveAfterUnknown: "bca"
        }
      }
    }

    @Test("Each edit of a connection, whatever was selected", arguments: Edit.allCases, Pages.Selection.allCases)
    func edits(edit: Edit, selection: Pages.Selection) async throws {
      for place in Place.allCases {
        let pages = try await Self.pages(place, "abc", selection)
        try await Self.edit(pages) { try edit.run($0) }
        #expect(try await pages.list(selection) == edit.result + (selection == .withoutPageInfo ? "" : ">"))
        let nodes = try await pages.scenario.store.withinReadWriteTransaction {
          try $0.connection("letters").nodes
        }
        #expect(nodes == edit.result.map { Self.letter(String($0)) })
        if selection == .cursorsAndNodes {
          let edges = try await pages.scenario.read(pages.query("", selection)).components(separatedBy: #""cursor":"#)
          #expect(edges.count - 1 == edit.result.count, "an edge for each node")
        }
      }
    }

    @Test("Each edit of a list that is not a connection", arguments: Edit.allCases, Place.allCases)
    func plainLists(edit: Edit, place: Place) async throws {
      let pages = try await Self.pages(place)
      let letters = "abc".map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ",")
      try await pages.scenario.write("query Q { items(offset: 0, limit: 9) { id } }", #"{"items":[\#(letters)]}"#)
      try await Self.edit(pages, "QUERY_ROOT.items") { try edit.run($0) }
      let text = try await pages.scenario.read("query Q { items { id } }")
      #expect(text.split(separator: "\"id\":\"").dropFirst().map { String($0.prefix(1)) }.joined() == edit.result)
    }

    @Test("Each edit of a connection whose edges have keys", arguments: Edit.allCases, Place.allCases)
    func keyedEdges(edit: Edit, place: Place) async throws {
      let edgeKeys = #"extend type LetterEdge @typePolicy(keyFields: "cursor")"#
      // (Where pages are not merged, the edges are records.)
      for areMerged in [true, false] {
        let cache = RecordsOnly(), disk = place == .reopenedDisk ? try DiskCache() : nil
        func open() throws -> Pages {
          try Pages(
            place == .memory ? InMemoryNormalizedCache() : disk?.cache ?? cache, extending: edgeKeys,
            areMerged: areMerged)
        }
        var pages = try open()
        try await pages.load("abc", "")
        try await pages.scenario.write("query Q { news { id } }", #"{"news":[{"__typename":"Letter","id":"x"}]}"#)
        try await disk?.reopen()
        if place != .memory { pages = try open() }
        try await Self.edit(pages) { try edit.run($0) }
        #expect(try await pages.list() == edit.result + ">")
        let nodes = try await pages.scenario.store.withinReadWriteTransaction { try $0.connection("letters").nodes }
        #expect(nodes == edit.result.map { Self.letter(String($0)) })
      }
    }

    @Test("A removed object is not among the objects of a list, and can be taken out", arguments: Place.allCases)
    func removedObjects(place: Place) async throws {
      let cache = RecordsOnly(), disk = place == .reopenedDisk ? try DiskCache() : nil
      func open() throws -> Pages { try Pages(place == .memory ? InMemoryNormalizedCache() : disk?.cache ?? cache) }
      var pages = try open()
      try await pages.load("abc")
      let letters = "abc".map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ",")
      try await pages.scenario.write("query Q { items(offset: 0, limit: 9) { id } }", #"{"items":[\#(letters)]}"#)
      try await pages.scenario.store.remove("Letter:b")
      try await disk?.reopen()
      if place != .memory { pages = try open() }
      let store = pages.scenario.store
      for field in ["letters", "items"] {
        let nodes = try await store.withinReadWriteTransaction { try $0.connection(field).nodes }
        #expect(nodes == ["Letter:a", "Letter:c"])
      }
      try await Self.edit(pages) { list in try list.remove(where: { $0 == "Letter:b" }) }
      try await pages.load("b", #"first: 1, order: "X""#)
      #expect(try await pages.list() == "ac>")
    }

    @Test("An empty list takes elements, and the type of its edges is found by name", arguments: Place.allCases)
    func empty(place: Place) async throws {
      let pages = try await Self.pages(place, "")
      try await Self.edit(pages) { try $0.append("Letter:x") }
      let text = try await pages.scenario.read("query Q { letters { edges { __typename cursor node { id } } } }")
      #expect(text.contains(#""__typename":"LetterEdge""#) && text.contains(#""cursor":"""#))
      try await Self.edit(pages) { try $0.prepend("Letter:y", edgeType: "OtherEdge") }
      #expect(pages.scenario.store.dump().contains("OtherEdge"))
    }

    @Test("A new edge can be read where the others can: what it has not is null")
    func otherFields() async throws {
      let pages = try await Self.pages(.memory, "")
      let edge = #"{"__typename":"LetterEdge","note":"n","node":{"__typename":"Letter","id":"a"}}"#
      try await pages.scenario.write(
        "query Q { letters { edges { note node { id } } } }",
        #"{"letters":{"__typename":"LetterConnection","edges":[\#(edge)]}}"#)
      try await Self.edit(pages) { try $0.append("Letter:x") }
      let text = try await pages.scenario.read("query Q { letters { edges { note node { id } } } }")
      #expect(text.contains(#""note":null"#) && text.contains(#""note":"n""#))
    }

    @Test("The page after the old end comes behind what was added, and takes it in if it has it")
    func nextPage() async throws {
      let pages = try await Self.pages(.memory)
      try await Self.edit(pages) { try $0.append("Letter:x") }
      try await pages.load("de", #"first: 2, after: "cc""#)
      #expect(try await pages.list() == "abcxde>")
      try await Self.edit(pages) { try $0.remove("Letter:b") }
      try await pages.load("fg", #"first: 2, after: "ce""#, next: false)
      let list = try await pages.list()
      #expect(list.hasSuffix("defg") && !list.contains("b"))
    }

    @Test("Several objects are added one after the other, each once, and are taken out at once")
    func several() {
      let records = RecordSnapshot()
      func result(_ change: ListChange) -> [Int32]? {
        change.apply(to: .references([1, 2]), edgeType: nil, in: records).map { ListChange.nodes(of: $0, in: records) }
      }
      #expect(result(.insert([3, 1, 4, 3], .last)) == [1, 2, 3, 4])
      #expect(result(.insert([3, 1, 4], .first)) == [4, 3, 1, 2])
      #expect(result(.remove([1, 9])) == [2])
    }

    @Test("A list of one set of arguments is not that of another")
    func arguments() async throws {
      let pages = try await Self.pages(.memory)
      try await pages.load("abc", #"first: 9, order: "UP""#)
      try await pages.scenario.store.withinReadWriteTransaction {
        try $0.connection("letters", arguments: ["order": "UP"]).remove("Letter:a")
      }
      #expect(try await pages.list() == "abc>")
      let up = try await pages.scenario.read(pages.query(#"order: "UP""#))
      #expect(!up.contains(#""id":"a""#) && up.contains(#""id":"b""#))
    }

    @Test(
      "Where there is no list, an error names the place",
      arguments: [
        "QUERY_ROOT.unknown", "QUERY_ROOT", "", "Letter:a.id", "Letter:q.friends", "QUERY_ROOT.letters.pageInfo", ".",
      ])
    func noList(key: String) async throws {
      for place in Place.allCases {
        let pages = try await Self.pages(place)
        await #expect(throws: ApolloStore.Error.noList(at: key)) {
          try await Self.edit(pages, key) { try $0.append("Letter:x") }
        }
        #expect(try await pages.list() == "abc>")
      }
    }

    @Test("A guess edits a list as well, and its end brings the list back", arguments: Place.allCases)
    func guess(place: Place) async throws {
      let pages = try await Self.pages(place), store = pages.scenario.store
      try await store.applyOptimisticUpdate(id: "a") { try $0.connection("letters").prepend("Letter:x") }
      #expect(try await pages.list() == "xabc>")
      try await pages.load("de", #"first: 2, after: "cc""#)
      #expect(try await pages.list() == "xabcde>")
      try await store.revertOptimisticUpdate(id: "a")
      #expect(try await pages.list() == "abcde>")
    }

    @Test("Who watches the list is told once; an edit without effect is not told")
    func told() async throws {
      let pages = try await Self.pages(.memory), store = pages.scenario.store, told = Locked<[String]>([])
      _ = store.engine.subscribe(nil) { change in
        told.withLock { $0 += change.changedKeys.map(\.description).sorted() }
      }
      try await Self.edit(pages) { try $0.append("Letter:x") }
      try await Self.edit(pages) { try $0.append("Letter:x") }
      try await Self.edit(pages) { try $0.remove("Letter:q") }
      await store.waitUntilTold()
      #expect(told.withLock { $0 } == ["QUERY_ROOT.letters"])
    }
  }
}
