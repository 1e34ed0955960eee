@testable import ApolloAPI
@testable import ApolloCache
import ResponseStyles
import StyledTests
import Testing

/// The list that an app has loaded page by page, and behind which of its elements a page with a cursor comes.
private struct NaiveList {
  private(set) var letters: [Character] = []
  private(set) var places: [String: Int] = [:]

  /// Puts a page behind a cursor; nil: it is the first one. A letter that is there keeps its place, and its cursor is
  /// one of the place behind which the page goes on.
  mutating func load(_ page: [(letter: Character, cursor: String)], after cursor: String?) {
    let kept = cursor.flatMap { places[$0] }.map { $0 + 1 } ?? 0
    letters = Array(letters.prefix(kept))
    places = places.filter { $0.value < kept }
    for (letter, cursor) in page {
      if !letters.contains(letter) { letters.append(letter) }
      places[cursor] = letters.count - 1
    }
  }
}

extension CacheBehaviorTests {
  @Suite("Pages whose objects move while others are loaded")
  struct MovedPageTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    private func load(
      _ page: [(letter: Character, cursor: String)], _ arguments: String, _ selection: String
    ) async throws {
      let edges = page.map { letter, cursor in
        #"""
        {"__typename":"LetterEdge","cursor":"\#(cursor)","node":{"__typename":"Letter","id":"\#(letter)"}}
        """#
      }
      let end = page.last.map { "\"\($0.cursor)\"" } ?? "null"
      try await pages.scenario.write(
        "query Q { letters(\(arguments)) { \(selection) } }",
        #"""
        {"letters":{"__typename":"LetterConnection","edges":[\#(edges.joined(separator: ","))],
        "nodes":[\#(page.map { #"{"__typename":"Letter","id":"\#($0.letter)"}"# }.joined(separator: ","))],
        "pageInfo":{"__typename":"PageInfo","hasNextPage":true,"endCursor":\#(end)}}}
        """#)
    }

    private func list() async throws -> String {
      String(
        pages.scenario.store.engine.table[0]?.value(of: .forName("letters")).map { value in
          value.nodes.compactMap { pages.scenario.store.engine.table.records.key(of: $0)?.last }
        } ?? [])
    }

    @Test(
      "A page comes behind the place that its cursor was told of, though the object there has kept an earlier place",
      arguments: Effort.seeds(2), [true, false])
    func random(seed: UInt64, countsCursors: Bool) async throws {
      var random = SplitMix(state: seed &+ 1), server = Array("abcdefghijkl"), naive = NaiveList(), what = ""
      let selections = ["edges { cursor node { id } }", "edges { cursor node { id } } pageInfo { endCursor }"]
      for _ in 0..<80 {
        if Int.random(in: 0..<2, using: &random) == 0 {
          server.swapAt(.random(in: 0..<12, using: &random), .random(in: 0..<12, using: &random))
        }
        let known = naive.places.keys.sorted().randomElement(using: &random)
        let cursor = Int.random(in: 0..<8, using: &random) == 0 ? nil : known
        var start = 0
        if let cursor {
          start = countsCursors ? (Int(cursor) ?? 0) + 1 : (server.firstIndex { "c\($0)" == cursor } ?? 0) + 1
        }
        let size = Int.random(in: 1...3, using: &random)
        let page = (start..<start + size).clamped(to: 0..<12).map { index in
          (letter: server[index], cursor: countsCursors ? "\(index)" : "c\(server[index])")
        }
        let arguments = "first: \(size)" + (cursor.map { #", after: "\#($0)""# } ?? "")
        what += "\n\(arguments) → \(String(page.map(\.letter)))"
        try await load(page, arguments, selections.randomElement(using: &random) ?? "")
        naive.load(page, after: cursor)
        let found = try await list()
        guard found == String(naive.letters) else {
          Issue.record("found \(found), wanted \(String(naive.letters)), seed \(seed), after:\(what)")
          return
        }
      }
    }

    @Test("A page that ended with an object at an earlier place, and the pages behind it, may be loaded again")
    func again() async throws {
      for cursors in ["abcade", "012345"].map({ $0.map { "\($0)" } }) {
        for selection in ["edges { cursor node { id } }", "nodes { id } pageInfo { endCursor }"] {
          let pages = try MovedPageTests()
          let info = selection + (selection.contains("Info") ? "" : " pageInfo { endCursor }")
          for (letters, index) in [("ab", 0), ("ca", 2), ("de", 4), ("de", 4), ("ca", 2), ("de", 4)] {
            let page = letters.enumerated().map { ($0.element, cursors[index + $0.offset]) }
            try await pages.load(
              page, index == 0 ? "first: 2" : #"first: 2, after: "\#(cursors[index - 1])""#, info)
          }
          #expect(try await pages.list() == "abcde", "\(cursors) \(selection)")
        }
      }
    }

    @Test("An edge keeps its cursor when its node comes again at another place")
    func keptCursor() async throws {
      let selection = "edges { cursor node { id } } pageInfo { endCursor }"
      try await load([("a", "0"), ("b", "1")], "first: 2", selection)
      try await load([("c", "2"), ("a", "3")], #"first: 2, after: "1""#, selection)
      let text = try await pages.scenario.read("query Q { letters { \(selection) } }")
      #expect(text.split(separator: #""cursor":""#).dropFirst().map { $0.prefix(1) } == ["0", "1", "2"])
      #expect(text.contains(#""endCursor":"3""#))
    }
  }
}
