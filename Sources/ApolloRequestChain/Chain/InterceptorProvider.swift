import ApolloCache
public import ApolloHTTP
import ApolloOperations
public import ApolloAPI

/// Makes the interceptors of each operation.
///
/// There are two ways to write one. All functions have defaults.
///
/// - As in Apollo iOS 2: give the interceptors around the operation, those around the exchange over HTTP, the one for
///   the cache, and the one that parses the body. They use the session and the cache of the transport.
/// - As in Apollo iOS 0.34 to 1: make the whole list in ``interceptors(for:)``. Then the other functions are not
///   called.
///
/// It is called from any thread. It need not be `Sendable`.
public protocol InterceptorProvider {
  /// Makes the interceptors for one operation, in the order in which they are called. By default these are
  /// `graphQLInterceptors(for:)`, reading the cache, the exchange over HTTP with `httpInterceptors(for:)` around
  /// it, `responseParser(for:)`, and writing the cache.
  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor]

  /// The interceptor that sees every error before it reaches the caller. nil, the default: none.
  func additionalErrorInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> (
    any ApolloErrorInterceptor
  )?

  /// The interceptors around the operation, from the outermost to the innermost. By default ``MaxRetryInterceptor`` and
  /// ``AutomaticPersistedQueryInterceptor``.
  func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor]

  /// The interceptor that reads and writes the cache. By default a ``DefaultCacheInterceptor``.
  func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor

  /// The interceptors around the exchange over HTTP, from the outermost to the innermost. By default a
  /// ``ResponseCodeInterceptor``.
  func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor]

  /// The interceptor that parses the body. By default a ``JSONResponseParsingInterceptor``.
  func responseParser<Operation: GraphQLOperation>(for operation: Operation) -> any ResponseParsingInterceptor
}

extension InterceptorProvider {
  /// The interceptors around the operation, reading the cache, the exchange over HTTP with its interceptors, the
  /// parser, and writing the cache.
  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    let cache = cacheInterceptor(for: operation)
    let parser = responseParser(for: operation)
    let reading: [any ApolloInterceptor] =
      if let parser = parser as? JSONResponseParsingInterceptor {
        [MultipartResponseParsingInterceptor(), parser]
      } else {
        [ResponseParsing(parser: parser)]
      }
    return graphQLInterceptors(for: operation) + [CacheReading(interceptor: cache)]
      + [NetworkFetchInterceptor(interceptors: httpInterceptors(for: operation))] + reading
      + [CacheWriting(interceptor: cache)]
  }

  /// nil: no interceptor sees the errors.
  public func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }

  /// A ``MaxRetryInterceptor`` and an ``AutomaticPersistedQueryInterceptor``.
  public func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor] {
    [MaxRetryInterceptor(), AutomaticPersistedQueryInterceptor()]
  }

  /// A ``DefaultCacheInterceptor``.
  public func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor {
    DefaultCacheInterceptor()
  }

  /// A ``ResponseCodeInterceptor``.
  public func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    [ResponseCodeInterceptor()]
  }

  /// A ``JSONResponseParsingInterceptor``.
  public func responseParser<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> any ResponseParsingInterceptor { JSONResponseParsingInterceptor() }
}

/// An interceptor provider that can tell which cache its interceptors use.
protocol StoreHolding {
  var store: ApolloStore? { get }
}
