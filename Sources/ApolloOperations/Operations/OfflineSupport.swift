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
  /// Ends when the guesses of an earlier launch are shown; nil: there are none, or they are.
  private let restoring = Locked<Task<Void, Never>?>(nil)

  init(_ monitor: any NetworkMonitor, _ clock: any ClientClock) { connectivity = Connectivity(monitor, clock) }

  /// Operations of the client wait for a task, so that they see what it does to the cache.
  func holdOperations(until task: Task<Void, Never>) {
    restoring.withLock { $0 = task }
    Task {
      await task.value
      restoring.withLock { $0 = nil }
    }
  }

  func waitUntilRestored() async { await restoring.withLock { $0 }?.value }

  static func offline(_ operationName: String) -> OperationError {
    OperationError(
      .network, "There is no network, and the operation was not to wait for it.", operationName: operationName,
      cause: URLError(.notConnectedToInternet))
  }
}
