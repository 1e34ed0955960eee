import ApolloCodegenLib
import ApolloDirectives
import ApolloIR
import Foundation
import GraphQLSyntax
import Testing

/// Key fields that are added to a document, and other selections with their names.
@Suite("Conflicts of key fields") struct KeyConflictTests {
  private static let schema = """
    type Query { dog: Dog, content: Content, any: Any, things: [Thing] }
    interface Named { name: String }
    interface Content { slug: ID! }
    type Dog implements Named @typePolicy(keyFields: "id") { id: ID!, name: String }
    type Post implements Content @typePolicy(keyFields: "id") { id: ID!, slug: ID!, title: String }
    type Page implements Content @typePolicy(keyFields: "id") { id: ID!, slug: ID!, title: String }
    type Number @typePolicy(keyFields: "id") { id: Int!, text: String }
    union Any = Dog | Number
    type Thing @typePolicy(keyFields: "code") { code(up: Boolean): String!, label: String }

    """

  private static func diagnostics(_ operations: String, schema: String = schema) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operations, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity == .error }
  }

  @Test(
    "An operation that no server would take is an error at the other selection",
    arguments: [
      ("query Q { dog { ... on Named { id: name } } }", "id: name"),
      ("query Q { content { id: slug ... on Post { title } ... on Page { slug } } }", "id: slug"),
      ("query Q { dog { ...N } } fragment N on Named { id: name }", "id: name"),
      ("query Q { things { code(up: true) ...T } } fragment T on Thing { label }", "code(up: true)"),
      ("query Q { things { code(up: true) } }", "code(up: true)"),
    ])
  func conflicts(operation: String, other: String) {
    let found = Self.diagnostics(operation)
    #expect(!found.isEmpty && found.allSatisfy { $0.code == .keyFieldAlias }, "\(found.map(\.fullMessage))")
    let place = operation.range(of: other).map {
      operation.utf8.distance(from: operation.startIndex, to: $0.lowerBound)
    }
    #expect(found.allSatisfy { Int($0.span.start) == place }, "\(found)")
  }

  private static func warnings(_ operations: String) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operations, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity == .warning }
  }

  @Test(
    "Two key fields of one name and of several types are left out, and a warning says so, which names no alias",
    arguments: [
      (
        "any { ... on Dog { name } ... on Number { text } }",
        "any { __typename ... on Dog { name } ... on Number { text } }"
      ),
      ("any { __typename }", "any { __typename }"),
    ])
  func keys(selection: String, sent: String) throws {
    let program = try lower(schema: Self.schema, "query Q { \(selection) }")
    #expect(program.operations[0].document.text == "query Q { \(sent) }")
    let found = Self.warnings("query Q { \(selection) }")
    #expect(!found.isEmpty && Set(found).count == found.count)
    #expect(found.allSatisfy { $0.code == .unselectedKeyField && $0.help?.contains("alias") == false })
  }

  @Test("A key field is left out beside a field of its name that the document selects on another type")
  func besideField() throws {
    let query = "query Q { any { ... on Dog { id name } ... on Number { text } } }"
    #expect(try lower(schema: Self.schema, query).operations[0].document.text.contains("... on Number { text }"))
    #expect(Set(Self.warnings(query).map(\.code)) == [.unselectedKeyField])
  }

  @Test("An object of which one key field is left out has no key, and not that of the others")
  func partOfKey() throws {
    let schema = """
      type Query { any: Any }
      type Dog @typePolicy(keyFields: "id code") { id: ID!, code: String!, name: String }
      type Number @typePolicy(keyFields: "id") { id: Int!, text: String }
      union Any = Dog | Number
      """
    let program = try lower(schema: schema, "query Q { any { ... on Dog { code } ... on Number { text } } }")
    guard case .field(let field)? = program.operations[0].shape.members.first,
      let inner = field.shape?.members.compactMap({ member -> Shape? in
        if case .inlineFragment(let fragment) = member, fragment.typeCondition == "Dog" { fragment.shape } else { nil }
      }).first
    else {
      Issue.record("There is no fragment.")
      return
    }
    let positions = inner.members.compactMap { member -> Int? in
      if case .field(let field) = member { field.keyPosition } else { nil }
    }
    #expect(positions == [])
  }

  @Test(
    "What can be merged is fine",
    arguments: [
      "query Q { dog { ... on Named { title: name } } }",
      "query Q { content { slug ... on Post { id } ... on Page { title } } }",
      "query Q { any { ... on Dog { id name } } }", "query Q { things { code up: code(up: true) } }",
    ])
  func fine(operation: String) { #expect(Self.diagnostics(operation).map(\.fullMessage) == []) }

  @Test("A field with arguments is not the key field, which is selected beside it")
  func arguments() throws {
    let program = try lower(schema: Self.schema, "query Q { things { upper: code(up: true) label } }")
    #expect(
      program.operations[0].document.text
        == "query Q { things { __typename code upper: code(up: true) label } }")
  }

  @Test("A field that needs an argument cannot be a part of a key")
  func requiredArgument() {
    let schema = """
      type Query { thing: Thing }
      type Thing @typePolicy(keyFields: "code") { code(form: Int!): String!, label: String }
      """
    let found = Self.diagnostics("query Q { thing { label } }", schema: schema)
    #expect(found.map(\.code) == [.invalidTypePolicy])
    #expect(found.first?.message.contains("needs the argument \"form\"") == true)
    let optional = schema.replacing("Int!", with: "Int! = 1")
    #expect(Self.diagnostics("query Q { thing { label } }", schema: optional).map(\.fullMessage) == [])
  }
}
