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
