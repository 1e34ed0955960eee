import ApolloAPI
public import ApolloCache

/// A cache in memory in front of one on disk, by the name that Apollo iOS has announced for 3.0.
///
/// Every store keeps in memory what it uses. So this passes everything on to the cache on disk, and is not needed in new
/// code.
public final class ChainedNormalizedCache: EnumerableNormalizedCache, Sendable {
  /// The cache on disk.
  public let sqliteCache: SQLiteNormalizedCache

  /// Makes a chain.
  ///
  /// - Parameters:
  ///   - inMemoryCache: It is not used: the store has the records in its memory. The default is nil.
  ///   - sqliteCache: The cache on disk.
  ///   - sqliteExcludeList: Types and fields that are kept in memory only, added to
  ///     ``SQLiteNormalizedCache/Configuration/excluded``. The default is none.
  public init(
    inMemoryCache: InMemoryNormalizedCache? = nil, sqliteCache: SQLiteNormalizedCache,
    sqliteExcludeList: Set<String> = []
  ) {
    self.sqliteCache = sqliteCache
    if !sqliteExcludeList.isEmpty { sqliteCache.storage.exclude(sqliteExcludeList) }
  }

  /// The records that are there, of those that are asked for.
  public func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] {
    try await sqliteCache.loadRecords(forKeys: keys)
  }

  /// Merges records field by field, and returns when they are written.
  @discardableResult public func merge(records: RecordSet) async throws -> Set<CacheKey> {
    try await sqliteCache.merge(records: records)
  }

  /// Removes a record, if it is there.
  public func removeRecord(for key: CacheKey) async throws { try await sqliteCache.removeRecord(for: key) }

  /// Removes all records whose keys match.
  public func removeRecords(matching pattern: CacheKey) async throws {
    try await sqliteCache.removeRecords(matching: pattern)
  }

  /// Removes all records.
  public func clear() async throws { try await sqliteCache.clear() }

  /// The keys of some records, in the order of their bytes in UTF-8.
  public func keys(after key: CacheKey?, limit: Int) async throws -> [CacheKey] {
    try await sqliteCache.keys(after: key, limit: limit)
  }
}

extension ChainedNormalizedCache: RecordBackendHolding {
  package var recordBackend: any RecordBackend { sqliteCache }
}

extension ChainedNormalizedCache: EngineSharing {
  package var sharedEngine: SharedEngine { sqliteCache.sharedEngine }
}

extension ChainedNormalizedCache: ClosableCache {
  /// Writes what waits, and closes the file of the cache on disk.
  public func close() async throws { try await sqliteCache.close() }
}

extension ChainedNormalizedCache: UserForgetting {
  /// Removes the files that were put aside; see `SQLiteNormalizedCache`.
  public func forgetUser() async throws { try await sqliteCache.forgetUser() }
}

extension ChainedNormalizedCache: ClockUsing {
  package func use(_ clock: any ClientClock) { sqliteCache.use(clock) }
}
