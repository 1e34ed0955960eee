public import Apollo
public import Foundation
import ApolloAPI
import ApolloCache

/// Sends operations over one WebSocket, which they share.
///
///     let transport = WebSocketTransport(url: URL(string: "wss://example.com/graphql")!)
///
/// The connection is opened at once, or with the first operation (`connectOnInit`), kept while there are any, opened again
/// when it breaks, and closed some time after the last one. Mostly a ``SplitNetworkTransport`` gives it the subscriptions only.
public final class WebSocketTransport: SubscriptionNetworkTransport, Sendable {
  let settings: Locked<ConnectionSettings>
  let inbox: AsyncStream<ConnectionDriver.Input>.Continuation
  let status: ConnectionStatus
  private let configuration: Configuration
  private let store: ApolloStore?

  /// - Parameters:
  ///   - url: Where the server is; `https` means `wss`, and `http` means `ws`.
  ///   - headers: Sent with the handshake of each connection.
  ///   - store: Where results are written, unless the cache policy says otherwise; nil for nowhere.
  ///   - engine: Opens the connections; ``defaultEngine`` if nil.
  public convenience init(
    url: URL, headers: [String: String] = [:], store: ApolloStore? = nil,
    configuration: Configuration = .default, engine: (any WebSocketEngine)? = nil
  ) {
    self.init(
      ConnectionSettings(.own(url, headers: headers), engine: engine ?? Self.defaultEngine, configuration), store,
      configuration)
  }

  init(_ settings: ConnectionSettings, _ store: ApolloStore?, _ configuration: Configuration) {
    let settings = Locked(settings)
    let status = ConnectionStatus()
    self.settings = settings
    self.status = status
    self.store = store
    self.configuration = configuration
    inbox = ConnectionDriver.start(
      ConnectionMachine(
        timeouts: configuration.timeouts, reconnection: configuration.reconnection,
        renewsCredentials: configuration.authenticator != nil),
      ConnectionDriver.Environment(
        connect: { try await ConnectionSettings.connect(settings) },
        renewCredentials: { try await ConnectionSettings.renewCredentials(settings) },
        notify: { status.take($0) }))
    status.observe(for: self)
    if configuration.connectOnInit { inbox.yield(.event(.connect)) }
  }

  deinit { inbox.yield(.event(.release)) }

  // MARK: Operations

  public func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    run(operation, cachePolicy, contextIdentifier, context, SubscriptionStatus())
  }

  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    let status = SubscriptionStatus()
    return SubscriptionStream(run(subscription, .default, nil, context, status), status: status)
  }

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    results(of: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
      .deliver(on: callbackQueue, to: completionHandler)
  }

  private func run<Operation: GraphQLOperation>(
    _ operation: Operation, _ cachePolicy: CachePolicy, _ contextIdentifier: UUID?, _ context: (any RequestContext)?,
    _ status: SubscriptionStatus
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let buffering = (context as? any ResultBufferingRequestContext)?.buffering ?? configuration.buffering
    let (stream, continuation) = buffering.makeStream(of: GraphQLResult<Operation.Data>.self)
    let cached = cachedResult(of: operation, cachePolicy: cachePolicy)
    if let result = cached.result { continuation.yield(with: result) }
    guard cached.sendsRequest else {
      continuation.finish()
      return stream
    }
    let request: ConnectionMachine.Operation
    do {
      request = try self.request(for: operation, context: context)
    } catch {
      status.update(.finished(.error(error)))
      continuation.finish(throwing: error)
      return stream
    }
    // However the stream ends, the server is to stop as well.
    continuation.onTermination = { [inbox] reason in
      if case .cancelled = reason { status.update(.finished(.cancelled)) }
      inbox.yield(.event(.cancel(id: request.id)))
    }
    let sink = ResultSink(
      operation: operation, store: store, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier,
      buffering: buffering, results: continuation, status: status)
    inbox.yield(.start(request, sink))
    return stream
  }

  private func request<Operation: GraphQLOperation>(
    for operation: Operation, context: (any RequestContext)?
  ) throws -> ConnectionMachine.Operation {
    let type = Operation.operationType
    let timeout =
      (context as? any RequestContextTimeoutConfigurable).map { Duration.waiting($0.requestTimeout) }
      ?? configuration.timeouts.result.map { min($0, .longest) }
    return ConnectionMachine.Operation(
      id: configuration.operationMessageIdCreator.requestId(), type: type,
      request: RequestBody.json(try RequestBody.make(for: operation, by: configuration.requestBodyCreator)),
      isResendable: (context as? any ResendableRequestContext)?.isResendable
        ?? configuration.resentOperations.contains(type),
      deadline: type == .subscription ? nil : timeout.map { .now + $0 })
  }

  /// What the cache has to say before the server, or instead of it.
  private func cachedResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy
  ) -> (result: Result<GraphQLResult<Operation.Data>, any Error>?, sendsRequest: Bool) {
    guard Operation.operationType == .query, let store else { return (nil, true) }
    func load() -> Result<GraphQLResult<Operation.Data>, any Error> {
      let reading = store.read(operation)
      if let result = GraphQLResult(reading) { return .success(result) }
      return Result { try reading.data.get() }.map { GraphQLResult(data: $0, source: .cache) }
    }
    switch cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return (nil, true)
    case .returnCacheDataDontFetch: return (load(), false)
    case .returnCacheDataElseFetch, .returnCacheDataAndFetch:
      guard case .success(let result) = load(), cachePolicy == .returnCacheDataAndFetch || !result.cacheInfo.isPartial
      else { return (nil, true) }
      return (.success(result), cachePolicy == .returnCacheDataAndFetch)
    }
  }
}
