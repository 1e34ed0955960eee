/// When the cache is read, and when the server is asked. Of release 2 of Apollo iOS.
///
/// The policies (``CachePolicy/Query``) name the useful ones; each verb of ``ApolloClient`` that takes a policy takes one of these
/// in its place.
public struct FetchBehavior: Hashable, Sendable {
  /// When the cache is read.
  public enum CacheReadBehavior: Hashable, Sendable {
    case never
    case beforeNetworkFetch
    /// When the server does not answer.
    case onNetworkFailure
  }

  /// When the server is asked.
  public enum NetworkFetchBehavior: Hashable, Sendable {
    case never
    case always
    /// When the cache does not have all of the data.
    case onCacheMiss
  }

  public let cacheRead: CacheReadBehavior
  public let networkFetch: NetworkFetchBehavior

  /// - Parameters:
  ///   - cacheRead: When the cache is read.
  ///   - networkFetch: When the server is asked. `.never` reads the cache in any case.
  public init(cacheRead: CacheReadBehavior, networkFetch: NetworkFetchBehavior) {
    self.cacheRead = cacheRead
    self.networkFetch = networkFetch
  }

  /// The cache if it has all of the data, else the server.
  public static let CacheFirst = FetchBehavior(cacheRead: .beforeNetworkFetch, networkFetch: .onCacheMiss)
  /// The server; the cache if the server does not answer.
  public static let NetworkFirst = FetchBehavior(cacheRead: .onNetworkFailure, networkFetch: .always)
  /// The cache if it has all of the data, and in any case the server.
  public static let CacheAndNetwork = FetchBehavior(cacheRead: .beforeNetworkFetch, networkFetch: .always)
  /// The cache, without asking the server.
  public static let CacheOnly = FetchBehavior(cacheRead: .beforeNetworkFetch, networkFetch: .never)
  /// The server.
  public static let NetworkOnly = FetchBehavior(cacheRead: .never, networkFetch: .always)

  init(_ policy: CachePolicy) {
    self =
      switch policy {
      case .returnCacheDataElseFetch: .CacheFirst
      case .returnCacheDataDontFetch: .CacheOnly
      case .returnCacheDataAndFetch: .CacheAndNetwork
      case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: .NetworkOnly
      }
  }
}

extension FetchBehavior: QueryCachePolicy {
  var requestPolicy: CachePolicy {
    switch (networkFetch, cacheRead) {
    case (.never, _): .returnCacheDataDontFetch
    case (.always, .beforeNetworkFetch): .returnCacheDataAndFetch
    case (.onCacheMiss, .beforeNetworkFetch): .returnCacheDataElseFetch
    case (_, .never), (_, .onNetworkFailure): .fetchIgnoringCacheData
    }
  }

  var fallsBackToCache: Bool { cacheRead == .onNetworkFailure && networkFetch != .never }
}

extension CachePolicy.Query.SingleResponse {
  /// What the policy means.
  public func toFetchBehavior() -> FetchBehavior {
    switch self {
    case .cacheFirst: .CacheFirst
    case .networkFirst: .NetworkFirst
    case .networkOnly: .NetworkOnly
    }
  }
}

extension CachePolicy.Query.CacheOnly {
  /// What the policy means.
  public func toFetchBehavior() -> FetchBehavior { .CacheOnly }
}

extension CachePolicy.Query.CacheAndNetwork {
  /// What the policy means.
  public func toFetchBehavior() -> FetchBehavior { .CacheAndNetwork }
}

extension CachePolicy.Subscription {
  /// What the policy means. Events are never read from the cache.
  public func toFetchBehavior() -> FetchBehavior { .NetworkOnly }
}
