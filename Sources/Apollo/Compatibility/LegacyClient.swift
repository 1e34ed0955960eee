import ApolloRequestChain
import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import ApolloCache

// Members of the client and the store in earlier releases.

extension ApolloClient {
  /// Makes a client over a transport that the app has made, as in Apollo iOS 1.21 to 1.25.
  ///
  /// - Parameters:
  ///   - networkTransport: Sends the operations.
  ///   - store: The cache. It must be the one that the transport's interceptors use.
  ///   - sendEnhancedClientAwareness: False to keep requests from naming this library, even if the transport was told
  ///     otherwise. True to leave it to the transport.
  public convenience init(networkTransport: any NetworkTransport, store: ApolloStore, sendEnhancedClientAwareness: Bool)
  {
    self.init(networkTransport: networkTransport, store: store)
    if !sendEnhancedClientAwareness { (networkTransport as? any ClientAwareTransport)?.endClientAwareness() }
  }

  /// Makes the key of an object as the server sent it, as in Apollo iOS 0.x. It is the store's `cacheKeyForObject`; set
  /// it before the first operation.
  @preconcurrency public var cacheKeyForObject: CacheKeyForObject? {
    get { store.cacheKeyForObject }
    set { store.cacheKeyForObject = newValue }
  }
}

extension ApolloStore {
  /// Reads a query from the cache, with the argument label of Apollo iOS 0.x.
  ///
  /// - Parameters:
  ///   - query: The query to read, with its variables.
  ///   - resultHandler: Called once, on a global queue of the system, with an error if the cache does not have all of
  ///     the data.
  public func load<Query: GraphQLQuery>(
    query: Query, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    load(query, resultHandler: resultHandler)
  }
}
