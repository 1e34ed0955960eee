import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Schema")
struct SchemaTests {
  private let schema = Schema.build(
    from: [
      Source(
        """
        interface Node { id: ID! }
        interface Named implements Node { id: ID!, name: String }
        type Dog implements Named & Node { id: ID!, name: String, barks: Boolean @deprecated }
        type Cat implements Node { id: ID!, lives(left: Int = 9): Int }
        union Pet = Dog | Cat
        enum Color { RED GREEN @deprecated(reason: "blind") }
        input Filter @oneOf { color: Color, id: ID }
        scalar Date @specifiedBy(url: "https://date") @mapped(to: "Foundation.Date")
        directive @mapped(to: String!) on SCALAR
        type Query { pet(filter: Filter): Pet, node: Node }
        """, name: "a.graphql"),
      Source(
        "extend type Query { today: Date } extend enum Color { BLUE } extend union Pet = Fish type Fish { id: ID }",
        name: "b.graphql"),
    ]
  ).value

  private func type(_ name: String) -> NamedType { schema.type(named: name).unsafelyUnwrapped }

  @Test("Extensions of other files are merged in")
  func extensions() {
    #expect(schema.queryType?.fields.map(\.name.value) == ["pet", "node", "today"])
    guard case .enum(let color) = type("Color") else {
      Issue.record("no enum")
      return
    }
    #expect(color.values.map(\.name.value) == ["RED", "GREEN", "BLUE"])
    #expect(color.values["GREEN"]?.deprecationReason == "blind")
    #expect(color.values["RED"]?.isDeprecated == false)
    #expect(schema.object(named: "Dog")?.fields["barks"]?.deprecationReason == "No longer supported")
  }

  @Test("Possible types, subtypes and implementations follow the definitions")
  func relations() {
    #expect(schema.possibleTypes(of: type("Pet")).map(\.name) == ["Dog", "Cat", "Fish"])
    #expect(schema.possibleTypes(of: type("Node")).map(\.name) == ["Dog", "Cat"])
    #expect(schema.possibleTypes(of: type("Dog")).map(\.name) == ["Dog"])
    #expect(schema.isSubtype("Named", of: "Node"))
    #expect(!schema.isSubtype("Node", of: "Named"))
    #expect(schema.isPossibleType("Fish", of: type("Pet")))
    #expect(!schema.isPossibleType("Fish", of: type("Node")))
    #expect(schema.haveCommonPossibleType(type("Pet"), type("Named")))
    #expect(!schema.haveCommonPossibleType(type("Fish"), type("Node")))
    guard case .interface(let node) = type("Node") else {
      Issue.record("no interface")
      return
    }
    #expect(schema.implementations(of: node).map(\.name) == ["Named", "Dog", "Cat"])
  }

  @Test("Meta-fields are there where they can be selected")
  func metaFields() {
    #expect(schema.field(named: "__typename", on: type("Pet"))?.type.description == "String!")
    #expect(schema.field(named: "__schema", on: type("Query")) != nil)
    #expect(schema.field(named: "__schema", on: type("Dog")) == nil)
    #expect(schema.field(named: "__typename", on: type("Color")) == nil)
  }

  @Test("Applied directives and specific properties can be read")
  func directives() {
    guard case .scalar(let date) = type("Date"), case .inputObject(let filter) = type("Filter") else {
      Issue.record("no scalar or input object")
      return
    }
    #expect(date.specifiedByURL == "https://date")
    #expect(date.directives.first(named: "mapped")?.argument("to") == Value(.string(StringValue("Foundation.Date"))))
    #expect(filter.isOneOf)
    #expect(schema.directive(named: "include")?.arguments.first?.isRequired == true)
    #expect(schema.directive(named: "mapped") != nil)
  }

  @Test("A built-in scalar that nothing refers to is not in the schema")
  func unreferencedScalars() {
    #expect(schema.type(named: "Float") == nil)
    #expect(schema.type(named: "Int") != nil)
    #expect(Schema.isBuiltIn(typeNamed: "Float"))
    #expect(schema.allTypes.map(\.name).prefix(5) == ["Node", "ID", "Named", "String", "Dog"])
  }

  @Test("Of two definitions the first is kept, and both places are named")
  func duplicates() {
    let first = Source("type Query { a: Int }", name: "first.graphql")
    let second = Source(
      "type Query { b: Int } extend type Missing { c: Int } extend enum Query { D }", name: "second.graphql")
    let built = Schema.build(from: [first, second])
    #expect(built.value.queryType?.fields.map(\.name.value) == ["a"])
    #expect(built.diagnostics.map(\.code) == [.duplicateType, .undefinedExtension, .mismatchedExtension])
    #expect(built.diagnostics[0].span.source == second.id)
    #expect(built.diagnostics[0].labels.first?.span.source == first.id)
    #expect(!Schema.build(from: [first, second], isLenient: true).hasErrors)
  }

  @Test("Root types can have other names, and be added by an extension")
  func rootTypes() {
    let built = Schema.build(
      from: [
        Source(
          "schema { query: Q } extend schema { mutation: M } type Q { a: Int } type M { b: Int } type Mutation { c: Int }"
        )
      ]
    ).value
    #expect(built.queryType?.name == "Q")
    #expect(built.mutationType?.name == "M")
    #expect(built.rootType(for: .subscription) == nil)
  }

  @Test("A schema survives its own document, its introspection, and printing")
  func roundTrips() {
    #expect(Schema.build(from: [schema.document]).value.document == schema.document)
    let text = SchemaPrinter.print(schema)
    #expect(SchemaPrinter.print(Schema.build(from: [Source(text)]).value) == text)
    let introspected = Schema.build(fromIntrospection: schema.introspection())
    #expect(introspected.diagnostics.isEmpty)
    #expect(introspected.value.map { SchemaPrinter.print($0) } == text)
  }

  @Test("A chain of twenty thousand types needs no deep stack")
  func longChains() {
    let count = 20_000
    let types = (0..<count).map { "type T\($0) { next: T\($0 + 1) }" }.joined(separator: "\n")
    let built = Schema.build(from: [Source("type Query { first: T0 }\n\(types)\ntype T\(count) { end: Int }")]).value
    #expect(built.allTypes.count == count + 2 + 2 + 1 + 8)
  }
}

@Suite("Introspection")
struct IntrospectionTests {
  @Test(
    "JSON that is not an answer to an introspection query is an error that says why",
    arguments: [
      JSONNode.null,
      .object([:]),
      .object(["__schema": .object([:])]),
      .object(["__schema": .object(["types": .array([.null])])]),
      .object(["__schema": .object(["types": .array([.object(["name": .string("A"), "kind": .string("NONE")])])])]),
      .object(["__schema": .object(["types": .array([]), "queryType": .object(["name": .string("Missing")])])]),
    ])
  func invalid(value: JSONNode) {
    let built = Schema.build(fromIntrospection: value)
    #expect(built.value == nil)
    #expect(!built.diagnostics.isEmpty)
    #expect(
      built.diagnostics.allSatisfy {
        $0.code == .invalidIntrospection && $0.message.contains("ntrospection") || $0.message.contains("unknown type")
      })
  }

  @Test("A schema in SDL that spells out the introspection types does not change them")
  func introspectionTypes() {
    let schema = Schema.build(from: [
      Source("type Query { a: Int } type __Type { nothing: Int } enum __TypeKind { NOTHING }")
    ]).value
    #expect(schema.object(named: "__Type")?.fields["kind"] != nil)
    #expect(schema.object(named: "__Type")?.fields["nothing"] == nil)
    #expect(schema.definedTypes.map(\.name) == ["Query"])
    #expect(SchemaPrinter.print(schema) == "type Query {\n  a: Int\n}")
  }

  @Test("Introspection is read with its envelope, its data, or the schema alone")
  func envelope() {
    let schema = Schema.build(from: [Source("type Query { a: Int }")]).value
    guard let data = schema.introspection().object, let inner = data["__schema"] else {
      Issue.record("no introspection")
      return
    }
    for value in [.object(["data": .object(data), "errors": .null]), .object(data), inner] as [JSONNode] {
      #expect(
        Schema.build(fromIntrospection: value).value.map { SchemaPrinter.print($0) } == "type Query {\n  a: Int\n}")
    }
    #expect(Schema.build(fromIntrospection: .object(["data": .null])).value == nil)
  }

  @Test("A type that is wrapped too often is an error")
  func deepType() {
    var type: JSONNode = .object(["kind": .string("SCALAR"), "name": .string("Int")])
    for _ in 0..<1_000 { type = .object(["kind": .string("LIST"), "ofType": type]) }
    let field: JSONNode = .object(["name": .string("a"), "args": .array([]), "type": type])
    let query: JSONNode = .object([
      "kind": .string("OBJECT"), "name": .string("Query"), "fields": .array([field]), "interfaces": .array([]),
    ])
    let built = Schema.build(
      fromIntrospection: .object([
        "__schema": .object(["types": .array([query]), "queryType": .object(["name": .string("Query")])])
      ]))
    #expect(built.diagnostics.contains { $0.message.contains("nested more than 256 levels") })
  }

  @Test("The query asks for no more than it is told to")
  func query() {
    #expect(!IntrospectionQuery().text.contains("isOneOf"))
    #expect(IntrospectionQuery.full.text.contains("isOneOf"))
    #expect(Parser.parse(IntrospectionQuery.full.text).diagnostics.isEmpty)
  }
}
