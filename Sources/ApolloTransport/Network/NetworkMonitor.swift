import ApolloAPI

/// Knows whether the device has a network.
///
/// On Apple's systems ``SystemNetworkMonitor`` asks the system. Elsewhere, and for what no system knows, a client goes by
/// what becomes of its requests. An app that knows more gives its own monitor in
/// ``ApolloClient/Configuration/networkMonitor``.
public protocol NetworkMonitor: AnyObject, Sendable {
  /// Whether there is a network now; nil if it is not known.
  var isOnline: Bool? { get }

  /// Gives what changes, from now on: true when there is a network again, false when there is none any more. The sequence
  /// ends when it is no longer iterated.
  func changes() -> AsyncStream<Bool>
}

/// A network monitor whose state an app, or a test, sets.
public final class ManualNetworkMonitor: NetworkMonitor {
  private struct State {
    var isOnline: Bool?
    var listeners: [Int: AsyncStream<Bool>.Continuation] = [:]
    var nextListener = 0
  }

  private let state: Locked<State>

  /// Makes a monitor.
  ///
  /// - Parameter isOnline: Whether there is a network; nil if it is not known. The default is true.
  public init(isOnline: Bool? = true) { state = Locked(State(isOnline: isOnline)) }

  /// Whether there is a network. Setting it tells all who listen; nil says that it is not known.
  public var isOnline: Bool? {
    get { state.withLock { $0.isOnline } }
    set {
      let listeners = state.withLock { state in
        defer { state.isOnline = newValue }
        return state.isOnline == newValue ? [] : Array(state.listeners.values)
      }
      // Where that is not known, a request may be tried.
      for listener in listeners { listener.yield(newValue ?? true) }
    }
  }

  /// Gives what is set from now on; true if it is no longer known.
  public func changes() -> AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [state] _ in state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
    return stream
  }
}
