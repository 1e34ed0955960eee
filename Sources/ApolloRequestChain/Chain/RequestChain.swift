public import ApolloOperations
public import ApolloTransport
public import ApolloAPI

/// Runs one operation through its interceptors, from the call to the result.
///
/// 1. The client asks its transport to send the operation.
/// 2. The transport makes an ``HTTPRequest`` and asks its ``InterceptorProvider`` for the interceptors.
/// 3. The chain calls one interceptor after the other. By default:
///    - `MaxRetryInterceptor` counts how often the operation was tried,
///    - `CacheReadInterceptor` answers from the cache if the policy allows it,
///    - `NetworkFetchInterceptor` sends the request,
///    - `ResponseCodeInterceptor` checks the status,
///    - `JSONResponseParsingInterceptor` makes typed data and records of the body,
///    - `CacheWriteInterceptor` merges the records into the cache.
/// 4. After the last interceptor, the parsed response is the result. An interceptor may also return a result earlier,
///    start the chain again, or fail. After a failure, the provider's error interceptor may return a result instead.
/// 5. If an operation has several responses, each of them goes through the rest of the chain.
public protocol RequestChain: Cancellable {
  /// Starts at the first interceptor.
  func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Continues with the interceptor after the one that was called last. An interceptor that continues more than once
  /// must use ``proceedAsync(request:response:interceptor:completion:)``.
  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Continues with the interceptor after `interceptor`.
  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, interceptor: any ApolloInterceptor,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Starts again at the first interceptor.
  func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Fails with an error, unless the provider's error interceptor returns a result.
  func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  /// Delivers a result to the caller.
  func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)

  var isCancelled: Bool { get }
}
