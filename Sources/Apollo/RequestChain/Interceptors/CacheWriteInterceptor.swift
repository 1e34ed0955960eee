package import ApolloAPI
import Foundation
public import ApolloCache

/// Writes the objects of a response to the cache, unless the cache policy or the ``RequestConfiguration`` says
/// otherwise.
public struct CacheWriteInterceptor: ChainStep {
  /// Why nothing can be written.
  public enum CacheWriteError: ApolloError {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse

    /// The kind of this error: ``ApolloErrorCode/configuration``.
    public var code: ApolloErrorCode { .configuration }
    /// One sentence that says what went wrong.
    public var message: String { "There is no response to write: an interceptor that parses it must come before." }
  }

  /// The cache that is written to.
  public let store: ApolloStore

  /// Makes an interceptor.
  ///
  /// - Parameter store: The cache that is written to.
  public init(store: ApolloStore) { self.store = store }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    request.writesCache ? try await write(response, of: request) : .proceed(response)
  }

  private nonisolated(nonsending) func write<Operation: GraphQLOperation>(
    _ response: HTTPResponse<Operation>?, of request: HTTPRequest<Operation>
  ) async throws -> NextStep<Operation> {
    guard let response else { throw CacheWriteError.noResponseToParse }
    var error = request.cacheError
    if let result = response.parsedResponse {
      let answer = OperationPipeline.Answer(result: result, records: response.records)
      let pipeline = OperationPipeline(store: store)
      error =
        await pipeline.write(
          answer, origin: request.contextIdentifier, request.requestConfiguration, sent: request.ticketOfResponse,
          ListEdits.of(request.operation))
        ?? error
      if Operation.__hasLocalFields {
        response.parsedResponse = await pipeline.completed(answer, of: request.operation, request.requestConfiguration)
      }
      response.records = nil
    }
    if let error { response.parsedResponse?.cacheInfo.error = error }
    return .proceed(response)
  }
}
