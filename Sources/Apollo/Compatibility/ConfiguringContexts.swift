public import Foundation

// Contexts that say what a `RequestConfiguration` says. New code passes one of those to the verb; these are for apps that have
// such contexts already.

/// A context that sets how long a request may wait for an answer, as of release 1.19 of Apollo iOS; see
/// ``RequestConfiguration/requestTimeout``.
public protocol RequestContextTimeoutConfigurable: RequestContext {
  /// In seconds. It begins anew with each piece of the answer. A time below zero, or one that is not a number, is over at once;
  /// a very long one is a year.
  var requestTimeout: TimeInterval { get }
}

/// A context that sets how long an operation may take in all; see ``RequestConfiguration/deadline``.
public protocol RequestContextDeadlineConfigurable: RequestContext {
  /// In seconds, from the call to the result, retries included; nil for the transport's.
  var requestDeadline: TimeInterval? { get }
}

/// A context that adds header fields to one request; see ``RequestConfiguration/headers``.
public protocol RequestContextHeaders: RequestContext {
  /// They replace those of the transport that have the same names.
  var requestHeaders: [String: String] { get }
}

/// Marks an operation that may run twice without harm, although it is not a query; see ``RequestConfiguration/isRepeatable``.
public protocol RequestContextRepeatable: RequestContext {}

/// A context that says whether an operation may be sent again after a connection was lost; see
/// ``RequestConfiguration/isRepeatable``.
public protocol ResendableRequestContext: RequestContext {
  /// True if it does no harm to run the operation twice.
  var isResendable: Bool { get }
}

/// A context that chooses the buffering of one operation; see ``RequestConfiguration/buffering``.
public protocol ResultBufferingRequestContext: RequestContext {
  /// What happens to results that the app does not take at once.
  var buffering: RequestConfiguration.ResultBuffering { get }
}

extension RequestConfiguration {
  /// What a context says. No other code asks contexts for it.
  init(_ context: any RequestContext) {
    self.init(
      requestTimeout: (context as? any RequestContextTimeoutConfigurable)?.requestTimeout,
      deadline: (context as? any RequestContextDeadlineConfigurable)?.requestDeadline,
      headers: (context as? any RequestContextHeaders)?.requestHeaders ?? [:],
      isRepeatable: (context as? any ResendableRequestContext)?.isResendable
        ?? (context is any RequestContextRepeatable ? true : nil),
      buffering: (context as? any ResultBufferingRequestContext)?.buffering)
  }
}
