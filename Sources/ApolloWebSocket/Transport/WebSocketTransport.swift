public import Apollo
public import Foundation
import ApolloAPI
package import ApolloCache

/// Sends operations over one WebSocket connection, which they share.
///
///     let transport = WebSocketTransport(url: URL(string: "wss://example.com/graphql")!)
///
/// The connection is opened at once, or with the first operation (`connectOnInit`). It is kept while there are
/// operations, opened again when it breaks, and closed some time after the last operation. Usually a
/// ``SplitNetworkTransport`` uses it for subscriptions only.
public final class WebSocketTransport: ResponseTransport {
  let settings: Locked<ConnectionSettings>
  let inbox: AsyncStream<ConnectionDriver.Input>.Continuation
  let status: ConnectionStatus
  private let configuration: Configuration
  /// The cache that the transport was given, or that of its latest client.
  private let knownStore: Locked<ApolloStore?>
  private let hasOwnStore: Bool
  /// The clock of its client.
  private let clock: Locked<any ClientClock>

  /// Makes a transport.
  ///
  /// - Parameters:
  ///   - url: The address of the server. `https` is read as `wss`, and `http` as `ws`.
  ///   - headers: Header fields of each handshake. The default is none.
  ///   - store: The cache that results are written to. nil, the default: that of the client that uses the transport.
  ///   - configuration: How the transport connects.
  ///   - engine: Opens the connections. nil, the default: ``defaultEngine``.
  public convenience init(
    url: URL, headers: [String: String] = [:], store: ApolloStore? = nil,
    configuration: Configuration = .default, engine: (any WebSocketEngine)? = nil
  ) {
    self.init(
      ConnectionSettings(
        .own(url, headers: headers), engine: engine ?? Self.defaultEngine(configuration.limits), configuration),
      store: store, configuration: configuration)
  }

  init(_ settings: ConnectionSettings, store: ApolloStore?, configuration: Configuration) {
    let settings = Locked(settings)
    let status = ConnectionStatus(), clock = Locked<any ClientClock>(.system)
    self.settings = settings
    self.status = status
    knownStore = Locked(store)
    hasOwnStore = store != nil
    self.clock = clock
    self.configuration = configuration
    inbox = ConnectionDriver.start(
      ConnectionMachine(
        timeouts: configuration.timeouts, reconnection: configuration.reconnection, limits: configuration.limits,
        renewsCredentials: configuration.authenticator != nil),
      ConnectionDriver.Environment(
        connect: { try await ConnectionSettings.connect(settings, attempt: $0) },
        isOutdated: { attempt in settings.withLock { $0.haveChanged(since: attempt) } },
        url: { settings.withLock { $0 }.url },
        renewCredentials: { try await ConnectionSettings.renewCredentials(settings) },
        notify: { status.take($0, at: settings.withLock { $0 }.url) }, clock: { clock.withLock { $0 } }))
    status.observe(for: self)
    if configuration.connectOnInit { inbox.yield(.event(.connect)) }
  }

  deinit { inbox.yield(.event(.release)) }

  // MARK: Operations

  /// Sends an operation, and delivers one response after the other.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - receive: Called with each response.
  /// - Throws: ``WebSocketError``, `CancellationError`, or what `receive` throws.
  public func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let operation = try self.operation(for: request)
    let sink = OperationSink(receive: receive, report: { request.report($0) })
    // Whatever ended the operation here, the server must end it as well.
    defer { inbox.yield(.end(id: operation.id, sink)) }
    try await withTaskCancellationHandler {
      try await sink.untilEnd { inbox.yield(.start(operation, sink)) }
    } onCancel: {
      sink.finish(throwing: CancellationError())
    }
  }

  private func operation<Operation: GraphQLOperation>(
    for request: OperationRequest<Operation>
  ) throws -> ConnectionMachine.Operation {
    let type = Operation.operationType, now = clock.withLock { $0 }.now
    let timeout =
      request.configuration.requestTimeout.map { Duration.waiting($0) }
      ?? configuration.timeouts.result.map { min($0, .longest) }
    let body = RequestBody.make(
      for: request.operation, by: configuration.requestBodyCreator, adding: request.configuration.bodyExtensions,
      onError: request.configuration.onError)
    try RequestBody.check(body, of: Operation.self, by: configuration.requestBodyCreator)
    return ConnectionMachine.Operation(
      id: configuration.operationMessageIdCreator.requestId(), type: type,
      request: try RequestBody.json(body),
      isResendable: request.configuration.isRepeatable ?? configuration.resentOperations.contains(type),
      deadline: type == .subscription ? nil : timeout.map { now + $0 }, limit: timeout)
  }
}

extension WebSocketTransport: ConnectionTransport {
  package var buffering: (results: RequestConfiguration.ResultBuffering, bytes: Int) {
    (configuration.buffering, configuration.limits.waitingBytes)
  }

  package func tooManyResults(_ limit: Int?) -> any Error {
    WebSocketError(
      limit.map { .tooManyResults(limit: $0) } ?? .tooManyResultBytes(limit: configuration.limits.waitingBytes))
  }
}

extension WebSocketTransport: ClientTransport {
  package var store: ApolloStore? { knownStore.withLock { $0 } }

  package func join(_ client: ExchangePolicies, _ store: ApolloStore) {
    if !hasOwnStore { knownStore.replace(\.self, with: Optional(store)) }
    if let clock = client.ownClock {
      self.clock.replace(\.self, with: clock)
      (configuration.authenticator as? any ClockUsing)?.use(clock)
    }
    status.report(to: client.events)
  }
}
