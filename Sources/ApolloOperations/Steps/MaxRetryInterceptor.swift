import ApolloCache
public import ApolloTransport
package import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fails an operation that has been tried too often. It stands first in the chain, so it counts every start, except one
/// with renewed credentials and one with the document in place of a hash that the server does not know.
///
/// It also makes retries wait, and may retry failures itself: see ``Configuration``. It does so only before the first part
/// of an answer. What follows that, such as the events of a subscription, is not asked for again.
public final class MaxRetryInterceptor: OutcomeStep {
  /// Why an operation is not tried again.
  public enum RetryError: ApolloError {
    /// The operation has been tried again as often as allowed. `count` is the number of retries.
    case hitMaxRetryCount(count: Int, operationName: String)

    /// The kind of this error: ``ApolloErrorCode/retriesExhausted``.
    public var code: ApolloErrorCode { .retriesExhausted }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .hitMaxRetryCount(let count, _): "It was tried again \(count) times, and failed every time."
      }
    }

    /// The name of the operation that failed.
    public var operationName: String {
      switch self {
      case .hitMaxRetryCount(_, let name): name
      }
    }
  }

  /// How often an operation is tried again, and how long it waits before.
  public struct Configuration: Sendable {
    /// How often an operation may be tried again after the first attempt. The default is 3.
    public var maxRetries: Int
    /// How many seconds the first retry waits, if ``enableExponentialBackoff`` is true. The default is 0.3.
    public var baseDelay: TimeInterval
    /// The factor by which each further retry waits longer than the one before. The default is 2.
    public var multiplier: Double
    /// The longest wait in seconds; the default is 20. If the server asks for a longer wait, the operation is not tried
    /// again.
    public var maxDelay: TimeInterval
    /// Whether retries wait, each longer than the one before. The default is false: retries start at once.
    public var enableExponentialBackoff: Bool
    /// Whether each wait is a random time between half of it and all of it. The default is true, so that clients that
    /// failed at one moment do not all come back at one moment.
    public var enableJitter: Bool
    /// Which failures are tried again without an interceptor asking for it. The default is none.
    public var retryRule: RetryRule

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - maxRetries: How often an operation may be tried again.
    ///   - baseDelay: How many seconds the first retry waits.
    ///   - multiplier: The factor by which each further retry waits longer.
    ///   - maxDelay: The longest wait in seconds.
    ///   - enableExponentialBackoff: Whether retries wait.
    ///   - enableJitter: Whether waits are shortened by a random time.
    ///   - retryRule: Which failures are tried again without an interceptor asking for it.
    public init(
      maxRetries: Int = 3, baseDelay: TimeInterval = 0.3, multiplier: Double = 2, maxDelay: TimeInterval = 20,
      enableExponentialBackoff: Bool = false, enableJitter: Bool = true,
      retryRule: RetryRule = .never
    ) {
      self.maxRetries = maxRetries
      self.baseDelay = baseDelay
      self.multiplier = multiplier
      self.maxDelay = maxDelay
      self.enableExponentialBackoff = enableExponentialBackoff
      self.enableJitter = enableJitter
      self.retryRule = retryRule
    }

    /// Tries queries again after failures that may pass. Each retry waits longer than the one before.
    public static let automatic = Configuration(enableExponentialBackoff: true, retryRule: .transientFailures)

    /// How many seconds to wait before a retry.
    ///
    /// - Parameter retry: The number of the retry, from 1.
    /// - Returns: Seconds.
    package func delay(before retry: Int) -> TimeInterval {
      guard enableExponentialBackoff, retry > 0 else { return 0 }
      let delay = min(baseDelay * pow(multiplier, Double(retry - 1)), maxDelay).limitedToYear
      return enableJitter ? Double.random(in: delay / 2...delay) : delay
    }
  }

  private struct State {
    var starts = 0
    /// How many starts since the last one have not counted.
    var uncountedStarts = 0
    /// How many seconds the server asked to wait.
    var retryAfter: TimeInterval = 0
    /// Whether the caller has a part of the server's answer.
    var hasAnswer = false
    /// Whether code of the app that surrounds this interceptor has a part of the answer to the current start.
    var partHasAnswer = false

    /// Whether a start passes without being counted.
    ///
    /// - Parameter isLimited: Whether only two do so: one with other credentials, and one with the document in place
    ///   of its hash. More of them would go on without end.
    /// - Returns: Whether it does.
    mutating func passesUncounted(isLimited: Bool) -> Bool {
      guard starts > 0, !isLimited || uncountedStarts < 2 else { return false }
      uncountedStarts += 1
      return true
    }
  }

  private let configuration: Configuration
  private let state = Locked(State())

  /// Makes an interceptor that limits retries and does not make them wait.
  ///
  /// - Parameter maxRetriesAllowed: How often an operation may be tried again after the first attempt.
  public convenience init(maxRetriesAllowed: Int = 3) {
    self.init(configuration: Configuration(maxRetries: maxRetriesAllowed))
  }

  /// Makes an interceptor. It counts the starts of one operation: make a new one for each.
  ///
  /// - Parameter configuration: How often an operation is tried again, and how long it waits before.
  public init(configuration: Configuration) { self.configuration = configuration }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let isUncounted = passage.nextStartIsUncounted
    passage.nextStartIsUncounted = false
    if isUncounted {
      // (A subscription may outlive any number of credentials.)
      let isLimited = Operation.operationType != .subscription
      if state.withLock({ $0.passesUncounted(isLimited: isLimited) }) { return .proceed(response) }
    }
    let (retries, retryAfter) = state.withLock { state in
      state.starts += 1
      state.uncountedStarts = 0
      state.partHasAnswer = false
      defer { state.retryAfter = 0 }
      return (state.starts - 1, state.retryAfter)
    }
    guard retries <= configuration.maxRetries else {
      throw RetryError.hitMaxRetryCount(count: configuration.maxRetries, operationName: Operation.operationName)
    }
    let delay = max(retryAfter, configuration.delay(before: retries))
    if retries > 0, let trace = passage.options.trace {
      trace.record(.retried(ClientEvent.Retry(number: retries, delay: .waiting(delay))))
    }
    if delay > 0 { try await passage.clock.sleep(for: .waiting(delay)) }
    return .proceed(response)
  }

  package nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    guard let error = Self.failure(in: outcome, response), !(error is RetryError) else {
      if response != nil { state.withLock { $0.hasAnswer = true } }
      return .deliver
    }
    return action(after: error, outcome, passage, hasAnswer: state.withLock { $0.hasAnswer })
  }

  package nonisolated(nonsending) func partDidEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    guard let error = Self.failure(in: outcome, response), !(error is RetryError) else {
      if response != nil { state.withLock { $0.partHasAnswer = true } }
      return .deliver
    }
    // (The code may hold a part of the answer that the caller does not have yet.)
    return action(
      after: error, outcome, passage, hasAnswer: state.withLock { $0.hasAnswer || $0.partHasAnswer })
  }

  private func action<Operation: GraphQLOperation>(
    after error: any Error, _ outcome: Result<GraphQLResult<Operation.Data>, any Error>,
    _ passage: OperationPassage<Operation>, hasAnswer: Bool
  ) -> OutcomeAction {
    let retries = state.withLock { $0.starts - 1 }
    let failure = RetryRule.FailedOperation(passage, error)
    // If all retries are used up, the failure itself is more useful than their number.
    guard !hasAnswer, !passage.options.failsForServer, retries < configuration.maxRetries,
      configuration.retryRule.allowsRetry(failure)
    else {
      return .deliver
    }
    let retryAfter = failure.retryAfter ?? 0
    guard retryAfter <= configuration.maxDelay else { return .deliver }
    state.withLock { $0.retryAfter = retryAfter }
    if case .success = outcome { passage.options.trace?.failed(error) }
    return .retry
  }

  /// The error that the rule decides about. A server that is not well may say so as a GraphQL response, too.
  @inline(__always)
  private static func failure<Operation: GraphQLOperation>(
    in outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ response: OperationResponse<Operation>?
  ) -> (any Error)? {
    if case .failure(let error) = outcome { return error }
    // (The status first, because to look into a result asks for its type at run time.)
    guard let status = response?.status, !(200..<300).contains(status.statusCode),
      case .success(let result) = outcome, result.source == .server, !result.hasData
    else { return nil }
    return StatusError(response: status, graphQLErrors: result.errors ?? [])
  }
}

/// The status of a GraphQL response without data, where it is not one of success.
private struct StatusError: ApolloError, ErrorWithResponse {
  let response: HTTPURLResponse
  let graphQLErrors: [GraphQLError]
  var code: ApolloErrorCode { .httpStatus }
  var httpStatus: Int? { response.statusCode }
  var message: String {
    "The server answered with HTTP status \(response.statusCode): \(graphQLErrors.first?.message ?? "no data")"
  }
}
