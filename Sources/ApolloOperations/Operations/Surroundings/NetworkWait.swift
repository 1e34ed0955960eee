import ApolloTransport
import ApolloAPI
import ApolloCache

/// Has an operation fail at once, or wait, without a network, if its configuration says so.
struct NetworkWait: SurroundingStep {
  /// What is known of the network.
  let offline: OfflineSupport
  let running: RunningOperations

  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async {
    await offline.waitUntilRestored()
    let connectivity = offline.connectivity, configuration = call.configuration
    let waits = configuration.waitsForNetwork == true && Operation.operationType == .query && !call.fallsBackToCache
    var call = call
    if configuration.failsFastWhenOffline == true, !waits, connectivity.isOffline {
      call.options.failsForServer = true
      return await next(call, emit)
    }
    var mayAskCacheFirst = call.readsCache
    while true {
      if waits, !mayAskCacheFirst {
        do { try await running.attempt(call.asked, connectivity.waitUntilWorthTrying) } catch { return }
      }
      let failed = Locked(false)
      await next(call) { outcome in
        switch outcome {
        case .success(let result):
          if result.source == .server { connectivity.note(nil) }
          emit(outcome)
        case .failure(let error):
          connectivity.note(error)
          if waits, error.isNetworkFailure {
            failed.withLock { $0 = true }
          } else {
            emit(outcome)
          }
        }
      }
      guard failed.withLock({ $0 }), !Task.isCancelled else { return }
      mayAskCacheFirst = false
      // The caller has what the cache had.
      if call.cachePolicy == .returnCacheDataAndFetch { call.cachePolicy = .fetchIgnoringCacheData }
      call.options.deliversPartFirst = false
    }
  }
}
