package import ApolloAPI
public import Foundation

/// Fails an operation that was tried too often. It stands first in the chain, and so counts every start.
///
/// It also makes retries wait, and may start some of its own: see ``Configuration``.
public final class MaxRetryInterceptor: GraphQLInterceptor, OutcomeStep {
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

  public struct Configuration: Sendable {
    /// How often an operation may be tried again after the first time.
    public var maxRetries: Int
    /// How many seconds the first retry waits, if ``enableExponentialBackoff`` is on.
    public var baseDelay: TimeInterval
    /// How much longer each further retry waits than the one before.
    public var multiplier: Double
    /// The longest wait in seconds, also if the server asks for a longer one: then it is not tried again.
    public var maxDelay: TimeInterval
    public var enableExponentialBackoff: Bool
    /// A wait is any time between its half and its whole, so that clients that failed together do not return together.
    public var enableJitter: Bool
    /// Which failures are tried again without being asked for by an interceptor. By default there are none.
    public var retryRule: RetryRule

    public init(
      maxRetries: Int = 3, baseDelay: TimeInterval = 0.3, multiplier: Double = 2, maxDelay: TimeInterval = 20,
      enableExponentialBackoff: Bool = false, enableJitter: Bool = true, retryRule: RetryRule = .never
    ) {
      self.maxRetries = maxRetries
      self.baseDelay = baseDelay
      self.multiplier = multiplier
      self.maxDelay = maxDelay
      self.enableExponentialBackoff = enableExponentialBackoff
      self.enableJitter = enableJitter
      self.retryRule = retryRule
    }

    /// Queries are tried again after failures that may pass, each time after a longer wait.
    public static let automatic = Configuration(enableExponentialBackoff: true, retryRule: .transientFailures)

    /// - Parameter retry: 1 for the first one.
    func delay(before retry: Int) -> TimeInterval {
      guard enableExponentialBackoff, retry > 0 else { return 0 }
      let delay = min(baseDelay * pow(multiplier, Double(retry - 1)), maxDelay).limitedToYear
      return enableJitter ? Double.random(in: delay / 2...delay) : delay
    }
  }

  private struct State {
    var starts = 0
    /// What the server asked for.
    var retryAfter: TimeInterval = 0
  }

  private let configuration: Configuration
  private let state = Locked(State())

  /// - Parameter maxRetriesAllowed: How often an operation may be tried again after the first time.
  public convenience init(maxRetriesAllowed: Int = 3) {
    self.init(configuration: Configuration(maxRetries: maxRetriesAllowed))
  }

  public init(configuration: Configuration) { self.configuration = configuration }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let (retries, retryAfter) = state.withLock { state in
      state.starts += 1
      defer { state.retryAfter = 0 }
      return (state.starts - 1, state.retryAfter)
    }
    guard retries <= configuration.maxRetries else {
      throw RetryError.hitMaxRetryCount(count: configuration.maxRetries, operationName: Operation.operationName)
    }
    let delay = max(retryAfter, configuration.delay(before: retries))
    if delay > 0 { try await Task.sleep(for: .waiting(delay)) }
    return .proceed(response)
  }

  package func didEnd<Operation: GraphQLOperation>(
    with outcome: Result<GraphQLResult<Operation.Data>, any Error>, request: HTTPRequest<Operation>,
    response: HTTPResponse<Operation>?
  ) async throws -> OutcomeAction {
    guard case .failure(let error) = outcome, !(error is RetryError) else { return .deliver }
    let retries = state.withLock { $0.starts - 1 }
    let failure = FailedOperation(request, error)
    // When all retries are used up, the failure itself tells more than their number.
    guard retries < configuration.maxRetries, configuration.retryRule.allowsRetry(failure) else { return .deliver }
    let retryAfter = failure.retryAfter ?? 0
    guard retryAfter <= configuration.maxDelay else { return .deliver }
    state.withLock { $0.retryAfter = retryAfter }
    return .retry
  }
}
