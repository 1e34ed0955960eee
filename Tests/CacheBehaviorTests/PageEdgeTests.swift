@testable import ApolloAPI
@testable import ApolloCache
import GraphQLExecution
import ResponseStyles
import StyledTests
import Testing

/// An edge: its letter, and the fields that are known of it.
private struct NaiveEdge: Equatable, CustomStringConvertible {
  var letter: Character
  var fields: [String: String]

  var description: String { "\(letter)\(fields.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })" }

  /// The edge, with what it lacks and an earlier edge of its letter has.
  func completed(from edges: [NaiveEdge]) -> NaiveEdge {
    guard let earlier = edges.first(where: { $0.letter == letter }) else { return self }
    return NaiveEdge(letter: letter, fields: earlier.fields.merging(fields) { $1 })
  }
}

extension [NaiveEdge] {
  fileprivate func has(_ edge: NaiveEdge) -> Bool { contains { $0.letter == edge.letter } }

  /// Whether it has the first or the last one of others. Then their cursors are told of other places than they are at.
  fileprivate func hasEnd(of others: [NaiveEdge]) -> Bool {
    others.first.map(has) ?? false || others.last.map(has) ?? false
  }

  /// The edges, with the fields that others have for their letters.
  fileprivate func updated(by others: [NaiveEdge]) -> [NaiveEdge] {
    map { edge in (others.first { $0.letter == edge.letter } ?? edge).completed(from: [edge]) }
  }
}

extension CacheBehaviorTests {
  @Suite("Fields of edges, and pages that take the place of others")
  struct PageEdgeTests {
    private static let schema = """
      type Query {
        letters(first: Int, after: String, last: Int, before: String): LetterConnection
        kept(first: Int, after: String): LetterConnection
        rows(offset: Int, limit: Int): [Row!]
        sheet(page: Int, size: Int): Sheet
        news(since: String): Sheet
      }
      type LetterConnection @connection { edges: [LetterEdge], pageInfo: PageInfo }
      type LetterEdge { cursor: String!, node: Letter, note: String, role: String }
      type Letter @typePolicy(keyFields: "id") { id: ID! }
      type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
      type Row { label: String, mark: Boolean }
      type Sheet { total: Int, rows: [Row!] }
      extend type Query
        @pagination(forField: "kept", style: RELAY, refetchKeepsPages: true)
        @pagination(forField: "rows", style: OFFSET)
        @pagination(forField: "sheet", style: PAGE)
        @pagination(forField: "news", style: APPEND, args: "since")
      """

    private let scenario: Scenario

    init() throws { scenario = try Scenario(Self.schema) }

    private func connection(_ edges: [NaiveEdge], _ pageInfo: String? = nil) -> String {
      let edges = edges.map { edge in
        let fields = edge.fields.map { #","\#($0.key)":"\#($0.value)""# }.joined()
        return
          #"{"__typename":"LetterEdge","node":{"__typename":"Letter","id":"\#(edge.letter)"}\#(fields)}"#
      }
      let info = pageInfo.map { #","pageInfo":{"__typename":"PageInfo",\#($0)}"# } ?? ""
      return #"{"__typename":"LetterConnection","edges":[\#(edges.joined(separator: ","))]\#(info)}"#
    }

    private func load(_ edges: [NaiveEdge], _ field: String, _ names: [String]) async throws {
      try await scenario.write(
        "query Q { \(field) { edges { \(names.joined(separator: " ")) node { id } } } }",
        #"{"\#(field.prefix { $0 != "(" })":\#(connection(edges))}"#)
    }

    private func edges(of field: String) -> [NaiveEdge] {
      guard case .object(let connection)? = scenario.value(field), case .list(let edges)? = connection["edges"] else {
        return []
      }
      return edges.compactMap { edge in
        guard case .object(var fields) = edge, case .reference(let node)? = fields["node"] else { return nil }
        (fields["node"], fields["__typename"]) = (nil, nil)
        return NaiveEdge(
          letter: node.last ?? "?",
          fields: fields.mapValues { value in if case .string(let text) = value { text } else { "\(value)" } })
      }
    }

    @Test(
      "Each edge of a list has the newest value of each field that came while its letter was in the list",
      arguments: Effort.seeds(4), ["letters", "kept"])
    func random(seed: UInt64, field: String) async throws {
      var random = SplitMix(state: seed &+ 1), server = Array("abcdefghijkl"), list: [NaiveEdge] = [], what = ""
      // Letters whose cursors were told of other places than they are at: see ``MovedPageTests``.
      var moved: Set<Character> = []
      for turn in 0..<80 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          server.swapAt(.random(in: 0..<12, using: &random), .random(in: 0..<12, using: &random))
        }
        let names = ["cursor"] + ["note", "role"].filter { _ in Bool.random(using: &random) }
        func page(_ range: Range<Int>) -> [NaiveEdge] {
          server[range.clamped(to: 0..<12)].map { letter in
            let fields = names.map { ($0, $0 == "cursor" ? "c\(letter)" : "\(letter)\(turn)") }
            return NaiveEdge(letter: letter, fields: Dictionary(uniqueKeysWithValues: fields))
          }
        }
        let size = Int.random(in: 1...4, using: &random), before = list
        var arguments = "first: \(size)", new = page(0..<size)
        let place = Int.random(in: 0..<max(1, list.count), using: &random)
        let index = list.isEmpty ? 0 : server.firstIndex(of: list[place].letter) ?? 0
        if !list.isEmpty, moved.contains(list[place].letter) { continue }
        func note(_ places: [NaiveEdge]) {
          for edge in new { if places.has(edge) { moved.insert(edge.letter) } else { moved.remove(edge.letter) } }
        }
        switch list.isEmpty ? 0 : Int.random(in: 0..<4, using: &random) {
        case 1, 2:
          new = page(index + 1..<index + 1 + size)
          let start = Array(list[...place])
          guard let last = new.last, !start.hasEnd(of: new), !moved.contains(last.letter) else { continue }
          arguments += #", after: "c\#(list[place].letter)""#
          let found = field == "kept" ? list.firstIndex { $0.letter == last.letter } : nil
          let rest = found.map { Array(list[($0 + 1)...]) } ?? []
          let ended = start.updated(by: new) + new.filter { !start.has($0) }.map { $0.completed(from: list) }
          if ended.hasEnd(of: rest) { continue }
          list = ended + rest.filter { !ended.has($0) }
          note(start)
        case 3 where field == "letters":
          new = page(max(0, index - size)..<index)
          let end = Array(list[place...])
          if new.isEmpty || end.hasEnd(of: new) { continue }
          arguments = #"last: \#(size), before: "c\#(list[place].letter)""#
          list = new.filter { !end.has($0) }.map { $0.completed(from: list) } + end.updated(by: new)
          note(end)
        default:
          let found = field == "kept" ? new.last.flatMap { last in list.firstIndex { $0.letter == last.letter } } : nil
          let rest = found.map { Array(list[($0 + 1)...]) } ?? []
          if new.hasEnd(of: rest) || new.last.map({ moved.contains($0.letter) }) ?? false { continue }
          note([])
          list = new.map { $0.completed(from: list) } + rest.filter { !new.has($0) }
        }
        what += "\n\(arguments) \(names) → \(String(new.map(\.letter)))"
        try await load(new, "\(field)(\(arguments))", names)
        guard edges(of: field) == list else {
          Issue.record("found \(edges(of: field)), wanted \(list), seed \(seed), before \(before), after:\(what)")
          return
        }
      }
    }

    @Test(
      "An end of which the newest page does not tell the cursor has that of its edge, or none, and never null",
      arguments: [true, false])
    func cursors(haveEdges: Bool) async throws {
      let names = haveEdges ? ["cursor"] : [], both = "hasNextPage startCursor endCursor"
      func edge(_ letter: Character) -> NaiveEdge {
        NaiveEdge(letter: letter, fields: haveEdges ? ["cursor": "c\(letter)"] : [:])
      }
      func load(_ letters: String, _ arguments: String, _ selection: String, _ info: String) async throws {
        try await scenario.write(
          "query Q { letters(\(arguments)) { edges { \(names.joined()) node { id } } pageInfo { \(selection) } } }",
          #"{"letters":\#(connection(letters.map(edge), info))}"#)
      }
      func info() -> Record.Fields {
        guard case .object(let list)? = scenario.value("letters"), case .object(let info)? = list["pageInfo"] else {
          return [:]
        }
        return info.filter { $0.key.hasSuffix("Cursor") }
      }
      let ab = #""hasNextPage":true,"startCursor":"ca","endCursor":"cb""#, next = #""hasNextPage":true"#
      try await load("ab", "first: 2", both, ab)
      try await load("xy", "first: 2", "hasNextPage", next)
      #expect(info() == (haveEdges ? ["startCursor": "cx", "endCursor": "cy"] : [:]))
      try await load("ab", "first: 2", both, ab)
      try await load("cd", #"first: 2, after: "cb""#, "hasNextPage", next)
      #expect(info() == (haveEdges ? ["startCursor": "ca", "endCursor": "cd"] : ["startCursor": "ca"]))
      try await load("ab", "first: 2", both, #""hasNextPage":false,"startCursor":null,"endCursor":null"#)
      #expect(info() == ["startCursor": .null, "endCursor": .null], "the server has sent null")
      try await load("ab", "first: 2", both, #""hasNextPage":false,"startCursor":"","endCursor":"""#)
      #expect(info() == ["startCursor": "", "endCursor": ""])
    }

    @Test("Null in the place of the list of a later page takes no element away, and tells whether there are more")
    func nullLists() async throws {
      let query = "{ edges { cursor node { id } } pageInfo { hasNextPage endCursor } }"
      let ab = "ab".map { NaiveEdge(letter: $0, fields: ["cursor": "c\($0)"]) }
      func load(_ arguments: String, _ connection: String) async throws {
        try await scenario.write("query Q { letters(\(arguments)) \(query) }", #"{"letters":\#(connection)}"#)
      }
      func text() async throws -> String { try await scenario.read("query Q { letters \(query) }") }
      let null = #"""
        {"__typename":"LetterConnection","edges":null,
        "pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":null}}
        """#
      try await load("first: 2", connection(ab, #""hasNextPage":true,"endCursor":"cb""#))
      try await load(#"first: 2, after: "cb""#, null)
      #expect(edges(of: "letters") == ab)
      #expect(try await text().contains(#""hasNextPage":false,"endCursor":"cb""#))
      try await load("first: 2", null)
      #expect(try await text().contains(#""hasNextPage":false,"endCursor":null"#))
      #expect(try await text().contains(#""edges":null"#))
    }

    @Test(
      "So does null in the place of a list without cursors",
      arguments: [["sheet", "(page: 1, size: 2)", "(page: 2, size: 2)"], ["news", "", #"(since: "1")"#]])
    func nullRows(names: [String]) async throws {
      func load(_ arguments: String, _ rows: String) async throws {
        try await scenario.write(
          "query Q { \(names[0])\(arguments) { total rows { label } } }",
          #"{"\#(names[0])":{"__typename":"Sheet","total":7,"rows":\#(rows)}}"#)
      }
      try await load(names[1], #"[{"__typename":"Row","label":"a"},{"__typename":"Row","label":"b"}]"#)
      try await load(names[2], "null")
      let text = try await scenario.read("query Q { \(names[0]) { total rows { label } } }")
      #expect(text.contains(#""label":"a""#) && text.contains(#""label":"b""#))
      try await load(names[1], "null")
      #expect(try await scenario.read("query Q { \(names[0]) { rows { label } } }").contains(#""rows":null"#))
    }

    @Test("A later page of a list that is null takes no row away", arguments: ["rows", "sheet", "news"])
    func nullPages(field: String) async throws {
      let arguments = [
        "rows": ["(offset: 0, limit: 2)", "(offset: 2, limit: 2)"],
        "sheet": ["(page: 1, size: 2)", "(page: 2, size: 2)"],
        "news": ["", #"(since: "1")"#],
      ]
      let selection = field == "rows" ? "{ label }" : "{ rows { label } }"
      func load(_ page: Int, _ value: String) async throws {
        let query = "query Q { \(field)\(arguments[field]?[page] ?? "") \(selection) }"
        try await scenario.write(query, #"{"\#(field)":\#(value)}"#)
      }
      let rows = #"[{"__typename":"Row","label":"a"},{"__typename":"Row","label":"b"}]"#
      try await load(0, field == "rows" ? rows : #"{"__typename":"Sheet","rows":\#(rows)}"#)
      try await load(1, "null")
      let text = try await scenario.read("query Q { \(field) \(selection) }")
      #expect(text.contains(#""label":"a""#) && text.contains(#""label":"b""#))
      try await load(0, "null")
      #expect(scenario.value(field) == Record.Value.null)
      try await load(1, "null")
      #expect(scenario.value(field) == Record.Value.null, "there is no list that it could leave as it is")
    }

    @Test(
      "A null that comes with a later page is not the list where the cache has none",
      arguments: [
        ["rows", "(offset: 2, limit: 2)", "label"], ["sheet", "(page: 2, size: 2)", "rows { label }"],
        ["news", #"(since: "1")"#, "rows { label }"],
      ])
    func firstNulls(names: [String]) async throws {
      let (field, query) = (names[0], "query Q { \(names[0]) { \(names[2]) } }")
      func load(_ value: String, _ selection: String) async throws {
        try await scenario.write("query Q { \(field)\(names[1]) { \(selection) } }", #"{"\#(field)":\#(value)}"#)
        #expect(try await scenario.miss(query) != nil)
      }
      try await load("null", names[2])
      guard field != "rows" else { return }
      try await load(#"{"__typename":"Sheet","rows":null,"total":7}"#, "rows { label } total")
      try await load(#"{"__typename":"Sheet","rows":null}"#, "rows { label }")
      #expect(try await scenario.read("query Q { \(field) { total } }").contains(#""total":7"#))
    }

    @Test("Where a first page is null, the later page of an alias is null too")
    func nullAliases() async throws {
      try await scenario.write(
        "query Q { rows(offset: 0, limit: 2) { label } more: rows(offset: 2, limit: 2) { label } }",
        #"{"rows":null,"more":null}"#)
      #expect(scenario.value("rows") == Record.Value.null)
    }

    // MARK: Ends and cursors

    /// Loads a page of letters.
    private func load(_ edges: [NaiveEdge], _ arguments: String, _ info: [String: String]) async throws {
      let names = edges.first?.fields.keys.sorted().joined(separator: " ") ?? ""
      let infoNames = info.keys.joined(separator: " ")
      let values = info.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      try await scenario.write(
        "query Q { letters(\(arguments)) { edges { \(names) node { id } } pageInfo { \(infoNames) } } }",
        #"{"letters":\#(connection(edges, values))}"#)
    }

    private var pageInfo: Record.Fields {
      guard case .object(let list)? = scenario.value("letters"), case .object(var info)? = list["pageInfo"] else {
        return [:]
      }
      info["__typename"] = nil
      return info
    }

    private func edges(_ letters: String, cursors: String? = nil) -> [NaiveEdge] {
      let cursors = cursors.map { Array($0) }
      return letters.enumerated().map { index, letter in
        NaiveEdge(letter: letter, fields: cursors.map { ["cursor": "\($0[index])"] } ?? [:])
      }
    }

    @Test("An edge has the cursor that is known of it only at the place where it was: the server may count them")
    func movedEdges() async throws {
      try await load(edges("ab", cursors: "01"), "first: 2", ["hasNextPage": "true", "endCursor": #""1""#])
      try await load(
        edges("cd", cursors: "23"), #"first: 2, after: "1""#, ["hasNextPage": "true", "endCursor": #""3""#])
      try await load(edges("bc"), "first: 2", ["hasNextPage": "true"])
      #expect(edges(of: "letters") == edges("bc"))
      #expect(pageInfo == ["hasNextPage": true])
      try await load(edges("bc", cursors: "01"), "first: 2", ["hasNextPage": "true"])
      try await load(edges("bcd"), "first: 3", ["hasNextPage": "true"])
      #expect(edges(of: "letters") == edges("bc", cursors: "01") + edges("d"))
    }

    @Test("What a page does not tell of an end stays known as long as the element there is the same")
    func ends() async throws {
      try await load(edges("ab"), "first: 2", ["hasNextPage": "true", "hasPreviousPage": "false"])
      try await load(edges("ab"), "first: 2", ["startCursor": #""ca""#, "endCursor": #""cb""#])
      let start: Record.Fields = ["hasPreviousPage": false, "startCursor": "ca", "hasNextPage": true]
      #expect(pageInfo == start.merging(["endCursor": "cb"]) { $1 })
      try await load(edges("cd"), #"first: 2, after: "cb""#, ["hasNextPage": "false"])
      try await load(edges("cd"), #"first: 2, after: "cb""#, ["endCursor": #""cd""#])
      #expect(pageInfo == start.merging(["hasNextPage": false, "endCursor": "cd"]) { $1 })
      try await load(edges("ax"), "first: 2", ["hasNextPage": "true"])
      #expect(pageInfo == start)
      try await load([], "first: 2", ["hasNextPage": "false"])
      try await load([], "first: 2", ["endCursor": "null"])
      #expect(pageInfo["hasNextPage"] == false && pageInfo["endCursor"] == .null)
    }

    @Test("An error in the place of a cursor leaves the cursor that is known", arguments: [nil, "ab"])
    func cursorErrors(cursors: String?) async throws {
      let known: Record.Fields = ["startCursor": "a", "endCursor": "b"]
      let name = cursors == nil ? "" : "cursor"
      let query = "query Q { letters(first: 2) { edges { \(name) node { id } } pageInfo { startCursor endCursor } } }"
      func load(_ letters: String, _ info: String, errors: String? = nil) async throws {
        let edges = edges(letters, cursors: cursors == nil ? nil : letters)
        try await scenario.write(query, #"{"letters":\#(connection(edges, info))}"#, errors: errors)
      }
      let errors = ["startCursor", "endCursor"].map { #"{"message":"No","path":["letters","pageInfo","\#($0)"]}"# }
        .joined(separator: ",")
      let nulls = #""startCursor":null,"endCursor":null"#
      try await load("ab", #""startCursor":"a","endCursor":"b""#)
      try await load("ab", nulls, errors: "[\(errors)]")
      #expect(pageInfo == known)
      try await load("xy", nulls, errors: "[\(errors)]")
      if cursors == nil {
        #expect(pageInfo["endCursor"] != "b", "that is the cursor of another edge")
      } else {
        #expect(pageInfo == ["startCursor": "x", "endCursor": "y"])
      }
    }

    @Test("A list without elements may have cursors, and pages around them", arguments: ["startCursor", "endCursor"])
    func emptyList(name: String) async throws {
      for arguments in [#"first: 2, after: "x""#, #"last: 2, before: "x""#] {
        try await load([], "first: 2", [name: #""x""#])
        try await load(edges("ab"), arguments, ["hasNextPage": "true"])
        #expect(edges(of: "letters") == edges("ab"))
      }
    }

    @Test("A row without a key that comes again as it was keeps what the page lacks; another one has none of it")
    func rows() async throws {
      func row(_ label: String, _ mark: Bool? = nil) -> String {
        #"{"__typename":"Row","label":"\#(label)"\#(mark.map { #","mark":\#($0)"# } ?? "")}"#
      }
      func marks() -> [Record.Value?] {
        guard case .list(let rows)? = scenario.value("rows") else { return [] }
        return rows.map { row in if case .object(let fields) = row { fields["mark"] } else { nil } }
      }
      let marked = "\(row("a", true)),\(row("b", false)),\(row("c", true)),\(row("d", true))"
      try await scenario.write(
        "query Q { rows(offset: 0, limit: 4) { label mark } }", #"{"rows":[\#(marked)]}"#)
      let query = "query Q { rows(offset: 2, limit: 2) { label } }"
      try await scenario.write(query, #"{"rows":[\#(row("c")),\#(row("x"))]}"#)
      #expect(marks() == [true, false, true, nil])
      try await scenario.write(
        "query Q { rows(offset: 0, limit: 4) { label } }", #"{"rows":[\#(row("y")),\#(row("b"))]}"#)
      #expect(marks() == [nil, false])
    }
  }
}
