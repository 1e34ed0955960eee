public import ApolloTransport
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
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    if passage.writesCache {
      guard let response else { throw CacheWriteError.noResponseToParse }
      await passage.write(response, to: store)
    }
    return .proceed(response)
  }
}
