extension ApolloClient {
  /// When a watcher asks the server after a write of others has changed its data in the cache.
  ///
  /// It has no effect for a watcher whose cache policy does not allow to ask the server. A watcher sends one request of
  /// this kind at a time, and its own results are not a change for it. Apollo Kotlin gives a watcher a `refetchPolicy`,
  /// too; its names for these are `CacheOnly`, `CacheFirst` and `CacheAndNetwork`.
  public enum WatchRefetchPolicy: Hashable, Sendable {
    /// Never: if the cache no longer has all of the data, nothing is delivered.
    case never
    /// When the cache no longer has all of the data.
    case onMiss
    /// After each change. What the cache has is delivered at once, and what the server says after it. Of two such
    /// watchers of data that is another one in each response, each asks twice after a change of others, and then waits
    /// for the next such change. Until then, what other watchers bring is delivered, and is not a reason to ask.
    case always
  }
}
