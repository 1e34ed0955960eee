package import ApolloAPI
import ApolloCache
package import Foundation

/// One operation that a caller wants to have run, with all that was said about it.
package struct OperationCall<Operation: GraphQLOperation>: Sendable {
  package var operation: Operation
  package var cachePolicy: CachePolicy
  /// The cache stands in for a server that does not answer.
  package var fallsBackToCache = false
  /// Tells whose request it is; a watcher is not told of its own writes.
  package var contextIdentifier: UUID?
  /// Sent with the operation; nil for a request that is no upload.
  package var files: [GraphQLFile]?
  /// What the app gave with the operation.
  package var context: (any RequestContext)? { handedContext.value }
  private let handedContext: Handoff<(any RequestContext)?>

  package init(
    _ operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, files: [GraphQLFile]? = nil
  ) {
    self.operation = operation
    self.cachePolicy = cachePolicy
    self.contextIdentifier = contextIdentifier
    self.files = files
    handedContext = Handoff(context)
  }

  /// A query under a policy of any release.
  init(
    _ operation: Operation, _ policy: some QueryCachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) {
    self.init(
      operation, cachePolicy: policy.requestPolicy, contextIdentifier: contextIdentifier, context: context)
    fallsBackToCache = policy.fallsBackToCache
  }

  /// The cache is asked before the server, or in its place.
  var readsCache: Bool {
    guard Operation.operationType == .query else { return false }
    switch cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return false
    case .returnCacheDataElseFetch, .returnCacheDataDontFetch, .returnCacheDataAndFetch: return true
    }
  }
}
