import ApolloCodegenLib
import ApolloSwiftRenderer
import Foundation
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

  @Test(
    "A type of the schema that operations do not need may be called like it",
    arguments: [
      ("query Q { a }", false), ("query Q { shop { b } }", true), ("query Q { user { c } }", true),
    ])
  func neededTypes(document: String, isConflict: Bool) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { a: Int, shop: Shop, user: User } interface Node { c: Int } "
        + "type User implements Node { c: Int } type Shop implements Node { b: Int, c: Int }",
      "Q.graphql": document,
    ])
    for placement in Self.placements.indices {
      let report = Self.generate(placement, namespace: "Shop", in: folder)
      #expect(report.errorCodes == (isConflict ? [.namespaceConflict] : []))
    }
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

  @Test(
    "An operation or a fragment outside of it that would be called like it has a suffix, and a warning",
    arguments: placements.indices)
  func definitions(placement: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { find(kind: Kind): Kind } enum Kind { A }",
      "Search.graphql": "query Search($kind: Kind) { find(kind: $kind) }",
      "Fragment.graphql": "fragment search_query on Query { find }",
    ])
    let isInside = placement == 0
    func renamed(_ report: ApolloCodegen.Report) -> [String] {
      #expect(!report.hasErrors)
      return report.diagnostics.filter { $0.code == .renamedDefinition }.map(\.message)
    }
    let operation = renamed(Self.generate(placement, namespace: "SearchQuery", in: folder))
    #expect(operation.map { $0.contains("\"SearchQuery_Operation\"") } == (isInside ? [] : [true]), "\(operation)")
    let code = try folder.text("out/Operations/Search.graphql.swift")
    #expect(code.contains("struct SearchQuery: ") == isInside, "\(code)")
    #expect(code.contains("struct SearchQuery_Operation: ") != isInside, "\(code)")

    let legacy = renamed(
      folder.generate {
        $0.schemaNamespace = "SearchQuery"
        ($0.output.moduleType, $0.output.operations) = Self.placements[placement]
        $0.rendering.naming = .legacy
      })
    #expect(legacy.contains { $0.contains("\"SearchQuery_Fragment\"") } != isInside, "\(legacy)")
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

  /// The imports of each file with operations or mocks, without that of the runtime.
  private static func imports(
    _ moduleType: ApolloCodegenConfiguration.ModuleType, _ operations: ApolloCodegenConfiguration.OperationsOutput
  ) throws -> [String: [String]] {
    let schema = """
      type Query { hero(kind: Kind, filter: Filter): Being, at: Stamp, id: ID }
      interface Being { name: String, kind: Kind, at: Stamp, id: ID } enum Kind { A } input Filter { kind: Kind }
      type Human implements Being { name: String, kind: Kind, at: Stamp, id: ID } scalar Stamp
      """
    let documents = [
      "Enum": "query Q { hero { kind } }", "Input": "query Q($f: Filter) { hero(filter: $f) { name } }",
      "Scalar": "query Q { at }", "ID": "query Q { id }", "Plain": "query Q { hero { name } }",
      "Condition": "query Q { hero { ... on Human { name } } }", "Fragment": "fragment F on Being { kind }",
      "Spread": "query Q { hero { ...F } }",
      "Mutation": "query Q @apollo_client_ios_localCacheMutation { hero { kind } }",
    ]
    var imports: [String: [String]] = [:]
    for (name, document) in documents {
      let fragment = name == "Spread" ? ["F.graphql": "fragment F on Being { kind }"] : [:]
      let folder = try TemporaryFolder(
        ["schema.graphqls": schema, "\(name).graphql": document].merging(fragment) { first, _ in first })
      let report = folder.generate {
        $0.schemaNamespace = "API"
        ($0.output.moduleType, $0.output.operations) = (moduleType, operations)
        $0.output.schemaConfiguration = .none
        $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal)
        $0.rendering.customScalars["ID"] = .init(type: "UserID")
      }
      #expect(report.errors(in: folder) == "")
      let file = try #require(folder.files.first { $0.hasSuffix("\(name).graphql.swift") })
      imports[name] = try folder.text(file).split(separator: "\n").map(String.init).filter {
        $0.contains("import ") && !$0.hasSuffix(" ApolloAPI")
      }
      if name == "ID" {
        imports["mock"] = try folder.text("Mocks/Query+Mock.graphql.swift").split(separator: "\n").map(String.init)
          .filter { $0.contains("import ") && !$0.contains("Apollo") }
      }
    }
    return imports
  }

  @Test(
    "Operations outside of it import the target or the module that has it, where another module can use its types",
    arguments: [
      ApolloCodegenConfiguration.OperationsOutput.relative(subpath: nil, accessLevel: .public),
      .absolute(path: "Ops", accessLevel: .public), .absolute(path: "Ops", accessLevel: .internal),
    ])
  func importedTarget(operations: ApolloCodegenConfiguration.OperationsOutput) throws {
    let isPublic = operations != .absolute(path: "Ops", accessLevel: .internal)
    let typed = ["Enum", "Input", "Scalar", "ID", "Fragment", "Spread", "Mutation"]
    let modules: [(ApolloCodegenConfiguration.ModuleType, String)] = [
      (.embeddedInTarget(name: "App", accessLevel: .public), "App"), (.other, "API"), (.swiftPackage(nil), "API"),
    ]
    for (moduleType, module) in modules {
      let imports = try Self.imports(moduleType, operations)
      for name in typed { #expect(imports[name] == [(isPublic ? "public " : "") + "import \(module)"], "\(name)") }
      #expect(imports["Condition"] == ["import \(module)"] && imports["Plain"] == [])
      #expect(imports["mock"] == ["import \(module)"])
    }
  }

  @Test("Nothing is imported where the schema's types are internal, or operations are in their module")
  func nothingImported() throws {
    let absolute = ApolloCodegenConfiguration.OperationsOutput.absolute(path: "Ops", accessLevel: .internal)
    for (moduleType, operations) in [
      (.embeddedInTarget(name: "App", accessLevel: .internal), absolute),
      (.embeddedInTarget(name: "App", accessLevel: .public), .inSchemaModule), (.swiftPackage(nil), .inSchemaModule),
      (.sameModule(accessLevel: .public), absolute),
    ] as [(ApolloCodegenConfiguration.ModuleType, ApolloCodegenConfiguration.OperationsOutput)] {
      var imports = try Self.imports(moduleType, operations)
      imports["mock"] = nil
      #expect(imports.filter { !$0.value.isEmpty } == [:], "\(moduleType)")
    }
  }

  @Test("A file that imports the target goes with its document, also where no other file imports it")
  func removedDocument() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { kind: Kind, name: String } enum Kind { A }",
      "Kinds.graphql": "query Kinds { kind }", "Names.graphql": "query Names { name }",
    ])
    func generate() -> ApolloCodegen.Report {
      folder.generate {
        $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .public)
        $0.output.operations = .relative(subpath: nil, accessLevel: .public)
        $0.output.schemaConfiguration = .none
      }
    }
    #expect(!generate().hasErrors)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Kinds.graphql"))
    #expect(generate().removedFiles == [folder.url.appendingPathComponent("Kinds.graphql.swift").path])
  }

  @Test("The name of a target that operations import is one in Swift", arguments: ["My App", "Hero-iOS", ""])
  func targetName(name: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { kind: Kind } enum Kind { A }", "A.graphql": "query A { kind }",
    ])
    for (level, isRefused) in [(RenderingOptions.AccessLevel.public, true), (.internal, false)] {
      let report = folder.generate {
        $0.output.moduleType = .embeddedInTarget(name: name, accessLevel: level)
        $0.output.operations = .relative(subpath: nil, accessLevel: level)
      }
      let isNamed = report.diagnostics.contains { $0.message.contains("has to be the name of a module") }
      #expect(isNamed == isRefused && report.hasErrors == isRefused)
    }
  }
}
