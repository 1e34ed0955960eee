// The members of each policy, for `cachePolicy: .networkFirst` where `some QueryCachePolicy` is taken (SE-0299).
//
// They are disfavored, so that the cases of an enum are found first where its type is known.

extension QueryCachePolicy where Self == CachePolicy {
  /// See ``CachePolicy/returnCacheDataElseFetch``.
  @_disfavoredOverload public static var returnCacheDataElseFetch: CachePolicy { .returnCacheDataElseFetch }
  /// See ``CachePolicy/fetchIgnoringCacheData``.
  @_disfavoredOverload public static var fetchIgnoringCacheData: CachePolicy { .fetchIgnoringCacheData }
  /// See ``CachePolicy/fetchIgnoringCacheCompletely``.
  @_disfavoredOverload public static var fetchIgnoringCacheCompletely: CachePolicy { .fetchIgnoringCacheCompletely }
  /// See ``CachePolicy/returnCacheDataDontFetch``.
  @_disfavoredOverload public static var returnCacheDataDontFetch: CachePolicy { .returnCacheDataDontFetch }
  /// See ``CachePolicy/returnCacheDataAndFetch``.
  @_disfavoredOverload public static var returnCacheDataAndFetch: CachePolicy { .returnCacheDataAndFetch }
  /// See ``CachePolicy/default``.
  @_disfavoredOverload public static var `default`: CachePolicy { .default }
}

extension QueryCachePolicy where Self == CachePolicy.Query.SingleResponse {
  /// See ``CachePolicy/Query/SingleResponse/cacheFirst``.
  @_disfavoredOverload public static var cacheFirst: Self { .cacheFirst }
  /// See ``CachePolicy/Query/SingleResponse/networkFirst``.
  @_disfavoredOverload public static var networkFirst: Self { .networkFirst }
  /// See ``CachePolicy/Query/SingleResponse/networkOnly``.
  @_disfavoredOverload public static var networkOnly: Self { .networkOnly }
}

extension QueryCachePolicy where Self == CachePolicy.Query.CacheOnly {
  /// See ``CachePolicy/Query/CacheOnly/cacheOnly``.
  @_disfavoredOverload public static var cacheOnly: Self { .cacheOnly }
}

extension QueryCachePolicy where Self == CachePolicy.Query.CacheAndNetwork {
  /// See ``CachePolicy/Query/CacheAndNetwork/cacheAndNetwork``.
  @_disfavoredOverload public static var cacheAndNetwork: Self { .cacheAndNetwork }
  /// See ``CachePolicy/Query/CacheAndNetwork/revalidateCache``.
  @_disfavoredOverload public static var revalidateCache: Self { .revalidateCache }
}
