public import ApolloAPI
public import ApolloCache

// Members of the client and the store in earlier releases.

extension ApolloClient {
  /// A client over a transport, as in releases 1.21 to 1.25 of Apollo iOS.
  ///
  /// - Parameters:
  ///   - store: It must be the one that the transport's interceptors use.
  ///   - sendEnhancedClientAwareness: False to keep requests from saying which library they come from, whatever the transport
  ///     was told; true to leave that to the transport.
  public convenience init(networkTransport: any NetworkTransport, store: ApolloStore, sendEnhancedClientAwareness: Bool)
  {
    self.init(networkTransport: networkTransport, store: store)
    if !sendEnhancedClientAwareness { (networkTransport as? any ClientAwareTransport)?.endClientAwareness() }
  }

  /// Makes the key of an object as the server sent it, as in releases 0.x of Apollo iOS: the store's `cacheKeyForObject`. Set it before
  /// the first operation.
  @preconcurrency public var cacheKeyForObject: CacheKeyForObject? {
    get { store.cacheKeyForObject }
    set { store.cacheKeyForObject = newValue }
  }
}

/// A transport whose requests say which library they come from.
package protocol ClientAwareTransport {
  /// They no longer do.
  func endClientAwareness()
}

extension ApolloStore {
  /// Reads a query from the cache, under the label of releases 0.x of Apollo iOS.
  ///
  /// - Parameter resultHandler: Called once, on a queue of the store, with an error if the cache does not have all of the
  ///   data.
  public func load<Query: GraphQLQuery>(
    query: Query, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    load(query, resultHandler: resultHandler)
  }
}
