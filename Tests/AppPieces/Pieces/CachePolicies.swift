import Apollo

// A policy of release 1 is one of five.

public func name(_ policy: CachePolicy) -> String {
  switch policy {
  case .returnCacheDataElseFetch: return "cache first"
  case .fetchIgnoringCacheData: return "network only"
  case .fetchIgnoringCacheCompletely: return "network only, without a trace"
  case .returnCacheDataDontFetch: return "cache only"
  case .returnCacheDataAndFetch: return "cache and network"
  }
}

public func name(_ policy: CachePolicy.Query.SingleResponse) -> String {
  switch policy {
  case .cacheFirst: return "cache first"
  case .networkFirst: return "network first"
  case .networkOnly: return "network only"
  }
}

public func askTheServerByDefault() {
  CachePolicy.default = .fetchIgnoringCacheData
}
