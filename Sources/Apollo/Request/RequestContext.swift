public import Foundation

/// Anything the caller wants to give to interceptors of its own.
///
/// They get it on any thread, one after the other. It need not be `Sendable`, as in release 1 of Apollo iOS.
public protocol RequestContext {}

/// A context that sets how long a request may wait for an answer.
public protocol RequestContextTimeoutConfigurable: RequestContext {
  /// In seconds. It begins anew with each piece of the answer.
  var requestTimeout: TimeInterval { get }
}

/// A context that sets how long an operation may take in all.
public protocol RequestContextDeadlineConfigurable: RequestContext {
  /// In seconds, from the call to the result, retries included; nil for no limit.
  var requestDeadline: TimeInterval? { get }
}

/// A context that adds header fields to one request.
public protocol RequestContextHeaders: RequestContext {
  /// They replace those of the transport that have the same names.
  var requestHeaders: [String: String] { get }
}
