import ApolloConcurrency
public import Apollo
import ApolloCache
import Foundation

/// Loads a list page by page, and delivers all of it each time a page has come, or has changed in the cache.
///
///     let pager = GraphQLQueryPager(
///       client: client, initialQuery: FriendsQuery(first: 10),
///       extractPageInfo: { data in
///         CursorBasedPagination.Forward(hasNext: data.friends.pageInfo.hasNextPage, endCursor: data.friends.pageInfo.endCursor)
///       },
///       pageResolver: { page, _ in FriendsQuery(first: 10, after: page.endCursor ?? .none) })
///     await pager.fetch()
///     try await pager.loadNext()
///     for await output in pager.outputs { show(try output.get().allData) }
///
/// Each function has an `async` form, as in Apollo iOS 2, and a form with a callback, as in Apollo iOS 1. In asynchronous
/// code the compiler takes the `async` one. The errors of requests are among the outputs; the functions tell only why no
/// page was asked for.
///
/// Where the cache makes one list of the pages (`@connection`, `@pagination`), the pager watches that list, and the first
/// page of its outputs is the whole list. Otherwise each page is watched by itself.
///
/// A pager that is released stops its requests, and watches nothing any more.
public final class GraphQLQueryPager<Model>: QueryPager, Sendable {
  /// What subscribers are given: the model of all pages, or the error of a request. An error does not end anything.
  public typealias Output = Result<Model, any Error>

  let engine: any PageLoading
  let hub: OutputHub<Model>
  private let recipe: __PagerRecipe<Model>

  /// Makes a pager of what the other initializers have put together.
  public init(_ recipe: __PagerRecipe<Model>) {
    self.recipe = recipe
    engine = recipe.engine
    hub = recipe.hub
  }

  deinit {
    engine.reset()
    hub.finish()
  }

  // MARK: State

  /// Whether there is a page behind the last one. False before the first page is there.
  public var canLoadNext: Bool { engine.canLoad(.next) }

  /// Whether there is a page before the first one. False before the first page is there.
  public var canLoadPrevious: Bool { engine.canLoad(.previous) }

  /// What memory has of the first page, at once; nil if it does not have all of it. Nothing is loaded.
  package func readIfInMemory() -> Model? { recipe.readIfInMemory() }

  /// Whether there are pages, whatever has failed since.
  package var hasPages: Bool { hub.hasPages }

  /// The model of the last output that has pages, at once; nil if there is none.
  package var pages: Model? { hub.pages }

  /// Calls a closure when the user of the client signs out, as long as what it returns lives.
  package func onSignOut(_ body: @escaping @MainActor @Sendable () -> Void) -> AnyObject? { recipe.onSignOut(body) }

  // MARK: Outputs

  /// The last pages, the failure that has come after them, and what follows, until the pager is released.
  ///
  /// Any number of tasks may iterate. One that is slower than the outputs misses some of them, but never the last one.
  public var outputs: Outputs { Outputs(hub) }

  /// The outputs of a pager.
  public struct Outputs: AsyncSequence, Sendable {
    private let hub: OutputHub<Model>

    init(_ hub: OutputHub<Model>) { self.hub = hub }

    /// Begins with the last pages and the failure that has come after them, if there are any.
    public func makeAsyncIterator() -> AsyncIterator {
      let (stream, continuation) = AsyncStream<Handoff<Output>>.makeStream(bufferingPolicy: .bufferingNewest(16))
      let subscription = hub.add(.init(receive: { continuation.yield($0.output) }, finish: { continuation.finish() }))
      continuation.onTermination = { _ in subscription.cancel() }
      return AsyncIterator(iterator: stream.makeAsyncIterator())
    }

    /// Iterates the outputs.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var iterator: AsyncStream<Handoff<Output>>.Iterator

      /// Waits for the next output.
      ///
      /// - Returns: The output; nil after the pager was released or the task was cancelled.
      public mutating func next() async -> Output? { await iterator.next()?.value }
    }
  }

  /// Calls a closure with the last pages, the failure that has come after them, and what follows, on the main actor,
  /// until the pager is released.
  ///
  /// - Parameter completion: Called with each output.
  public func subscribe(completion: @escaping @MainActor (Output) -> Void) {
    _ = hub.add(
      .init(receive: { delivery in
        let output = delivery.output
        DispatchQueue.main.async { MainActor.assumeIsolated { completion(output.value) } }
      }))
  }

  /// Calls a closure with the last pages, the failure that has come after them, and what follows, on the pager's queue.
  ///
  /// - Parameter onUpdate: Called with each output.
  /// - Returns: Ends the subscription when it is cancelled. Nothing happens when it is released.
  @_disfavoredOverload @discardableResult
  public func subscribe(onUpdate: @escaping @Sendable (Output) -> Void) -> any Cancellable {
    hub.add(.init(receive: { onUpdate($0.output.value) }))
  }

  /// Calls a closure with the last pages, the failure that has come after them, and what follows, on the main actor,
  /// and with what else they say. Of changes that wait for the main actor, it is given the last one.
  ///
  /// - Parameter body: Called with each output.
  /// - Returns: Ends the subscription when it is cancelled. Nothing happens when it is released.
  package func observe(_ body: @escaping @MainActor (Output, PageFacts) -> Void) -> any Cancellable {
    let inbox = OutputInbox<Model>()
    return hub.add(
      .init(
        receive: { output in
          guard inbox.add(output) else { return }
          // (What a load has brought is given before the load returns to the main actor, because both go through the
          // main queue in this order.)
          DispatchQueue.main.async {
            MainActor.assumeIsolated { for output in inbox.takeAll() { body(output.output.value, output.facts) } }
          }
        }, wantsAll: false, looksBeside: true))
  }

  // MARK: Loading

  /// Loads the first page: what the cache has, and what the server answers. It takes the place of all pages.
  public func fetch() async { await engine.fetch(CachePolicy.returnCacheDataAndFetch) }

  /// Loads the first page anew. When it has data, it takes the place of all pages; until then they stay.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default the server is asked,
  ///   whatever the cache has.
  public func refetch(
    cachePolicy: some QueryCachePolicy = CachePolicy.fetchIgnoringCacheData
  ) async { await engine.fetch(cachePolicy) }

  /// Loads the first page anew, with a fetch behavior of Apollo iOS 2.
  ///
  /// - Parameter fetchBehavior: When the cache is read and when the server is asked.
  public func refetch(fetchBehavior: FetchBehavior) async { await engine.fetch(fetchBehavior) }

  /// Loads the page behind the last one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(
    cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch
  ) async throws { try await engine.load(.next, cachePolicy) }

  /// Loads the page behind the last one, with a fetch behavior of Apollo iOS 2.
  ///
  /// - Parameter fetchBehavior: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadNext(fetchBehavior: FetchBehavior) async throws { try await engine.load(.next, fetchBehavior) }

  /// Loads the page before the first one.
  ///
  /// - Parameter cachePolicy: When the cache is read and when the server is asked. By default both.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(
    cachePolicy: some QueryCachePolicy = CachePolicy.returnCacheDataAndFetch
  ) async throws { try await engine.load(.previous, cachePolicy) }

  /// Loads the page before the first one, with a fetch behavior of Apollo iOS 2.
  ///
  /// - Parameter fetchBehavior: When the cache is read and when the server is asked.
  /// - Throws: ``PaginationError`` if no page can be asked for. The error of a request is an output.
  public func loadPrevious(fetchBehavior: FetchBehavior) async throws {
    try await engine.load(.previous, fetchBehavior)
  }

  /// Begins to load a page, from the cache and from the server. Each call has to be followed by `outcome(of:)`.
  ///
  /// - Throws: ``PaginationError`` if no page can be asked for.
  package func begin(_ direction: PaginationDirection) throws(PaginationError) -> PageLoad {
    try engine.begin(direction, CachePolicy.returnCacheDataAndFetch)
  }

  /// Waits for a load, and for its outputs.
  ///
  /// - Returns: Why it was not begun or has ended early; nil if it has run to its end.
  package func outcome(of load: PageLoad) async -> PaginationError? {
    do throws(PaginationError) {
      try await engine.finish(load)
      return nil
    } catch {
      return error
    }
  }

  /// Loads all pages. There is one output, when the last page is there or one has failed.
  ///
  /// - Parameter fetchFromInitialPage: Whether the first page is loaded anew. The default is true.
  /// - Throws: ``PaginationError``.
  public func loadAll(fetchFromInitialPage: Bool = true) async throws {
    try await engine.loadAll(fromInitialPage: fetchFromInitialPage)
  }

  /// Forgets all pages, and stops what is under way. A load that is under way throws ``PaginationError/cancellation``.
  public func reset() async { forget() }

  func forget() {
    engine.reset()
    hub.forget()
  }
}
