import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import Testing

/// A schema of a test with its resolvers.
func makeAPI(
  _ definitions: String, resolvers: [String: ExecutableSchema.Resolver] = [:],
  subscriptions: [String: ExecutableSchema.Subscriber] = [:],
  typeResolvers: [String: ExecutableSchema.TypeResolver] = [:], scalars: [String: ScalarCoercion] = [:]
) throws -> ExecutableSchema {
  try ExecutableSchema(
    try Schema.build(from: [Source(definitions, name: "schema")]).get(), resolvers: resolvers,
    subscriptions: subscriptions, typeResolvers: typeResolvers, scalars: scalars)
}

extension ExecutableSchema {
  /// Executes a text without validating it.
  func run(
    _ query: String, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    rootValue: GraphQLValue = .null
  ) async throws -> ExecutionResult {
    let document = try Parser.parse(query).get()
    return await execute(document, operationName: operationName, variables: variables, rootValue: rootValue)
  }
}

extension ExecutionResult {
  var messages: [String] { errors.map(\.message) }
  var text: String { String(decoding: json, as: UTF8.self) }
}

/// Counts, and lets many wait until all of them are there.
actor Meeting {
  private let size: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of size: Int) { self.size = size }

  func join() async {
    if waiting.count + 1 == size {
      for continuation in waiting { continuation.resume() }
      waiting = []
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}

/// What happened, in order.
actor Log {
  private(set) var entries: [String] = []
  func append(_ entry: String) { entries.append(entry) }
}
