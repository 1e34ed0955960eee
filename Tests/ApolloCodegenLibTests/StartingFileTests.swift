import ApolloCodegenLib
import ApolloDirectives
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("The files that an app begins with") struct StartingFileTests {
  /// Schemas that people wrote, and those of the fixtures.
  static let schemas: [String] = {
    let folders = [Paths.fixtures, Paths.shared.appendingPathComponent("projects")]
    return folders.flatMap { ApolloCodegen.files(matching: ["**/schema.graphqls", "**/schema.graphql"], in: $0) }
  }()

  private static func write(_ schema: String) throws -> (TemporaryFolder, StartingFiles.Report) {
    let folder = try TemporaryFolder(["Sources/App/schema.graphqls": schema])
    let target = folder.url.appendingPathComponent("Sources/App")
    let report = StartingFiles(root: folder.url, folder: target)
      .write(forSchemaAt: target.appendingPathComponent("schema.graphqls").path)
    return (folder, report)
  }

  @Test("For every schema the first query is valid, and the key fields are", arguments: schemas)
  func valid(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let base = Pipeline.schema(from: [Source(text, name: "schema.graphqls")])
    guard let schema = base.value, schema.value.queryType != nil else { return }
    let (folder, report) = try Self.write(text)
    #expect(report.diagnostics == [])
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    let generated = ApolloCodegen(configuration, root: folder.url).generate()
    let found = generated.diagnostics.filter { $0.severity == .error || $0.code == .unkeyedObjects }
    let extensions = try folder.text("Sources/App/extensions.graphqls")
    #expect(found == [], "\(extensions)")
    #expect(generated.operationCount == 1)
  }

  @Test("Editors, which know only what is declared, find everything declared", arguments: schemas)
  func editors(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // (Defects of the schema itself are those of its server.)
    let own = SchemaValidator.validate([Parser.parse(Source(text, name: "schema.graphqls")).value])
    guard !own.diagnostics.hasErrors else { return }
    let (folder, _) = try Self.write(text)
    let files = ["Sources/App/schema.graphqls", "Sources/App/extensions.graphqls", ".graphql-directives.gqls"]
    // (A file may have comments only.)
    let documents = try files.map { Source(try folder.text($0), name: $0) }
      .filter { $0.text.split(separator: "\n").contains { !$0.hasPrefix("#") } }.map { Parser.parse($0) }
    #expect(documents.flatMap(\.diagnostics) == [])
    #expect(SchemaValidator.validate(documents.map(\.value)).diagnostics.filter { $0.severity == .error } == [])
    #expect(try folder.text(".graphqlrc").contains("- \"Sources/App/*.graphqls\"\n  - \".graphql-directives.gqls\"\n"))
  }

  @Test(
    "The first query asks for some telling fields of what needs no arguments",
    arguments: [
      (
        "type Query { a: Int, issues: [Issue] } type Issue { weight: Int, title: String, id: ID! }",
        "query Issues {\n  issues {\n    id\n    title\n    weight\n  }\n}\n"
      ),
      ("type Query { issue(id: ID!): Issue } type Issue { id: ID! }", "query First {\n  __typename\n}\n"),
      ("type Query { version: String }", "query Version {\n  version\n}\n"),
      (
        "type Query { one: Issue @deprecated, two: Issue } type Issue { id: ID! }",
        "query Two {\n  two {\n    id\n  }\n}\n"
      ),
      (
        "type Query { all(first: Int): C } type C { edges: [E] } type E { node: N } type N { name: String, x(a: Int!): Int }",
        "query All {\n  all(first: 10) {\n    edges {\n      node {\n        name\n      }\n    }\n  }\n}\n"
      ),
      ("type Query { any: U } union U = A type A { a: Int }", "query Any {\n  any {\n    __typename\n  }\n}\n"),
    ])
  func query(schema: String, expected: String) throws {
    let (folder, report) = try Self.write(schema)
    #expect(try folder.text("Sources/App/\(report.query ?? "").graphql") == expected)
  }

  @Test("Key fields are said once, of an interface before the types that implement it; scalars get types as comments")
  func extensions() throws {
    let (folder, report) = try Self.write(
      """
      type Query { a: User, when: DateTime, x: Weird, settings: JSON }
      scalar DateTime scalar Weird scalar JSON
      interface Node { id: ID! }
      interface Actor implements Node { id: ID! }
      type User implements Node & Actor { id: ID! }
      type Label { id: Int! } type Text { id: ID } type Page { id(of: Int): ID! }
      """)
    let text = try folder.text("Sources/App/extensions.graphqls")
    let statements = text.split(separator: "\n").filter { $0.contains("extend") }
    #expect(
      statements == [
        "extend interface Node @typePolicy(keyFields: \"id\")", "extend type Label @typePolicy(keyFields: \"id\")",
        "# extend scalar DateTime @map(to: \"Date\", module: \"Foundation\")",
        "# extend scalar Weird @map(to: \"String\")",
        "# extend scalar JSON @map(to: \"JSONScalar\", module: \"ApolloAPI\")",
      ])
    #expect(report.files[0].summary == "key fields of Node, Label; types for 3 scalars, as comments")
    // What is a comment can be used as it is.
    try folder.write(text.replacingOccurrences(of: "# extend", with: "extend"), to: "Sources/App/extensions.graphqls")
    try folder.write("query Q { a { id } when x settings }", to: "Sources/App/A.graphql")
    #expect(!folder.generate { $0.output.moduleType = .other }.hasErrors)
    let code = try folder.text("out/Schema/Schema.graphql.swift")
    #expect(
      code.contains("typealias DateTime = Foundation.Date") && code.contains("typealias JSON = ApolloAPI.JSONScalar"))
  }

  @Test("What is there is kept")
  func keeps() throws {
    let (folder, _) = try Self.write("type Query { a: Int }")
    for name in ["Sources/App/extensions.graphqls", ".graphqlrc", "Sources/App/A.graphql"] {
      try folder.write("# mine", to: name)
    }
    let before = folder.files
    let target = folder.url.appendingPathComponent("Sources/App")
    let report = StartingFiles(root: folder.url, folder: target)
      .write(forSchemaAt: target.appendingPathComponent("schema.graphqls").path)
    #expect(report.query == nil && report.files.allSatisfy { !$0.isWritten } && folder.files == before)
    #expect(try folder.text(".graphqlrc") == "# mine")
  }
}
