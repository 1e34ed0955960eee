import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("The draft of the next edition: type systems")
struct DraftTests {
  private static let sdl = """
    type Query { a: Int }
    directive @old @deprecated(reason: "Use @new.") on FIELD
    directive @new on FIELD
    extend directive @new @deprecated
    """

  private func directives(_ schema: Schema, _ query: IntrospectionQuery = .full) -> [JSONNode] {
    schema.introspection(answering: query)["__schema"]?["directives"]?.array ?? []
  }

  @Test("Directives can be deprecated, also by an extension, and introspection says so")
  func deprecation() {
    let schema = Schema.build(from: [Source(Self.sdl)])
    #expect(schema.diagnostics.isEmpty)
    #expect(schema.value.directive(named: "old")?.deprecationReason == "Use @new.")
    #expect(schema.value.directive(named: "new")?.deprecationReason == "No longer supported")
    let old = directives(schema.value).first { $0["name"]?.string == "old" }
    #expect(old?["isDeprecated"]?.boolean == true)
    #expect(old?["deprecationReason"]?.string == "Use @new.")
    // A server that is not asked for them does not name what is deprecated.
    var query = IntrospectionQuery.full
    query.directiveDeprecation = false
    let names = directives(schema.value, query).compactMap { $0["name"]?.string }
    #expect(!names.contains("old") && names.contains("skip"))
  }

  @Test("Deprecated arguments of directives can be left out where those of fields are asked for")
  func directiveArguments() {
    let schema = Schema.build(from: [
      Source("type Query { a(old: Int @deprecated): Int } directive @new(old: Int @deprecated) on FIELD")
    ]).value
    func arguments(_ query: IntrospectionQuery) -> [Int?] {
      let answer = schema.introspection(answering: query)["__schema"]
      let directive = answer?["directives"]?.array?.first { $0["name"]?.string == "new" }
      let type = answer?["types"]?.array?.first { $0["name"]?.string == "Query" }
      return [directive?["args"]?.array?.count, type?["fields"]?.array?.first?["args"]?.array?.count]
    }
    var query = IntrospectionQuery.full
    #expect(arguments(query) == [1, 1])
    query.directiveArgumentDeprecation = false
    #expect(arguments(query) == [0, 1])
    #expect(query.text.split(separator: "args(includeDeprecated: true)").count == 2)
    query.inputValueDeprecation = false
    #expect(arguments(query) == [0, 0])
  }

  @Test("What introspection says of a schema makes the same schema")
  func roundTrip() {
    let schema = Schema.build(from: [Source(Self.sdl)]).value
    let read = Schema.build(fromIntrospection: schema.introspection())
    #expect(read.diagnostics.isEmpty)
    #expect(read.value.map { SchemaPrinter.print($0) } == SchemaPrinter.print(schema))
    #expect(SchemaPrinter.print(schema).contains("directive @new @deprecated on FIELD"))
  }

  @Test("An edition decides what is built in")
  func editions() {
    let text = "type Query { a: Int }"
    let documents = [Parser.parse(text).value]
    let field = { (schema: Schema) in schema.object(named: "__Directive")?.fields["isDeprecated"] }
    #expect(field(Schema.build(from: documents).value) != nil)
    let older = Schema.build(from: documents, edition: .september2025).value
    #expect(field(older) == nil)
    #expect(field(older.extended(with: [Parser.parse("extend type Query { b: Int }").value]).value) == nil)
    let locations = older.directive(named: "deprecated")?.locations
    #expect(locations?.contains(.directiveDefinition) == false)
  }

  @Test("An extension of a directive that is not defined is an error at its name")
  func undefined() {
    let source = Source("type Query { a: Int }\nextend directive @nope @deprecated")
    let result = Schema.build(from: [source])
    #expect(result.diagnostics.map(\.code) == [.undefinedExtension])
    #expect(result.diagnostics.first.map { source.text(from: Int($0.span.start), to: Int($0.span.end)) } == "nope")
  }

  @Test("The query has what it is asked for, at the depth it is asked for")
  func query() {
    var query = IntrospectionQuery()
    query.typeDepth = 0
    #expect(!query.text.contains("ofType"))
    query.typeDepth = 3
    #expect(query.text.split(separator: "ofType").count == 4)
    query.typeDepth = .max
    #expect(query.text.split(separator: "ofType").count == 101)
    #expect(Parser.parse(IntrospectionQuery.full.text).diagnostics.isEmpty)
  }

  @Test("Field extensions add directives to fields, if they are allowed")
  func fieldExtensions() {
    let text = """
      type Query { a: Int @x b: Int }
      extend type Query { a: Int @y(n: 1) c: Int }
      extend interface Node { id: ID @y(n: 2) }
      interface Node { id: ID }
      directive @x on FIELD_DEFINITION
      directive @y(n: Int) on FIELD_DEFINITION
      """
    let documents = [Parser.parse(text).value]
    let allowed = Schema.build(from: documents, allowsFieldExtensions: true).value
    let fields = allowed.queryType?.fields.map { ($0.name.value, $0.directives.map(\.name.value)) } ?? []
    #expect(fields.map(\.0) == ["a", "b", "c"])
    #expect(fields.map(\.1) == [["x", "y"], [], []])
    #expect(allowed.type(named: "Node")?.fields?["id"]?.directives.map(\.name.value) == ["y"])
    #expect(Schema.build(from: documents).value.queryType?.fields["a"]?.directives.map(\.name.value) == ["x"])
  }
}
