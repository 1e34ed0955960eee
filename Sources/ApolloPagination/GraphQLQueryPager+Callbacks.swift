public import Apollo
import ApolloCache
public import Foundation

// The forms with callbacks, as in Apollo iOS 1.

extension GraphQLQueryPager {
  /// Loads the first page: what the cache has, and what the server answers. It takes the place of all pages.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called when the page was loaded, or has failed. nil, the default: nothing is called.
  public func fetch(callbackQueue: DispatchQueue = .main, completion: (() -> Void)? = nil) {
    call(callbackQueue, { _ in completion?() }) { await $0.fetch(CachePolicy.returnCacheDataAndFetch) }
  }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameters:
  ///   - cachePolicy: When the cache is read and when the server is asked. By default the server is asked, whatever the
  ///     cache has.
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called when the page was loaded, or has failed. nil, the default: nothing is called.
  public func refetch(
    cachePolicy: some QueryCachePolicy = CachePolicy.fetchIgnoringCacheData, callbackQueue: DispatchQueue = .main,
    completion: (() -> Void)? = nil
  ) {
    call(callbackQueue, { _ in completion?() }) { await $0.fetch(cachePolicy) }
  }

  /// Loads the page behind the last one.
  ///
  /// - Parameters:
  ///   - cachePolicy: When the cache is read and when the server is asked. By default both.
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called at the end, with an error if no page could be asked for. The error of a request is an
  ///     output. nil, the default: nothing is called.
  public func loadNext(
    cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch, callbackQueue: DispatchQueue = .main,
    completion: ((PaginationError?) -> Void)? = nil
  ) {
    call(callbackQueue, completion) { engine async throws(PaginationError) in
      try await engine.load(.next, cachePolicy)
    }
  }

  /// Loads the page before the first one.
  ///
  /// - Parameters:
  ///   - cachePolicy: When the cache is read and when the server is asked. By default both.
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called at the end, with an error if no page could be asked for. The error of a request is an
  ///     output. nil, the default: nothing is called.
  public func loadPrevious(
    cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch, callbackQueue: DispatchQueue = .main,
    completion: ((PaginationError?) -> Void)? = nil
  ) {
    call(callbackQueue, completion) { engine async throws(PaginationError) in
      try await engine.load(.previous, cachePolicy)
    }
  }

  /// Loads all pages. There is one output, when the last page is there or one has failed.
  ///
  /// - Parameters:
  ///   - fetchFromInitialPage: Whether the first page is loaded anew. The default is true.
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called at the end, with an error if a page could not be asked for. The error of a request is an
  ///     output. nil, the default: nothing is called.
  public func loadAll(
    fetchFromInitialPage: Bool = true, callbackQueue: DispatchQueue = .main,
    completion: ((PaginationError?) -> Void)? = nil
  ) {
    call(callbackQueue, completion) { engine async throws(PaginationError) in
      try await engine.loadAll(fromInitialPage: fetchFromInitialPage)
    }
  }

  /// Forgets all pages, and stops what is under way. The completion of a load that is under way is called with
  /// ``PaginationError/cancellation``.
  public func reset() { forget() }

  /// Runs a body in a task, which does not keep the pager.
  private func call(
    _ queue: DispatchQueue, _ completion: ((PaginationError?) -> Void)?,
    _ body: @escaping @Sendable (any PageLoading) async throws(PaginationError) -> Void
  ) {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let completion = completion
    Task { [engine] in
      var failure: PaginationError?
      do throws(PaginationError) { try await body(engine) } catch { failure = error }
      guard completion != nil else { return }
      queue.async { [failure] in completion?(failure) }
    }
  }
}
