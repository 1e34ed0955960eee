public import ApolloAPI

/// Fails an operation that was tried too often. It stands first in the chain, and so counts every start.
public final class MaxRetryInterceptor: AsyncInterceptor {
  public enum RetryError: ApolloError {
    case hitMaxRetryCount(count: Int, operationName: String)

    public var code: ApolloErrorCode { .retriesExhausted }

    public var message: String {
      switch self {
      case .hitMaxRetryCount(let count, _): "It was tried again \(count) times, and failed every time."
      }
    }

    public var operationName: String? {
      switch self {
      case .hitMaxRetryCount(_, let name): name
      }
    }
  }

  private let maxRetries: Int
  private let starts = Locked(0)

  /// - Parameter maxRetriesAllowed: How often an operation may be tried again after the first time.
  public init(maxRetriesAllowed: Int = 3) { maxRetries = maxRetriesAllowed }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let retries = starts.withLock { starts in
      starts += 1
      return starts - 1
    }
    guard retries <= maxRetries else {
      throw RetryError.hitMaxRetryCount(count: maxRetries, operationName: Operation.operationName)
    }
    return .proceed(response)
  }
}
