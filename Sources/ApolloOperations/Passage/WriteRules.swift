import ApolloAPI
import ApolloTransport

extension RequestConfiguration {
  /// What is said of writing results to the cache.
  struct WriteRules: Sendable {
    /// How long results may be kept at most; nil: the configuration does not say it.
    let limit: Lifetime?
    /// Whether a result is delivered when it is in the cache.
    let isAwaited: Bool
    /// Whether a result with errors is kept out of the cache.
    let refusesErrors: Bool
  }

  var writeRules: WriteRules {
    WriteRules(
      limit: doNotStore == true ? .notStored : memoryOnly == true ? .inMemory : nil,
      isAwaited: writesToCacheAsynchronously != true, refusesErrors: errorPolicy == .none)
  }
}
