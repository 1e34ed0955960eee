import ApolloAPI

/// Where the data of a query may come from: the policies of Apollo iOS 0.x and 1.x.
///
/// Apollo iOS 2 has a type for policies with one result, and another for policies with two; see ``Query``. Each
/// function of the client that runs a query takes those policies as well.
public enum CachePolicy: Hashable, Sendable {
  /// The cache if it has all of the data, else the server.
  case returnCacheDataElseFetch
  /// The server; the result is written to the cache.
  case fetchIgnoringCacheData
  /// The server; the result is not written to the cache.
  case fetchIgnoringCacheCompletely
  /// The cache, or an error if it does not have all of the data.
  case returnCacheDataDontFetch
  /// The cache if it has all of the data, and in any case the server: one result or two.
  case returnCacheDataAndFetch

  /// The policy of a verb for which none is named: ``returnCacheDataElseFetch`` unless an app sets another one, which
  /// it should do before its first operation.
  public static var `default`: CachePolicy {
    get { defaultPolicy.withLock { $0 } }
    set { defaultPolicy.withLock { $0 = newValue } }
  }

  private static let defaultPolicy = Locked(CachePolicy.returnCacheDataElseFetch)
}

// MARK: Apollo iOS 2

extension CachePolicy {
  /// Where the data of a query may come from: the policies of Apollo iOS 2, grouped by the number of results.
  public enum Query: Hashable, Sendable {
    /// One result.
    public enum SingleResponse: Hashable, Sendable {
      /// The cache if it has all of the data, else the server.
      case cacheFirst
      /// Asks the server. If the operation fails, or misses its deadline, the data is read from the cache, except if the
      /// server refused the operation or reported errors of fields.
      ///
      /// The result's ``CacheInfo/fetchError`` then says why the request failed.
      case networkFirst
      /// The server; the result is written to the cache.
      case networkOnly
    }

    /// One result, or none.
    public enum CacheOnly: Hashable, Sendable {
      /// The cache, without asking the server.
      case cacheOnly
    }

    /// One result or two.
    public enum CacheAndNetwork: Hashable, Sendable {
      /// The cache if it has all of the data, and in any case the server.
      case cacheAndNetwork
      /// The cache if it has all of the data, however old it is, and the server if some of the data is missing or older
      /// than it may be. So there is one result if the cache has fresh data, or no data; and two if its data is stale.
      ///
      /// With ``RequestConfiguration/maxStale``, data that is stale for longer than that is as good as missing. With
      /// ``RequestConfiguration/ttlEnforcement`` `.permissive`, no data is stale. A transport of the app that implements
      /// only `send` asks the server in any case.
      case revalidateCache
    }
  }

  /// Whether a subscription begins with what the cache has of it: the policies of Apollo iOS 2.
  ///
  /// With both, the events of the server are written to the cache. It keeps the data of the last one until the app
  /// ends, because `SQLiteNormalizedCache` does not store it.
  public enum Subscription: Hashable, Sendable {
    /// The last event, if the cache has all of its data, and then the events of the server. The first one's
    /// ``GraphQLResult/source`` is `cache`.
    case cacheThenNetwork
    /// The events of the server.
    case networkOnly
  }
}

/// When the cache of a query is read, and when the server is asked: a cache policy of any release of Apollo iOS.
///
/// ``CachePolicy``, the three types in ``CachePolicy/Query`` and ``FetchBehavior`` are such policies. A function that
/// takes `some QueryCachePolicy` can be given the members of each of them with a dot, such as `.returnCacheDataAndFetch`
/// or `.networkFirst`.
public protocol QueryCachePolicy: Hashable, Sendable {
  /// The policy with which the query is sent, among those of Apollo iOS 1.
  var requestPolicy: CachePolicy { get }
  /// Whether the cache is read if the server does not answer. The default is false.
  var fallsBackToCache: Bool { get }
  /// Whether the server is asked only for data that is missing in the cache or too old. The default is false.
  var revalidatesCache: Bool { get }
}

extension QueryCachePolicy {
  /// Whether the cache is read if the server does not answer: false.
  public var fallsBackToCache: Bool { false }
  /// Whether the server is asked only for data that is missing in the cache or too old: false.
  public var revalidatesCache: Bool { false }
}

extension CachePolicy: QueryCachePolicy {
  /// This policy.
  public var requestPolicy: CachePolicy { self }
}

extension CachePolicy.Query.SingleResponse: QueryCachePolicy {
  /// The policy of Apollo iOS 1 that asks the server in the same cases.
  public var requestPolicy: CachePolicy {
    switch self {
    case .cacheFirst: .returnCacheDataElseFetch
    case .networkFirst, .networkOnly: .fetchIgnoringCacheData
    }
  }

  /// Whether it is ``networkFirst``.
  public var fallsBackToCache: Bool { self == .networkFirst }
}

extension CachePolicy.Query.CacheOnly: QueryCachePolicy {
  /// ``CachePolicy/returnCacheDataDontFetch``.
  public var requestPolicy: CachePolicy { .returnCacheDataDontFetch }
}

extension CachePolicy.Query.CacheAndNetwork: QueryCachePolicy {
  /// ``CachePolicy/returnCacheDataAndFetch``.
  public var requestPolicy: CachePolicy { .returnCacheDataAndFetch }
  /// Whether it is ``revalidateCache``.
  public var revalidatesCache: Bool { self == .revalidateCache }
}
