import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Types of arguments along a walk")
struct ArgumentTypeTests {
  private struct Recorder: TypedSyntaxVisitor {
    var log: [String] = []

    mutating func enter(_ node: SyntaxNode, _ types: TypeInfo) -> VisitStep {
      if case .argument(let argument) = node {
        let value = types.defaultValue.map { " = \(Printer.print($0))" } ?? ""
        log.append("\(argument.name): \(types.inputType?.description ?? "?")\(value)")
      }
      return .intoChildren
    }
  }

  @Test("An argument of a spread has the type of the fragment's variable, not of an argument of the field around it")
  func spread() {
    let schema = Schema.build(from: [
      Source(
        """
        type Query { user(id: ID!, size: Int): Query, name: String }
        enum Tag { NEW OLD }
        directive @only(if: Boolean!) on FIELD_DEFINITION
        """)
    ]).value
    let text = """
      { user(id: 1) { ...F(id: NEW, size: 2) @only(if: true) @nope(id: 3) name @nope(size: 4) } }
      fragment F($id: Tag = OLD) on Query { user(size: 5) { name } }
      """
    var recorder = Recorder()
    SyntaxNode.document(Parser.parse(text).value).walk(&recorder, in: schema)
    #expect(
      recorder.log == ["id: ID!", "id: Tag = OLD", "size: ?", "if: Boolean!", "id: ?", "size: ?", "size: Int"])
  }
}
