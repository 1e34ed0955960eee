/// Where an ``ApolloStore`` keeps its records: in memory, in a file, wherever you like.
///
/// The store keeps in memory what it has used and asks the backend for the rest, so a backend needs no cache of its own.
/// What the functions throw reaches the caller who waits for the result, and a fetch is answered from the network all the
/// same.
///
/// The requirements are those of Apollo iOS 2.x. A plain class with the synchronous functions of 1.x conforms as it is,
/// whether they throw or not, and need not be `Sendable`: the store makes one call after the other, never two at once,
/// each on any thread. A function may block its thread.
///
/// `ApolloTestSupport` has a suite, `NormalizedCacheConformance`, that every backend should pass.
public protocol NormalizedCache: ReadOnlyNormalizedCache {
  /// Merges records field by field: fields that come in replace those that are there, all others stay. The store
  /// passes whole fields, so an object inside of one may be merged or replaced.
  ///
  /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
  @discardableResult func merge(records: RecordSet) async throws -> Set<CacheKey>

  /// Removes a record, if it is there. References to it stay.
  func removeRecord(for key: CacheKey) async throws

  /// Removes all records whose keys match.
  ///
  /// - Parameter pattern: See ``CacheKeyPattern``.
  func removeRecords(matching pattern: CacheKey) async throws

  /// Removes everything.
  func clear() async throws
}

/// The reading half of a ``NormalizedCache``.
public protocol ReadOnlyNormalizedCache: AnyObject {
  /// The records that are there, of those that are asked for.
  func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record]
}
