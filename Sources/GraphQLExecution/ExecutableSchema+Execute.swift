public import GraphQLSyntax

extension ExecutableSchema {
  /// Executes a query or a mutation. Fields of a query are resolved at once, those of a mutation one after another.
  /// — [spec](https://spec.graphql.org/September2025/#ExecuteRequest())
  ///
  /// - Parameters:
  ///   - document: Should be valid. What validation would refuse yields errors or is left out of the response.
  ///   - operationName: `nil` chooses the only operation.
  ///   - variables: As the client sent them.
  ///   - rootValue: The source of the fields of the root type.
  ///   - context: Passed to all resolvers.
  public func execute(
    _ document: Document, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    rootValue: GraphQLValue = .null, context: any Sendable = ()
  ) async -> ExecutionResult {
    do throws(RequestError) {
      let operation = try PreparedOperation(
        document, operationName: operationName, variables: variables, coercion: coercion)
      return await Executor(api: self, operation: operation, context: context).execute(rootValue: rootValue)
    } catch {
      return ExecutionResult(error)
    }
  }

  /// Starts a subscription — [spec](https://spec.graphql.org/September2025/#Subscribe())
  ///
  /// - Parameters: As of `execute`.
  /// - Returns: One response for each event.
  /// - Throws: ``RequestError`` when there will be no events.
  public func subscribe(
    _ document: Document, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    rootValue: GraphQLValue = .null, context: any Sendable = ()
  ) async throws(RequestError) -> ResponseStream {
    let operation = try PreparedOperation(
      document, operationName: operationName, variables: variables, coercion: coercion)
    let executor = Executor(api: self, operation: operation, context: context)
    do throws(ExecutionError) {
      return ResponseStream(events: try await executor.createEventStream(rootValue), executor: executor)
    } catch {
      throw RequestError([error].located(in: document.source))
    }
  }
}
