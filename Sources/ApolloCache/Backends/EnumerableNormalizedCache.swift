/// A backend that can list the keys of its records.
///
/// A store needs that to find garbage among all records of the backend; see ``ApolloStore/collectGarbage(maxStale:)``.
/// Without it, only those records are looked at that are in memory.
public protocol EnumerableNormalizedCache: NormalizedCache {
  /// The keys of some records, in the order of their bytes in UTF-8.
  ///
  /// - Parameters:
  ///   - key: The keys after this one are meant; nil: all are. There need not be a record with this key.
  ///   - limit: How many keys are given at most.
  /// - Returns: The first of these keys. Fewer than `limit` only if there are no more.
  /// - Throws: Any error. The collection ends with it.
  func keys(after key: CacheKey?, limit: Int) async throws -> [CacheKey]
}
