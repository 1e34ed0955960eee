public import ApolloAPI

/// The way of one operation, from the call to the result.
///
/// 1. The client asks its transport to send the operation.
/// 2. The transport makes an ``HTTPRequest`` and asks its ``InterceptorProvider`` for the interceptors.
/// 3. The chain calls one interceptor after the other. By default:
///    - `MaxRetryInterceptor` counts how often the operation was tried,
///    - `CacheReadInterceptor` answers from the cache where the policy allows it,
///    - `NetworkFetchInterceptor` sends the request,
///    - `ResponseCodeInterceptor` checks the status,
///    - `JSONResponseParsingInterceptor` makes typed data, and records, of the body,
///    - `CacheWriteInterceptor` merges the records into the cache.
/// 4. Behind the last one, the parsed response is the result. An interceptor may also return one earlier, start over,
///    or fail; then the provider's error interceptor, if there is one, may still recover.
/// 5. An operation that answers many times passes each response down the rest of the chain.
public protocol RequestChain: Cancellable {
  /// Starts at the first interceptor.
  func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Goes on behind the interceptor that was called last. One that goes on more than once must use the other form.
  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Goes on behind `interceptor`.
  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, interceptor: any ApolloInterceptor,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Starts over.
  func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Fails, unless the error interceptor recovers.
  func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Hands a result to the caller.
  func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  var isCancelled: Bool { get }
}
