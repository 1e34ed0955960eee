public import ApolloTransport
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
    /// Whether a request for it is known to have been made. Outside of an outbox it is always true.
    package let isSent: Bool
    /// By which the server's date to try again at lies in the future.
    private let clock: any ClientClock

    init<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>, _ error: any Error) {
      operationName = Operation.operationName
      operationType = Operation.operationType
      context = passage.context
      isRepeatable = passage.mayRunTwice
      isSent = true
      clock = passage.clock
      self.error = error
    }

    /// A mutation that its key makes repeatable.
    package init<Mutation: GraphQLMutation>(
      queued mutation: Mutation.Type, _ error: any Error, _ clock: any ClientClock, isSent: Bool
    ) {
      operationName = Mutation.operationName
      operationType = .mutation
      context = nil
      isRepeatable = true
      self.isSent = isSent
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
      return Date(httpDate: field, now: clock.date).map { max(0, clock.seconds(until: $0)) }
    }
  }
}

extension MaxRetryInterceptor {
  /// Decides which failed operations are sent again.
  public struct RetryRule: Sendable {
    package let allowsRetry: @Sendable (RetryRule.FailedOperation) -> Bool

    /// Makes a rule.
    ///
    /// - Parameter allowsRetry: Returns true for a failure after which the operation is to be sent again. In a part of
    ///   a chain that code of the app surrounds, it may be asked about one failure more than once.
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

extension Date {
  /// Reads a date of a header field in each of its three forms
  /// ([RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7)).
  ///
  /// - Parameters:
  ///   - field: The text of the field.
  ///   - now: The current date. A year of two digits is at most 50 years later.
  fileprivate init?(httpDate field: String, now: Date) {
    let dates = [Self.withZone, Self.withoutZone].lazy.compactMap { format in
      try? Date(
        field,
        strategy: ParseStrategy(
          format: format, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
          twoDigitStartDate: now - 50 * 365.25 * 24 * 3600))
    }
    guard let date = dates.first else { return nil }
    self = date
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, and `Sunday, 06-Nov-94 08:49:37 GMT`: a strategy is not strict about the length of
  /// names, and about what stands between the parts. A year of four digits is the year itself.
  private static var withZone: FormatString {
    "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT"
  }

  /// `Sun Nov  6 08:49:37 1994`.
  private static var withoutZone: FormatString {
    "\(weekday: .abbreviated) \(month: .abbreviated) \(day: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) \(year: .padded(4))"
  }
}
