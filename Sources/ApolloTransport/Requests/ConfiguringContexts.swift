public import Foundation

// Contexts with settings of one request. They exist for apps that use them already; new code passes a
// `RequestConfiguration` to the function that runs the operation.

/// A context that sets how long a request may wait for the server, as in Apollo iOS 1.19; see
/// ``RequestConfiguration/requestTimeout``.
public protocol RequestContextTimeoutConfigurable: RequestContext {
  /// In seconds. The time starts again with each piece of the response that arrives. If it is negative or NaN, the
  /// operation fails.
  var requestTimeout: TimeInterval { get }
}

/// A context that sets how long an operation may take in all; see ``RequestConfiguration/deadline``.
public protocol RequestContextDeadlineConfigurable: RequestContext {
  /// In seconds, from the call to the result, including retries. nil: the deadline of the transport.
  var requestDeadline: TimeInterval? { get }
}

/// A context that adds header fields to one request; see ``RequestConfiguration/headers``.
public protocol RequestContextHeaders: RequestContext {
  /// Header fields by name. They replace header fields of the transport with equal names.
  var requestHeaders: [String: String] { get }
}

/// A context of an operation that may run twice without harm, although it is not a query; see
/// ``RequestConfiguration/isRepeatable``.
public protocol RequestContextRepeatable: RequestContext {}

/// A context that decides whether an operation may be sent again after a connection was lost; see
/// ``RequestConfiguration/isRepeatable``.
public protocol ResendableRequestContext: RequestContext {
  /// Whether the operation may run twice without harm.
  var isResendable: Bool { get }
}

/// A context that chooses the buffering of one operation; see ``RequestConfiguration/buffering``.
public protocol ResultBufferingRequestContext: RequestContext {
  /// What happens to results that the app does not take at once.
  var buffering: RequestConfiguration.ResultBuffering { get }
}
