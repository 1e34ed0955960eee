public import ApolloAPI
public import ApolloCache

/// Reads a query from the cache before the server is asked, and writes results to it. Of release 2 of Apollo iOS.
///
/// A provider that has no `interceptors(for:)` of its own names one by ``InterceptorProvider/cacheInterceptor(for:)``.
public protocol CacheInterceptor: Sendable {
  /// Called for a query whose ``FetchBehavior`` reads the cache before the server is asked.
  ///
  /// - Returns: nil if the cache does not have all of the data.
  /// - Throws: What ends the operation.
  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>?

  /// Called with each result of the server, unless the request says that nothing is to be written.
  ///
  /// - Throws: What ends the operation.
  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws
}

/// Reads and writes the transport's cache, by the rules of all transports.
public struct DefaultCacheInterceptor: CacheInterceptor {
  public init() {}

  public func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    GraphQLResult(await store.read(request.operation), of: request.operation, in: store)
  }

  public func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {
    let answer = OperationPipeline.Answer(result: response.result, records: response.cacheRecords.map { .own($0) })
    let origin = (request as? HTTPRequest<Request.Operation>)?.contextIdentifier
    if let error = await OperationPipeline(store: store).write(answer, origin: origin) { throw error }
  }
}

/// Asks a ``CacheInterceptor`` before the server.
struct CacheReading: ChainStep {
  let interceptor: any CacheInterceptor

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let store = request.store else { return .proceed(response) }
    // The default one knows more than the protocol can say: which error the backend threw, and what a miss lacks.
    if interceptor is DefaultCacheInterceptor {
      return try await CacheReadInterceptor(store: store).intercept(request: request, response: response)
    }
    let behavior = request.fetchBehavior
    guard Operation.operationType == .query, behavior.cacheRead == .beforeNetworkFetch else {
      return .proceed(response)
    }
    let result = try await interceptor.readCacheData(from: store, request: request)
    switch (result, behavior.networkFetch) {
    case (let result?, .always): return .returnAndProceed(result)
    case (let result?, _): return .return(result)
    case (nil, .never):
      throw OperationError(
        .cacheMiss, "\(type(of: interceptor)) has no data, and the server must not be asked.",
        operationName: Operation.operationName)
    case (nil, _): return .proceed(response)
    }
  }
}

/// Hands results to a ``CacheInterceptor``.
struct CacheWriting: ChainStep {
  let interceptor: any CacheInterceptor

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let store = request.store else { return .proceed(response) }
    if interceptor is DefaultCacheInterceptor {
      return try await CacheWriteInterceptor(store: store).intercept(request: request, response: response)
    }
    if request.writesCache, let response, let result = response.parsedResponse {
      try await interceptor.writeCacheData(to: store, request: request, response: ParsedResult(result, response))
    }
    return .proceed(response)
  }
}
