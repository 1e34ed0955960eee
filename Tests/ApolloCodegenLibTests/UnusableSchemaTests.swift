import ApolloCodegenLib
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("Schemas that no code can be generated for") struct UnusableSchemaTests {
  private static func errors(_ schema: String, _ operation: String) -> [Diagnostic.Code] {
    let result = Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operation, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration())
    #expect((result.value == nil) == result.diagnostics.hasErrors)
    return result.diagnostics.filter { $0.severity == .error }.map(\.code)
  }

  @Test(
    "A type in the wrong direction, and an input object without a finite value, are errors where they are needed",
    arguments: [
      ("type Query { a: In!, l: [In!]! } input In { x: Int }", "{ a l }", [.wrongTypeDirection, .wrongTypeDirection]),
      (
        "type Query { a: In!, b: Int } input In { x: Int }", "{ ...F } fragment F on Query { a }",
        [.wrongTypeDirection]
      ),
      (
        "type Query { a(i: In): Int } input In { u: U!, l: [U!] } type U { id: ID }", "($i: In) { a(i: $i) }",
        [.wrongTypeDirection, .wrongTypeDirection]
      ),
      (
        "type Query { a(i: O): Int } input O { l: [In] } input In { u: U } type U { id: ID }", "($i: O) { a(i: $i) }",
        [.wrongTypeDirection]
      ),
      ("type Query { a(i: I): Int } input I { i: I! }", "($i: I) { a(i: $i) }", [.inputObjectCycle]),
      (
        "type Query { a(i: I): Int } input I { k: K! } input K { i: I! }", "($i: I) { a(i: $i) }",
        [.inputObjectCycle]
      ),
    ] as [(String, String, [Diagnostic.Code])])
  func refused(schema: String, operation: String, codes: [Diagnostic.Code]) {
    // What else is wrong with an operation of such a schema does not matter here.
    #expect(Self.errors(schema, "query Q \(operation)").filter(Set(codes).contains) == codes)
  }

  @Test(
    "Elsewhere they are warnings: in other types, in directives, and in an indirect enumeration",
    arguments: [
      ("type Query { a(i: I): Int, b: Int } input I { i: I! } directive @d(x: U) on FIELD type U { x: Int }", "{ b }"),
      ("type Query { a: In, b(u: U): Int } input In { x: Int } type U { x: Int }", "{ b }"),
      ("type Query { a(i: I): Int } input I @oneOf { i: I, j: I }", "($i: I) { a(i: $i) }"),
      ("type Query { a(i: I): Int } input I { o: O! } input O @oneOf { i: I }", "($i: I) { a(i: $i) }"),
    ])
  func unused(schema: String, operation: String) {
    #expect(Self.errors(schema, "query Q \(operation)") == [])
    let loaded = Pipeline.schema(from: [Source(schema, name: "schema.graphqls")])
    #expect(loaded.value != nil && !loaded.diagnostics.isEmpty)
    #expect(loaded.diagnostics.allSatisfy { $0.severity == .warning })
  }

  @Test("Where all types are generated, all of them have to be usable")
  func allTypes() {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.part = .schemaTypes
    let result = Pipeline.generate(
      schema: [Source("type Query { b: Int } input I { i: I! }", name: "schema.graphqls")],
      operations: [Source("query Q { b }", name: "Q.graphql")], configuration: configuration)
    #expect(result.diagnostics.contains { $0.severity == .error && $0.code == .inputObjectCycle })
  }

  @Test("Other defects are warnings, with which servers run")
  func tolerated() {
    let result = Pipeline.schema(from: [Source("type Query { a: Int, a: Int }", name: "schema.graphqls")])
    #expect(result.value != nil)
    #expect(result.diagnostics.map(\.severity) == [.warning])
  }
}
