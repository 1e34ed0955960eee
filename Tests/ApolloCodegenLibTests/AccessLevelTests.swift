import ApolloCodegenLib
import GraphQLSyntax
import Testing

@Suite("The access level of operations") struct AccessLevelTests {
  /// The code of an operation with an enum, and the warnings about the configuration.
  private static func run(_ moduleType: String, _ operations: String) throws -> (code: String, warnings: String) {
    let source = Source(
      """
      { "schemaNamespace": "API", "output": {
        "schemaTypes": { "path": "out", "moduleType": \(moduleType) },
        "operations": \(operations) } }
      """, name: "config.json")
    let configuration = try #require(ApolloCodegenConfiguration.read(source).value)
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero(kind: Kind): Kind } enum Kind { A }",
      "Hero.graphql": "query Hero($kind: Kind) { hero(kind: $kind) }",
    ])
    let report = ApolloCodegen(configuration, root: folder.url).generate()
    #expect(report.errors(in: folder) == "")
    var renderer = DiagnosticRenderer(.xcode, sources: report.sources)
    let file = try #require(folder.files.first { $0.hasSuffix("Hero.graphql.swift") })
    return (
      try folder.text(file), renderer.render(report.diagnostics.filter { $0.code == .invalidConfiguration })
    )
  }

  @Test(
    "It is public if it is not said, unless the types of the schema are internal",
    arguments: [
      (#"{ "embeddedInTarget": { "name": "App" } }"#, false), (#"{ "sameModule": {} }"#, false),
      (#"{ "embeddedInTarget": { "name": "App", "accessModifier": "public" } }"#, true),
      (#"{ "sameModule": { "accessModifier": "public" } }"#, true), (#"{ "other": {} }"#, true),
    ])
  func defaults(moduleType: String, isPublic: Bool) throws {
    for operations in [#"{ "relative": {} }"#, #"{ "absolute": { "path": "ops" } }"#] {
      let (code, warnings) = try Self.run(moduleType, operations)
      #expect(code.contains("public struct HeroQuery:") == isPublic, "\(code)")
      #expect(code.contains("struct HeroQuery:") && warnings == "", "\(warnings)")
    }
  }

  @Test(
    "Public operations of internal types are a warning at their place",
    arguments: [("relative", ""), ("absolute", #""path": "ops", "#)])
  func warning(kind: String, more: String) throws {
    let operations = #"{ "\#(kind)": { \#(more)"accessModifier": "public" } }"#
    let (code, warnings) = try Self.run(#"{ "embeddedInTarget": { "name": "App" } }"#, operations)
    #expect(code.contains("public struct HeroQuery:"))
    let path = "output.operations.\(kind).accessModifier"
    #expect(warnings.hasPrefix("config.json:3:"), "\(warnings)")
    #expect(warnings.contains("warning: \"\(path)\" is \"public\", and the types of the schema are internal"))
    #expect(try Self.run(#"{ "sameModule": { "accessModifier": "public" } }"#, operations).warnings == "")
  }
}
