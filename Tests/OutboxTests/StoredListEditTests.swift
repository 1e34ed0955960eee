@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloAPI
import Foundation
import Testing

extension OutboxTests {
  @Suite("What is kept of a mutation's changes of lists")
  struct StoredListEditTests {
    private static func read(_ json: String) throws -> Outbox.Row.ListEdit {
      try JSONDecoder().decode(Outbox.Row.ListEdit.self, from: Data(json.utf8))
    }

    @Test("The types of objects come back")
    func types() throws {
      let edit = __ListEdit(.deleteRecord, at: ["remove", "id"], on: [[], ["RemovedPost"]], typename: "Post")
      let stored = String(decoding: try JSONEncoder().encode(Outbox.Row.ListEdit(edit)), as: UTF8.self)
      let directive = try #require(try Self.read(stored).edit(LocalIDs())).directive
      #expect(directive.path.map { $0.name } == ["remove", "id"])
      #expect(directive.path.map { $0.types } == [[], ["RemovedPost"]])
      #expect(directive.typename == "Post")
    }

    @Test("Without types, it is what earlier releases have written, and read")
    func earlier() throws {
      let members = #""kind":"appendNode","path":["add","post"],"connections":["a"],"edgeType":"PostEdge""#
      let earlier = try Self.read("{\(members)}"), edit = try #require(earlier.edit(LocalIDs()))
      #expect(edit.directive.path.map { $0.name } == ["add", "post"])
      #expect(edit.directive.path.allSatisfy { $0.types.isEmpty } && edit.directive.edgeType == "PostEdge")
      #expect(Outbox.Row.ListEdit(edit) == earlier)
      let stored = String(decoding: try JSONEncoder().encode(earlier), as: UTF8.self)
      #expect(!stored.contains("types"))
    }
  }
}
