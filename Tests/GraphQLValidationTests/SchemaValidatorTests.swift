import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("Schema validator")
struct SchemaValidatorTests {
  private func codes(_ text: String, isLenient: Bool = false) -> [Diagnostic.Code] {
    var options = SchemaValidator.Options()
    options.isLenient = isLenient
    return SchemaValidator.validate([Source(text)], options: options).diagnostics.map(\.code)
  }

  @Test("A sound schema comes back as proof")
  func valid() {
    let result = SchemaValidator.validate([Source("type Query { a: Int }")])
    #expect(result.value?.value.queryType != nil)
    #expect(result.diagnostics.isEmpty)
  }

  @Test("A lenient reading keeps the first of two fields, and warns")
  func lenient() {
    let text = "type Query { a: Int, a: String }"
    var options = SchemaValidator.Options()
    options.isLenient = true
    let result = SchemaValidator.validate([Source(text)], options: options)
    #expect(result.diagnostics.map(\.severity) == [.warning])
    #expect(result.value?.value.queryType?.fields["a"]?.type.description == "Int")
    #expect(SchemaValidator.validate([Source(text)]).value == nil)
  }

  @Test("A lenient reading finds an undefined type behind thousands of findings that it forgives")
  func lenientBehindMany() {
    let fields = (0..<2_000).map { "a\($0): Int @api_key" }.joined(separator: "\n")
    var options = SchemaValidator.Options()
    options.isLenient = true
    func check(_ type: String) -> Parsed<Validated<Schema>?> {
      SchemaValidator.validate([Source("type Query {\n\(fields)\nlast: \(type) }")], options: options)
    }
    #expect(check("String").value != nil && check("String").diagnostics.allSatisfy { $0.severity == .warning })
    #expect(check("AWSDateTime").diagnostics.filter { $0.severity == .error }.map(\.code) == [.unknownType])
  }

  @Test("A lenient reading still refuses what cannot be read")
  func lenientSyntax() {
    var options = SchemaValidator.Options()
    options.isLenient = true
    #expect(SchemaValidator.validate([Source("type Query {")], options: options).value == nil)
  }

  @Test("Extending a schema knows what is there already")
  func extend() {
    let schema = Schema.build(from: [
      Source("type Query { a: Int } enum E { A } input I { a: Int } directive @d on FIELD")
    ]).value
    let text =
      "type Query { b: Int } extend type Query { a: Int } extend enum E { A } extend input I { a: Int } directive @d on FIELD extend schema { query: Query } schema { query: Query }"
    let result = SchemaValidator.extend(schema, with: [Parser.parse(text).value])
    #expect(
      result.diagnostics.map(\.code) == [
        .duplicateType, .duplicateField, .duplicateEnumValue, .duplicateField, .duplicateDirective, .duplicateRootType,
        .duplicateSchemaDefinition, .duplicateRootType,
      ])
  }

  @Test("A schema may use what it links to without defining it, and nothing else")
  func links() {
    let text = """
      extend schema @link(url: "https://specs.apollo.dev/link/v1.0")
        @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
      directive @keyed(fields: federation__FieldSet!) on OBJECT
      type Query @key(fields: "id") @federation__interfaceObject { id: ID @shareable }
      """
    #expect(codes(text).isEmpty)
    #expect(codes(text + " type A @external { a: Int }") == [.unknownDirective])
    #expect(codes("extend schema @link(url: 1) type Query { a: Int @key }") == [.invalidLink, .unknownDirective])
    let imports = { (list: String) in
      self.codes(#"extend schema @link(url: "https://a.b/c/v1.0", import: \#(list)) type Query { a: Int }"#)
    }
    #expect(imports(#"["@a", { name: "@b", as: "@c" }, "T"]"#).isEmpty)
    #expect(imports(#"["@a", { name: "@b", as: "@a" }]"#) == [.invalidLink])
    #expect(imports(#"[{ name: "@b", as: "c" }, 3, { as: "@d" }, null]"#) == Array(repeating: .invalidLink, count: 4))
    #expect(imports(#""@a""#) == [.invalidLink])
  }

  @Test("A schema that was made without checks is checked for types that are not there")
  func undefinedTypes() {
    let schema = Schema.build(from: [Source("type Query { a(b: Nope): Int, c: Nothing }")]).value
    #expect(SchemaValidator.check(schema).map(\.code) == [.unknownType, .unknownType])
    var options = SchemaValidator.Options()
    options.isLenient = true
    let result = SchemaValidator.validate([Source("type Query { a(b: Nope): Int, c: Nothing }")], options: options)
    #expect(result.diagnostics.map(\.message) == ["Unknown type \"Nope\".", "Unknown type \"Nothing\"."])
  }

  @Test("Long chains of required input objects need no deep stack, and their cycle is found")
  func inputChain() {
    let count = 10_000
    let chain = (0..<count).map { "input I\($0) { next: I\($0 + 1)!, deep: I\($0 + 1) }" }.joined(separator: "\n")
    let start = "type Query { a(b: I0): Int }\n\(chain)\n"
    #expect(codes(start + "input I\(count) { end: Int }").isEmpty)
    #expect(Set(codes(start + "input I\(count) { end: I0! }")) == [.inputObjectCycle])
  }
}
