import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Something that is under way and can be stopped.
public protocol Cancellable: AnyObject {
  func cancel()
}

extension URLSessionTask: Cancellable {}

/// Has nothing to stop.
public final class EmptyCancellable: Cancellable, Sendable {
  public init() {}
  public func cancel() {}
}

/// Stops a task.
final class TaskCancellable: Cancellable, Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  func cancel() { task.cancel() }
}
