import ApolloAPI
import ApolloCache
import Foundation

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

extension OperationRun {
  /// Runs the operation over its transport. It fails at once, or waits, without a network, if the configuration says so.
  ///
  /// - Parameters:
  ///   - offline: What is known of the network.
  ///   - emit: Called with each result, and with the error that ended the operation.
  ///   - exchange: Runs an operation over its transport.
  func run(
    with offline: OfflineSupport, _ emit: @escaping Emit,
    _ exchange: @Sendable (OperationRun, @escaping Emit) async -> Void
  ) async {
    await offline.waitUntilRestored()
    let connectivity = offline.connectivity, configuration = call.configuration
    let waits = configuration.waitsForNetwork == true && Operation.operationType == .query && !call.fallsBackToCache
    if configuration.failsFastWhenOffline == true, !waits, connectivity.isOffline {
      return await exchange(failingForServer(), emit)
    }
    var run = self
    while true {
      if waits, !run.call.readsCache || run !== self {
        let running = policies.running
        do {
          try await running.attempt(call.asked, connectivity.waitUntilWorthTrying)
        } catch {
          return
        }
      }
      let failed = Locked(false)
      await exchange(run) { outcome in
        switch outcome {
        case .success(let result):
          if result.source == .server { connectivity.note(nil) }
          emit(outcome)
        case .failure(let error):
          connectivity.note(error)
          if waits, MaxRetryInterceptor.RetryRule.isNetworkFailure(error) {
            failed.withLock { $0 = true }
          } else {
            emit(outcome)
          }
        }
      }
      guard failed.withLock({ $0 }), !Task.isCancelled else { return }
      run = withoutFirstResult()
    }
  }
}
