@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

extension CacheBehaviorTests {
  @Suite("Pages of which objects were removed")
  struct GoneNodeTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    private func cursors() async throws -> [String] {
      let text = try await pages.scenario.read(pages.query("", .cursorsAndNodes))
      return text.components(separatedBy: #""cursor":""#).dropFirst().map { String($0.prefix(2)) }
    }

    @Test(
      "An edge that does not tell its node is left out with the node of its index, before a collection and after",
      arguments: [false, true])
    func besideNodes(isCollected: Bool) async throws {
      try await pages.load("abc", "first: 3", .cursorsAndNodes)
      try await pages.scenario.store.remove("Letter:b")
      if isCollected { try await pages.scenario.store.collectGarbage() }
      #expect(try await pages.list(.cursorsAndNodes) == "ac>")
      #expect(try await cursors() == ["ca", "cc"])
      try await pages.load("de", #"after: "cb""#, .cursorsAndNodes)
      #expect(try await pages.list(.cursorsAndNodes) == "ade>")
      #expect(try await cursors() == ["ca", "cd", "ce"])
    }

    @Test("Such an edge is there again when the node is")
    func back() async throws {
      try await pages.load("abc", "first: 3", .cursorsAndNodes)
      try await pages.scenario.store.remove("Letter:b")
      #expect(try await cursors() == ["ca", "cc"])
      try await pages.load("b", #"first: 1, order: "X""#)
      #expect(try await cursors() == ["ca", "cb", "cc"])
    }

    @Test("Edges of pages are parts of their connection, though they have keys", arguments: [false, true])
    func keyedEdges(byCode: Bool) async throws {
      let edgeKeys = #"extend type LetterEdge @typePolicy(keyFields: "cursor")"#
      let pages = try Pages(extending: byCode ? "" : "\n" + edgeKeys), store = pages.scenario.store
      if byCode { store.cacheKeyForObject = { $0["cursor"] ?? $0["id"] } }
      let type = byCode ? "" : "Letter:"
      try await pages.load("abc", "first: 3")
      try await store.remove("\(type)b")
      #expect(try await pages.list() == "ac>")
      try await store.collectGarbage()
      #expect(try await pages.list() == "ac>")
      try await pages.load("x", #"first: 1, order: "X""#)
      try await store.withinReadWriteTransaction { [type] in try $0.connection("letters").append("\(type)x") }
      try await pages.load("xd", #"after: "cc""#)
      #expect(try await pages.list() == "acxd>", "the edge that was added is the one of the page")
      #expect(!store.keys.contains { $0.hasSuffix("ca") })
    }

    @Test("An edge of pages that a mutation has returned as a record is an object in their list")
    func addedEdge() {
      var records = RecordSnapshot()
      let edge = ObjectRecord.make(type: .unknown, capacity: 2)
      edge.append(ObjectRecord.Field(.node, .reference(7)))
      edge.append(ObjectRecord.Field(.cursor, .string("c")))
      records.setRecord(5, edge)
      let connection = ObjectRecord.make(type: .unknown, capacity: 2)
      connection.append(ObjectRecord.Field(.edges, .list([])))
      connection.append(ObjectRecord.Field(.pageCount, .int(0)))
      let change = ListChange.insertEdges([.reference(5)], .last)
      let changed = change.apply(to: .object(connection), edgeType: nil, in: records)
      guard case .object(let result)? = changed, case .list(let edges)? = result.value(of: .edges) else {
        Issue.record("The connection has no list of objects.")
        return
      }
      #expect(edges.map(Elements.identity) == [7])
    }

    @Test("An update finds the edges behind it at their places in the list of the cache")
    func indices() async throws {
      try await pages.load("abc", "first: 3", .cursorsAndNodes)
      try await pages.scenario.store.remove("Letter:b")
      let table = pages.scenario.store.engine.table
      guard let field = table.records.fieldKey(of: "letters"),
        case .object(let connection)? = table[0]?.value(of: field), let edges = connection.value(of: .edges)
      else {
        Issue.record("The cache has no connection.")
        return
      }
      let nodes = connection.nodes(ofPagesIn: .edges)
      #expect(table.records.indices(ofRead: 2, from: edges, standingFor: nodes) == [0, 2])
    }
  }
}
