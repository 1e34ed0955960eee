import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// What the generator makes of the directives that change lists.
@Suite("Directives that change lists, in generated code") struct ListEditCodeTests {
  private static let schema = """
    type Query { post: Post }
    type Mutation { remove: Removal, add: Post }
    interface Removal { id: ID! }
    interface Named { id: ID!, name: String }
    interface Dated { id: ID!, date: String }
    type RemovedPost implements Removal & Named { id: ID!, name: String, author: Author }
    type RemovedPage implements Removal & Named & Dated { id: ID!, name: String, date: String }
    type RemovedNote implements Removal & Dated { id: ID!, code: ID!, date: String }
    type Post @typePolicy(keyFields: "id") { id: ID! }
    type Author @typePolicy(keyFields: "id") { id: ID! }
    """

  /// The edits in the code of a document, without the comma behind each.
  private static func edits(_ document: String) throws -> [String] {
    let code = Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(document, name: "Test.graphql")],
      configuration: ApolloCodegenConfiguration())
    let files = try #require(code.value, "\(code.diagnostics.map(\.fullMessage))").documents
    let lines = files.flatMap { $0.file.text.split(separator: "\n") }
    return lines.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("__ListEdit(") }.map { String($0.dropLast()) }
  }

  private static func delete(_ path: String, on types: String? = nil, type: String = "Post") -> String {
    "__ListEdit(.deleteRecord, at: [\(path)]\(types.map { ", on: [\($0)]" } ?? ""), typename: \"\(type)\")"
  }

  @Test("Each inline fragment has its own types")
  func inlineFragments() throws {
    let edits = try Self.edits(
      """
      mutation M {
        remove {
          ... on RemovedPost { id @deleteRecord(type: "Post") }
          ... on RemovedNote { id: code @deleteRecord(type: "Note") }
        }
      }
      """)
    #expect(
      edits == [
        Self.delete(#""remove", "id""#, on: #"[], ["RemovedPost"]"#),
        Self.delete(#""remove", "id""#, on: #"[], ["RemovedNote"]"#, type: "Note"),
      ])
  }

  @Test(
    "Types are those of all fragments around the field, and are not named if they are all",
    arguments: [
      (#"... on Removal { id @deleteRecord(type: "Post") }"#, #""remove", "id""#, nil),
      (#"... { id @deleteRecord(type: "Post") }"#, #""remove", "id""#, nil),
      (#"... on Named { id @deleteRecord(type: "Post") }"#, #""remove", "id""#, #"[], ["RemovedPost", "RemovedPage"]"#),
      (
        #"... on Named { ... on Dated { id @deleteRecord(type: "Post") } }"#, #""remove", "id""#,
        #"[], ["RemovedPage"]"#
      ),
      ("...D", #""remove", "id""#, #"[], ["RemovedPage", "RemovedNote"]"#),
      ("... on RemovedNote { ...D }", #""remove", "id""#, #"[], ["RemovedNote"]"#),
      (
        #"... on RemovedPost { by: author { ... on Author { id @deleteRecord(type: "Post") } } }"#,
        #""remove", "by", "id""#, #"[], ["RemovedPost"], []"#
      ),
    ] as [(String, String, String?)])
  func nestedFragments(selection: String, path: String, types: String?) throws {
    let named = selection.contains("...D") ? #"fragment D on Dated { id @deleteRecord(type: "Post") }"# : ""
    let document = "mutation M { ...R } fragment R on Mutation { remove { __typename \(selection) } } \(named)"
    #expect(try Self.edits(document) == [Self.delete(path, on: types)])
  }

  @Test("What no object can have changes nothing")
  func never() throws {
    let inner = #"... on RemovedNote { id @deleteRecord(type: "Post") }"#
    #expect(try Self.edits("mutation M { remove { ... on Named { ... on Dated { \(inner) } } } }") == [])
  }

  @Test("A query changes no lists with the fragments that it shares with a mutation")
  func queries() throws {
    let fragment = #"fragment D on Post { id @deleteRecord(type: "Post") }"#
    let document = "query Q { post { ...D } } mutation M { add { ...D } } \(fragment)"
    #expect(try Self.edits(document) == [Self.delete(#""add", "id""#)])
  }
}
