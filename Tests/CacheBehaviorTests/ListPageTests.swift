@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution
import StyledTests
import Testing

extension CacheBehaviorTests {
  @Suite("Pages of lists without cursors", .everyStyle)
  struct ListPageTests {
    private let scenario: Scenario

    init() throws { scenario = try Scenario(Pages.schema) }

    private func load(_ letters: String, _ field: String) async throws {
      let elements = letters.map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ",")
      let name = field.prefix { $0 != "(" }
      if name == "sheets" {
        try await scenario.write(
          "query Q { \(field) { total items { id } } }",
          #"{"sheets":{"__typename":"Page","total":9,"items":[\#(elements)]}}"#)
      } else {
        try await scenario.write("query Q { \(field) { id } }", #"{"\#(name)":[\#(elements)]}"#)
      }
    }

    private func list(_ field: String) async throws -> String {
      let text = try await scenario.read("query Q { \(field) \(field == "sheets" ? "{ items { id } }" : "{ id }") }")
      return String(text.split(separator: "\"id\":\"").dropFirst().compactMap(\.first))
    }

    @Test("A null that comes beside the list of a later page is stored", arguments: ["rows", "stories"])
    func nulls(field: String) async throws {
      let arguments = field == "rows" ? ["(offset: 0, limit: 1)", "(offset: 1, limit: 1)"] : ["", #"(since: "1")"#]
      func load(_ letter: String, _ arguments: String, _ total: String = "") async throws {
        let items = #"[{"__typename":"Letter","id":"\#(letter)"}]"#
        try await scenario.write(
          "query Q { \(field)\(arguments) { items { id } \(total) } }",
          #"{"\#(field)":{"__typename":"Page","items":\#(items)\#(total.isEmpty ? "" : #","total":null"#)}}"#)
      }
      if field == "rows" { try await load("a", arguments[0]) }
      try await load("b", arguments[1], "total")
      let text = try await scenario.read("query Q { \(field)\(arguments[1]) { items { id } total } }")
      #expect(text.contains(#""total":null"#) && text.contains(#""id":"b""#))
    }

    @Test("By offset: each page has its place; a short page is the end; the first page starts anew")
    func offsets() async throws {
      try await load("ab", "items(offset: 0, limit: 2)")
      try await load("cd", "items(offset: 2, limit: 2)")
      try await load("ef", "items(offset: 4, limit: 2)")
      #expect(try await list("items") == "abcdef")
      try await load("xy", "items(offset: 2, limit: 2)")
      #expect(try await list("items") == "abxyef")
      try await load("z", "items(offset: 2, limit: 2)")
      #expect(try await list("items") == "abz")
      try await load("q", "items(offset: 90, limit: 2)")
      #expect(try await list("items") == "abz", "there would be a gap")
      try await load("pq", "items(limit: 2)")
      #expect(try await list("items") == "pq")
    }

    @Test("By offset: without the pages before it, a page is not kept")
    func gap() async throws {
      try await load("cd", "items(offset: 2, limit: 2)")
      #expect(try await scenario.miss("query Q { items { id } }") != nil)
      try await load("ab", "items(offset: 0, limit: 2)")
      #expect(try await list("items") == "ab")
    }

    @Test("Where elements were never loaded, a page is not kept, though less than a page is missing")
    func smallGap() async throws {
      try await load("ab", "items(offset: 0, limit: 2)")
      try await load("de", "items(offset: 3, limit: 2)")
      #expect(try await list("items") == "ab", "the page begins in the middle of another one")
      try await load("a", "held(offset: 0, limit: 1)")
      try await load("efgh", "held(offset: 4, limit: 4)")
      #expect(try await list("held") == "a", "more than half of a page is missing")
      try await load("abcd", "held(offset: 0, limit: 4)")
      #expect(try await list("held") == "abcd")
      try await load("efgh", "held(offset: 4, limit: 4)")
      #expect(try await list("held") == "abcdefgh")
    }

    @Test("With refetchKeepsPages, what is behind the first page stays, unless the page is short")
    func kept() async throws {
      try await load("ab", "heldSheet(page: 1, size: 2)")
      try await load("cd", "heldSheet(page: 2, size: 2)")
      try await load("xb", "heldSheet(page: 1, size: 2)")
      #expect(try await list("heldSheet") == "xbcd")
      try await load("y", "heldSheet(page: 1, size: 2)")
      #expect(try await list("heldSheet") == "y")
      try await load("ab", "held(offset: 0, limit: 2)")
      try await load("cd", "held(offset: 2, limit: 2)")
      try await load("xb", "held(offset: 0, limit: 2)")
      #expect(try await list("held") == "xbcd")
    }

    @Test(
      "With refetchKeepsPages, an empty first page is the list, whatever its size",
      arguments: ["held(offset: 0)", "held(offset: 0, limit: 2)", "heldSheet(page: 1)", "heldSheet(page: 1, size: 2)"])
    func keptEmpty(field: String) async throws {
      try await load("ab", field)
      try await load("", field)
      #expect(try await list(String(field.prefix { $0 != "(" })) == "")
    }

    @Test("An empty page at an offset is the end of the list, also without a size")
    func emptyEnd() async throws {
      try await load("abcd", "items(offset: 0)")
      try await load("", "items(offset: 2)")
      #expect(try await list("items") == "ab")
    }

    @Test("By number, from 1 or from 0, also inside of an input object and of an object around the list")
    func numbers() async throws {
      try await load("ab", "sheet(page: 1, size: 2)")
      try await load("cd", "sheet(page: 2, size: 2)")
      try await load("e", "sheet(page: 3, size: 2)")
      #expect(try await list("sheet") == "abcde")
      try await load("xy", "sheet(page: 1, size: 2)")
      #expect(try await list("sheet") == "xy", "the first page starts anew")
      try await load("ab", "sheets(input: {page: 0, size: 2})")
      try await load("cd", "sheets(input: {page: 1, size: 2})")
      #expect(try await list("sheets") == "abcd")
      #expect(try await scenario.read("query Q { sheets { total } }").contains("9"))
    }

    @Test("By number, without a size: pages are as long as those before")
    func numbersWithoutSize() async throws {
      try await load("ab", "sheet(page: 1)")
      try await load("cd", "sheet(page: 2)")
      try await load("e", "sheet(page: 3)")
      #expect(try await list("sheet") == "abcde")
    }

    @Test("By number, without a size: a page again has its place again, and an empty one takes nothing away")
    func againWithoutSize() async throws {
      try await load("ab", "sheet(page: 1)")
      try await load("cd", "sheet(page: 2)")
      try await load("cx", "sheet(page: 2)")
      #expect(try await list("sheet") == "abcx")
      for _ in 0..<2 { try await load("e", "sheet(page: 3)") }
      try await load("", "sheet(page: 9)")
      #expect(try await list("sheet") == "abcxe")
    }

    @Test("By number, without a size and without keys: a page that is loaded again is not there twice")
    func againWithoutKeys() async throws {
      try await scenario.write("query Q { words(page: 1) }", #"{"words":["a","b"]}"#)
      for _ in 0..<3 { try await scenario.write("query Q { words(page: 2) }", #"{"words":["c","d"]}"#) }
      #expect(try await scenario.read("query Q { words }") == #"{"words":["a","b","c","d"]}"#)
      try await scenario.write("query Q { words(page: 2) }", #"{"words":["c","x"]}"#)
      #expect(try await scenario.read("query Q { words }") == #"{"words":["a","b","c","x"]}"#)
    }

    @Test(
      "By number, without a size and without keys: a last page of one value is not taken for an equal value before it",
      arguments: [["a b", "b"], ["a b", "a c", "a"]])
    func lastWithoutKeys(pages: [String]) async throws {
      func load(_ number: Int) async throws {
        let words = pages[number - 1].split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
        try await scenario.write("query Q { words(page: \(number)) }", #"{"words":[\#(words)]}"#)
      }
      for number in 1...pages.count { try await load(number) }
      try await load(pages.count)
      let words = pages.joined(separator: " ").split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
      #expect(try await scenario.read("query Q { words }") == #"{"words":[\#(words)]}"#)
    }

    @Test("A list that is shorter than its pages were goes on with the next page, and a page again takes no other away")
    func shorter() async throws {
      for size in [", size: 2", ""] {
        try await load("ab", "sheet(page: 1\(size))")
        try await load("bc", "sheet(page: 2\(size))")
        try await load("de", "sheet(page: 3\(size))")
        #expect(try await list("sheet") == "abcde", "the server had a new element before the second page")
        try await load("bc", "sheet(page: 2\(size))")
        #expect(try await list("sheet") == "abcde")
      }
      try await load("ab", "items(offset: 0, limit: 2)")
      try await load("cd", "items(offset: 2, limit: 2)")
      try await scenario.store.withinReadWriteTransaction { try $0.connection("items").remove("Letter:a") }
      try await load("ef", "items(offset: 4, limit: 2)")
      #expect(try await list("items") == "bcdef")
    }

    @Test(
      "By offset: the page behind a list from which an object was removed takes nothing away", arguments: [false, true])
    func removed(isCollected: Bool) async throws {
      try await load("ab", "items(offset: 0, limit: 2)")
      try await load("cd", "items(offset: 2, limit: 2)")
      try await scenario.store.remove("Letter:b")
      if isCollected { try await scenario.store.removeDanglingReferences() }
      try await load("ef", "items(offset: 3, limit: 2)")
      #expect(try await list("items") == "acdef")
    }

    @Test(
      "A page that is loaded again behind an object that was removed takes nothing away",
      arguments: [
        ["items(offset: 0, limit: 2)", "items(offset: 2, limit: 2)"],
        ["sheet(page: 1, size: 2)", "sheet(page: 2, size: 2)"],
      ])
    func removedBefore(pages: [String]) async throws {
      try await load("ab", pages[0])
      try await load("cd", pages[1])
      try await scenario.store.remove("Letter:b")
      try await load("de", pages[1])
      #expect(try await list(String(pages[0].prefix { $0 != "(" })) == "acde")
    }

    @Test("By number, without a size: behind a removed object, a page that is loaded again is put where it is")
    func removedFound() async throws {
      for (number, letters) in [(1, "ab"), (2, "cd"), (3, "ef")] { try await load(letters, "sheet(page: \(number))") }
      try await scenario.store.remove("Letter:b")
      try await load("dx", "sheet(page: 2)")
      #expect(try await list("sheet") == "acdxf")
    }

    /// A cache with a list whose elements may be null.
    private static func looseScenario() throws -> Scenario {
      try Scenario(
        Pages.schema + """

          extend type Query { loose(offset: Int, limit: Int): [Letter] }
          extend type Query @pagination(forField: "loose", style: OFFSET)
          """)
    }

    /// Writes a page of that list, with null for each `-`.
    private static func load(_ letters: String, _ arguments: String, in scenario: Scenario) async throws {
      let elements = letters.map { $0 == "-" ? "null" : #"{"__typename":"Letter","id":"\#($0)"}"# }
      try await scenario.write(
        "query Q { loose(\(arguments)) { id } }", #"{"loose":[\#(elements.joined(separator: ","))]}"#)
    }

    /// The elements of that list, with `-` for null.
    private static func letters(in scenario: Scenario) async throws -> String {
      let text = try await scenario.read("query Q { loose { id } }").replacing("null", with: #""id":"-""#)
      return String(text.split(separator: "\"id\":\"").dropFirst().compactMap(\.first))
    }

    @Test("A null that the server has sent stays when the page behind it is loaded again, and is not there twice")
    func nullsOfServer() async throws {
      let first = try Self.looseScenario(), second = try Self.looseScenario()
      for (offset, letters) in [(0, "a-c"), (3, "d"), (3, "xyz")] {
        try await Self.load(letters, "offset: \(offset), limit: 3", in: first)
      }
      let letters = try await Self.letters(in: first)
      #expect(letters.hasPrefix("a-c") && letters.hasSuffix("xyz"), "\(letters)")
      for (offset, letters) in [(0, "-a"), (2, "-b"), (4, "c"), (2, "-b"), (2, "-b")] {
        try await Self.load(letters, "offset: \(offset), limit: 2", in: second)
      }
      #expect(try await Self.letters(in: second) == "-a-bc")
    }

    @Test(
      "What is behind the object that a page ends with stays, also where two objects before it were removed",
      arguments: [("ad", 2, "adefgh"), ("xd", 3, "axdefgh")])
    func removedTwice(page: String, offset: Int, letters: String) async throws {
      for (offset, letters) in [(0, "ab"), (2, "cd"), (4, "ef"), (6, "gh")] {
        try await load(letters, "items(offset: \(offset), limit: 2)")
      }
      for letter in ["b", "c"] { try await scenario.store.remove("Letter:\(letter)") }
      try await load(page, "items(offset: \(offset), limit: 2)")
      #expect(try await list("items") == letters)
    }

    @Test(
      "A page that is loaded again with other elements, behind an object that was removed, makes the list no longer")
    func removedAgain() async throws {
      for (offset, letters) in [(0, "ab"), (2, "cd"), (4, "ef")] {
        try await load(letters, "items(offset: \(offset), limit: 2)")
      }
      try await scenario.store.remove("Letter:b")
      for letters in ["xy", "zw", "uv"] {
        try await load(letters, "items(offset: 2, limit: 2)")
        #expect(try await list("items") == "ac\(letters)f")
      }
    }

    @Test("Nor does one behind a null that the server has sent")
    func nullsAgain() async throws {
      let scenario = try Self.looseScenario()
      for (offset, letters) in [(0, "a-c"), (3, "def"), (6, "ghi")] {
        try await Self.load(letters, "offset: \(offset), limit: 3", in: scenario)
      }
      for letters in ["uvw", "xyz"] {
        try await Self.load(letters, "offset: 3, limit: 3", in: scenario)
        #expect(try await Self.letters(in: scenario) == "a-c\(letters)ghi")
      }
    }

    @Test("Nor does one of objects without keys behind such a null")
    func nullsWithoutKeys() async throws {
      let scenario = try Scenario(
        Pages.schema + """

          type Count { n: Int }
          extend type Query { counts(offset: Int, limit: Int): [Count] }
          extend type Query @pagination(forField: "counts", style: OFFSET)
          """)
      func load(_ elements: String, _ offset: Int) async throws {
        try await scenario.write("query Q { counts(offset: \(offset), limit: 3) { n } }", #"{"counts":[\#(elements)]}"#)
      }
      func element(_ number: Int) -> String { #"{"__typename":"Count","n":\#(number)}"# }
      try await load("\(element(1)),null,\(element(2))", 0)
      for first in [3, 6, 3, 6] {
        try await load((first..<first + 3).map(element).joined(separator: ","), 3)
        let text = try await scenario.read("query Q { counts { n } }")
        let numbers = String(text.split(separator: #""n":"#).dropFirst().compactMap(\.first))
        #expect(numbers == (first == 3 ? "12345" : "12678"))
      }
    }

    @Test("Where an element may be null, an app counts an object that was removed, and so does the list")
    func removedNullable() async throws {
      let scenario = try Self.looseScenario()
      for (offset, letters) in [(0, "ab"), (2, "cd"), (4, "ef")] {
        try await Self.load(letters, "offset: \(offset), limit: 2", in: scenario)
        if offset == 2 { try await scenario.store.remove("Letter:b") }
      }
      let text = try await scenario.read("query Q { loose { id } }")
      #expect(text.contains(#""id":"a"},null,{"#))
      #expect(text.components(separatedBy: #""id":"#).count == 6)
    }

    @Test("An element that a new one has moved behind its page stays")
    func moved() async throws {
      for field in ["items", "held"] {
        for (offset, letters) in [(0, "ab"), (2, "cd"), (4, "ef"), (2, "xc")] {
          try await load(letters, "\(field)(offset: \(offset), limit: 2)")
        }
        #expect(try await list(field) == "abxcdef")
      }
      try await load("ya", "held(offset: 0, limit: 2)")
      #expect(try await list("held") == "yabxcdef")
    }

    @Test("A page that is not stored makes nothing newer: neither its list, nor what is beside it")
    func dates() async throws {
      let store = scenario.store
      func load(_ letters: String, _ field: String, at seconds: Double) async throws {
        store.clock = { Date(timeIntervalSince1970: seconds) }
        try await self.load(letters, field)
      }
      func writtenAt(_ field: String) -> Int64? { store.engine.table.exported(0)?.cachedField(for: field)?.writtenAt }
      try await load("ab", "news", at: 1000)
      try await load("cd", "items(offset: 2, limit: 2)", at: 2000)
      #expect(writtenAt("news") == 1000)
      try await load("ab", "items(offset: 0, limit: 2)", at: 3000)
      try await load("yz", "items(offset: 90, limit: 2)", at: 4000)
      #expect(writtenAt("items") == 3000)
      try await load("cd", "items(offset: 2, limit: 2)", at: 5000)
      #expect(writtenAt("items") == 5000)
      try await load("ab", "sheets(input: {page: 0, size: 2})", at: 6000)
      try await load("yz", "sheets(input: {page: 9, size: 2})", at: 7000)
      #expect(writtenAt("sheets") == 6000, "an object with a list")
      #expect(writtenAt("news") == 1000)
    }

    @Test("What is appended has each object once; without an argument it starts anew")
    func appending() async throws {
      try await load("ab", "news")
      try await load("bc", #"news(since: "1")"#)
      try await load("cd", #"news(since: "2")"#)
      #expect(try await list("news") == "abcd")
      try await load("x", "news")
      #expect(try await list("news") == "x")
    }

    @Test("Numbers that make no sense do no harm", arguments: ["-5", "9223372036854775807", "-9223372036854775808"])
    func nonsense(number: String) async throws {
      try await load("ab", "items(offset: 0, limit: 2)")
      for field in ["items(offset: \(number), limit: \(number))", "sheet(page: \(number), size: \(number))"] {
        try await scenario.write(
          "query Q($n: Int) { \(field.replacing(number, with: "$n")) { id } }",
          #"{"\#(field.prefix { $0 != "(" })":[]}"#, ["n": .int(Int(number) ?? 0)])
      }
    }
  }
}
