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
  package let retry: MaxRetryInterceptor.Configuration
  /// Whether identical queries that are under way at the same time are sent once. The configuration of an operation
  /// takes precedence.
  let deduplicatesQueries: Bool
  /// Tells what happens in the client.
  package let events: EventHub
  /// How many bytes of results may wait for the app.
  let waitingSize: Int
  /// By which everything of the client waits.
  package let clock: any ClientClock
  /// Whether the app has given the clock. Then all parts of the client go by it.
  package let hasOwnClock: Bool
  /// What the client does without a network; nil: nothing, unless an operation asks for it.
  package let offline: OfflineSupport?
  /// Made for the first operation that asks for it, in a client that was given no monitor.
  private let offlineOnDemand = Locked<OfflineSupport?>(nil)
  /// The operations of the client that wait for a server.
  package let running = RunningOperations()
  /// The queries that are under way, for deduplication.
  let exchanges = Deduplicator<IdenticalQuery, [TransportResponse]>()

  package init(
    retry: MaxRetryInterceptor.Configuration = MaxRetryInterceptor.Configuration(), deduplicatesQueries: Bool = false,
    log: LoggingInterceptor? = nil, networkMonitor: (any NetworkMonitor)? = nil,
    waitingSize: Int = ResponseLimits().waitingSize, clock: (any ClientClock)? = nil
  ) {
    let own = clock, clock = own ?? .system
    hasOwnClock = own != nil
    self.waitingSize = waitingSize
    self.clock = clock
    offline = networkMonitor.map { OfflineSupport($0, clock) }
    self.retry = retry
    self.deduplicatesQueries = deduplicatesQueries
    events = EventHub(clock)
    if let log = log?.log { _ = events.add(EventHub.Listener(details: log.details, take: log.take)) }
  }

  /// What is done for an operation without a network; nil: nothing.
  func offline(for configuration: RequestConfiguration) -> OfflineSupport? {
    if let offline { return offline }
    guard configuration.dependsOnNetwork else { return nil }
    return offlineOnDemand.withLock { support in
      let made = support ?? OfflineSupport(SystemNetworkMonitor(), clock)
      support = made
      return made
    }
  }
}

extension ExchangePolicies? {
  /// The clock of the client; that of the device for an operation without a client.
  package var clock: any ClientClock { self?.clock ?? .system }
}
