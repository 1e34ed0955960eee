public import Apollo
import Foundation

/// A pager under the name that Apollo iOS 1 gave to the one with `async` functions. ``GraphQLQueryPager`` has these
/// functions as well, and those with the cache policies of Apollo iOS 2.
public final class AsyncGraphQLQueryPager<Model>: QueryPager, Sendable {
  /// What subscribers are given: the model of all pages, or the error of a request.
  public typealias Output = GraphQLQueryPager<Model>.Output

  let pager: GraphQLQueryPager<Model>

  /// Makes a pager of what the other initializers have put together.
  public init(_ recipe: __PagerRecipe<Model>) { pager = GraphQLQueryPager(recipe) }

  /// Whether there is a page behind the last one. False before the first page is there.
  public var canLoadNext: Bool { get async { pager.canLoadNext } }

  /// Whether there is a page before the first one. False before the first page is there.
  public var canLoadPrevious: Bool { get async { pager.canLoadPrevious } }

  /// The last pages, the failure that has come after them, and what follows, until the pager is released.
  public var outputs: GraphQLQueryPager<Model>.Outputs { pager.outputs }

  /// Calls a closure with the last pages, the failure that has come after them, and what follows, on the main actor,
  /// until the pager is released.
  ///
  /// - Parameter completion: Called with each output.
  public func subscribe(completion: @escaping @MainActor (Output) -> Void) { pager.subscribe(completion: completion) }

  /// Loads the first page: what the cache has, and what the server answers. It takes the place of all pages.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  public func fetch(cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch) async {
    await pager.refetch(cachePolicy: cachePolicy)
  }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default the server is asked,
  ///   whatever the cache has.
  public func refetch(cachePolicy: some QueryCachePolicy = CachePolicy.fetchIgnoringCacheData) async {
    await pager.refetch(cachePolicy: cachePolicy)
  }

  /// Loads the page behind the last one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch) async throws {
    try await pager.loadNext(cachePolicy: cachePolicy)
  }

  /// Loads the page before the first one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch) async throws {
    try await pager.loadPrevious(cachePolicy: cachePolicy)
  }

  /// Loads all pages. There is one output, when the last page is there or one has failed.
  ///
  /// - Parameter fetchFromInitialPage: Whether the first page is loaded anew. The default is true.
  /// - Throws: ``PaginationError``.
  public func loadAll(fetchFromInitialPage: Bool = true) async throws {
    try await pager.loadAll(fetchFromInitialPage: fetchFromInitialPage)
  }

  /// Forgets all pages, and stops what is under way. A load that is under way throws ``PaginationError/cancellation``.
  public func reset() async { await pager.reset() }
}
