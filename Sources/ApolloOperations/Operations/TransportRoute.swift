package import ApolloTransport
import ApolloAPI
package import ApolloCache
package import Foundation

/// A transport, and how operations run over it. A client finds this out once, for all of its operations.
package struct TransportRoute: Sendable {
  enum Kind {
    /// The transport runs chains of interceptors.
    case chains(any ChainedTransport)
    /// The transport delivers the bytes of responses.
    case responses
    /// The transport implements only `send` of Apollo iOS 1.
    case sending
    /// The transport names another transport for each operation.
    case routing
  }

  // Safe: an app's object (see Handoff).
  nonisolated(unsafe) package let transport: any NetworkTransport
  let kind: Kind
  /// The transport's cache, or the client's if the transport has none.
  package let store: ApolloStore?
  /// The client's rules for credentials and retries, for transports that deliver bytes.
  package let policies: ExchangePolicies
  /// What has chosen the transport, and is held because the transport may need it; nil: nothing has.
  private let chooser: (any RoutingTransport)?

  /// Makes a route.
  ///
  /// - Parameters:
  ///   - transport: The transport.
  ///   - store: The client's cache. nil: none.
  ///   - policies: The client's rules for credentials and retries.
  ///   - sendsByChains: Whether the call comes from the `send` of ``RequestChainNetworkTransport`` itself. Otherwise
  ///     the `send` of a subclass is called, which may override it.
  package init(
    _ transport: any NetworkTransport, store: ApolloStore? = nil, policies: ExchangePolicies = ExchangePolicies(),
    sendsByChains: Bool = false
  ) {
    self.init(transport, chosenBy: nil, store: store, policies: policies, sendsByChains: sendsByChains)
  }

  private init(
    _ transport: any NetworkTransport, chosenBy chooser: (any RoutingTransport)?, store: ApolloStore?,
    policies: ExchangePolicies, sendsByChains: Bool = false
  ) {
    self.policies = policies
    self.transport = transport
    self.chooser = chooser
    self.store = (transport as? any ClientTransport)?.store ?? store
    if let chains = transport as? any ChainedTransport, sendsByChains || !chains.mayOverrideSend {
      kind = .chains(chains)
    } else if transport is any ResponseTransport {
      kind = .responses
    } else if transport is any RoutingTransport {
      kind = .routing
    } else {
      kind = .sending
    }
  }

  var chains: (any ChainedTransport)? {
    if case .chains(let chains) = kind { chains } else { nil }
  }

  /// Makes the run of a client's operation.
  ///
  /// (All of it in one function of this module, because each function of another one looks up the generic types anew.)
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - configuration: What is different for this operation.
  ///   - context: A value for interceptors of the app.
  ///   - defaults: What holds for every operation that does not say otherwise.
  /// - Returns: The run.
  @inline(never)
  package func run<Operation: GraphQLOperation>(
    of operation: Operation, _ cachePolicy: CachePolicy, _ configuration: RequestConfiguration?,
    _ context: (any RequestContext)?, _ defaults: RequestConfiguration
  ) -> OperationRun<Operation> {
    run(OperationCall(operation, cachePolicy: cachePolicy, context: context, configuration: configuration), defaults)
  }

  /// Makes the run of a client's operation.
  @inline(__always)
  package func run<Operation: GraphQLOperation>(
    _ call: consuming OperationCall<Operation>, _ defaults: RequestConfiguration
  ) -> OperationRun<Operation> {
    call.fill(from: defaults)
    call.refuseWithinOptimisticUpdate()
    call.options.trace = policies.events.trace(Operation.self)
    return OperationRun(call, by: self)
  }

  /// Runs an operation that came through the `send` or the `upload` of a transport, and calls a handler with each result,
  /// and with the error that ended it, on a queue.
  ///
  /// - Parameters:
  ///   - call: The operation.
  ///   - queue: Where the handler is called.
  ///   - beginsAtOnce: Whether the first interceptors are called before this returns, where the system can do that, as in
  ///     Apollo iOS 1. The default is false.
  ///   - handler: Called with each result, and with the error.
  /// - Returns: Cancels the operation; the handler is not called after that.
  package func deliver<Operation: GraphQLOperation>(
    _ call: consuming OperationCall<Operation>, on queue: DispatchQueue, beginsAtOnce: Bool = false,
    to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(call, by: self).deliver(on: queue, beginsAtOnce: beginsAtOnce, to: handler)
  }

  /// Whether files can be sent with an operation.
  package func takesFiles<Operation: GraphQLOperation>(of call: OperationCall<Operation>) -> Bool {
    chosen(for: call).transport is any UploadingNetworkTransport
  }

  /// The route of one operation.
  func chosen<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> TransportRoute {
    guard case .routing = kind, let router = transport as? any RoutingTransport else { return self }
    return TransportRoute(router.transport(for: call), chosenBy: router, store: store, policies: policies)
      .chosen(for: call)
  }
}

extension TransportRoute {
  /// The steps of an operation over a transport without interceptors.
  func steps<Operation: GraphQLOperation>(of call: OperationCall<Operation>) -> SourceChain {
    guard let transport = transport as? any ResponseTransport else {
      let source = StepKind.source(SendingSource(transport: transport, files: call.files))
      // The transport reads the cache itself, unless it must not be asked.
      return SourceChain(call.options.failsForServer ? [.plain(StoreReading()), source] : [source])
    }
    return SourceChain([
      .listening(MaxRetryInterceptor(configuration: policies.retry)), .plain(StoreReading()),
      .source(TransportSource(transport: transport, policies: policies)), .plain(JSONResponseParsingInterceptor()),
      .writing(StoreWriting()),
    ])
  }
}
