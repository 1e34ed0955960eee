public import ApolloAPI
public import ApolloCache

/// Answers queries from the cache where the cache policy allows it.
///
/// Where the cache keeps an error that the server reported in place of a value, `returnCacheDataElseFetch` asks the
/// server again; the other policies return the data with the error.
public struct CacheReadInterceptor: AsyncInterceptor {
  private let store: ApolloStore

  public init(store: ApolloStore) { self.store = store }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard Operation.operationType == .query else { return .proceed(response) }
    switch request.cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return .proceed(response)
    case .returnCacheDataElseFetch:
      let reading = read(request)
      guard reading.errors.isEmpty, let result = GraphQLResult(reading) else { return .proceed(response) }
      return .return(result)
    case .returnCacheDataDontFetch:
      let reading = store.read(request.operation)
      guard let result = GraphQLResult(reading) else {
        if let error = reading.backendError { throw error }
        _ = try reading.data.get()
        return .proceed(response)
      }
      return .return(result)
    case .returnCacheDataAndFetch:
      guard let result = GraphQLResult(read(request)) else { return .proceed(response) }
      return .returnAndProceed(result)
    }
  }

  private func read<Operation>(_ request: HTTPRequest<Operation>) -> RecordReading<Operation.Data> {
    let reading = store.read(request.operation)
    request.cacheError = reading.backendError
    return reading
  }
}
