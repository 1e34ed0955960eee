import ApolloAPI

/// Where the data of a query may come from: the policies of releases 0.x and 1.x of Apollo iOS.
///
/// Release 2 tells them apart by what they lead to, one result or two: ``Query``. Each verb takes those as well.
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

  /// The policy of a verb for which none is named: ``returnCacheDataElseFetch`` unless an app sets another one, which it
  /// should do before its first operation.
  public static var `default`: CachePolicy {
    get { defaultPolicy.withLock { $0 } }
    set { defaultPolicy.withLock { $0 = newValue } }
  }

  private static let defaultPolicy = Locked(CachePolicy.returnCacheDataElseFetch)
}

/// The policies of release 1 under the name that release 2 of Apollo iOS gave them.
public typealias CachePolicy_v1 = CachePolicy

// MARK: Release 2

extension CachePolicy {
  /// Where the data of a query may come from: the policies of release 2 of Apollo iOS, by what they lead to.
  public enum Query: Hashable, Sendable {
    /// One result.
    public enum SingleResponse: Hashable, Sendable {
      /// The cache if it has all of the data, else the server.
      case cacheFirst
      /// The server; the cache if the operation fails, but not if the server refuses it or reports errors of fields.
      ///
      /// The result's ``CacheInfo/fetchError`` says why the server was of no help.
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
    }
  }

  /// Where the events of a subscription may come from, in release 2 of Apollo iOS.
  ///
  /// This library reads no events from the cache, which keeps but the last one; both policies ask the server.
  public enum Subscription: Hashable, Sendable {
    /// Events are written to the cache.
    case cacheThenNetwork
    /// Events are written to the cache.
    case networkOnly
  }
}

/// A policy of any release.
protocol QueryCachePolicy: Hashable, Sendable {
  /// The policy of release 1 that a request is sent with.
  var requestPolicy: CachePolicy { get }
  /// The cache stands in for a server that does not answer.
  var fallsBackToCache: Bool { get }
}

extension QueryCachePolicy {
  var fallsBackToCache: Bool { false }
}

extension CachePolicy: QueryCachePolicy {
  var requestPolicy: CachePolicy { self }
}

extension CachePolicy.Query.SingleResponse: QueryCachePolicy {
  var requestPolicy: CachePolicy {
    switch self {
    case .cacheFirst: .returnCacheDataElseFetch
    case .networkFirst, .networkOnly: .fetchIgnoringCacheData
    }
  }

  var fallsBackToCache: Bool { self == .networkFirst }
}

extension CachePolicy.Query.CacheOnly: QueryCachePolicy {
  var requestPolicy: CachePolicy { .returnCacheDataDontFetch }
}

extension CachePolicy.Query.CacheAndNetwork: QueryCachePolicy {
  var requestPolicy: CachePolicy { .returnCacheDataAndFetch }
}
