import ApolloCodegenLib
import ApolloDirectives
import Foundation
import GraphQLSyntax
import Testing

@Suite("The note about objects without keys") struct KeyedObjectTests {
  static let schema = """
    type Query { a: A, b: [B!], u: U, n: Node, c: C, unused: Int }
    type A { id: ID!, b: B, name: String } type B { id: ID!, a: A }
    union U = A | D type D { id: Int!, name: String } type C { id: ID, code: ID! }
    interface Node { id: ID! } type E implements Node { id: ID! } type Never { id: ID! }
    """

  private static func notes(
    _ operations: String, _ extensions: String = "", change: (inout ApolloCodegenConfiguration) -> Void = { _ in }
  ) throws -> [Diagnostic] {
    let folder = try TemporaryFolder(["s.graphqls": schema + "\n" + extensions, "A.graphql": operations])
    let report = folder.generate(change)
    #expect(!report.hasErrors)
    return report.diagnostics.filter { $0.code == .unkeyedObjects }
  }

  @Test(
    "One note names the types that operations ask for, and that have an id and no keys",
    arguments: [
      ("query Q { a { name } }", "\"A\" has"), ("query Q { a { b { id } } }", "\"A\" and \"B\" have"),
      ("query Q { u { __typename } n { id } }", "\"A\", \"D\", and \"E\" have"),
      ("query Q { b { id } u { __typename } n { id } }", "\"B\", \"A\", \"D\", and 1 more type have"),
      ("query Q { ...F } fragment F on Query { n { id } }", "\"E\" has"), ("query Q { c { id } unused }", nil),
    ])
  func names(operations: String, expected: String?) throws {
    let notes = try Self.notes(operations)
    #expect(notes.count == (expected == nil ? 0 : 1))
    if let expected { #expect(notes.first?.message.hasPrefix(expected + " a field \"id\"") == true, "\(notes)") }
    #expect(notes.allSatisfy { $0.severity == .note })
  }

  @Test(
    "Whatever says which keys they have ends it",
    arguments: [
      "extend type A @typePolicy(keyFields: \"id\")", "extend type A @typePolicy(keyFields: \"\")",
      "extend type Query @embeddedField(name: \"a\")",
    ])
  func said(extensions: String) throws {
    #expect(try Self.notes("query Q { a { name } }", extensions) == [])
  }

  @Test("So do the policy of an interface, the configuration, and keys that are made by code")
  func others() throws {
    #expect(try Self.notes("query Q { n { id } }", "extend interface Node @typePolicy(keyFields: \"id\")") == [])
    #expect(try Self.notes("query Q { a { name } }") { $0.notesMissingKeyFields = false } == [])
    let folder = try TemporaryFolder(["s.graphqls": Self.schema, "A.graphql": "query Q { a { name } }"])
    let isNoted = {
      folder.generate { $0.output.moduleType = .other }.diagnostics.contains { $0.code == .unkeyedObjects }
    }
    // The file is written by the first run, and says nothing of keys but in a comment.
    #expect(isNoted() && isNoted())
    let file = try #require(folder.files.first { $0.hasSuffix("SchemaConfiguration.swift") })
    let text = try folder.text(file)
    #expect(text.contains("CacheKeyInfo"))
    try folder.write(
      text.replacingOccurrences(of: "    nil", with: "    try? CacheKeyInfo(jsonValue: object[\"id\"])"), to: file)
    #expect(!isNoted())
  }
}
