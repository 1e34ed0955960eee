public import ApolloAPI

/// Makes the interceptors of each operation.
///
/// There are two ways to write one, and everything has a default:
///
/// - As in release 2 of Apollo iOS: name what stands around the operation, what reads and writes the cache, what stands around the
///   exchange over HTTP, and what reads the body. Session and cache are those of the transport.
/// - As in releases 0.34 to 1.x: make the whole list, ``interceptors(for:)``. Then the other functions are not asked.
///
/// It is asked from any thread. A plain class conforms; it need not be `Sendable`.
public protocol InterceptorProvider {
  /// New interceptors, in the order in which they are called. By default: ``graphQLInterceptors(for:)``, the cache, the exchange
  /// over HTTP with ``httpInterceptors(for:)`` around it, ``responseParser(for:)``, and the cache again.
  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor]

  /// Sees errors before they reach the caller. By default there is none.
  func additionalErrorInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> (
    any ApolloErrorInterceptor
  )?

  /// What stands around the operation, from the outside in. By default ``MaxRetryInterceptor`` and
  /// ``AutomaticPersistedQueryInterceptor``.
  func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor]

  /// What reads and writes the cache. By default a ``DefaultCacheInterceptor``.
  func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor

  /// What stands around the exchange over HTTP, from the outside in. By default ``ResponseCodeInterceptor``.
  func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor]

  /// What reads the body. By default a ``JSONResponseParsingInterceptor``.
  func responseParser<Operation: GraphQLOperation>(for operation: Operation) -> any ResponseParsingInterceptor
}

extension InterceptorProvider {
  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    let cache = cacheInterceptor(for: operation)
    let reading: [any ApolloInterceptor] =
      if let parser = responseParser(for: operation) as? JSONResponseParsingInterceptor {
        [MultipartResponseParsingInterceptor(), parser]
      } else {
        [ResponseParsing(parser: responseParser(for: operation))]
      }
    return graphQLInterceptors(for: operation) + [CacheReading(interceptor: cache)]
      + [NetworkFetchInterceptor(interceptors: httpInterceptors(for: operation))] + reading
      + [CacheWriting(interceptor: cache)]
  }

  public func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }

  public func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor] {
    [MaxRetryInterceptor(), AutomaticPersistedQueryInterceptor()]
  }

  public func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor {
    DefaultCacheInterceptor()
  }

  public func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    [ResponseCodeInterceptor()]
  }

  public func responseParser<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> any ResponseParsingInterceptor { JSONResponseParsingInterceptor() }
}
