import Apollo
import ApolloPagination
import Observation

/// What the screen of a feed shows, and what its user can do there.
@MainActor @Observable final class FeedModel {
  /// The posts that are loaded, the newest first.
  private(set) var posts: [PostRow] = []
  /// Whether there are more posts than those that are loaded.
  private(set) var hasMore = false
  /// What went wrong since the user did something, in words for the user.
  private(set) var problem: String?
  /// Whether posts that were asked for did not come. Then nothing is on its way until the user tries again.
  private(set) var hasFailed = false

  /// Whether the page that was asked for last is the next one, and not the first.
  private var hasAskedForMore = false
  private let client: ApolloClient
  private let pager: GraphQLQueryPager<PaginationOutput<FeedQuery, FeedQuery>>

  /// Makes a model. Nothing is loaded yet.
  init(client: ApolloClient, pageSize: Int = 10) {
    self.client = client
    pager = GraphQLQueryPager(
      client: client,
      initialQuery: FeedQuery(first: pageSize),
      extractPageInfo: { data in
        CursorBasedPagination.Forward(
          hasNext: data.feed.pageInfo.hasNextPage, endCursor: data.feed.pageInfo.endCursor)
      },
      pageResolver: { page, _ in
        page.endCursor.map { cursor in FeedQuery(first: pageSize, after: .some(cursor)) }
      })
    pager.subscribe { [weak self] output in self?.show(output) }
  }

  /// Loads the first page: what the cache has at once, and what the server has after it.
  func load() async {
    hasAskedForMore = false
    problem = nil
    hasFailed = false
    await pager.fetch()
  }

  /// Loads the next page, if there is one. If it is on its way already, it is not asked for again.
  func loadMore() async {
    guard hasMore else { return }
    hasAskedForMore = true
    problem = nil
    hasFailed = false
    try? await pager.loadNext()
  }

  /// Loads what did not come.
  func tryAgain() async {
    if hasAskedForMore { await loadMore() } else { await load() }
  }

  /// Likes a post. The heart is red at once, and turns back if the server refuses.
  func like(_ post: PostRow) async {
    problem = nil
    do {
      let result = try await client.perform(
        mutation: LikeMutation(post: post.id),
        optimisticUpdate: { transaction, mutation in
          try transaction.updateObject(ofType: PostRow.self, withKey: "Post:\(mutation.post)") { post in
            post.likes += 1
            post.isLiked = true
          }
        })
      problem = result.errors?.first?.message
    } catch {
      problem = "Your like was not sent. Is there a network?"
    }
  }

  private func show(_ output: Result<PaginationOutput<FeedQuery, FeedQuery>, any Error>) {
    switch output {
    case .success(let pages):
      posts = pages.allData.flatMap { data in data.feed.edges.map(\.node.postRow) }
      hasMore = pager.canLoadNext
      if let error = pages.lastUpdatedPage.errors?.first { fail(error.message) }
    case .failure:
      fail("The feed was not loaded. Is there a network?")
    }
  }

  private func fail(_ problem: String?) {
    hasFailed = true
    self.problem = problem
  }
}
