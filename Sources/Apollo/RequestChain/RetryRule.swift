public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An operation that has failed, for whoever decides about another try.
public struct FailedOperation: Sendable {
  public let operationName: String
  public let operationType: GraphQLOperationType
  /// What the caller gave with the operation.
  public var context: (any RequestContext)? { handedContext.value }
  public let error: any Error
  private let handedContext: Handoff<(any RequestContext)?>

  init(
    operationName: String, operationType: GraphQLOperationType, context: (any RequestContext)?, error: any Error
  ) {
    self.operationName = operationName
    self.operationType = operationType
    handedContext = Handoff(context)
    self.error = error
  }

  /// The status of the response, if there was one.
  public var httpStatus: Int? { (error as? any ApolloError)?.httpStatus }

  /// True if the request may not have reached the server, or its response was lost.
  public var isNetworkFailure: Bool {
    guard let error = error as? any ApolloError else { return error is URLError }
    return error.code == .network
  }

  /// How many seconds the server wants to be left alone (RFC 9110, section 10.2.3); nil if it does not say.
  public var retryAfter: TimeInterval? {
    guard case .invalidResponseCode(let response?, _) = error as? ResponseCodeInterceptor.ResponseCodeError,
      let field = response.value(forHTTPHeaderField: "Retry-After")
    else { return nil }
    if let seconds = TimeInterval(field) { return max(0, seconds) }
    guard let date = try? Date(field, strategy: Date.ParseStrategy.httpDate) else { return nil }
    return max(0, date.timeIntervalSinceNow)
  }
}

/// Says which failed operations are sent again.
public struct RetryRule: Sendable {
  let allowsRetry: @Sendable (FailedOperation) -> Bool

  public init(_ allowsRetry: @escaping @Sendable (FailedOperation) -> Bool) { self.allowsRetry = allowsRetry }

  /// None: only interceptors start operations over.
  public static let never = RetryRule { _ in false }

  /// Failures that may pass, of operations that may run twice: queries, and others whose context is
  /// ``RequestContextRepeatable``.
  ///
  /// Such failures are those of the network, and the statuses 408, 429, 502, 503 and 504.
  public static let transientFailures = RetryRule { failure in
    guard failure.operationType.mayRunTwice(in: failure.context) else { return false }
    return failure.isNetworkFailure || [408, 429, 502, 503, 504].contains(failure.httpStatus)
  }
}

/// Marks an operation that may run twice without harm, although it is no query.
public protocol RequestContextRepeatable: RequestContext {}

extension GraphQLOperationType {
  /// Queries do no harm if they run twice; others only if their context says so.
  func mayRunTwice(in context: (any RequestContext)?) -> Bool {
    self == .query || context is any RequestContextRepeatable
  }
}

extension Date.ParseStrategy {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  static var httpDate: Date.ParseStrategy {
    Date.ParseStrategy(
      format:
        "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
  }
}
