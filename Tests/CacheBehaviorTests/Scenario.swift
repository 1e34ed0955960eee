@testable import ApolloAPI
@testable import ApolloCache
import ApolloCodegenLib
import ApolloIR
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import StyledTests

/// A store, and operations as text, which are read as generated code would read them.
struct Scenario {
  var store: ApolloStore
  /// What the app says of its schema; nil, the default: nothing.
  var metadata: (any SchemaMetadata.Type)?
  private let schema: Validated<Schema>

  private let configuration: ApolloCodegenConfiguration

  init(
    _ schema: String, maxAgeRule: RenderingOptions.MaxAgeRule = .mostSpecific,
    cache: any NormalizedCache = InMemoryNormalizedCache()
  ) throws {
    store = ApolloStore(cache: cache)
    var configuration = ApolloCodegenConfiguration()
    configuration.rendering.maxAgeRule = maxAgeRule
    self.configuration = configuration
    let result = Pipeline.schema(from: [Source(schema, name: "schema.graphqls")])
    guard let schema = result.value else {
      throw CaseMaker.Unexpected(description: "\(result.diagnostics.map(\.message))")
    }
    self.schema = schema
  }

  func prepare(_ text: String, _ variables: GraphQLValue.Object = [:]) throws -> ModelQuery<First> {
    let document = Pipeline.document(
      from: [Source(text, name: "Test.graphql")], schema: schema, configuration: configuration)
    guard let value = document.value else {
      throw CaseMaker.Unexpected(description: "\(document.diagnostics.map(\.message))")
    }
    let program = Program(lowering: value, schema: schema.value)
    let builder = ModelPlanBuilder(
      program, schema: schema.value, isLowestOnPath: configuration.rendering.maxAgeRule == .lowestOnPath)
    First.schema = metadata
    First.plan = program.operations.first.map { builder.plan($0.shape) }
    return ModelQuery<First>(variables: Variables(variables))
  }

  /// Writes the `data` of a response, with errors if there are some.
  func write(
    _ query: String, _ data: String, errors: String? = nil, _ variables: GraphQLValue.Object = [:]
  ) async throws {
    let query = try prepare(query, variables)
    let body = #"{"data":\#(data)"# + (errors.map { #","errors":\#($0)"# } ?? "") + "}"
    try await store.write(response: ResponseBytes(Array(body.restyled.utf8)), for: query)
  }

  /// The data that the cache has for a query, as JSON.
  func read(_ query: String, _ variables: GraphQLValue.Object = [:]) async throws -> String {
    var writer = __JSONWriter()
    try await store.load(try prepare(query, variables)).__write(to: &writer)
    return writer.text
  }

  func errors(_ query: String, _ variables: GraphQLValue.Object = [:]) async throws -> [GraphQLError] {
    await store.read(try prepare(query, variables)).errors
  }

  /// Why the cache cannot answer a query.
  func miss(_ query: String, _ variables: GraphQLValue.Object = [:]) async throws -> ResponseDecodingError? {
    let reading = await store.read(try prepare(query, variables))
    guard case .failure(let error) = reading.data else { return nil }
    return error
  }

  /// The names of the fields of a record.
  func fields(of key: CacheKey = "QUERY_ROOT") -> [String] {
    let table = store.engine.table
    guard let number = table.records.number(of: key), let record = table[number] else { return [] }
    return record.fields.map { table.records.text(of: $0.key) }.sorted()
  }
}
