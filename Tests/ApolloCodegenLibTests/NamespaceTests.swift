import ApolloCodegenLib
import ApolloSwiftRenderer
import GraphQLSyntax
import Testing

@Suite("The namespace of generated code") struct NamespaceTests {
  /// Where the schema's types are, and where operations are.
  static let placements: [(ApolloCodegenConfiguration.ModuleType, ApolloCodegenConfiguration.OperationsOutput)] = [
    (.embeddedInTarget(name: "App", accessLevel: .internal), .inSchemaModule),
    (.embeddedInTarget(name: "App", accessLevel: .internal), .absolute(path: "out/Operations", accessLevel: .internal)),
    (.other, .absolute(path: "out/Operations", accessLevel: .internal)),
  ]

  static func generate(
    _ placement: Int, namespace: String, in folder: TemporaryFolder
  ) -> ApolloCodegen.Report {
    folder.generate {
      $0.schemaNamespace = namespace
      ($0.output.moduleType, $0.output.operations) = placements[placement]
    }
  }

  @Test("No nested type hides it, whether its field is selected there or in a fragment", arguments: placements.indices)
  func hidden(placement: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { shop: Info } type Info { name: String }",
      "Q.graphql": "fragment F on Query { shop { name } } query Q { shop { name } } query Spread { ...F }",
    ])
    #expect(!Self.generate(placement, namespace: "Shop", in: folder).hasErrors)
    let code = try folder.text("out/Operations/Q.graphql.swift")
    #expect(code.contains("struct Shop_SelectionSet: ") || code.contains("struct Shop_SelectionSet {"), "\(code)")
    #expect(!code.contains("struct Shop:") && !code.contains("struct Shop ") && !code.contains("typealias Shop ="))
  }

  @Test(
    "It is not called like a type that generated code mentions",
    arguments: ["String", "Self", "Type", "Data", "ResponseFormat", "Variables", "Swift", "GraphQLEnum"])
  func reserved(name: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "Q.graphql": "query Q { hero }",
    ])
    for placement in Self.placements.indices {
      #expect(Self.generate(placement, namespace: name, in: folder).errorCodes == [.namespaceConflict])
    }
    // In the module of the schema's types without a namespace, it is not written.
    #expect(!folder.generate { $0.schemaNamespace = name }.hasErrors)
  }

  @Test("It is compared with the names of types in Swift")
  func customNames() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { kind: Shop } enum Shop { A }", "Q.graphql": "query Q { kind }",
    ])
    for (namespace, errors) in [("Shop", []), ("Kind", [Diagnostic.Code.namespaceConflict])] {
      let report = folder.generate {
        $0.schemaNamespace = namespace
        $0.output.moduleType = .other
        $0.rendering.customTypeNames = ["Shop": .init(name: "Kind")]
      }
      #expect(report.errorCodes == errors)
    }
  }

  @Test("A namespace that is refused is shown in the configuration", arguments: ["schemaNamespace", "schemaName"])
  func place(key: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "Q.graphql": "query Q { hero }",
    ])
    let text = """
      { "\(key)": "String",
        "output": { "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } } } }
      """
    let configuration = try #require(ApolloCodegenConfiguration.read(Source(text, name: "config.json")).value)
    let report = ApolloCodegen(configuration, root: folder.url).generate()
    #expect(report.errors(in: folder).hasPrefix("config.json:1:"), "\(report.errors(in: folder))")
  }
}
