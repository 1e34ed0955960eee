#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Something that is under way and can be cancelled, such as a request or a watcher.
///
/// What a verb of a client returns is `Sendable` as well. A type of an app that can be cancelled need not be.
public protocol Cancellable: AnyObject {
  /// Stops it. Calling it again has no effect.
  func cancel()
}

extension URLSessionTask: Cancellable {}

/// A cancellable for something that is over already, for code that was written for Apollo iOS 1.
public final class EmptyCancellable: Cancellable, Sendable {
  /// Makes a cancellable.
  public init() {}
  /// Does nothing.
  public func cancel() {}
}
