public import GraphQLSyntax

extension ExecutableSchema {
  /// Executes a query or a mutation. The fields of a query are resolved concurrently, those of a mutation one after
  /// another. — [spec](https://spec.graphql.org/September2025/#ExecuteRequest())
  ///
  /// - Parameters:
  ///   - document: The document, which should be valid. Parts that validation would refuse cause errors, or are left
  ///     out of the response.
  ///   - operationName: The operation to execute. nil, the default: the only operation.
  ///   - variables: The variables, as the client sent them. The default is none.
  ///   - rootValue: The source of the fields of the root type. The default is null.
  ///   - context: A value that is passed to all resolvers, such as the signed-in user.
  ///   - onError: What the errors of fields do. The default is to propagate them.
  /// - Returns: The response.
  public func execute(
    _ document: Document, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    rootValue: GraphQLValue = .null, context: any Sendable = (), onError: ErrorBehavior = .propagate
  ) async -> ExecutionResult {
    do throws(RequestError) {
      let operation = try PreparedOperation(
        document, operationName: operationName, variables: variables, for: self)
      return await Executor(api: self, operation: operation, context: context, onError: onError).execute(
        rootValue: rootValue)
    } catch {
      return ExecutionResult(error)
    }
  }

  /// Starts a subscription — [spec](https://spec.graphql.org/September2025/#Subscribe())
  ///
  /// - Parameters:
  ///   - document: The document, which should be valid.
  ///   - operationName: The operation to execute. nil, the default: the only operation.
  ///   - variables: The variables, as the client sent them. The default is none.
  ///   - rootValue: The source of the fields of the root type. The default is null.
  ///   - context: A value that is passed to all resolvers, such as the signed-in user.
  ///   - onError: What the errors of fields do. The default is to propagate them.
  /// - Returns: The responses, one for each event.
  /// - Throws: ``RequestError`` if there will be no events.
  public func subscribe(
    _ document: Document, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    rootValue: GraphQLValue = .null, context: any Sendable = (), onError: ErrorBehavior = .propagate
  ) async throws(RequestError) -> ResponseStream {
    let operation = try PreparedOperation(
      document, operationName: operationName, variables: variables, for: self)
    let executor = Executor(api: self, operation: operation, context: context, onError: onError)
    do throws(ExecutionError) {
      return ResponseStream(events: try await executor.createEventStream(rootValue), executor: executor)
    } catch {
      throw RequestError([error].located(in: document.source))
    }
  }
}
