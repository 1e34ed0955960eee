import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Types along a walk")
struct TypeInfoTests {
  private static let schema = Schema.build(from: [
    Source(
      """
      type Query { user(id: ID!, in: Filter = {tags: []}): User, any: Any }
      type User { name: String!, friends(first: Int): [User!] }
      type Robot { model: Model }
      union Any = User | Robot
      input Filter { tags: [Tag!]!, nested: Filter }
      enum Tag { NEW OLD }
      enum Model { A }
      directive @only(if: Boolean!) on FIELD
      """)
  ]).value

  private struct Recorder: TypedSyntaxVisitor {
    var log: [String] = []

    mutating func enter(_ node: SyntaxNode, _ types: TypeInfo) -> VisitStep {
      switch node {
      case .field(let field):
        log.append("\(types.parentType?.name ?? "?").\(field.name): \(types.type?.description ?? "?")")
      case .value(let value):
        let enumValue = types.enumValue.map { " \($0.name)" } ?? ""
        log.append("\(Printer.print(value)): \(types.inputType?.description ?? "?")\(enumValue)")
      case .directive: log.append("@\(types.directive?.name.value ?? "?")")
      case .argument: log.append("\(types.argument?.name.value ?? "?"):")
      default: break
      }
      return .intoChildren
    }
  }

  private func walk(_ text: String) -> [String] {
    var recorder = Recorder()
    SyntaxNode.document(Parser.parse(text).value).walk(&recorder, in: Self.schema)
    return recorder.log
  }

  @Test("Fields know their parent and their type, through fragments too")
  func fields() {
    #expect(
      walk(
        "{ user(id: 1) { friends { name __typename } } any { ... on Robot { model } ...F nope { x } } } fragment F on User { name }"
      ) == [
        "Query.user: User", "id:", "1: ID!", "User.friends: [User!]", "User.name: String!",
        "User.__typename: String!", "Query.any: Any", "Robot.model: Model", "Any.nope: ?", "?.x: ?",
        "User.name: String!",
      ])
  }

  @Test("Values know the type that is expected, in lists and objects too")
  func values() {
    #expect(
      walk("query($v: Tag = NEW) { user(in: {tags: [OLD, $v], nested: {nope: 1}}) @only(if: true) }") == [
        "$v: Tag", "NEW: Tag NEW", "Query.user: User", "in:",
        "{ tags: [OLD, $v], nested: { nope: 1 } }: Filter", "[OLD, $v]: [Tag!]!", "OLD: Tag! OLD", "$v: Tag!",
        "{ nope: 1 }: Filter", "1: ?", "@only", "if:", "true: Boolean!",
      ])
  }

  @Test(
    "A coordinate names an element of the schema",
    arguments: [
      ("User", "type"), ("User.name", "field"), ("User.__typename", "field"), ("Query.__schema", "field"),
      ("Filter.tags", "inputField"), ("Tag.NEW", "enumValue"), ("Query.user(id:)", "argument"), ("@only", "directive"),
      ("@only(if:)", "directiveArgument"), ("@skip(if:)", "directiveArgument"), ("__Type.kind", "field"), ("Nope", nil),
      ("User.nope", nil), ("Nope.name", nil), ("User.name(a:)", nil), ("Filter.tags(a:)", nil), ("@nope", nil),
      ("@only(nope:)", nil), ("Tag.MISSING", nil), ("Any.name", nil), ("User.__schema", nil),
    ] as [(String, String?)])
  func resolve(text: String, kind: String?) throws {
    let element = Self.schema.resolve(try #require(SchemaCoordinate(text)))
    let actual: String? =
      switch element {
      case .type: "type"
      case .field: "field"
      case .inputField: "inputField"
      case .enumValue: "enumValue"
      case .argument: "argument"
      case .directive: "directive"
      case .directiveArgument: "directiveArgument"
      case nil: nil
      }
    #expect(actual == kind)
  }
}
