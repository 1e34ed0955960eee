import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Dispatch

// Reads of the cache whose results are those of requests: at once from memory, and with a callback.

extension ApolloStore {
  /// Reads a query from memory, at once: a screen that is about to be shown has its data before the first frame.
  ///
  ///     let hero = client.store.readIfInMemory(HeroQuery())?.data?.hero
  ///
  /// It does not wait: neither for a backend nor for a write. With a cache on disk, memory has what was read or written
  /// since the app was launched.
  ///
  /// - Parameters:
  ///   - query: The query to read, with its variables.
  ///   - ttlEnforcement: What happens to values that are older than they may be. By default they are as good as missing.
  ///   - returnsPartialData: Whether a part is a result if the cache does not have all of the data, with an error for each
  ///     value that is missing. The default is false.
  /// - Returns: The data, with the errors that the cache keeps in place of values; nil if memory does not have all of it,
  ///   and while a `clearCache()` with a callback is under way.
  public func readIfInMemory<Query: GraphQLQuery>(
    _ query: Query, ttlEnforcement: TTLEnforcement = .strict, returnsPartialData: Bool = false
  ) -> GraphQLResult<Query.Data>? {
    let reading = readIfInMemory(query, StaleLimit(ttlEnforcement), returnsPartialData: returnsPartialData)
    return reading.flatMap { GraphQLResult($0, of: query, in: self) }
  }

  /// Reads an operation from the cache.
  ///
  /// - Parameters:
  ///   - operation: The operation to read, with its variables.
  ///   - ttlEnforcement: What happens to values that are older than they may be. By default they are as good as missing.
  ///   - returnsPartialData: Whether a part is a result if the cache does not have all of the data, with an error for each
  ///     value that is missing. The default is false.
  ///   - callbackQueue: Where the handler is called. nil: on a global queue of the system.
  ///   - resultHandler: Called once. If the cache does not have all of the data, it gets a `ResponseDecodingError`;
  ///     if a backend of the cache failed, it gets the error that the backend threw.
  public func load<Operation: GraphQLOperation>(
    _ operation: Operation, ttlEnforcement: TTLEnforcement = .strict, returnsPartialData: Bool = false,
    callbackQueue: DispatchQueue? = nil,
    resultHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let handler = resultHandler
    // (Not detached: the task has to know whether its caller holds the turn of the store.)
    Task {
      let reading = await self.read(operation, StaleLimit(ttlEnforcement), returnsPartialData: returnsPartialData)
      let result = GraphQLResult.result(of: reading, operation, self)
      (callbackQueue ?? .global()).async { handler(result) }
    }
  }
}

extension ApolloClientProtocol {
  /// Reads a query from memory, at once, as a request for it would read the cache. The configurations of the request and
  /// of the client say which ages, which partial data and which errors are allowed.
  ///
  /// - Parameters:
  ///   - query: The query to read, with its variables.
  ///   - policy: The cache policy of the request. By default the cache if it has all of the data, and otherwise the server.
  ///   - configuration: What is different for the request. nil, the default: nothing.
  /// - Returns: What the request would give of the cache. nil if memory does not have it, if the policy does not read the
  ///   cache before the server is asked, and while the user is being signed out.
  package func readIfInMemory<Query: GraphQLQuery>(
    _ query: Query, under policy: some QueryCachePolicy = CachePolicy.default,
    _ configuration: RequestConfiguration? = nil
  ) -> GraphQLResult<Query.Data>? {
    let client = self as? ApolloClient
    guard policy.requestPolicy.readsCache, client?.isSigningOut != true else { return nil }
    var configuration = configuration ?? RequestConfiguration()
    if let client { configuration.fill(from: client.defaultRequestConfiguration) }
    let reading = store.readIfInMemory(
      query, configuration.staleLimit(default: policy.revalidatesCache ? .permissive : .strict),
      returnsPartialData: configuration.returnsPartialData == true)
    let result = reading.flatMap { GraphQLResult($0, of: query, in: store) }
    return result.flatMap { try? configuration.errorPolicy.apply(to: $0, of: Query.operationName) }
  }
}
