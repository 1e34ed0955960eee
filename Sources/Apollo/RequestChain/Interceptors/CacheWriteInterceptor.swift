package import ApolloAPI
import Foundation
public import ApolloCache

/// Merges the objects of a response into the cache, unless the cache policy or the ``RequestConfiguration`` says otherwise.
public struct CacheWriteInterceptor: ChainStep {
  public enum CacheWriteError: ApolloError {
    case noResponseToParse

    public var code: ApolloErrorCode { .configuration }
    public var message: String { "There is no response to write: an interceptor that parses it must come before." }
  }

  public let store: ApolloStore

  public init(store: ApolloStore) { self.store = store }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard request.writesCache else { return .proceed(response) }
    guard let response else { throw CacheWriteError.noResponseToParse }
    var error = request.cacheError
    if let result = response.parsedResponse {
      let answer = OperationPipeline.Answer(result: result, records: response.records)
      error =
        await OperationPipeline(store: store).write(answer, origin: request.contextIdentifier)
        ?? error
      response.records = nil
    }
    if let error { response.parsedResponse?.cacheInfo.error = error }
    return .proceed(response)
  }
}
