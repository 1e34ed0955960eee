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
      _ page: [(letter: Character, cursor: String)], _ arguments: String, _ selection: String,
      _ field: String = "letters"
    ) async throws {
      let edges = page.map { letter, cursor in
        #"""
        {"__typename":"LetterEdge","cursor":"\#(cursor)","node":{"__typename":"Letter","id":"\#(letter)"}}
        """#
      }
      func cursor(_ edge: (letter: Character, cursor: String)?) -> String { edge.map { "\"\($0.cursor)\"" } ?? "null" }
      try await pages.scenario.write(
        "query Q { \(field)(\(arguments)) { \(selection) } }",
        #"""
        {"\#(field)":{"__typename":"LetterConnection","edges":[\#(edges.joined(separator: ","))],
        "nodes":[\#(page.map { #"{"__typename":"Letter","id":"\#($0.letter)"}"# }.joined(separator: ","))],
        "pageInfo":{"__typename":"PageInfo","hasNextPage":true,"startCursor":\#(cursor(page.first)),
        "endCursor":\#(cursor(page.last))}}}
        """#)
    }

    private func list(_ field: String = "letters") async throws -> String {
      String(
        pages.scenario.store.engine.table[0]?.value(of: .forName(field)).map { value in
          let records = pages.scenario.store.engine.table.records
          return ListChange.nodes(of: value, in: records).compactMap { records.key(of: $0)?.last }
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

    /// The cursors of the ends of the list, as its page info has them.
    private func ends() -> (start: String?, end: String?) {
      guard case .object(let list)? = pages.scenario.value("letters"), case .object(let info)? = list["pageInfo"] else {
        return (nil, nil)
      }
      func text(_ name: String) -> String? { if case .string(let text)? = info[name] { text } else { nil } }
      return (text("startCursor"), text("endCursor"))
    }

    @Test(
      "A page takes away what is behind the object of its cursor, or before it, and nothing else, also where it moved",
      arguments: Effort.seeds(4), ["", "pageInfo { startCursor endCursor }"])
    func bothWays(seed: UInt64, info: String) async throws {
      var random = SplitMix(state: seed &+ 1), server = Array("abcdefghijkl"), old: [Character] = [], what = ""
      for _ in 0..<80 {
        if Bool.random(using: &random) {
          let letter = server.remove(at: .random(in: 0..<12, using: &random))
          server.insert(letter, at: .random(in: 0..<12, using: &random))
        }
        let size = Int.random(in: 1...3, using: &random), ends = ends(), isAfter = Bool.random(using: &random)
        // (The pages at the ends are loaded more often, and again.)
        let isAtEnd = Bool.random(using: &random)
        let known = (isAtEnd ? (isAfter ? ends.end : ends.start)?.last : nil) ?? old.randomElement(using: &random)
        let index = known.flatMap { server.firstIndex(of: $0) } ?? (isAfter ? -1 : 0)
        let range = isAfter || known == nil ? index + 1..<index + 1 + size : index - size..<index
        let page = server[range.clamped(to: 0..<12)]
        if page.isEmpty { continue }
        let name = isAfter ? "after" : "before"
        let arguments = (isAfter ? "first" : "last") + ": \(size)" + (known.map { #", \#(name): "c\#($0)""# } ?? "")
        what += "\n\(arguments) → \(String(page))"
        try await load(
          page.map { ($0, "c\($0)") }, known == nil ? "first: \(size)" : arguments,
          "edges { cursor node { id } } \(info)")
        let found = Array(try await list())
        let place = known.flatMap { old.firstIndex(of: $0) } ?? (isAfter ? -1 : 0)
        let cursor = known.map { "c\($0)" }
        let mayBe = (0...old.count).contains { cut in
          if known == nil { return found == Array(page) }
          let kept = isAfter ? old[..<cut] : old[cut...], new = page.filter { !kept.contains($0) }
          // (The cursor of an end is behind all elements, or before them.)
          let isCut = cursor != (isAfter ? ends.end : ends.start)
          let isEnough = isAfter ? cut > place && (isCut || cut == old.count) : cut <= place && (isCut || cut == 0)
          return isEnough && found == (isAfter ? kept + new : new + kept)
        }
        guard mayBe else {
          Issue.record("found \(String(found)), was \(String(old)), seed \(seed), after:\(what)")
          return
        }
        old = found
      }
    }

    @Test("A page may be loaded in front of one that began with an object at a later place, and be loaded again")
    func backwards() async throws {
      for info in ["", "pageInfo { startCursor endCursor }"] {
        let tests = try MovedPageTests(), selection = "edges { cursor node { id } } \(info)"
        func load(_ letters: String, _ arguments: String) async throws -> String {
          try await tests.load(letters.map { ($0, "\($0)") }, arguments, selection)
          return try await tests.list()
        }
        #expect(try await load("cd", #"first: 2, after: "y""#) == "cd")
        #expect(try await load("ef", #"first: 2, after: "d""#) == "cdef")
        #expect(try await load("bd", #"last: 2, before: "c""#) == "bcdef")
        #expect(try await load("ef", #"first: 2, after: "d""#) == "bcdef")
        #expect(try await load("db", #"last: 2, before: "c""#) == "bcdef")
        #expect(try await load("xy", #"last: 2, before: "d""#) == "xybcdef")
      }
      let selection = "edges { cursor node { id } } pageInfo { startCursor endCursor }"
      for (letters, arguments) in [
        ("ab", "first: 2"), ("ca", #"first: 2, after: "b""#), ("de", #"first: 2, after: "a""#),
      ] {
        try await load(letters.map { ($0, "\($0)") }, arguments, selection)
      }
      try await load([("b", "b"), ("c", "c")], #"last: 2, before: "a""#, selection)
      #expect(try await list() == "abcde")
    }

    @Test("Behind a first page that has shifted, what followed its last object stays, though cursors are counted")
    func shifted() async throws {
      for (letters, cursors, arguments) in [
        ("ab", "01", "first: 2"), ("cd", "23", #"first: 2, after: "1""#), ("xa", "01", "first: 2"),
      ] {
        try await load(
          zip(letters, cursors).map { ($0, "\($1)") }, arguments, "edges { cursor node { id } }", "kept")
      }
      #expect(try await list("kept") == "xabcd")
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
