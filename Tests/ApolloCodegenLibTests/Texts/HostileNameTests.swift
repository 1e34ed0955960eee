import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import ApolloCodegenLib

/// Names that no text of GraphQL can have, from introspection, code and configurations.
@Suite("Hostile names") struct HostileNameTests {
  static let names = [
    "", " ", "a b", "1a", "a-b", "a.b", "../x", "/etc/x", "a\\b", "a\0b", "a\n}",
    "User`\n    var _y: Int = { 1 }() // `",
    "ä", "a\u{301}", "\u{600}a", "\u{202E}a", "User { id: ID! }\n\ndirective @d on FIELD\n\ntype Extra",
  ]

  /// The answer to an introspection query with a name in each place in turn.
  private static func introspections(_ name: String) -> [String] {
    let data = try? JSONEncoder().encode([name])
    let quoted = String(decoding: (data ?? Data()).dropFirst().dropLast(), as: UTF8.self)
    let place = "\"PLACE\""
    let introspection = """
      {"__schema": {"queryType": {"name": "Query"}, "types": [
        {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
          {"name": "a", "args": [], "type": {"kind": "SCALAR", "name": "String"}},
          {"name": "FIELD", "args": [{"name": "ARGUMENT", "type": {"kind": "SCALAR", "name": "String"}}],
            "type": {"kind": "SCALAR", "name": "String"}}]},
        {"kind": "SCALAR", "name": "String"}, {"kind": "SCALAR", "name": "SCALAR_"},
        {"kind": "OBJECT", "name": "OBJECT_", "interfaces": [], "fields": []},
        {"kind": "ENUM", "name": "Kind", "enumValues": [{"name": "VALUE"}]},
        {"kind": "INPUT_OBJECT", "name": "In",
          "inputFields": [{"name": "INPUT", "type": {"kind": "SCALAR", "name": "String"}}]}],
        "directives": [{"name": "DIRECTIVE", "locations": ["FIELD"],
          "args": [{"name": "OPTION", "type": {"kind": "SCALAR", "name": "String"}}]}]}}
      """
    return ["FIELD", "ARGUMENT", "SCALAR_", "OBJECT_", "VALUE", "INPUT", "DIRECTIVE", "OPTION"].map { key in
      introspection.replacingOccurrences(of: place.replacingOccurrences(of: "PLACE", with: key), with: quoted)
    }
  }

  @Test("An introspection with such a name is an error at its place, and nothing is written", arguments: names)
  func introspection(name: String) throws {
    for text in Self.introspections(name) {
      let folder = try TemporaryFolder(["schema.json": text, "A.graphql": "query A { a }"])
      let report = folder.generate {
        $0.input.schemaSearchPaths = ["schema.json"]
        $0.output.testMocks = .absolute(path: "mocks", accessLevel: .internal)
      }
      let errors = report.diagnostics.filter { $0.severity == .error }
      #expect(errors.contains { $0.code == .invalidName && $0.span.end > 0 }, "\(text)")
      #expect(folder.files == ["A.graphql", "schema.json"])
    }
  }

  @Test("Values of enums cannot be called true, false and null", arguments: ["true", "false", "null"])
  func enumValues(name: String) throws {
    let text = Self.introspections(name)[4]
    let folder = try TemporaryFolder(["schema.json": text, "A.graphql": "query A { a }"])
    let report = folder.generate { $0.input.schemaSearchPaths = ["schema.json"] }
    #expect(report.diagnostics.map(\.code).contains(.invalidName))
  }

  @Test("A schema that is made in code has no such names, and is printed as what it is", arguments: names)
  func code(name: String) {
    let field = FieldDefinition(name: "a", type: TypeReference(.named("Int")))
    func type(_ name: Name, _ body: TypeDefinition.Body) -> Definition { .type(TypeDefinition(name: name, body: body)) }
    let query = type("Query", .object(interfaces: [], fields: [field]))
    let definitions: [Definition] = [
      type(Name(name), .scalar), type("T", .union(members: [Name(name)])),
      type("T", .object(interfaces: [Name(name)], fields: [field])),
      type("T", .object(interfaces: [], fields: [FieldDefinition(name: Name(name), type: field.type)])),
      type("T", .object(interfaces: [], fields: [FieldDefinition(name: "a", type: TypeReference(.named(Name(name))))])),
      type("T", .enum(values: [EnumValueDefinition(name: Name(name))])),
      type("T", .inputObject(fields: [InputValueDefinition(name: Name(name), type: field.type)])),
      .directive(DirectiveDefinition(name: Name(name), locations: [.field])),
      .type(TypeDefinition(name: "T", directives: [Directive(name: Name(name))], body: .scalar)),
      type(
        "T",
        .inputObject(fields: [
          InputValueDefinition(name: "a", type: field.type, defaultValue: Value(.enum(name)))
        ])),
    ]
    for definition in definitions {
      let document = Document(definitions: [query, definition])
      for isLenient in [true, false] {
        let built = Schema.build(from: [document], isLenient: isLenient)
        #expect(built.diagnostics.contains { $0.code == .invalidName && $0.severity == .error })
        #expect(SchemaPrinter.print(built.value) == "type Query {\n  a: Int\n}")
        var options = SchemaValidator.Options()
        options.isLenient = isLenient
        #expect(SchemaValidator.validate([document], options: options).value == nil)
      }
    }
  }

  @Test("A document that is made in code has no such names", arguments: names)
  func documents(name: String) {
    let schema = Schema.build(from: [Source("type Query { a(b: Int, c: E): Int } enum E { A }")]).value
    func document(_ field: Field, name: Name? = "Q") -> Document {
      Document(definitions: [
        .operation(
          OperationDefinition(operation: .query, name: name, selectionSet: SelectionSet([.field(field)])))
      ])
    }
    let documents = [
      document(Field(name: Name(name))), document(Field(alias: Name(name), name: "a")),
      document(Field(name: "a"), name: Name(name)),
      document(Field(name: "a", arguments: [Argument(name: Name(name), value: Value(.int("1")))])),
      document(Field(name: "a", arguments: [Argument(name: "b", value: Value(.int("1) { evil }")))])),
      document(Field(name: "a", arguments: [Argument(name: "c", value: Value(.enum(name)))])),
      document(Field(name: "a", directives: [Directive(name: Name(name))])),
    ]
    for document in documents {
      var options = Validator.Options()
      options.severities[.invalidName] = .note
      let validated = Validator.validate(document, against: schema, options: options)
      #expect(validated.value == nil)
      #expect(validated.diagnostics.contains { $0.code == .invalidName && $0.severity == .error })
    }
  }

  // MARK: - Configurations and @import

  static let schema =
    "type Query { a(d: Date, k: Kind, i: In): Date } scalar Date enum Kind { ONE } input In { n: Int }"
  static let notInSwift = ["", "a b", "a\nlet evil = 1", "1a", "a\"", "a)", "a//", "a\u{202E}b", "a/*", "a;b"]

  @Test("@import names a module", arguments: notInSwift + [".", "A..B", "A.", "import"])
  func imports(module: String) throws {
    let literal = HostileTexts.graphQL(module)
    let folder = try TemporaryFolder([
      "s.graphqls": Self.schema, "A.graphql": "query A @import(module: \(literal)) { a }",
    ])
    let report = folder.generate()
    guard module != "import" else { return #expect(!report.hasErrors) }
    #expect(report.diagnostics.filter { $0.severity == .error }.map(\.code) == [.invalidImport])
    #expect(report.errors(in: folder).hasPrefix("A.graphql:1:"))
    #expect(folder.files.filter { $0.hasPrefix("out") } == [])
  }

  @Test("What the configuration puts into Swift is a name or a type", arguments: notInSwift)
  func configuration(text: String) throws {
    let changes: [(String, @Sendable (inout ApolloCodegenConfiguration) -> Void)] = [
      ("schemaNamespace", { $0.schemaNamespace = text }),
      (
        "target",
        {
          $0.output.moduleType = .embeddedInTarget(name: text, accessLevel: .internal)
          $0.output.testMocks = .absolute(path: "mocks", accessLevel: .internal)
        }
      ),
      (
        "mocks",
        {
          $0.output.moduleType = .swiftPackage(.standard)
          $0.output.testMocks = .swiftPackage(targetName: text)
        }
      ),
      ("scalar", { $0.rendering.customScalars = ["Date": .init(type: text)] }),
      ("module", { $0.rendering.customScalars = ["Date": .init(type: "Date", module: text)] }),
      ("type", { $0.rendering.customTypeNames = ["Kind": .init(name: text)] }),
      ("case", { $0.rendering.customTypeNames = ["Kind": .init(members: ["ONE": text])] }),
      ("field", { $0.rendering.customTypeNames = ["In": .init(members: ["n": text])] }),
    ]
    for (what, change) in changes {
      let folder = try TemporaryFolder(["s.graphqls": Self.schema, "A.graphql": "query A { a }"])
      let report = folder.generate(change)
      #expect(report.diagnostics.contains { $0.code == .invalidConfiguration && $0.severity == .error }, "\(what)")
      #expect(folder.files.count == 2, "\(what)")
    }
  }

  @Test(
    "Types of scalars can be any type that is not optional",
    arguments: [
      "Date", "Foundation.URL", "[String: Any]", "[[Int?]]", "Box<Int, [A.B]>", "any Sendable", "(A, B)", "`Type`",
    ])
  func types(text: String) throws {
    let folder = try TemporaryFolder(["s.graphqls": Self.schema, "A.graphql": "query A { a }"])
    let report = folder.generate { $0.rendering.customScalars = ["Date": .init(type: text)] }
    #expect(!report.hasErrors)
  }

  @Test("Addresses and paths of a package are literals in its manifest")
  func manifest() throws {
    for dependency in [
      ApolloCodegenConfiguration.PackageDependency.local(path: "../\u{600}\")] //"),
      .remote(url: "https://x/a\"\\(b)\u{D4E}\"", requirement: "from: \"1.0.0\""),
    ] {
      let folder = try TemporaryFolder(["s.graphqls": Self.schema, "A.graphql": "query A { a }"])
      let report = folder.generate { $0.output.moduleType = .swiftPackage(dependency) }
      #expect(!report.hasErrors)
      let strings = try SwiftTokens.read(folder.text("out/Package.swift"))
      let text = if case .local(let path) = dependency { path } else { "https://x/a\"\\(b)\u{D4E}\"" }
      #expect(strings.contains(.string(text)))
    }
  }

  @Test("The line that names a file's origin stays one line")
  func origin() throws {
    let folder = try TemporaryFolder([
      "s.graphqls": Self.schema, "r\nlet evil = 3\u{2028}.graphql": "query A { a }",
    ])
    #expect(!folder.generate().hasErrors)
    let file = try #require(folder.files.first { $0.hasPrefix("out/r") })
    #expect(
      try folder.text(file).hasPrefix(#"// @generated by apollo-codegen from r\nlet evil = 3\u{2028}.graphql. Do"#))
  }
}
