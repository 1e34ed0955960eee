#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Something that is under way and can be cancelled, such as a request or a watcher.
public protocol Cancellable: AnyObject {
  /// Stops it. Calling it again has no effect.
  func cancel()
}

extension URLSessionTask: Cancellable {}
