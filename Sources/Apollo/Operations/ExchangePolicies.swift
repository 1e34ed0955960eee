import ApolloAPI
import Foundation

/// The retries, the deduplication and the logging of a client, for all transports of bytes. In a request chain, the
/// provider of the interceptors says this.
package final class ExchangePolicies: Sendable {
  /// Which failures are tried again, and after which delays. It applies to failures before the first part of a
  /// response.
  let retry: MaxRetryInterceptor.Configuration
  /// Whether identical queries that are under way at the same time are sent once. The configuration of an operation
  /// takes precedence.
  let deduplicatesQueries: Bool
  /// Makes the interceptor that logs what is sent and received. It is called for each operation. nil: nothing is
  /// logged.
  let logging: (@Sendable () -> LoggingInterceptor)?
  /// How many bytes of results may wait for the app.
  let waitingSize: Int
  /// What the client does without a network; nil: nothing, unless an operation asks for it.
  let offline: OfflineSupport?
  /// Made for the first operation that asks for it, in a client that was given no monitor.
  private let offlineOnDemand = Locked<OfflineSupport?>(nil)
  /// The operations of the client that wait for a server.
  let running = RunningOperations()
  /// The queries that are under way, for deduplication.
  let exchanges = Deduplicator<IdenticalQuery, [TransportResponse]>()

  package init(
    retry: MaxRetryInterceptor.Configuration = MaxRetryInterceptor.Configuration(), deduplicatesQueries: Bool = false,
    logging: (@Sendable () -> LoggingInterceptor)? = nil, networkMonitor: (any NetworkMonitor)? = nil,
    waitingSize: Int = ResponseLimits().waitingSize
  ) {
    self.waitingSize = waitingSize
    offline = networkMonitor.map { OfflineSupport($0) }
    self.retry = retry
    self.deduplicatesQueries = deduplicatesQueries
    self.logging = logging
  }

  /// What is done for an operation without a network; nil: nothing.
  func offline(for configuration: RequestConfiguration) -> OfflineSupport? {
    if let offline { return offline }
    guard configuration.dependsOnNetwork else { return nil }
    return offlineOnDemand.withLock { support in
      let made = support ?? OfflineSupport(SystemNetworkMonitor())
      support = made
      return made
    }
  }
}
