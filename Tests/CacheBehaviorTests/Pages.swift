@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution

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
      heldSheet(page: Int, size: Int): [Letter!]
      sheets(input: Sheet): Page
      words(page: Int, size: Int): [String!]
      news(since: String): [Letter!]
      rows(offset: Int, limit: Int): Page
      stories(since: String): Page
      search(q: String!): Found
    }
    input Input { first: Int, after: String, order: String }
    input Sheet { page: Int!, size: Int }
    type Box { letters(first: Int, after: String): LetterConnection }
    type LetterConnection @connection { edges: [LetterEdge], nodes: [Letter], pageInfo: PageInfo!, total: Int }
    type LetterEdge { cursor: String!, node: Letter, note: String }
    type Letter @typePolicy(keyFields: "id") { id: ID!, name: String }
    type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
    type Page { total: Int, items: [Letter!] }
    type Found { items(offset: Int, limit: Int): [Letter!] }
    extend type Found @pagination(forField: "items", style: OFFSET)
    extend type Query
      @pagination(forField: "kept", style: RELAY, refetchKeepsPages: true)
      @pagination(forField: "inner", style: RELAY, first: "input.first", after: "input.after")
      @pagination(forField: "items", style: OFFSET)
      @pagination(forField: "held", style: OFFSET, refetchKeepsPages: true)
      @pagination(forField: "sheet", style: PAGE)
      @pagination(forField: "heldSheet", style: PAGE, refetchKeepsPages: true)
      @pagination(forField: "sheets", style: PAGE, page: "input.page", size: "input.size", firstPage: 0)
      @pagination(forField: "words", style: PAGE)
      @pagination(forField: "news", style: APPEND, args: "since")
      @pagination(forField: "rows", style: OFFSET)
      @pagination(forField: "stories", style: APPEND, args: "since")
    """

  let scenario: Scenario

  /// - Parameters:
  ///   - cache: Where the records are.
  ///   - extensions: What is added to the schema.
  ///   - areMerged: Whether pages of connections become one list. The default is that they do.
  init(
    _ cache: any NormalizedCache = InMemoryNormalizedCache(), extending extensions: String = "", areMerged: Bool = true
  ) throws {
    let lines = Self.schema.split(separator: "\n").filter { areMerged || !$0.contains("style: RELAY") }
    let schema = lines.joined(separator: "\n").replacing("@connection", with: areMerged ? "@connection" : "")
    scenario = try Scenario(schema + extensions, cache: cache)
  }

  enum Selection: String, CaseIterable {
    case edges = "edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
    case withoutCursors = "edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
    case withoutPageInfo = "edges { cursor node { id } }"
    case nodes = "nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
    case cursorsAndNodes =
      "edges { cursor } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
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
