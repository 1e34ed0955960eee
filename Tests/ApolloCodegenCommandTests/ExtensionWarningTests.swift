import Testing

@Suite("Warnings about what an app adds to a schema") struct ExtensionWarningTests {
  private static let files = [
    "schema.graphqls": """
    type Query { friends: FriendsConnection }
    type FriendsConnection { nodes: [Friend!] }
    type Friend { id: ID! name: String! }
    interface Node { url: String! }
    type Place implements Node { url: String! @deprecated }
    """,
    "extensions.graphqls": "extend type FriendsConnection @connection",
    "Friends.graphql": "query Friends { friends { nodes { name } } }",
  ]
  private static let input = ["--schema", "*.graphqls", "--operations", "*.graphql"]

  @Test(
    "They are shown without a flag; what is wrong by the specification is counted",
    arguments: [["generate", "--output", "API"], ["validate"]])
  func shown(arguments: [String]) async throws {
    let outcome = try await Tool.run(arguments + Self.input, in: Folder(Self.files))
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("warning[unkeyed-nodes]: \"Friend\" is a node"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("invalid-implementation"), "\(outcome.errors)")
    let line = "1 warning about the schema in schema.graphqls. It does no harm to this run; --verbose shows it."
    #expect(outcome.errors.contains("note[schema-warnings]: \(line)\n"), "\(outcome.errors)")
  }

  @Test("Ages that a server declares in its schema, and that change nothing, are counted")
  func agesOfServers() async throws {
    let files = [
      "schema.graphqls": """
      type Query { me: Person }
      type Person { id: ID! age: Int @cacheControl(inheritMaxAge: true) }
      """,
      "Me.graphql": "query Me { me { id age } }",
    ]
    let counted = try await Tool.run(["validate"] + Self.input, in: Folder(files))
    #expect(counted.status == 0)
    #expect(!counted.errors.contains("ignored-cache-control"), "\(counted.errors)")
    #expect(counted.errors.contains("1 warning about the schema"), "\(counted.errors)")
    let shown = try await Tool.run(["validate", "--verbose"] + Self.input, in: Folder(files))
    #expect(shown.errors.contains("note[ignored-cache-control]"), "\(shown.errors)")
  }

  @Test(
    "Ages that an app declares in an extension, and that change nothing, are shown without a flag",
    arguments: [
      "extend type Person @cacheControlField(name: \"age\", inheritMaxAge: true)",
      "extend type Mutation @cacheControlField(name: \"count\", maxAge: 60)",
      "extend type Mutation @cacheControl(maxAge: 60)",
    ])
  func agesOfApps(_ text: String) async throws {
    let files = [
      "schema.graphqls": """
      type Query { me: Person }
      type Mutation { count: Int }
      type Person { id: ID! age: Int }
      """,
      "ext.graphqls": text,
      "Me.graphql": "query Me { me { id age } }",
    ]
    let outcome = try await Tool.run(["validate"] + Self.input, in: Folder(files))
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("warning[ignored-cache-control]"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("schema-warnings"), "\(outcome.errors)")
  }
}
