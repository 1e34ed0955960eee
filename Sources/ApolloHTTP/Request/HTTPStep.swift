package import ApolloOperations
package import ApolloTransport
package import ApolloAPI

/// A step of an operation over HTTP.
package protocol HTTPStep: ChainStep {
  /// - Throws: The error that ends the operation, unless the chain's error interceptor recovers from it.
  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation>
}

extension HTTPStep {
  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    try await intercept(request: passage.overHTTP(for: Self.self), response: response?.asHTTP)
  }
}

extension OperationPassage {
  /// The operation as a request over HTTP, for an interceptor that needs one.
  package func overHTTP(for interceptor: Any.Type) throws -> HTTPRequest<Operation> {
    guard let request = asHTTP else {
      throw OperationError.onlyOverHTTP(interceptor, operationName: Operation.operationName)
    }
    return request
  }
}

extension OperationError {
  /// The error for code of an app that takes requests over HTTP, and stands in a chain for others.
  package static func onlyOverHTTP(_ interceptor: Any.Type, operationName: String) -> OperationError {
    OperationError(
      .configuration, "\(interceptor) is for operations over HTTP.", operationName: operationName)
  }
}
