/// A backend of the cache: the place where an ``ApolloStore`` keeps its records, such as memory, a file or a database.
///
/// The store keeps in memory what it has used, and asks the backend for the rest. So a backend needs no cache of its
/// own. If a function throws, the caller that waits for the result is given the error; a fetch is still answered by the
/// server.
///
/// The requirements are those of Apollo iOS 2. A class with the synchronous functions of Apollo iOS 1 conforms
/// unchanged, whether its functions throw or not. It need not be `Sendable`: the store makes one call after the other,
/// never two at once, each on any thread. A function may block its thread.
///
/// The module `ApolloTestSupport` has a suite of checks, `NormalizedCacheConformance`, which every backend should pass.
public protocol NormalizedCache: ReadOnlyNormalizedCache {
  /// Merges records field by field: new fields replace fields with equal names, and all other fields stay. The store
  /// passes whole fields, so an object inside of a field may be merged or replaced.
  ///
  /// - Parameter records: The records to merge.
  /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
  /// - Throws: Any error. The write fails with it.
  @discardableResult func merge(records: RecordSet) async throws -> Set<CacheKey>

  /// Removes a record if it is there. References to it stay.
  func removeRecord(for key: CacheKey) async throws

  /// Removes all records whose keys match.
  ///
  /// - Parameter pattern: A pattern in the form of ``CacheKeyPattern``.
  /// - Throws: Any error. The write fails with it.
  func removeRecords(matching pattern: CacheKey) async throws

  /// Removes all records.
  func clear() async throws
}
