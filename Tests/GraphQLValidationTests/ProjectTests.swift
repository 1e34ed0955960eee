import Foundation
import GraphQLConformance
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Schemas and operations of public applications.
@Suite("Real projects", .enabled(if: Shared.isPresent, "the reference material is not there"))
struct ProjectTests {
  private static let clientDirectives = """
    directive @apollo_client_ios_localCacheMutation on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    """

  private static func files(in folder: URL) throws -> [URL] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    return names.filter { $0.hasSuffix(".graphql") || $0.hasSuffix(".gql") }.map { folder.appendingPathComponent($0) }
  }

  private static func source(_ url: URL) throws -> Source {
    Source(utf8: try Data(contentsOf: url), name: url.lastPathComponent)
  }

  /// The schema, and what a lenient reading says about it.
  private static func schema(in folder: URL) throws -> (Schema?, [Diagnostic]) {
    let json = folder.appendingPathComponent("schema.json")
    if FileManager.default.fileExists(atPath: json.path) {
      let result = Schema.build(fromIntrospection: try JSONNode(parsing: Data(contentsOf: json)))
      return (result.value, result.diagnostics + (result.value.map { SchemaValidator.check($0) } ?? []))
    }
    var options = SchemaValidator.Options()
    options.isLenient = true
    let result = SchemaValidator.validate(
      [try source(folder.appendingPathComponent("schema.graphqls"))], options: options)
    #expect(!result.hasErrors, "\(result.diagnostics.filter { $0.severity == .error }.map(\.message))")
    return (result.value?.value, result.diagnostics)
  }

  @Test(
    "The schema of an application can be used, and has the defects that it is known for",
    arguments: [
      ("anilist-ios", []), ("buildkite-terraform", []), ("gitscope-github", []), ("graphqlswift-demo", []),
      ("kickstarter-android", [.invalidDefaultValue, .invalidDefaultValue, .invalidDefaultValue]), ("pkdb-hasura", []),
      ("rocketreserver-ios", []), ("saleor-storefront", []), ("shopify-mobilebuy-sample", [.invalidImplementation]),
      ("spotify-showcase-ios", []), ("swapi-graphiql-examples", []), ("tpu-mac", []),
    ] as [(String, [Diagnostic.Code])])
  func schemas(project: String, findings: [Diagnostic.Code]) throws {
    let folder = Shared.folder.appendingPathComponent("projects").appendingPathComponent(project)
    let (schema, diagnostics) = try Self.schema(in: folder)
    #expect(diagnostics.map(\.code) == findings, "\(diagnostics.map(\.fullMessage))")
    let text = SchemaPrinter.print(try #require(schema))
    #expect(SchemaPrinter.print(Schema.build(from: [Source(text)]).value) == text)
  }

  @Test(
    "The operations of an application are valid, apart from mistakes that its authors made",
    arguments: [
      "anilist-ios", "buildkite-terraform", "gitscope-github", "graphqlswift-demo", "kickstarter-android",
      "pkdb-hasura",
      "rocketreserver-ios", "saleor-storefront", "shopify-mobilebuy-sample", "spotify-showcase-ios",
      "swapi-graphiql-examples", "tpu-mac",
    ])
  func operations(project: String) throws {
    let folder = Shared.folder.appendingPathComponent("projects").appendingPathComponent(project)
    let schema = try #require(try Self.schema(in: folder).0)
    let documents = try Self.files(in: folder.appendingPathComponent("ops")).map { Parser.parse(try Self.source($0)) }
    #expect(!documents.isEmpty)
    #expect(documents.flatMap(\.diagnostics).isEmpty)
    var options = Validator.Options()
    options.remove(.noUnusedFragments)
    options.clientDefinitions = Parser.parse(Self.clientDirectives).value
    // Those of one page of a browser do not go together.
    let groups = project == "swapi-graphiql-examples" ? documents.map { [$0.value] } : [documents.map(\.value)]
    let diagnostics = groups.flatMap { Validator.validate($0, against: schema, options: options).diagnostics }
    let expected: [Diagnostic.Code] = project == "saleor-storefront" ? [.unknownField] : []
    #expect(diagnostics.map(\.code) == expected, "\(diagnostics.map(\.fullMessage))")
    for document in documents { #expect(Parser.parse(Printer.print(document.value)).value == document.value) }
  }

  @Test("GitHub's schema can be used although it breaks two rules, and is refused by a strict reading")
  func github() throws {
    let url = Shared.folder.appendingPathComponent("projects/_schemas/github-octokit.graphql")
    let source = try Self.source(url)
    #expect(
      SchemaValidator.validate([source]).diagnostics.map(\.code) == [.duplicateField, .duplicateField])
    var options = SchemaValidator.Options()
    options.isLenient = true
    let result = SchemaValidator.validate([source], options: options)
    #expect(Set(result.diagnostics.map(\.code)) == [.duplicateField, .invalidImplementation])
    let schema = try #require(result.value?.value)
    let text = SchemaPrinter.print(schema)
    #expect(SchemaPrinter.print(Schema.build(from: [Source(text)]).value) == text)
  }
}
