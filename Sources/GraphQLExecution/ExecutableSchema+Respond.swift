import GraphQLSyntax
import GraphQLValidation

extension ExecutableSchema {
  /// Answers a request of any kind: parses and validates its document, then executes it or subscribes to it.
  ///
  /// - Parameters:
  ///   - rootValue: The source of the fields of the root type.
  ///   - context: Passed to all resolvers.
  public func respond(
    to request: ExecutionRequest, rootValue: GraphQLValue = .null, context: any Sendable = ()
  ) async -> ExecutionResponse {
    do throws(RequestError) {
      let document = try validDocument(request.query)
      let operation = try PreparedOperation.operation(of: document, named: request.operationName)
      guard operation.operation == .subscription else {
        return .result(
          await execute(
            document, operationName: request.operationName, variables: request.variables, rootValue: rootValue,
            context: context))
      }
      return .stream(
        try await subscribe(
          document, operationName: request.operationName, variables: request.variables, rootValue: rootValue,
          context: context))
    } catch {
      return .result(ExecutionResult(error))
    }
  }

  /// Answers a request in JSON, `{"query": …, "operationName": …, "variables": …}`, with a response in JSON.
  ///
  /// Whatever is wrong with the request is an error in the response. So is a subscription: it has many responses.
  ///
  /// - Parameters: As of `respond(to:)`.
  public func respond(
    toJSON json: some Collection<UInt8>, rootValue: GraphQLValue = .null, context: any Sendable = ()
  ) async -> [UInt8] {
    let request: ExecutionRequest
    do throws(RequestError) {
      request = try ExecutionRequest(json: json)
    } catch {
      return ExecutionResult(error).json
    }
    switch await respond(to: request, rootValue: rootValue, context: context) {
    case .result(let result): return result.json
    case .stream:
      let error = ExecutionError("A subscription has many responses: it cannot be answered with one.")
      return ExecutionResult(RequestError(error)).json
    }
  }

  private func validDocument(_ query: String) throws(RequestError) -> Document {
    let source = Source(query)
    let parsed = Parser.parse(source)
    try check(parsed.diagnostics, source)
    try check(Validator.validate(parsed.value, against: schema).diagnostics, source)
    return parsed.value
  }

  private func check(_ diagnostics: [Diagnostic], _ source: Source) throws(RequestError) {
    let errors = diagnostics.filter { $0.severity == .error }.map { diagnostic in
      var error = ExecutionError(diagnostic.fullMessage)
      error.spans = ([diagnostic.span] + diagnostic.labels.map(\.span)).sorted { $0.start < $1.start }
      return error
    }
    if !errors.isEmpty { throw RequestError(errors.located(in: source)) }
  }
}
