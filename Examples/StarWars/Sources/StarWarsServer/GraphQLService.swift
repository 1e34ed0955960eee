import GraphQLExecution

/// What both transports hand their requests to.
actor GraphQLService {
  private let api: ExecutableSchema
  /// How many operations have been executed.
  private(set) var requestCount = 0

  init(_ api: ExecutableSchema) { self.api = api }

  func respond(to request: ExecutionRequest) async -> ExecutionResponse {
    requestCount += 1
    return await api.respond(to: request)
  }
}
