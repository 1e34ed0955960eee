import ApolloAPI
import Foundation

/// The retries, the deduplication and the logging of a client, for all transports of bytes. In a request chain,
/// interceptors do this.
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
  /// What the client does without a network; nil: nothing.
  let offline: OfflineSupport?
  /// The operations of the client that wait for a server.
  let running = RunningOperations()
  /// The queries that are under way, for deduplication.
  let exchanges = Deduplicator<ExchangeKey, [TransportResponse]>()

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
}

/// Identifies equal exchanges: what is sent for one user is never given to another.
struct ExchangeKey: Hashable, Sendable {
  private let transport: ObjectIdentifier
  private let operation: any GraphQLOperation
  private let bodyExtensions: [UInt8]
  private let headers: [String: String]
  private let endpointURL: URL?
  private let sharing: SharingKey

  init<Operation: GraphQLOperation>(_ request: OperationRequest<Operation>, over transport: any ResponseTransport) {
    self.transport = ObjectIdentifier(transport)
    operation = request.operation
    var writer = __JSONWriter()
    writer.writeJSON(request.configuration.bodyExtensions)
    bodyExtensions = writer.bytes
    headers = request.configuration.headers
    endpointURL = request.configuration.endpointURL
    sharing = SharingKey(request.context, asked: request.asked)
  }

  static func == (a: ExchangeKey, b: ExchangeKey) -> Bool {
    a.transport == b.transport && AnyHashable(a.operation) == AnyHashable(b.operation)
      && a.bodyExtensions == b.bodyExtensions && a.headers == b.headers && a.endpointURL == b.endpointURL
      && a.sharing == b.sharing
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(transport)
    hasher.combine(operation)
  }
}

extension ExchangePolicies {
  /// Sends an operation over a transport, with these policies.
  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, over transport: any ResponseTransport,
    receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let isShared =
      Operation.operationType == .query && !Operation.mayAnswerInParts
      && request.configuration.deduplicates ?? deduplicatesQueries
    guard isShared else { return try await tryExchange(request, over: transport, receive: receive) }
    let responses = try await exchanges.value(for: ExchangeKey(request, over: transport)) {
      let responses = Locked<[TransportResponse]>([])
      try await self.tryExchange(request, over: transport) { response in responses.withLock { $0.append(response) } }
      return responses.withLock { $0 }
    }
    for response in responses { try await receive(response) }
  }

  /// Tries again until there is a response, or an error after which no further attempt is made.
  private func tryExchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, over transport: any ResponseTransport,
    receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    var retries = 0
    let hasBegun = Locked(false)
    while true {
      // (A transport of an app may not look.)
      try Task.checkCancellation()
      let log = logging?()
      log?.exchangeBegins(request, over: transport)
      do {
        try await transport.exchange(request) { response in
          hasBegun.withLock { $0 = true }
          log?.received(response, for: request)
          try await receive(response)
        }
        return
      } catch {
        log?.exchangeFailed(request, error)
        let failure = MaxRetryInterceptor.RetryRule.FailedOperation(request, error)
        guard !Task.isCancelled, !hasBegun.withLock({ $0 }), retries < retry.maxRetries,
          retry.retryRule.allowsRetry(failure)
        else { throw error }
      }
      retries += 1
      try await Task.sleep(for: .waiting(retry.delay(before: retries)))
    }
  }
}
