public import ApolloHTTP
package import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache

/// Reads a query from the cache before the server is asked, and writes results to the cache. Part of the API of Apollo
/// iOS 2.
///
/// A provider names one with ``InterceptorProvider/cacheInterceptor(for:)``. It is not used if the provider implements
/// `interceptors(for:)`.
public protocol CacheInterceptor: Sendable {
  /// Reads the data of a query. Called if the ``FetchBehavior`` of the query reads the cache before the server is
  /// asked, and for `networkFirst` if the server does not answer.
  ///
  /// - Parameters:
  ///   - store: The transport's cache.
  ///   - request: The query on its way. If the server does not answer, it is a request of its own, as the transport makes it
  ///     for the query: interceptors may still be at work with the other one.
  /// - Returns: The result; nil if the cache does not have all of the data.
  /// - Throws: The error that ends the operation.
  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>?

  /// Writes a result of the server. Called with each result, unless the request says that nothing is to be written.
  ///
  /// - Parameters:
  ///   - store: The transport's cache.
  ///   - request: The operation.
  ///   - response: The result, and its records.
  /// - Throws: The error that ends the operation.
  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws
}

/// Reads and writes the cache of the transport. The default of every provider.
public struct DefaultCacheInterceptor: CacheInterceptor {
  /// Makes an interceptor.
  public init() {}

  /// Reads the data of a query from the cache. If the server does not answer a query with `networkFirst`, or is asked only
  /// for what is too old, data of any age is read, unless the configuration of the query says otherwise.
  ///
  /// - Parameters:
  ///   - store: The transport's cache.
  ///   - request: The query on its way.
  /// - Returns: The result; nil if the cache does not have all of the data.
  /// - Throws: Nothing. It is marked as throwing because the protocol's requirement is.
  public func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    guard let known = request as? HTTPRequest<Request.Operation> else {
      return GraphQLResult(await store.read(request.operation), of: request.operation, in: store)
    }
    let configuration = known.requestConfiguration, isStandIn = known.isStandIn
    let revalidates = known.cachePolicy == .returnCacheDataAndFetch && known.revalidatesCache
    let reading = await store.read(
      request.operation, configuration.staleLimit(default: isStandIn || revalidates ? .permissive : .strict),
      returnsPartialData: isStandIn && configuration.returnsPartialData == true)
    return GraphQLResult(reading, of: request.operation, in: store)
  }

  /// Writes the records of a result to the cache.
  ///
  /// - Parameters:
  ///   - store: The transport's cache.
  ///   - request: The operation.
  ///   - response: The result, and its records.
  /// - Throws: The error that a backend of the cache threw.
  public func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {
    try await request.operation.write(
      response.result, response.cacheRecords, to: store, as: request as? HTTPRequest<Request.Operation>)
  }
}

/// Asks a ``CacheInterceptor`` for the data before the server is asked, and in place of a server that does not answer.
struct CacheReading: StepInterceptor {
  let interceptor: any CacheInterceptor

  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    // The default interceptor can tell more than the protocol allows: the error of the backend, and what data is
    // missing.
    if interceptor is DefaultCacheInterceptor {
      return try await passage.read(response, from: passage.store)
    }
    let request = try passage.overHTTP(for: type(of: interceptor))
    let behavior = request.fetchBehavior
    guard let store = passage.store, passage.readsCache, behavior.cacheRead == .beforeNetworkFetch else {
      passage.beginSending()
      return .proceed(response)
    }
    let result = try await interceptor.readCacheData(from: store, request: request)
    switch (result, behavior.networkFetch) {
    case (let result?, .always):
      let isEnough = passage.revalidatesCache && !result.cacheInfo.isStale
      if isEnough { return .return(result) }
      passage.beginSending()
      if passage.hasResultOfCache { return .proceed(response) }
      passage.hasResultOfCache = true
      return .returnAndProceed(result)
    case (let result?, .never): return .return(result)
    // A result with errors that the cache keeps in place of values is not all of the data.
    case (let result?, .onCacheMiss) where result.hasData && !result.cacheInfo.isPartial: return .return(result)
    case (nil, .never):
      throw OperationError(
        .cacheMiss, "\(type(of: interceptor)) has no data, and the server must not be asked.",
        operationName: Operation.operationName)
    default:
      passage.beginSending()
      return .proceed(response)
    }
  }
}

extension CacheReading: StandInReader {
  func read<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>
  ) async throws -> GraphQLResult<Operation.Data>? {
    guard let store = request.store else { return nil }
    return try await interceptor.readCacheData(from: store, request: request)
  }
}

extension InterceptorRequestChain {
  /// What reads the cache if the server does not answer; nil where no interceptor of the app reads it.
  package var standInReader: (any StandInReader)? {
    for case let reading as CacheReading in interceptors where !(reading.interceptor is DefaultCacheInterceptor) {
      return reading
    }
    return nil
  }
}

/// Passes results to a ``CacheInterceptor``.
struct CacheWriting: StepInterceptor {
  let interceptor: any CacheInterceptor

  var kind: InterceptorRequestChain.InterceptorKind {
    InterceptorRequestChain.InterceptorKind(.step(.writing(self)))
  }

  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard passage.writesCache, let response else { return .proceed(response) }
    if interceptor is DefaultCacheInterceptor {
      await passage.write(response, to: passage.store)
    } else if let store = passage.store, let response = response.asHTTP,
      let result = response.parsedResponse
    {
      let request = try passage.overHTTP(for: type(of: interceptor))
      response.makeRecords(for: store)
      try await interceptor.writeCacheData(to: store, request: request, response: ParsedResult(result, response))
      result.noteStored()
    }
    return .proceed(response)
  }
}
