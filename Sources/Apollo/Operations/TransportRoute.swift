import ApolloAPI
package import ApolloCache

/// A transport, and how operations run over it. A client finds this out once, for all of its operations.
package struct TransportRoute: Sendable {
  enum Kind {
    /// The transport runs chains of interceptors.
    case chains(RequestChainNetworkTransport)
    /// The transport delivers the bytes of responses.
    case responses
    /// The transport implements only `send` of Apollo iOS 1.
    case sending
    /// The transport names another transport for each operation.
    case routing
  }

  var transport: any NetworkTransport { handedTransport.value }
  private let handedTransport: Handoff<any NetworkTransport>
  let kind: Kind
  /// The transport's cache, or the client's if the transport has none.
  let store: ApolloStore?
  /// The client's rules for credentials and retries, for transports that deliver bytes.
  let policies: ExchangePolicies

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
    self.policies = policies
    handedTransport = Handoff(transport)
    self.store = (transport as? any StoreUsing)?.store ?? store
    if let chains = transport as? RequestChainNetworkTransport,
      sendsByChains || type(of: chains) == RequestChainNetworkTransport.self
    {
      kind = .chains(chains)
    } else if transport is any ResponseTransport {
      kind = .responses
    } else if transport is any RoutingTransport {
      kind = .routing
    } else {
      kind = .sending
    }
  }

  var chains: RequestChainNetworkTransport? {
    if case .chains(let chains) = kind { chains } else { nil }
  }

  /// The route of one operation.
  func chosen<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> TransportRoute {
    guard case .routing = kind, let router = transport as? any RoutingTransport else { return self }
    return TransportRoute(router.transport(for: call), store: store, policies: policies).chosen(for: call)
  }
}

extension TransportRoute {
  /// The steps of an operation over a transport without interceptors.
  func steps<Operation: GraphQLOperation>(of call: OperationCall<Operation>) -> InterceptorRequestChain {
    let cache = DefaultCacheInterceptor()
    guard let transport = transport as? any ResponseTransport else {
      let source = InterceptorRequestChain.InterceptorKind.Kind.source(
        SendingSource(transport: Handoff(transport), files: call.files))
      // The transport reads the cache itself, unless it must not be asked.
      return InterceptorRequestChain(
        steps: call.options.failsForServer ? [.step(CacheReading(interceptor: cache)), source] : [source])
    }
    return InterceptorRequestChain(steps: [
      .listening(MaxRetryInterceptor(configuration: policies.retry)), .step(CacheReading(interceptor: cache)),
      .source(TransportSource(transport: transport, policies: policies)), .step(JSONResponseParsingInterceptor()),
      .step(CacheWriting(interceptor: cache)),
    ])
  }
}
