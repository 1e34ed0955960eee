public import ApolloAPI
public import ApolloCache
public import GraphQLExecution

extension MockSchema {
  /// Executes a query or a mutation.
  ///
  /// - Parameters:
  ///   - query: The text of the document.
  ///   - operationName: The operation to execute. nil, the default: the only one.
  ///   - variables: The variables. The default is none.
  /// - Returns: The response. What is wrong with the request is in its errors.
  public func execute(
    _ query: String, operationName: String? = nil, variables: GraphQLValue.Object = [:]
  ) async -> ExecutionResult {
    let request = ExecutionRequest(query: query, operationName: operationName, variables: variables)
    switch await respond(to: request) {
    case .result(let result): return result
    case .stream:
      return ExecutionResult(
        data: nil, errors: [ExecutionError("A subscription has many responses: use respond(to:), or a client.")])
    }
  }

  /// Answers a request for any kind of operation.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - clock: The clock of latencies, and of subscriptions that emit by themselves. The default is that of the device.
  /// - Returns: One response, or the responses to a subscription. What is wrong with the request is in its errors.
  public func respond(to request: ExecutionRequest, clock: any ClientClock = .system) async -> ExecutionResponse {
    do {
      return await respond(to: request, clock, by: try engine())
    } catch {
      return .result(ExecutionResult(data: nil, errors: [ExecutionError("\(error)")]))
    }
  }

  private func respond(
    to request: ExecutionRequest, _ clock: any ClientClock, by engine: MockEngine
  ) async -> ExecutionResponse {
    await engine.api.respond(to: request, context: MockCall(clock: clock))
  }

  /// The parts of the response to an operation with `@defer`, as JSON; nil if the operation has none.
  func parts(of request: ExecutionRequest, clock: any ClientClock) async -> [[UInt8]]? {
    guard var deferred = DeferredParts(request, facts.schema) else { return nil }
    let response = await respond(to: deferred.whole(request), clock: clock)
    guard case .result(let result) = response, result.data != nil else { return nil }
    return deferred.parts(of: result)
  }

  /// The data of an operation, as a client would be given it.
  ///
  ///     let data = try await schema.data(for: HeroQuery()) { $0.hero?.name = "Leia" }
  ///
  /// - Parameters:
  ///   - operation: The operation, with its variables.
  ///   - change: Changes the data. By default nothing is changed.
  /// - Returns: The data.
  /// - Throws: ``MockSchemaError`` if the response has errors, for example because the operation does not fit the schema; or
  ///   `ResponseDecodingError` if the data does not fit the generated code.
  public nonisolated(nonsending) func data<Operation: GraphQLOperation>(
    for operation: Operation, _ change: (inout Operation.Data) throws -> Void = { _ in }
  ) async throws -> Operation.Data {
    let result = try await result(of: operation)
    guard result.errors.isEmpty, let value = result.data, !value.isNull else {
      let messages = result.errors.map { error in error.message }
      throw MockSchemaError(
        "\(Operation.operationName) has no data:\n" + messages.joined(separator: "\n"))
    }
    let model = try ResponseReader.model(Operation.Data.self, variables: operation.variables) {
      $0.writeRaw(value.json)
    }
    guard var data = model else { throw JSONDecodingError.nullValue }
    try change(&data)
    return data
  }

  private func result<Operation: GraphQLOperation>(of operation: Operation) async throws -> ExecutionResult {
    var writer = __JSONWriter()
    operation.variables.__write(to: &writer)
    let variables = try GraphQLValue(json: writer.bytes).object ?? [:]
    let request = ExecutionRequest(
      query: Operation.operationDocument.text, operationName: Operation.operationName, variables: variables)
    switch await respond(to: request) {
    case .result(let result): return result
    case .stream:
      throw MockSchemaError("\(Operation.operationName) is a subscription: publish an event to it.")
    }
  }
}

extension GraphQLOperation {
  /// Made-up data of this operation, for tests and previews.
  ///
  ///     let data = try await HeroQuery().fake(schema) { $0.hero?.name = "Leia" }
  ///
  /// - Parameters:
  ///   - schema: Makes the data. It is the data that a client would be given by it.
  ///   - change: Changes the data. By default nothing is changed.
  /// - Returns: The data.
  /// - Throws: ``MockSchemaError`` if the operation does not fit the schema, or a field of it fails.
  public nonisolated(nonsending) func fake(
    _ schema: MockSchema, _ change: (inout Data) throws -> Void = { _ in }
  ) async throws -> Data {
    try await schema.data(for: self, change)
  }
}
