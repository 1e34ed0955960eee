/// The part of a ``NormalizedCache`` that reads, under its name in Apollo iOS 2.
public protocol ReadOnlyNormalizedCache: AnyObject {
  /// Loads those of the requested records that exist.
  func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record]
}
