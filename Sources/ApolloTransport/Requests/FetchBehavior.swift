/// When the cache is read, and when the server is asked. Part of the API of Apollo iOS 2.
///
/// The policies in ``CachePolicy/Query`` name the useful behaviors. Each function of ``ApolloClient`` that takes such a
/// policy has a counterpart that takes a behavior.
public struct FetchBehavior: Hashable, Sendable {
  /// When the cache is read.
  public enum CacheReadBehavior: Hashable, Sendable {
    /// The cache is not read.
    case never
    /// The cache is read before the server is asked.
    case beforeNetworkFetch
    /// The cache is read when the request to the server fails.
    case onNetworkFailure
  }

  /// When the server is asked.
  public enum NetworkFetchBehavior: Hashable, Sendable {
    /// The server is not asked.
    case never
    /// The server is asked in any case.
    case always
    /// The server is asked when the cache does not have all of the data.
    case onCacheMiss
  }

  /// When the cache is read.
  public let cacheRead: CacheReadBehavior
  /// When the server is asked.
  public let networkFetch: NetworkFetchBehavior

  /// Makes a behavior.
  ///
  /// - Parameters:
  ///   - cacheRead: When the cache is read.
  ///   - networkFetch: When the server is asked. `.never` reads the cache in any case.
  public init(cacheRead: CacheReadBehavior, networkFetch: NetworkFetchBehavior) {
    self.cacheRead = cacheRead
    self.networkFetch = networkFetch
  }

  /// Read the cache; ask the server only if the cache does not have all of the data.
  public static let CacheFirst = FetchBehavior(cacheRead: .beforeNetworkFetch, networkFetch: .onCacheMiss)
  /// Ask the server; read the cache if that fails.
  public static let NetworkFirst = FetchBehavior(cacheRead: .onNetworkFailure, networkFetch: .always)
  /// Read the cache, and ask the server as well.
  public static let CacheAndNetwork = FetchBehavior(cacheRead: .beforeNetworkFetch, networkFetch: .always)
  /// Read the cache; do not ask the server.
  public static let CacheOnly = FetchBehavior(cacheRead: .beforeNetworkFetch, networkFetch: .never)
  /// Ask the server; do not read the cache.
  public static let NetworkOnly = FetchBehavior(cacheRead: .never, networkFetch: .always)
}

extension FetchBehavior: QueryCachePolicy {
  /// The policy of Apollo iOS 1 that asks the server in the same cases.
  public var requestPolicy: CachePolicy {
    switch (networkFetch, cacheRead) {
    case (.never, _): .returnCacheDataDontFetch
    case (.always, .beforeNetworkFetch): .returnCacheDataAndFetch
    case (.onCacheMiss, .beforeNetworkFetch): .returnCacheDataElseFetch
    case (_, .never), (_, .onNetworkFailure): .fetchIgnoringCacheData
    }
  }

  /// Whether the cache is read after a failure of the network.
  public var fallsBackToCache: Bool { cacheRead == .onNetworkFailure && networkFetch != .never }
}

extension CachePolicy.Query.SingleResponse {
  /// The fetch behavior that this policy stands for.
  public func toFetchBehavior() -> FetchBehavior {
    switch self {
    case .cacheFirst: .CacheFirst
    case .networkFirst: .NetworkFirst
    case .networkOnly: .NetworkOnly
    }
  }
}

extension CachePolicy.Query.CacheOnly {
  /// The fetch behavior that this policy stands for.
  public func toFetchBehavior() -> FetchBehavior { .CacheOnly }
}

extension CachePolicy.Query.CacheAndNetwork {
  /// The fetch behavior that this policy stands for.
  public func toFetchBehavior() -> FetchBehavior { .CacheAndNetwork }
}

extension CachePolicy.Subscription {
  /// The fetch behavior that this policy stands for.
  public func toFetchBehavior() -> FetchBehavior {
    switch self {
    case .cacheThenNetwork: .CacheAndNetwork
    case .networkOnly: .NetworkOnly
    }
  }
}
