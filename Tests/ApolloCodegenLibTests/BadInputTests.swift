import ApolloCodegenLib
import Foundation
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

  static let mistakes = [
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
      testDescription: "Two files of one name would become one Swift file",
      files: ["A/Hero.graphql": "query A { hero { name } }", "B/hero.graphql": "query B { hero { name } }"],
      errors: "B/hero.graphql:1:1: error: \"B/hero.graphql\" and \"A/Hero.graphql\" would both become "
        + "\"hero.graphql.swift\", and a module cannot have two files of one name. Rename one of them.\n"
        + "A/Hero.graphql:1:1: note: the other file\n"),
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
      testDescription: "A schema in JSON that is no introspection result says so",
      files: ["Hero.graphql": "query Hero { hero { name } }", "schema.json": "{\"data\": {}}"],
      errors: "schema.json:1:1: error: Invalid or incomplete introspection result: it has no \"__schema\".\n"),
  ]

  @Test("A mistake is reported with its place, and no file is changed", arguments: mistakes)
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
        == "error: No schema file matches \"**/*.graphqls\" in \"FOLDER\".\n")
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
}
