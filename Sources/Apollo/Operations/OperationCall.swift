package import ApolloAPI
import ApolloCache
package import Foundation

/// One operation that a caller wants to have run, with all that was said about it.
package struct OperationCall<Operation: GraphQLOperation>: Sendable {
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
  /// What is different for this operation, by the caller, its context and its client.
  package internal(set) var configuration: RequestConfiguration
  /// Why it cannot be sent with this configuration.
  private(set) var problem: (any Error)?
  // The last one, so that the places of the others do not depend on its size, which generic code has to ask for.
  package var operation: Operation

  package init(
    _ operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, configuration: RequestConfiguration? = nil, files: [GraphQLFile]? = nil
  ) {
    self.operation = operation
    self.cachePolicy = cachePolicy
    self.contextIdentifier = contextIdentifier
    self.files = files
    handedContext = Handoff(context)
    self.configuration = configuration ?? RequestConfiguration()
    problem = configuration?.problem(in: Operation.operationName)
    if let context { self.configuration.fill(from: RequestConfiguration(context)) }
  }

  /// A query under a policy of any release.
  init(
    _ operation: Operation, _ policy: some QueryCachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, configuration: RequestConfiguration?
  ) {
    self.init(
      operation, cachePolicy: policy.requestPolicy, contextIdentifier: contextIdentifier, context: context,
      configuration: configuration)
    fallsBackToCache = policy.fallsBackToCache
  }

  /// Adds what a client says for all of its operations.
  mutating func fill(from defaults: RequestConfiguration) {
    guard !defaults.isEmpty else { return }
    configuration.fill(from: defaults)
    problem = problem ?? defaults.problem(in: Operation.operationName)
  }

  /// The results are written to the cache.
  var writesCache: Bool { cachePolicy.writesCache(configuration) }

  /// The cache is asked before the server, or in its place.
  var readsCache: Bool {
    guard Operation.operationType == .query else { return false }
    switch cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return false
    case .returnCacheDataElseFetch, .returnCacheDataDontFetch, .returnCacheDataAndFetch: return true
    }
  }
}

extension CachePolicy {
  func writesCache(_ configuration: RequestConfiguration) -> Bool {
    self != .fetchIgnoringCacheCompletely && configuration.writeResultsToCache ?? true
  }
}
