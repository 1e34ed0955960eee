import ApolloCodegenLib
import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// An editor, which knows only what is declared, takes what the generator takes.
@Suite("Directives for editors") struct EditorDirectiveTests {
  private static let schema = """
    schema { query: Query }
    type Query { name: String, hero: Hero }
    type Hero { id: ID!, name: String }

    """
  private static let extensions = """
    extend schema @catchByDefault(to: NULL)
    extend type Hero @typePolicy(keyFields: "id") @cacheControl(maxAge: 60)
    """

  private static func declarations(_ schema: String) throws -> String {
    let source = Source(schema, name: "schema.graphqls")
    return ClientDefinitions.textForEditors(try #require(Pipeline.schema(from: [source]).value).value, of: source)
  }

  @Test(
    "Directives on fields and operations are declared, also those that a schema has as well",
    arguments: ["", "enum CacheControlScope { PUBLIC PRIVATE }\n"])
  func declared(own: String) throws {
    let texts = [Self.schema + own, Self.extensions, try Self.declarations(Self.schema + own)]
    let documents = texts.enumerated().map { Parser.parse($0.element, name: "\($0.offset).graphqls") }
    #expect(documents.flatMap(\.diagnostics) == [])
    let checked = SchemaValidator.validate(documents.map(\.value))
    #expect(checked.diagnostics.filter { $0.severity == .error }.map(\.fullMessage) == [])
    let operation = Parser.parse(
      """
      query Q @catchByDefault(to: THROW) {
        name @catch(to: RESULT) @cacheControl(maxAge: 60, scope: PRIVATE)
        hero @required(action: NONE) { name }
      }
      """, name: "Q.graphql")
    let validated = Validator.validate(
      operation.value, against: Schema.build(from: documents.map(\.value)).value, options: Validator.Options())
    #expect(validated.diagnostics.map(\.fullMessage) == [])
  }

  @Test("A directive that the schema declares itself is not declared again")
  func own() throws {
    let text = try Self.declarations(Self.schema + "directive @catch on FIELD\n")
    #expect(!text.contains("directive @catch(") && text.contains("directive @catchByDefault("))
  }
}
