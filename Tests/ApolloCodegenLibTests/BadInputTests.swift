import ApolloCodegenLib
import Foundation
import GraphQLValidation
import StyledTests
import Testing

@Suite("Bad input") struct BadInputTests {
  static let schema = """
    type Query { hero(episode: Episode): Hero, heroes(ids: [ID!]!): [Hero!]! }
    enum Episode { EMPIRE JEDI }
    type Hero { id: ID!, name: String!, friends: [Hero!] }
    """

  struct Mistake: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var files: [String: String]
    var errors: String
  }

  static let mistakes: [Mistake] = [
    Mistake(
      testDescription: "A syntax error is shown where it is",
      files: ["Hero.graphql": "query Hero {\n  hero { name )\n}"],
      errors: "Hero.graphql:2:15: error: Syntax Error: Expected Name, found \")\".\n"),
    Mistake(
      testDescription: "An unknown field suggests the nearest name",
      files: ["Hero.graphql": "query Hero {\n  hero { nme }\n}"],
      errors: "Hero.graphql:2:10: error: Cannot query field \"nme\" on type \"Hero\". Did you mean \"name\"?\n"),
    Mistake(
      testDescription: "An argument of the wrong type is shown where it is",
      files: ["Hero.graphql": "query Hero { hero(episode: EMPRE) { name } }"],
      errors: "Hero.graphql:1:28: error: Value \"EMPRE\" does not exist in \"Episode\" enum. "
        + "Did you mean the enum value \"EMPIRE\"?\n"),
    Mistake(
      testDescription: "A variable of the wrong type is shown with its use",
      files: ["Hero.graphql": "query Heroes($ids: [ID]) { heroes(ids: $ids) { name } }"],
      errors:
        "Hero.graphql:1:40: error: Variable \"$ids\" of type \"[ID]\" used in position expecting type \"[ID!]!\".\n"
        + "Hero.graphql:1:14: note: defined here\n"),
    Mistake(
      testDescription: "Two operations of one name are shown at both places",
      files: ["A.graphql": "query Hero { hero { name } }", "B.graphql": "\nquery Hero { hero { id } }"],
      errors: "B.graphql:2:7: error: There can be only one operation named \"Hero\".\n"
        + "A.graphql:1:7: note: first defined here\n"),
    Mistake(
      testDescription: "An anonymous operation needs a name",
      files: ["Hero.graphql": "\n{ hero { name } }"],
      errors: "Hero.graphql:2:1: error: This query has no name, so no type can be generated for it. "
        + "Write \"query SomeName { … }\".\n"),
    Mistake(
      testDescription: "The name __typename is taken",
      files: ["Hero.graphql": "query Hero { hero { __typename: name } }"],
      errors: "Hero.graphql:1:21: error: \"__typename\" cannot be an alias: the client needs the name of the object's "
        + "type. Choose another alias.\n"),
    Mistake(
      testDescription: "A type policy names a field that there is not",
      files: [
        "Hero.graphql": "query Hero { hero { name } }",
        "extensions.graphqls": "extend type Hero @typePolicy(keyFields: \"nam\")",
      ],
      errors: "extensions.graphqls:1:18: error: The type \"Hero\" has no field \"nam\" to be a part of its key. "
        + "Did you mean \"name\"?\n"),
    Mistake(
      testDescription: "A deferred fragment without type and label has no name",
      files: ["Hero.graphql": "query Hero { hero { ... @defer { name } } }"],
      errors: "Hero.graphql:1:25: error: This deferred fragment has no name by which code could refer to it. "
        + "Give it a label: @defer(label: \"details\").\n"),
    Mistake(
      testDescription: "Key fields are non-null leaves",
      files: [
        "Hero.graphql": "query Hero { hero { name } }",
        "extensions.graphqls": "extend type Hero @typePolicy(keyFields: \"id friends\")",
      ],
      errors:
        "extensions.graphqls:1:18: error: \"Hero.friends\" is of the type \"[Hero!]\", which cannot be a part of a "
        + "key. Key fields are non-null scalars or enums.\n"),
    Mistake(
      testDescription: "An undefined type of the schema is an error",
      files: ["Hero.graphql": "query Hero { hero { name } }", "more.graphqls": "extend type Hero { ship: Starship }"],
      errors: "more.graphqls:1:26: error: Unknown type \"Starship\".\n"),
    Mistake(
      testDescription: "A schema in JSON that is none is shown where it breaks",
      files: ["Hero.graphql": "query Hero { hero { name } }", "schema.json": "{\n  \"data\": }"],
      errors: "schema.json:2:11: error: Expected a JSON value, but found \"}\".\n"),
    Mistake(
      testDescription: "A schema in JSON that is not an introspection result says so",
      files: ["Hero.graphql": "query Hero { hero { name } }", "schema.json": "{\"data\": {}}"],
      errors: "schema.json:1:10: error: Invalid or incomplete introspection result: it has no \"__schema\".\n"),
  ]

  /// A document, additions to the schema, and what is wrong with them.
  private static func misuse(_ claim: String, _ document: String, extensions: String = "", _ errors: String) -> Mistake
  {
    var files = ["Hero.graphql": document]
    if !extensions.isEmpty { files["more.graphqls"] = extensions }
    return Mistake(testDescription: claim, files: files, errors: errors)
  }

  static let query = "query Hero { hero { name } }"

  static let policyMistakes: [Mistake] = [
    misuse(
      "Fragments that spread each other are shown with the way around",
      "query Hero { hero { ...A } }\nfragment A on Hero { ...B }\nfragment B on Hero { ...A }",
      "Hero.graphql:2:22: error: Cannot spread fragment \"A\" within itself via \"B\".\n"
        + "Hero.graphql:3:22: note: which spreads \"A\"\n"),
    misuse(
      "Interfaces have to agree on the key of a type", query,
      extensions: """
        interface A @typePolicy(keyFields: "id") { id: ID! }
        interface B @typePolicy(keyFields: "name") { name: String! }
        type C implements A & B { id: ID!, name: String! }
        """,
      "more.graphqls:3:6: error: \"C\" is identified by \"id\" as a \"A\", and by \"name\" as a \"B\". "
        + "Give it a policy of its own: extend type C @typePolicy(keyFields: \"…\")\n"),
    misuse(
      "Key fields keep their names", "query Hero { hero { id: name } }",
      extensions: "extend type Hero @typePolicy(keyFields: \"id\")",
      "Hero.graphql:1:21: error: \"id\" cannot be an alias here: it is a part of the key of \"Hero\". "
        + "Choose another alias.\n"),
    misuse(
      "A field policy names a field that there is not", query,
      extensions: "extend type Query @fieldPolicy(forField: \"her\", keyArgs: \"id\")",
      "more.graphqls:1:19: error: The type \"Query\" has no field \"her\" to have a policy. Did you mean \"hero\"?\n"),
    misuse(
      "A field policy names an argument that there is not", query,
      extensions: "extend type Query @fieldPolicy(forField: \"hero\", keyArgs: \"episod\")",
      "more.graphqls:1:19: error: \"Query.hero\" has no argument \"episod\". Did you mean \"episode\"?\n"),
    misuse(
      "A field policy needs arguments", query,
      extensions: "extend type Query @fieldPolicy(forField: \"hero\", keyArgs: \"\")",
      "more.graphqls:1:19: error: The policy of \"Query.hero\" names no argument in \"keyArgs\".\n"),
    misuse(
      "The field of a policy leads to objects", query,
      extensions:
        "extend type Query { a(b: Int): Int } extend type Query @fieldPolicy(forField: \"a\", keyArgs: \"b\")",
      "more.graphqls:1:56: error: \"Query.a\" leads to no object that could be found by a key.\n"),
    misuse(
      "A list of keys leads to a list of objects", query,
      extensions:
        "extend type Query { a(b: [ID!]): Hero } extend type Query @fieldPolicy(forField: \"a\", keyArgs: \"b\")",
      "more.graphqls:1:59: error: An argument of the policy is a list, but \"Query.a\" leads to one object.\n"),
    misuse(
      "A list of objects has a list of keys", query,
      extensions:
        "extend type Query { a(b: ID): [Hero] } extend type Query @fieldPolicy(forField: \"a\", keyArgs: \"b\")",
      "more.graphqls:1:58: error: \"Query.a\" is a list, but no argument in \"keyArgs\" is one.\n"),
    misuse(
      "A list of lists has no keys", query,
      extensions:
        "extend type Query { a(b: [ID]): [[Hero]] } extend type Query @fieldPolicy(forField: \"a\", keyArgs: \"b\")",
      "more.graphqls:1:62: error: \"Query.a\" is a list of lists, which cannot have a policy.\n"),
    misuse(
      "Only one argument can be a list", query,
      extensions:
        "extend type Query { a(b: [ID], c: [ID]): [Hero] } extend type Query @fieldPolicy(forField: \"a\", keyArgs: \"b c\")",
      "more.graphqls:1:69: error: Only one of the arguments in \"keyArgs\" can be a list.\n"),
    misuse(
      "A path ends at a value", query,
      extensions: """
        extend type Query { a(b: I): Hero } extend type Query @fieldPolicy(forField: "a", keyArgs: "b")
        input I { id: ID }
        """,
      "more.graphqls:1:55: error: \"b\" is an input object, of which no key can be made. "
        + "Name one of its fields: \"b.…\"\n"),
  ]

  @Test("The schema is called like none of its types, and like no fragment")
  func namespace() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": Self.schema,
      "Hero.graphql": "query Q($e: Episode) { hero(episode: $e) { ...episodes } }\nfragment episodes on Hero { name }",
    ])
    func errors(_ name: String) -> String {
      folder.generate {
        $0.schemaNamespace = name
        $0.output.moduleType = .other
      }.errors(in: folder)
    }
    #expect(
      errors("Episode")
        == "schema.graphqls:2:6: error: The schema cannot be called \"Episode\": it has a type of this name. "
        + "Choose another namespace, such as \"EpisodeAPI\".\n")
    #expect(
      errors("Episodes")
        == "Hero.graphql:2:10: error: The schema cannot be called \"Episodes\": there is a fragment of this name. "
        + "Choose another namespace, such as \"EpisodesAPI\".\n")
    #expect(!folder.files.contains { $0.hasSuffix(".swift") })
    #expect(errors("HeroAPI") == "")
  }

  @Test("A schema without a query type is refused")
  func noQueryType() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Mutation { a: Int }", "A.graphql": "mutation A { a }", "B.graphql": "query B { a }",
    ])
    let errors = folder.generate().errors(in: folder)
    #expect(errors.contains("B.graphql:1:1: error: The query operation is not supported by the schema.\n"), "\(errors)")
    #expect(!folder.files.contains { $0.hasSuffix(".swift") })
  }

  @Test("Output that cannot be written leaves every file as it was")
  func unwritableOutput() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": Self.schema, "Hero.graphql": "query Hero { hero { name } }", "API/Operations": "a file",
    ])
    let before = folder.files
    let report = folder.generate {
      $0.output.path = "API"
      $0.output.moduleType = .other
    }
    #expect(
      report.errors(in: folder).hasPrefix("error: \"API/Operations/Hero.graphql.swift\" cannot be written: "))
    #expect(folder.files == before)
    #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("API/Schema").path))
  }

  @Test("What would be written outside of the folder that is allowed is refused")
  func outsideOfAllowedFolder() throws {
    let folder = try TemporaryFolder([
      "package/schema.graphqls": Self.schema, "package/Hero.graphql": "query Hero { hero { name } }",
    ])
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "../elsewhere"
    let package = folder.url.appendingPathComponent("package")
    var codegen = ApolloCodegen(configuration, root: package)
    codegen.allowedFolder = package
    let errors = codegen.generate().errors(in: folder)
    #expect(
      errors.hasPrefix(
        "error: \"elsewhere/Schema.graphql.swift\" and 1 more would be written outside of \"package\"."), "\(errors)")
    #expect(!folder.files.contains { $0.hasSuffix(".swift") })
  }

  @Test("A mistake is reported with its place, and no file is changed", arguments: mistakes + policyMistakes)
  func mistake(_ mistake: Mistake) throws {
    let folder = try TemporaryFolder(mistake.files)
    try folder.write(Self.schema, to: "schema.graphqls")
    try folder.write("kept", to: "out/Old.graphql.swift")
    let before = folder.files
    let report = folder.generate { $0.input.schemaSearchPaths = ["*.graphqls", "*.json"] }
    #expect(report.errors(in: folder) == mistake.errors)
    #expect(report.hasErrors)
    #expect(folder.files == before)
    #expect(report.changedFiles == [])
  }

  @Test("At a terminal the line is shown with a caret, and the other place as well")
  func excerpt() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": Self.schema, "A.graphql": "query Hero { hero { name } }",
      "B.graphql": "query Hero { hero { id } }",
    ])
    let excerpt = folder.generate().excerpt.replacingOccurrences(of: folder.url.path + "/", with: "")
    #expect(
      excerpt == """
        error[duplicate-operation]: There can be only one operation named "Hero".
         --> B.graphql:1:7
          |
        1 | query Hero { hero { id } }
          |       ^^^^
         --> A.graphql:1:7
          |
        1 | query Hero { hero { name } }
          |       ---- first defined here


        """)
  }

  @Test("Missing files are named with the patterns that found none")
  func missingFiles() throws {
    let folder = try TemporaryFolder(["Hero.graphql": "query Hero { hero { name } }"])
    #expect(
      folder.generate().errors(in: folder)
        == "error: No schema file matches \"**/*.graphqls\" in \"FOLDER\". Add the server's schema, or fetch it: swift package "
        + "apollo-codegen start https://…, or fetch-schema --endpoint https://… --output schema.graphqls "
        + "(on a Mac, swift package needs --allow-network-connections all).\n")
    try folder.write(Self.schema, to: "schema.graphqls")
    let report = folder.generate { $0.input.operationSearchPaths = ["None/*.graphql", "No.graphql"] }
    #expect(
      report.errors(in: folder)
        == "error: No operation file matches \"None/*.graphql\" or \"No.graphql\" in \"FOLDER\".\n")
  }

  @Test("A file that is not UTF-8 is reported where it breaks")
  func invalidUTF8() throws {
    let folder = try TemporaryFolder(["schema.graphqls": Self.schema])
    try Data("query Hero { \u{e9}".utf8.dropLast()).write(to: folder.url.appendingPathComponent("Hero.graphql"))
    let report = folder.generate()
    #expect(report.errors(in: folder).hasPrefix("Hero.graphql:1:14: error: "))
    #expect(!folder.files.contains { $0.hasSuffix(".swift") })
  }

  @Test("A schema of many megabytes is read like any other")
  func largeSchema() throws {
    let size = Effort.isLong ? 10_000_000 : 3_000_000
    var schema = "type Query { first: T0 }\ninterface Node { id: ID! }\n"
    var number = 0
    while schema.utf8.count < size {
      schema += "\"\"\"\nType \(number)\n\"\"\"\ntype T\(number) implements Node {\n  id: ID!\n"
      for field in 0..<20 {
        schema += "  \"Described at some length\"\n"
        schema += "  field\(field)(first: Int = \(field)): [T\(max(0, number - field))!] @deprecated(reason: \"Old\")\n"
      }
      schema += "}\n"
      number += 1
    }
    let folder = try TemporaryFolder([
      "schema.graphqls": schema, "First.graphql": "query First { first { id field7 { id } } }",
    ])
    let report = folder.generate()
    #expect(report.errors(in: folder) == "")
    #expect(report.changedFiles.count == 2)
  }

  @Test("A local field that is not declared is explained; a field of the server that is not there is not")
  func undeclaredLocalField() throws {
    let folder = try TemporaryFolder(["s.graphqls": Self.schema])
    try folder.write("query Hero { hero { name isSelected @client cart @client { id } nope } }", to: "Hero.graphql")
    let help = "A local field is declared in a .graphqls file beside the schema: extend type"
    let errors = folder.generate().diagnostics.filter { $0.code == .unknownField }
    #expect(errors.count == 3)
    #expect(errors[0].help?.hasPrefix(help) == true && errors[0].help?.hasSuffix("{ isSelected: Boolean }") == true)
    #expect(errors[1].help?.hasSuffix("{ cart: … }") == true && errors[2].help?.contains("local") != true)
  }

  @Test("A brace that is not closed is shown")
  func openBrace() throws {
    let folder = try TemporaryFolder([
      "s.graphqls": Self.schema, "Hero.graphql": "query Hero {\n  hero {\n    name\n  }\n",
    ])
    let error = try #require(folder.generate().diagnostics.first)
    #expect(error.message == "Syntax Error: Expected Name, found <EOF>.")
    #expect(error.help == "\"{\" in line 1 is not closed.")
  }
}
