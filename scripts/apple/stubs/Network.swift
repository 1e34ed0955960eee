// The part of Network that this package uses. As the documentation shows no conformance of the monitor to Sendable, it
// has none here; and Dispatch is not passed on.
import Dispatch

public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public var status: Status { fatalError("a stub") }
}

public final class NWPathMonitor {
  public init() {}
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}
