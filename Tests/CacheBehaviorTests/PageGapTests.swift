@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// By behaviour: Relay's connections, whose edges without a node are not shown, and whose cursors are those of elements.
  @Suite("Pages after removals, moves, and reads of another form of the list", .everyStyle)
  struct PageGapTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    private func expectMiss(_ selection: Pages.Selection) async {
      await #expect(throws: ResponseDecodingError.self) { _ = try await pages.list(selection) }
    }

    @Test("A collection leaves the list readable from which a node was removed, and the cursor of the node stays known")
    func collection() async throws {
      try await pages.load("abc", "first: 3", .both)
      try await pages.load("gh", #"after: "cf""#, .both)
      for letter in ["b", "h"] { try await pages.scenario.store.remove("Letter:\(letter)") }
      _ = try await pages.scenario.store.removeDanglingReferences()
      #expect(try await pages.list(.edges) == "ac>")
      #expect(try await pages.list(.nodes) == "ac>")
      try await pages.load("xyf", #"after: "cb""#, .both)
      #expect(try await pages.list(.edges) == "axyfg>", "a page behind the removed node, and the page that waited")
      #expect(try await pages.list(.nodes) == "axyfg>")
    }

    @Test("Pages of edges and pages of nodes are one list, or a miss, and never a part of the list")
    func forms() async throws {
      try await pages.load("ab", "first: 2", .edges)
      try await pages.load("cd", #"after: "cb""#, .nodes)
      #expect(try await pages.list(.nodes) == "abcd>")
      await expectMiss(.edges)
      try await pages.load("ef", #"after: "cd""#, .edges)
      #expect(try await pages.list(.nodes) == "abcdef>")
      await expectMiss(.edges)
      try await pages.load("ab", "first: 2", .edges)
      #expect(try await pages.list(.edges) == "ab>")
      #expect(try await pages.list(.nodes) == "ab>")
      try await pages.load("cd", #"after: "cb""#, .both)
      #expect(try await pages.list(.edges) == "abcd>")
      #expect(try await pages.list(.nodes) == "abcd>")
    }

    @Test(
      "A first page can be read after it was loaded, whatever form the pages behind it had, and leaves the other form")
    func firstPages() async throws {
      try await pages.load("ab", "first: 2", .nodes, "kept")
      try await pages.load("cd", #"after: "cb""#, .nodes, "kept")
      try await pages.load("ab", "first: 2", .edges, "kept")
      #expect(try await pages.list(.edges, "kept") == "ab>")
      try await pages.load("ab", "first: 2", .edges)
      try await pages.load("ab", "first: 2", .nodes)
      #expect(try await pages.list(.edges) == "ab>")
      #expect(try await pages.list(.nodes) == "ab>")
    }

    @Test("After a move, a page that is loaded again takes no element away", arguments: [true, false])
    func moved(isReplaced: Bool) async throws {
      try await pages.load("ab", "first: 2", .nodes)
      try await pages.load("cd", #"after: "cb""#, .nodes)
      try await pages.scenario.store.withinReadWriteTransaction { transaction in
        let list = transaction.connection("letters")
        if isReplaced {
          try list.remove("Letter:a")
          try list.append("Letter:a")
        } else {
          try list.move("Letter:d", before: "Letter:a")
        }
      }
      try await pages.load("cd", #"after: "cb""#, .nodes)
      #expect(try await pages.list(.nodes) == (isReplaced ? "bcda>" : "dabc>"))
    }

    @Test("Cursors are forgotten if other elements have their places, and only then")
    func cursors() throws {
      let table = RecordTable()
      let fields: [String: CachedValue] = [
        "#cursors": .list([.string("c1"), .int(0)]), "#count": .int(2), "nodes": .list([.reference("A:1"), .null]),
      ]
      let old = table.imported(fields)
      let cases: [(nodes: [CachedValue], isKept: Bool)] = [
        ([.reference("A:1"), .reference("A:1")], false), ([.reference("A:2"), .null], false),
        ([.reference("A:1"), .null], true),
      ]
      for (nodes, isKept) in cases {
        var changed = fields
        changed["nodes"] = .list(nodes)
        let record = table.imported(changed).forgettingCursors(since: old)
        #expect((record.value(of: .forName("#cursors")) != nil) == isKept)
      }
    }
  }
}
