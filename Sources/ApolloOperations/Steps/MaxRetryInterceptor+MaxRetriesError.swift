public import ApolloTransport

extension MaxRetryInterceptor {
  /// The name of ``RetryError`` in Apollo iOS 2.
  public typealias MaxRetriesError = RetryError
}

extension MaxRetryInterceptor.RetryError {
  /// How often the operation was tried again.
  public var count: Int {
    switch self {
    case .hitMaxRetryCount(let count, _): count
    }
  }
}

extension ApolloError where Self == MaxRetryInterceptor.RetryError {
  /// The name of the operation that failed, which this error always knows.
  public var operationName: String? { .some(operationName as String) }
}
