import ApolloCodegenLib
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("Schemas that no code can be generated for") struct UnusableSchemaTests {
  @Test(
    "A type in the wrong direction, and an input object without a finite value, are errors",
    arguments: [
      ("type Query { a: In!, l: [In!]! } input In { x: Int }", [.wrongTypeDirection, .wrongTypeDirection]),
      (
        "type Query { a(i: In): Int } input In { u: U!, l: [U!] } type U { id: ID }",
        [.wrongTypeDirection, .wrongTypeDirection]
      ),
      ("type Query { a(i: I): Int } input I { i: I! }", [.inputObjectCycle]),
      ("type Query { a(i: I): Int } input I { k: K! } input K { i: I! }", [.inputObjectCycle]),
    ] as [(String, [Diagnostic.Code])])
  func refused(schema: String, codes: [Diagnostic.Code]) {
    let result = Pipeline.schema(from: [Source(schema, name: "schema.graphqls")])
    #expect(result.value == nil)
    #expect(result.diagnostics.filter { $0.severity == .error }.map(\.code) == codes)
  }

  @Test("Other defects are warnings, with which servers run")
  func tolerated() {
    let result = Pipeline.schema(from: [Source("type Query { a: Int, a: Int }", name: "schema.graphqls")])
    #expect(result.value != nil)
    #expect(result.diagnostics.map(\.severity) == [.warning])
  }
}
