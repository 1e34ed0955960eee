import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a client does about a network that is not there. A client has it if it has an outbox or a network monitor.
final class OfflineSupport: Sendable {
  let connectivity: Connectivity
  /// What ends when the guesses of an earlier launch are shown, and the cache that shows them; nil: there are none, or
  /// they are shown.
  private let restoring = Locked<(task: Task<Void, Never>, store: ApolloStore)?>(nil)

  init(_ monitor: any NetworkMonitor, _ clock: any ClientClock) { connectivity = Connectivity(monitor, clock) }

  /// Operations of the client wait for a task, so that they see what it does to a cache.
  func holdOperations(until task: Task<Void, Never>, of store: ApolloStore) {
    restoring.withLock { $0 = (task, store) }
    Task {
      await task.value
      restoring.withLock { $0 = nil }
    }
  }

  /// Waits for that task. In the body of a transaction of the cache, which the task may wait for, it does not.
  func waitUntilRestored() async {
    guard let (task, store) = restoring.withLock({ $0 }), !store.isHeldByCaller else { return }
    await task.value
  }

  static func offline(_ operationName: String) -> OperationError {
    OperationError(
      .network, "There is no network, and the operation was not to wait for it.", operationName: operationName,
      cause: URLError(.notConnectedToInternet))
  }
}
