package import ApolloTransport
import ApolloConcurrency
import ApolloAPI
package import ApolloCache
import Foundation

/// What holds for all operations of a client: its clock, its network, and the operations under way; and for all transports
/// of bytes the retries, the deduplication and the logging. In a request chain, the provider of the interceptors says this.
package final class ExchangePolicies: Sendable {
  /// Which failures are tried again, and after which delays. It applies to failures before the first part of a
  /// response.
  let retry: MaxRetryInterceptor.Configuration
  /// Whether identical queries that are under way at the same time are sent once. The configuration of an operation
  /// takes precedence.
  let deduplicatesQueries: Bool
  /// Tells what happens in the client.
  package let events: EventHub
  /// How many bytes of results may wait for the app.
  let waitingSize: Int
  /// By which everything of the client waits.
  package let clock: any ClientClock
  /// The clock, if the app has given it. Then all parts of the client go by it.
  package let ownClock: (any ClientClock)?
  /// What the app has given the client; nil: nothing.
  package let networkMonitor: (any NetworkMonitor)?
  /// What the client does without a network; nil: nothing, unless an operation asks for it.
  let offline: OfflineSupport?
  /// Made for the first operation that asks for it, in a client that was given no monitor.
  private let offlineOnDemand = Locked<OfflineSupport?>(nil)
  /// The operations of the client that wait for a server.
  let running = RunningOperations()
  /// How many mutations have had their result.
  let endedMutations = Locked(0)
  /// The queries that are under way, for deduplication.
  let exchanges = Deduplicator<IdenticalQuery, [TransportResponse]>()

  package init(
    retry: MaxRetryInterceptor.Configuration = MaxRetryInterceptor.Configuration(), deduplicatesQueries: Bool = false,
    log: LoggingInterceptor? = nil, networkMonitor: (any NetworkMonitor)? = nil,
    waitingSize: Int = ResponseLimits().waitingSize, clock: (any ClientClock)? = nil
  ) {
    ownClock = clock
    let clock = clock ?? .system
    self.waitingSize = waitingSize
    self.clock = clock
    self.networkMonitor = networkMonitor
    offline = networkMonitor.map { OfflineSupport($0, clock) }
    self.retry = retry
    self.deduplicatesQueries = deduplicatesQueries
    events = EventHub(clock)
    if let log = log?.log { _ = events.add(EventHub.Listener(details: log.details, take: log.take)) }
  }

  /// A mutation has its result. A query that is asked for from now on wants to see what it did.
  func mutationHasEnded() { endedMutations.withLock { $0 += 1 } }

  // MARK: The outbox

  /// Makes what an outbox knows about the network: what the client knows, if it looks at that for all of its operations.
  package func connectivityOfOutbox() -> Connectivity {
    offline?.connectivity ?? Connectivity(SystemNetworkMonitor(), clock, isOfOutbox: true)
  }

  /// Operations of the client wait for a task, so that they see what it does to a cache. In the body of a transaction
  /// of that cache, they do not wait.
  package func holdOperations(until task: Task<Void, Never>, of store: ApolloStore) {
    offline?.holdOperations(until: task, of: store)
  }

  // MARK: The end of a user's time

  /// Checks that there was no sign-out since an operation was asked for.
  ///
  /// - Throws: ``OperationError`` if there was one.
  package func checkUser(since asked: StoreEpoch, operationName: String) throws {
    guard running.takes(asked) else { throw OperationError.signedOut(operationName) }
  }

  /// Cancels all operations, and begins none until ``endSignOut()``.
  package func beginSignOut() { running.beginSignOut() }

  /// What is asked for from now on is another user's.
  package func endSignOut() { running.endSignOut() }

  // MARK: No network

  /// What is done for an operation without a network; nil: nothing.
  func offline(for configuration: RequestConfiguration) -> OfflineSupport? {
    if let offline { return offline }
    guard configuration.failsFastWhenOffline == true || configuration.waitsForNetwork == true else { return nil }
    return offlineOnDemand.withLock { support in
      let made = support ?? OfflineSupport(SystemNetworkMonitor(), clock)
      support = made
      return made
    }
  }
}

extension ExchangePolicies? {
  /// The clock of the client; that of the device for an operation without a client.
  var clock: any ClientClock { self?.clock ?? .system }
}
