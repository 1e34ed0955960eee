public import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
package import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension MaxRetryInterceptor.RetryRule {
  /// An operation that has failed: what a ``MaxRetryInterceptor/RetryRule`` decides about.
  public struct FailedOperation: Sendable {
    /// The name of the operation.
    public let operationName: String
    /// Whether it is a query, a mutation or a subscription.
    public let operationType: GraphQLOperationType
    // Safe: an app's object (see Handoff).
    /// The value that the app passed with the operation; nil if there is none.
    nonisolated(unsafe) public let context: (any RequestContext)?
    /// What went wrong.
    public let error: any Error
    /// Whether the operation does no harm when it runs twice; see ``RequestConfiguration/isRepeatable``.
    public let isRepeatable: Bool
    /// By which the server's date to try again at lies in the future.
    private let clock: any ClientClock

    init<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>, _ error: any Error) {
      operationName = Operation.operationName
      operationType = Operation.operationType
      context = passage.context
      isRepeatable = passage.mayRunTwice
      clock = passage.clock
      self.error = error
    }

    /// A mutation that its key makes repeatable.
    package init<Mutation: GraphQLMutation>(
      queued mutation: Mutation.Type, _ error: any Error, _ clock: any ClientClock
    ) {
      operationName = Mutation.operationName
      operationType = .mutation
      context = nil
      isRepeatable = true
      self.clock = clock
      self.error = error
    }

    /// The status of the response; nil if there was none.
    public var httpStatus: Int? { (error as? any ApolloError)?.httpStatus }

    /// Whether the request may not have reached the server, or its response was lost.
    public var isNetworkFailure: Bool { error.isNetworkFailure }

    /// How many seconds the server asks to wait (`Retry-After`, RFC 9110, section 10.2.3); nil if it does not ask.
    public var retryAfter: TimeInterval? {
      guard let response = (error as? any ErrorWithResponse)?.response,
        let field = response.value(forHTTPHeaderField: "Retry-After")
      else { return nil }
      if let seconds = TimeInterval(field) { return max(0, seconds) }
      guard let date = try? Date(field, strategy: Date.ParseStrategy.httpDate) else { return nil }
      return max(0, clock.seconds(until: date))
    }
  }
}

extension MaxRetryInterceptor {
  /// Decides which failed operations are sent again.
  public struct RetryRule: Sendable {
    package let allowsRetry: @Sendable (RetryRule.FailedOperation) -> Bool

    /// Makes a rule.
    ///
    /// - Parameter allowsRetry: Returns true for a failure after which the operation is to be sent again.
    public init(_ allowsRetry: @escaping @Sendable (RetryRule.FailedOperation) -> Bool) {
      self.allowsRetry = allowsRetry
    }

    /// No failure is tried again, unless an interceptor asks for it.
    public static let never = RetryRule { _ in false }

    /// Failures that may pass are tried again, for operations that may run twice: queries, and operations whose
    /// ``RequestConfiguration/isRepeatable`` is true.
    ///
    /// Such failures are failures of the network, and the statuses 408, 429, 502, 503 and 504.
    public static let transientFailures = RetryRule { failure in
      guard failure.isRepeatable else { return false }
      return failure.isNetworkFailure || [408, 429, 502, 503, 504].contains(failure.httpStatus)
    }
  }
}

extension Date.ParseStrategy {
  /// The format of dates in header fields: `Sun, 06 Nov 1994 08:49:37 GMT`.
  static var httpDate: Date.ParseStrategy {
    Date.ParseStrategy(
      format:
        "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
  }
}
