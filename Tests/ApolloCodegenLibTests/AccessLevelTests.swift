import ApolloCodegenLib
import GraphQLSyntax
import Testing

@Suite("The access level of operations and mocks") struct AccessLevelTests {
  /// Where the types of the schema are, and whether they are public.
  static let moduleTypes = [
    (#"{ "embeddedInTarget": { "name": "App" } }"#, false), (#"{ "sameModule": {} }"#, false),
    (#"{ "embeddedInTarget": { "name": "App", "accessModifier": "public" } }"#, true),
    (#"{ "sameModule": { "accessModifier": "public" } }"#, true), (#"{ "other": {} }"#, true),
  ]

  private static let schema = "type Query { hero(kind: Kind): Kind } enum Kind { A }"
  private static let query = "query Hero($kind: Kind) { hero(kind: $kind) }"

  /// The code of an operation or a mock with an enum, and the warnings about the configuration.
  private static func run(
    _ moduleType: String, _ operations: String, mocks: String = #"{ "none": {} }"#, file: String = "Hero.graphql.swift",
    schema: String = AccessLevelTests.schema, query: String = AccessLevelTests.query
  ) throws -> (code: String, warnings: String) {
    let source = Source(
      """
      { "schemaNamespace": "API", "output": {
        "schemaTypes": { "path": "out", "moduleType": \(moduleType) },
        "operations": \(operations),
        "testMocks": \(mocks) } }
      """, name: "config.json")
    let configuration = try #require(ApolloCodegenConfiguration.read(source).value)
    let folder = try TemporaryFolder(["schema.graphqls": schema, "Hero.graphql": query])
    let report = ApolloCodegen(configuration, root: folder.url).generate()
    #expect(report.errors(in: folder) == "")
    var renderer = DiagnosticRenderer(.xcode, sources: report.sources)
    let path = try #require(folder.files.first { $0.hasSuffix(file) })
    return (
      try folder.text(path), renderer.render(report.diagnostics.filter { $0.code == .invalidConfiguration })
    )
  }

  @Test("It is public if it is not said, unless the types of the schema are internal", arguments: moduleTypes)
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

  /// The mock of the type with an enum, and the warnings about the configuration.
  private static func mock(
    _ moduleType: String, accessModifier: String = "", schema: String = AccessLevelTests.schema,
    query: String = AccessLevelTests.query
  ) throws -> (code: String, warnings: String) {
    try run(
      moduleType, #"{ "inSchemaModule": {} }"#,
      mocks: #"{ "absolute": { "path": "Mocks"\#(accessModifier) } }"#, file: "Query+Mock.graphql.swift",
      schema: schema, query: query)
  }

  @Test("A mock with an enum is public by default, unless the schema's types are internal", arguments: moduleTypes)
  func mockDefaults(moduleType: String, isPublic: Bool) throws {
    let (code, warnings) = try Self.mock(moduleType)
    #expect(code.contains("public enum Query: MockObject") == isPublic, "\(code)")
    #expect(code.contains("enum Query: MockObject") && warnings == "", "\(warnings)")
  }

  @Test("Mocks are public if it is not said, and if none of them mentions a type of the schema", arguments: moduleTypes)
  func mocksWithoutTypes(moduleType: String, isPublic: Bool) throws {
    let (code, warnings) = try Self.mock(moduleType, schema: "type Query { hero(kind: Kind): Int } enum Kind { A }")
    #expect(code.contains("public enum Query: MockObject") && warnings == "", "\(warnings) \(code)")
    let other = "type Query { hero(kind: Kind): Int, other: Other } enum Kind { A } type Other { at: Date } scalar Date"
    let (second, _) = try Self.mock(
      moduleType, schema: other, query: "query Hero($kind: Kind) { hero(kind: $kind) other { at } }")
    #expect(second.contains("public enum Query: MockObject") == isPublic, "All mocks are as public as the others.")
  }

  @Test("Public mocks of internal types are a warning at their place", arguments: moduleTypes)
  func mockWarning(moduleType: String, isPublic: Bool) throws {
    let (code, warnings) = try Self.mock(moduleType, accessModifier: #", "accessModifier": "public""#)
    #expect(code.contains("public enum Query: MockObject"))
    let message = "warning: \"output.testMocks.absolute.accessModifier\" is \"public\", and the types"
    #expect(warnings.contains(message) != isPublic, "\(warnings)")
    #expect(isPublic || warnings.hasPrefix("config.json:4:"), "\(warnings)")
  }
}
