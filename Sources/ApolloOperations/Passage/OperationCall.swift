package import ApolloTransport
package import ApolloAPI
import ApolloCache
package import Foundation

/// One operation that a caller wants to run, with all of its settings.
package struct OperationCall<Operation: GraphQLOperation>: Sendable {
  var cachePolicy: CachePolicy
  /// When it was asked for.
  let asked = StoreEpoch.current
  /// Whether the cache is read if the server does not answer.
  var fallsBackToCache = false
  /// Identifies the writer: a watcher with an equal identifier is not told of the writes. nil: none.
  var contextIdentifier: UUID?
  /// The files that are sent with the operation; nil if the request is not an upload.
  package var files: [GraphQLFile]?
  // Safe: an app's object (see Handoff).
  /// The value that the app passed with the operation.
  nonisolated(unsafe) let context: (any RequestContext)?
  /// The settings of this operation: those of the caller, of its context and of its client.
  var configuration: RequestConfiguration
  /// What other parts of this package ask of it.
  var options = OperationOptions()
  /// Why the operation cannot be sent with this configuration; nil if it can.
  private(set) var problem: (any Error)?
  // The last property, because its size depends on the type: so generic code knows the offsets of the others.
  var operation: Operation

  // Inlined, because each function with generic parameters looks up its types anew. So are the other steps of a fetch.
  @inline(__always)
  package init(
    _ operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, configuration: RequestConfiguration? = nil, files: [GraphQLFile]? = nil
  ) {
    self.operation = operation
    self.cachePolicy = cachePolicy
    self.contextIdentifier = contextIdentifier
    self.files = files
    self.context = context
    self.configuration = configuration ?? RequestConfiguration()
    problem = configuration?.problem(in: Operation.operationName)
    if let context { self.configuration.fill(from: RequestConfiguration(context)) }
    options.hasOwnRoute = !self.configuration.headers.isEmpty || self.configuration.endpointURL != nil
  }

  /// A query, or a subscription, with a cache policy of any version of Apollo iOS.
  package init(
    _ operation: Operation, _ policy: some QueryCachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, configuration: RequestConfiguration?
  ) {
    self.init(
      operation, cachePolicy: policy.requestPolicy, contextIdentifier: contextIdentifier, context: context,
      configuration: configuration)
    fallsBackToCache = policy.fallsBackToCache
    options.revalidatesCache = policy.revalidatesCache
    options.hasOwnCachePolicy = true
  }

  /// Adds the client's settings of all operations.
  @inline(__always) mutating func fill(from defaults: RequestConfiguration) {
    if !defaults.headers.isEmpty {
      let own = configuration.headers
      options.sharedHeaders = defaults.headers.filter { !own.hasHeader($0.key) }
    }
    guard configuration.fill(from: defaults) else { return }
    problem = problem ?? defaults.problem(in: Operation.operationName)
  }

  /// Says how a watcher wants its query.
  ///
  /// - Parameters:
  ///   - deliversPartFirst: Whether a part of the data is a result that another one follows, whatever the cache policy.
  ///   - writesUncertainResults: Whether a result is written to the cache although one of its errors has no path, without
  ///     its nulls then.
  package mutating func watch(deliversPartFirst: Bool, writesUncertainResults: Bool) {
    options.deliversPartFirst = deliversPartFirst
    options.writesUncertainResults = writesUncertainResults
  }

  /// Has the operation fail with an error, unless there is one already.
  package mutating func refuse(with error: any Error) { problem = problem ?? error }

  /// Refuses an operation that is called for by an optimistic update, which may run any number of times.
  @inline(__always) mutating func refuseWithinOptimisticUpdate() {
    guard let update = ApolloStore.runningOptimisticUpdate else { return }
    refuse(
      with: OperationError(
        .invalidRequest,
        "It was called for in the body of the \(update), which may run any number of times. Send it outside of it.",
        operationName: Operation.operationName))
  }

  /// Whether results are written to the cache.
  var writesCache: Bool { cachePolicy.writesCache(configuration) }

  /// Whether the cache is read before the server is asked, or instead of asking it.
  var readsCache: Bool { options.mayReadCache(for: Operation.operationType) && cachePolicy.readsCache }
}

extension CachePolicy {
  /// Whether the cache is read for an operation that may read it before the server is asked, or instead of asking it.
  package var readsCache: Bool {
    switch self {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: false
    case .returnCacheDataElseFetch, .returnCacheDataDontFetch, .returnCacheDataAndFetch: true
    }
  }

  func writesCache(_ configuration: RequestConfiguration) -> Bool {
    self != .fetchIgnoringCacheCompletely && configuration.writeResultsToCache ?? true
  }
}
