public import ApolloAPI
public import ApolloCache

/// Merges the objects of a response into the cache, unless the cache policy says otherwise.
public struct CacheWriteInterceptor: AsyncInterceptor {
  public enum CacheWriteError: ApolloError {
    case noResponseToParse

    public var code: ApolloErrorCode { .configuration }
    public var message: String { "There is no response to write: an interceptor that parses it must come before." }
  }

  public let store: ApolloStore

  public init(store: ApolloStore) { self.store = store }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard request.cachePolicy != .fetchIgnoringCacheCompletely else { return .proceed(response) }
    guard let response else { throw CacheWriteError.noResponseToParse }
    // An error leaves null behind where there may be a value: such a response must not hide what the cache has.
    if let records = response.records, response.parsedResponse?.errors?.isEmpty ?? true {
      await store.publish(records, origin: request.contextIdentifier)
      response.records = nil
    }
    return .proceed(response)
  }
}
