import ApolloCodegenLib
import GraphQLSyntax
import Testing

@Suite("Types for the scalars of the specification") struct NumberMappingTests {
  static let files = [
    "schema.graphqls": """
    type Query { a(i: In): A! }
    type A @typePolicy(keyFields: "id") { n: Int!, x: Float!, on: Boolean!, id: ID!, name: String! }
    input In { small: Int! = 200, large: Int! = 300, negative: Int! = -1, id: ID! = "a" }
    scalar Date
    """,
    "A.graphql": """
    query A($small: Int! = 200, $large: Int! = 300, $negative: Int = -1, $id: ID! = "a", $i: In = { small: 1, large: 400 }) {
      a(i: { small: $small, large: $large, negative: $negative, id: $id }) { n x on id name }
      b: a(i: $i) { n }
    }
    """,
  ]

  func texts(_ scalars: String) throws -> (operation: String, schema: String, mock: String) {
    let folder = try TemporaryFolder(Self.files)
    try folder.write(ConfigurationTests.minimal(options: #"{ "customScalars": \#(scalars) }"#), to: "config.json")
    let (configuration, messages) = ConfigurationTests.read(try folder.text("config.json"))
    #expect(messages == "")
    var value = try #require(configuration)
    value.output.path = "out"
    value.output.testMocks = .absolute(path: "mocks", accessLevel: .internal)
    #expect(ApolloCodegen(value, root: folder.url).generate().diagnostics.isEmpty)
    return (
      try folder.text("out/Operations/A.graphql.swift"), try folder.text("out/Schema/Schema.graphql.swift"),
      try folder.text("mocks/A+Mock.graphql.swift")
    )
  }

  @Test("A default that the type cannot hold has to be given; what is left out of an object is the server's")
  func defaults() throws {
    let (operation, schema, mock) = try texts(#"{ "Int": "UInt8", "Float": "Float" }"#)
    #expect(operation.contains("small: UInt8 = 200"))
    #expect(operation.contains("large: UInt8,"))
    #expect(operation.contains("negative: GraphQLNullable<UInt8> = .none"))
    #expect(operation.contains(#"id: String = "a""#))
    #expect(operation.contains("i: GraphQLNullable<In> = .none"))
    #expect(schema.contains("public var small: UInt8?"))
    #expect(mock.contains(#"let n = MockField<UInt8>("n", default: 0)"#))
    #expect(mock.contains(#"let x = MockField<Float>("x", default: 0)"#))
  }

  @Test("A type can be that of variables and input fields only, as Int32 in releases 2.x of Apollo iOS")
  func inputOnly() throws {
    let (operation, schema, mock) = try texts(#"{ "Int": { "type": "Int32", "isInputOnly": true } }"#)
    #expect(operation.contains("small: Int32 = 200") && operation.contains("negative: GraphQLNullable<Int32> = "))
    #expect(schema.contains("public var small: Int32?"))
    #expect(operation.contains("public var n: Int") && !operation.contains("public var n: Int32"))
    #expect(mock.contains(#"let n = MockField<Int>("n", default: 0)"#))
  }

  @Test("A scalar of the schema has one type: that it should be one for inputs only has no effect, which is a warning")
  func inputOnlyOfSchema() throws {
    let folder = try TemporaryFolder(Self.files)
    let report = folder.generate { $0.rendering.customScalars = ["Date": .init(type: "Day", isInputOnly: true)] }
    let warnings = report.diagnostics.filter { $0.severity == .warning }.map(\.message)
    let expected = "\"options.customScalars.Date.isInputOnly\" has no effect."
    #expect(warnings.contains { $0.hasPrefix(expected) }, "\(warnings)")
  }

  @Test("A type of another module is imported, and has no literals")
  func otherTypes() throws {
    let (operation, schema, mock) = try texts(
      #"{ "ID": { "type": "UUID", "module": "Foundation" }, "Float": { "type": "CGFloat", "module": "Foundation" } }"#)
    #expect(operation.contains("public import Foundation\n") && schema.contains("public import Foundation\n"))
    #expect(operation.contains("public var id: UUID") && operation.contains("id: UUID,"))
    #expect(operation.contains("public var x: CGFloat"))
    #expect(mock.contains(#"let id = MockField<UUID>("id", default: nil)"#) && mock.contains("import Foundation\n"))
  }

  @Test("A type that is sent as a string is a warning at its place", arguments: ["Float", "Int"])
  func text(scalar: String) throws {
    let folder = try TemporaryFolder(Self.files)
    let options = #"{ "customScalars": { "\#(scalar)": { "type": "Decimal", "module": "Foundation" } } }"#
    let source = Source(ConfigurationTests.minimal(options: options), name: "config.json")
    let configuration = try #require(ApolloCodegenConfiguration.read(source).value)
    let report = ApolloCodegen(configuration, root: folder.url).validate()
    let warnings = report.diagnostics.filter { $0.code == .invalidConfiguration }
    #expect(warnings.map(\.severity) == [.warning] && warnings.map(\.span.source) == [source.id])
    #expect(warnings.first?.message.contains("\"options.customScalars.\(scalar)\" is \"Decimal\"") == true)
  }
}
