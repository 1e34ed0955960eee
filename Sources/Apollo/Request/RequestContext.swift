public import Foundation

/// Anything the caller wants to give to interceptors of its own.
public protocol RequestContext: Sendable {}

/// A context that sets how long a request may wait for an answer.
public protocol RequestContextTimeoutConfigurable: RequestContext {
  /// In seconds.
  var requestTimeout: TimeInterval { get }
}
