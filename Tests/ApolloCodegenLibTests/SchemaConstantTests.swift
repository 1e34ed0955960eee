import ApolloCodegenLib
import Foundation
import Testing

@Suite("Constants for the types of a schema") struct SchemaConstantTests {
  static let files = [
    "s.graphqls": """
    type Query { viewer: User, search: Found }
    interface Node { id: ID! }
    interface Named { name: String }
    union Found = User | Note
    type User implements Node { id: ID! }
    type Note { text: String }
    type Team implements Node & Named { id: ID!, name: String }
    type City implements Named { name: String }
    type Alone { id: ID! }
    """,
    "Q.graphql": "query Q { viewer { id } search { __typename } }",
  ]

  @Test(
    "Those are there that an app may name: all relatives of what is received, or without them, and unions",
    arguments: [
      (false, ["Query", "User", "Note", "Team", "City"]), (true, ["Query", "User", "Note"]),
    ])
  func objects(isReduced: Bool, names: [String]) throws {
    let folder = try TemporaryFolder(Self.files)
    let report = folder.generate {
      $0.output.moduleType = .other
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal)
      $0.rendering.reducesSchemaTypes = isReduced
    }
    #expect(!report.hasErrors, "\(report.diagnostics)")
    let schema = try folder.text("out/Schema/Schema.graphql.swift")
    for name in ["Query", "User", "Note", "Team", "City", "Alone"] {
      let isThere = names.contains(name)
      #expect(schema.contains("static let \(name) = ApolloAPI.Object(") == isThere, "\(name)")
      #expect(folder.files.contains("Mocks/\(name)+Mock.graphql.swift") == isThere, "\(name)")
    }
    #expect(schema.contains("static let Found = ApolloAPI.Union("))
  }
}
