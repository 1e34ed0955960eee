/// What a server answers to a request.
public enum ExecutionResponse: Sendable {
  /// To a query or a mutation, and to any request that could not be executed.
  case result(ExecutionResult)
  /// To a subscription.
  case stream(ResponseStream)
}
