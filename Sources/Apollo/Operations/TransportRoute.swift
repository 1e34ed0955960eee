import ApolloAPI
package import ApolloCache

/// A transport, and what has to be known of it to run operations: found out once for all operations of a client.
package struct TransportRoute: Sendable {
  enum Kind {
    /// Through chains of interceptors.
    case chains(RequestChainNetworkTransport)
    /// A transport of bytes.
    case responses
    /// A transport that has release 1's `send` only.
    case sending
    /// Another transport, for each operation.
    case routing
  }

  var transport: any NetworkTransport { handedTransport.value }
  private let handedTransport: Handoff<any NetworkTransport>
  let kind: Kind
  /// The cache of the transport; that of the client for one that was given none.
  let store: ApolloStore?
  /// The client's, for transports of bytes.
  let policies: ExchangePolicies

  /// - Parameters:
  ///   - store: The client's.
  ///   - policies: The client's.
  ///   - sendsByChains: The call comes from the `send` of ``RequestChainNetworkTransport`` itself. Else a subclass is asked by its
  ///     `send`, which it may have overridden.
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
