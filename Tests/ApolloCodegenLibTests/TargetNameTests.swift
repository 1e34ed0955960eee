import ApolloCodegenLib
import ApolloSwiftRenderer
import GraphQLSyntax
import Testing

/// `@targetName`, in the sense of Apollo Kotlin's directive of this name.
@Suite("Names in Swift that a schema gives") struct TargetNameTests {
  private static let types = """
    type Query { role(by: Filter): Role, at: Moment }
    enum Role { ADMIN, guest @targetName(name: "visitor") }
    input Filter { self_: String @targetName(name: "own"), text: String }
    scalar Moment

    """
  private static let document = "query Q($by: Filter) { role(by: $by) at }"

  private static func generate(
    _ extensions: String, _ change: (inout ApolloCodegenConfiguration) -> Void = { _ in }
  ) -> Parsed<GeneratedCode?> {
    var configuration = ApolloCodegenConfiguration()
    change(&configuration)
    return Pipeline.generate(
      schema: [Source(types, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source(document, name: "Q.graphql")], configuration: configuration)
  }

  @Test("Types, values of enums and input fields have the names, and the server's are sent") func names() throws {
    let code = Self.generate(
      """
      extend enum Role @targetName(name: "UserRole")
      extend input Filter @targetName(name: "RoleFilter")
      extend scalar Moment @targetName(name: "PointInTime")
      """)
    let text = try #require(code.value, "\(code.diagnostics.map(\.fullMessage))")
    #expect(text.schema.text.contains("enum UserRole: String") && text.schema.text.contains(#"case visitor = "guest""#))
    #expect(text.schema.text.contains("struct RoleFilter") && text.schema.text.contains("typealias PointInTime"))
    #expect(text.schema.text.contains("var own: ") && text.schema.text.contains(#""self_""#))
    #expect(text.documents[0].file.text.contains("GraphQLEnum<UserRole>"))
    #expect(text.documents[0].file.text.contains("$by: Filter"))
  }

  @Test("The configuration comes first, name by name") func configured() throws {
    let code = Self.generate("extend enum Role @targetName(name: \"UserRole\")") {
      $0.rendering.customTypeNames["Role"] = .init(members: ["ADMIN": "boss"])
    }
    let text = try #require(code.value).schema.text
    #expect(text.contains("enum UserRole") && text.contains(#"case boss = "ADMIN""#) && text.contains("case visitor"))
    let named = Self.generate("extend enum Role @targetName(name: \"UserRole\")") {
      $0.rendering.customTypeNames["Role"] = .init(name: "Mine")
    }
    #expect(try #require(named.value).schema.text.contains("enum Mine"))
  }

  @Test(
    "A text that is not a name is an error at the place", arguments: ["", "a b", "1a", "A { } enum B", "\\u0041\\n"])
  func errors(_ name: String) {
    let found = Self.generate("extend enum Role @targetName(name: \"\(name)\")").diagnostics
    #expect(found.contains { $0.code.rawValue == "invalid-target-name" && $0.span.source != .none })
    #expect(Self.generate("extend enum Role @targetName(name: \"\(name)\")").value == nil)
  }

  @Test("A directive of the schema with this name is another tool's") func ofSchema() throws {
    let own = "directive @targetName(name: String!, language: String) on ENUM | ENUM_VALUE | INPUT_FIELD_DEFINITION\n"
    let text = try #require(Self.generate(own).value).schema.text
    #expect(text.contains("case guest"))
  }
}
