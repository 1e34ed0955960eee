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
public final class GraphQLQueryPager<Model>: Sendable {
  /// What subscribers are given: the model of all pages, or the error of a request. An error does not end anything.
  public typealias Output = Result<Model, any Error>

  let engine: any PageLoading
  let hub: OutputHub<Model>

  init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>(
    _ client: any ApolloClientProtocol, first initialQuery: InitialQuery, on queue: DispatchQueue,
    by rules: PageRules<InitialQuery, PaginatedQuery>,
    _ transform: @escaping @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
  ) {
    let hub = OutputHub<Model>(queue: queue)
    self.hub = hub
    engine = PagerEngine(
      client: client, initialQuery: initialQuery, rules: rules,
      sink: .init(
        send: { output, isCurrent in
          hub.send(ifCurrent: isCurrent) { Handoff(Result { try transform(output.get()) }) }
        },
        flush: hub.flush))
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

  // MARK: Outputs

  /// The last output, and those that follow, until the pager is released.
  ///
  /// Any number of tasks may iterate. One that is slower than the outputs misses some of them, but never the last one.
  public var outputs: Outputs { Outputs(hub) }

  /// The outputs of a pager.
  public struct Outputs: AsyncSequence, Sendable {
    private let hub: OutputHub<Model>

    init(_ hub: OutputHub<Model>) { self.hub = hub }

    /// Begins with the last output, if there is one.
    public func makeAsyncIterator() -> AsyncIterator {
      let (stream, continuation) = AsyncStream<Handoff<Output>>.makeStream(bufferingPolicy: .bufferingNewest(16))
      let subscription = hub.add(.init(receive: { continuation.yield($0) }, finish: { continuation.finish() }))
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

  /// Calls a closure with the last output and with those that follow, on the main actor, until the pager is released.
  ///
  /// - Parameter completion: Called with each output.
  public func subscribe(completion: @escaping @MainActor (Output) -> Void) {
    _ = hub.add(
      .init(receive: { output in
        DispatchQueue.main.async { MainActor.assumeIsolated { completion(output.value) } }
      }))
  }

  /// Calls a closure with the last output and with those that follow, on the pager's queue.
  ///
  /// - Parameter onUpdate: Called with each output.
  /// - Returns: Ends the subscription when it is cancelled. Nothing happens when it is released.
  @_disfavoredOverload @discardableResult
  public func subscribe(onUpdate: @escaping @Sendable (Output) -> Void) -> any Cancellable {
    hub.add(.init(receive: { onUpdate($0.value) }))
  }

  // MARK: Loading

  /// Loads the first page: what the cache has, and what the server answers. It takes the place of all pages.
  public func fetch() async { await engine.fetch(CachePolicy.returnCacheDataAndFetch) }

  /// Loads all pages. There is one output, when the last page is there or one has failed.
  ///
  /// - Parameter fetchFromInitialPage: Whether the first page is loaded anew. The default is true.
  /// - Throws: ``PaginationError``.
  public func loadAll(fetchFromInitialPage: Bool = true) async throws {
    try await engine.loadAll(fromInitialPage: fetchFromInitialPage)
  }

  /// Forgets all pages, and stops what is under way. A load that is under way throws ``PaginationError/cancellation``.
  public func reset() async { engine.reset() }
}
