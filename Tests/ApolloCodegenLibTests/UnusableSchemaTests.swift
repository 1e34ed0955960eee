import ApolloCodegenLib
import GraphQLSchema
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

  // MARK: - Definitions in several files

  /// What is found in a schema of two files.
  private static func load(_ first: String, _ second: String) -> Parsed<Validated<Schema>?> {
    Pipeline.schema(from: [Source(first, name: "a.graphqls"), Source(second, name: "b.graphqls")])
  }

  @Test("If two files define a type in different ways, the order of their names does not decide")
  func forgottenCopy() throws {
    let folder = try TemporaryFolder([
      "schema-old.graphqls": "type Query { a: Int! }", "schema.graphqls": "type Query { a: Int b: Int }",
      "A.graphql": "query A { a }",
    ])
    let report = folder.generate(), errors = report.errors(in: folder)
    #expect(errors.hasPrefix("schema.graphqls:1:6: error: There can be only one type named \"Query\". "), "\(errors)")
    #expect(errors.contains(" \"schema-old.graphqls\" defines it in another way. "), "\(errors)")
    #expect(errors.hasSuffix("\nschema-old.graphqls:1:6: note: first defined here\n"), "\(errors)")
    #expect(report.files == [])
  }

  @Test(
    "What two files say in different ways of a type or a field is an error",
    arguments: [
      ("type Query { a: Int }", "extend type Query { a: Int! }", .duplicateField),
      ("extend type Query { a: Int! }", "type Query { a: Int }", .duplicateField),
      ("type Query { a(x: Int): Int }", "extend type Query { a(x: Int = 1): Int }", .duplicateField),
      ("type Query { a(i: I): Int } input I { a: Int }", "extend input I { a: Int! }", .duplicateField),
      ("type Query { a(i: I): Int } input I { a: Int }", "input I { a: Int! }", .duplicateType),
      ("type Query { a: D } scalar D", "scalar D @map(to: \"Date\")", .duplicateType),
      ("type Query { a: E } enum E { A B }", "enum E { A B C }", .duplicateType),
      (
        "extend schema @link(url: \"https://specs.apollo.dev/nullability/v0.4\", "
          + "import: [{ name: \"@semanticNonNull\", as: \"@nonNull\" }]) type Query { a: Int }",
        "extend type Query { a: Int @nonNull }", .duplicateField
      ),
    ] as [(String, String, Diagnostic.Code)])
  func different(first: String, second: String, code: Diagnostic.Code) {
    let loaded = Self.load(first, second)
    #expect(loaded.value == nil)
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.code) == [code])
  }

  @Test(
    "Equal definitions are warnings, also with other descriptions, with directives of servers, and in another order",
    arguments: [
      ("type Query { a: Int }", "type Query { a: Int }"), ("type Query { a: Int }", "extend type Query { a: Int }"),
      ("type Query { a: D } scalar D", "scalar D @specifiedBy(url: \"https://example.com\")"),
      ("type Query { a: Int @deprecated }", "directive @tag on OBJECT type Query @tag { a: Int }"),
      ("type Query { a: Int, b(x: Int, y: Int): Int }", "\"It.\" type Query { b(y: Int, \"x\" x: Int): Int, a: Int }"),
      ("type Query { a(i: I): E } enum E { A B } input I { a: Int b: Int }", "enum E { B A } input I { b: Int a: Int}"),
    ])
  func equal(first: String, second: String) {
    let loaded = Self.load(first, second)
    #expect(loaded.value != nil && !loaded.diagnostics.isEmpty)
    #expect(loaded.diagnostics.allSatisfy { $0.severity == .warning }, "\(loaded.diagnostics.map(\.message))")
  }
}
