import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Schemas that are sorted and compared")
struct TransformTests {
  @Test("A schema keeps its edition when it is sorted", arguments: [Schema.Edition.september2025, .draft])
  func edition(_ edition: Schema.Edition) {
    let document = Parser.parse("type Query { b: Int a: Int }").value
    let sorted = Schema.build(from: [document], edition: edition).value.sortedByName()
    #expect(sorted.edition == edition)
    #expect((sorted.object(named: "__Directive")?.fields["isDeprecated"] != nil) == (edition == .draft))
  }

  @Test("A default value, a description and a reason change if their code points do")
  func codePoints() {
    let schema = { (text: String) in
      Schema.build(from: [
        Source("\"\(text)\" type Query { a(b: String = \"\(text)\"): Int @deprecated(reason: \"\(text)\") }")
      ]).value
    }
    let composed = schema("caf\u{e9}")
    #expect(Schema.compare(composed, schema("caf\u{e9}")).isEmpty)
    let kinds = Schema.compare(composed, schema("cafe\u{301}")).map(\.kind)
    #expect(Set(kinds) == [.descriptionChanged, .defaultValueChanged, .deprecationReasonChanged])
  }
}
