/// Where the data of a query may come from.
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
  /// The server; the cache if the operation fails, but not if the server reports errors of fields. Of release 2.
  ///
  /// The result's ``CacheInfo/fetchError`` says why the server was of no help.
  case networkFirst

  public static let `default`: CachePolicy = .returnCacheDataElseFetch
}

extension CachePolicy {
  // The names of release 2.

  /// The cache if it has all of the data, else the server.
  public static let cacheFirst: CachePolicy = .returnCacheDataElseFetch
  /// The server; the result is written to the cache.
  public static let networkOnly: CachePolicy = .fetchIgnoringCacheData
  /// The cache, or an error if it does not have all of the data.
  public static let cacheOnly: CachePolicy = .returnCacheDataDontFetch
  /// The cache if it has all of the data, and in any case the server: one result or two.
  public static let cacheAndNetwork: CachePolicy = .returnCacheDataAndFetch
}
