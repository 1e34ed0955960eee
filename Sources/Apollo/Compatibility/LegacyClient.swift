import ApolloRequestChain
import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Dispatch
public import Foundation

// Members of the client, the store and watchers in earlier releases.

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
    if !sendEnhancedClientAwareness { (networkTransport as? any ClientAwareTransport)?.endLibraryAwareness() }
  }

  /// Makes a client over a transport that the app has made, as in Apollo iOS 2.
  ///
  /// - Parameters:
  ///   - networkTransport: Sends the operations.
  ///   - store: The cache; see ``init(networkTransport:store:defaultRequestConfiguration:)``.
  ///   - defaultRequestConfiguration: What holds for every operation that does not say otherwise. The default changes
  ///     nothing.
  ///   - clientAwarenessMetadata: What requests tell the server of the app and of this library. It takes the place of
  ///     what the transport was told before; a transport of the app's own sends what it likes.
  public convenience init(
    networkTransport: any NetworkTransport, store: ApolloStore,
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
    clientAwarenessMetadata: ClientAwarenessMetadata
  ) {
    self.init(
      networkTransport: networkTransport, store: store, defaultRequestConfiguration: defaultRequestConfiguration)
    (networkTransport as? any ClientAwareTransport)?.clientAwarenessMetadata = clientAwarenessMetadata
  }

  /// Makes a client that sends operations over HTTP, with a cache in memory, as in Apollo iOS 2.
  ///
  /// - Parameters:
  ///   - url: The address of the GraphQL server.
  ///   - defaultRequestConfiguration: What holds for every operation that does not say otherwise. The default changes
  ///     nothing.
  ///   - clientAwarenessMetadata: What requests tell the server of the app and of this library.
  public convenience init(
    url: URL, defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
    clientAwarenessMetadata: ClientAwarenessMetadata
  ) {
    var configuration = Configuration(url: url)
    configuration.http.clientName = clientAwarenessMetadata.clientApplicationName ?? ""
    configuration.http.clientVersion = clientAwarenessMetadata.clientApplicationVersion ?? ""
    configuration.http.sendEnhancedClientAwareness = clientAwarenessMetadata.includeApolloLibraryAwareness
    configuration.defaultRequestConfiguration = defaultRequestConfiguration
    self.init(configuration: configuration)
  }

  /// Makes the key of an object as the server sent it, as in Apollo iOS 0.x. It is the store's `cacheKeyForObject`; set
  /// it before the first operation.
  @preconcurrency public var cacheKeyForObject: CacheKeyForObject? {
    get { store.cacheKeyForObject }
    set { store.cacheKeyForObject = newValue }
  }
}

extension ApolloStore {
  /// Reads an operation from the cache, with the argument labels of Apollo iOS 0.x.
  ///
  /// - Parameters:
  ///   - query: The operation to read, with its variables.
  ///   - callbackQueue: Where the handler is called. nil, the default: on a global queue of the system.
  ///   - resultHandler: Called once, with an error if the cache does not have all of the data.
  public func load<Operation: GraphQLOperation>(
    query: Operation, callbackQueue: DispatchQueue? = nil, resultHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) {
    load(query, callbackQueue: callbackQueue, resultHandler: resultHandler)
  }
}

extension GraphQLQueryWatcher {
  /// Whether ``cancel()`` was called, or a sign-out or the end of the client has ended the watch. As in Apollo iOS 2.
  public var cancelled: Bool { state.withLock { $0.watch.isEnded } }
}
