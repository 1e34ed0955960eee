public import Apollo

// The `async` forms, for the cache policies of all releases.

extension GraphQLQueryPager {
  // MARK: Load next

  /// Loads the page behind the last one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(cachePolicy: CachePolicy.Query.CacheAndNetwork = .cacheAndNetwork) async throws {
    try await engine.load(.next, cachePolicy)
  }

  /// Loads the page behind the last one.
  ///
  /// - Parameter cachePolicy: The policy that reads the cache only.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(cachePolicy: CachePolicy.Query.CacheOnly) async throws {
    try await engine.load(.next, cachePolicy)
  }

  /// Loads the page behind the last one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(cachePolicy: CachePolicy.Query.SingleResponse) async throws {
    try await engine.load(.next, cachePolicy)
  }

  /// Loads the page behind the last one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(cachePolicy: CachePolicy) async throws {
    try await engine.load(.next, cachePolicy)
  }

  /// Loads the page behind the last one.
  ///
  /// - Parameter fetchBehavior: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(fetchBehavior: FetchBehavior) async throws {
    try await engine.load(.next, fetchBehavior)
  }

  // MARK: Load previous

  /// Loads the page before the first one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(cachePolicy: CachePolicy.Query.CacheAndNetwork = .cacheAndNetwork) async throws {
    try await engine.load(.previous, cachePolicy)
  }

  /// Loads the page before the first one.
  ///
  /// - Parameter cachePolicy: The policy that reads the cache only.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(cachePolicy: CachePolicy.Query.CacheOnly) async throws {
    try await engine.load(.previous, cachePolicy)
  }

  /// Loads the page before the first one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(cachePolicy: CachePolicy.Query.SingleResponse) async throws {
    try await engine.load(.previous, cachePolicy)
  }

  /// Loads the page before the first one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(cachePolicy: CachePolicy) async throws {
    try await engine.load(.previous, cachePolicy)
  }

  /// Loads the page before the first one.
  ///
  /// - Parameter fetchBehavior: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(fetchBehavior: FetchBehavior) async throws {
    try await engine.load(.previous, fetchBehavior)
  }

  // MARK: Refetch

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked.
  public func refetch(cachePolicy: CachePolicy.Query.CacheAndNetwork) async { await engine.fetch(cachePolicy) }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter cachePolicy: The policy that reads the cache only.
  public func refetch(cachePolicy: CachePolicy.Query.CacheOnly) async { await engine.fetch(cachePolicy) }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default the server is asked,
  ///   whatever the cache has.
  public func refetch(cachePolicy: CachePolicy.Query.SingleResponse = .networkOnly) async {
    await engine.fetch(cachePolicy)
  }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked.
  public func refetch(cachePolicy: CachePolicy) async { await engine.fetch(cachePolicy) }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter fetchBehavior: When the cache is read and when the server is asked.
  public func refetch(fetchBehavior: FetchBehavior) async { await engine.fetch(fetchBehavior) }
}
