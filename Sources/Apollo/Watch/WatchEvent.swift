package import ApolloAPI
package import ApolloTransport

/// What happens to a watcher, for the states of screens.
package enum WatchEvent<Data: SelectionSet>: @unchecked Sendable {
  // (Unchecked as GraphQLResult is: a result refers to nothing else.)

  /// A result is there, or an error.
  ///
  /// `request` is the number of the request that has brought it; nil if it is from the cache after a change. `deferred` is
  /// what became of deferred fragments, looked for outside of the main thread; nil if there are none.
  case result(Result<GraphQLResult<Data>, any Error>, request: Int?, deferred: DeferredOutcome?)
  /// A request was answered, and an optimistic update hides a part of the answer, so that it is not to be shown.
  case hidden(GraphQLResult<Data>, request: Int)
  /// A request has begun or has ended. `last` is the number of the last one that has begun.
  case requests(last: Int, isUnderWay: Bool)
  /// There is a network again, or there is none any more.
  case network
  /// The first of the fields is older than it may be.
  case expiry
  /// The watch has ended, because the user has signed out or the client was closed. Nothing follows.
  case end(any Error)
}
