import GraphQLSyntax
import GraphQLValidation

extension ExecutableSchema {
  /// Answers a request for any kind of operation. It parses and validates the document, and then executes it or
  /// subscribes to it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - rootValue: The source of the fields of the root type. The default is null.
  ///   - context: A value that is passed to all resolvers, such as the signed-in user.
  /// - Returns: One response, or the responses to a subscription.
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
            context: context, onError: request.onError ?? .propagate))
      }
      return .stream(
        try await subscribe(
          document, operationName: request.operationName, variables: request.variables, rootValue: rootValue,
          context: context, onError: request.onError ?? .propagate))
    } catch {
      return .result(ExecutionResult(error))
    }
  }

  /// Answers a request in JSON, `{"query": …, "operationName": …, "variables": …}`, with a response in JSON.
  ///
  /// If the request is wrong, the response has the errors. A subscription is an error as well, because it has many
  /// responses.
  ///
  /// - Parameters:
  ///   - json: The request, in UTF-8.
  ///   - rootValue: The source of the fields of the root type. The default is null.
  ///   - context: A value that is passed to all resolvers, such as the signed-in user.
  /// - Returns: The response, in UTF-8.
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
    var parserOptions = Parser.Options(), options = Validator.Options()
    parserOptions.maximumTokens = limits.maximumTokens
    parserOptions.maximumComments = limits.maximumComments
    parserOptions.maximumLength = limits.maximumLength
    parserOptions.maximumDepth = limits.maximumDepth
    options.maximumDepth = limits.maximumDepth
    let parsed = Parser.parse(source, options: parserOptions)
    try check(parsed.diagnostics, source)
    try check(Validator.validate(parsed.value, against: schema, options: options).diagnostics, source)
    let errors = ScalarLiteralCheck.errors(in: parsed.value, coercion)
    if !errors.isEmpty { throw RequestError(errors.located(in: source)) }
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
