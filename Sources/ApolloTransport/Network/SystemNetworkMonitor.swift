import ApolloConcurrency

#if canImport(Network) && !os(watchOS)
  import ApolloCache
  import Dispatch
  import Network
#endif

/// Asks the system whether there is a network, where the system can tell (`NWPathMonitor`). Elsewhere it never knows.
///
/// On watchOS it never knows: there `NWPathMonitor` tells ordinary apps that there is no network, while their requests
/// arrive (Apple's technical note TN3135).
public final class SystemNetworkMonitor: NetworkMonitor {
  private let known = ManualNetworkMonitor(isOnline: nil)

  #if canImport(Network) && !os(watchOS)
    private let monitor = Handoff(NWPathMonitor())

    /// Begins to ask the system.
    public init() {
      monitor.value.pathUpdateHandler = { [known] path in known.isOnline = path.status != .unsatisfied }
      monitor.value.start(queue: .global(qos: .utility))
    }

    deinit { monitor.value.cancel() }
  #else
    /// Makes a monitor that does not know.
    public init() {}
  #endif

  /// Whether there is a network; nil if the system cannot tell, or has not told yet.
  public var isOnline: Bool? { known.isOnline }

  /// Gives what the system tells from now on.
  public func changes() -> AsyncStream<Bool> { known.changes() }
}
