public import Apollo
public import ApolloUI
public import Observation

/// What the list of launches shows, and what its user can do there.
@MainActor @Observable
public final class LaunchList {
  /// What is looked for. Another text is another list.
  public var search = "" {
    didSet {
      if search != oldValue { launches = Self.pages(client, search, pageSize) }
    }
  }
  /// The launches, page by page.
  public private(set) var launches: PagerState<LaunchRow>
  /// The likes that wait for a network.
  public let outbox: OutboxState

  @ObservationIgnored private let client: ApolloClient
  @ObservationIgnored private let pageSize: Int

  /// Makes a list, which begins to load.
  public init(client: ApolloClient, pageSize: Int = 20) {
    self.client = client
    self.pageSize = pageSize
    outbox = OutboxState(client: client)
    launches = Self.pages(client, "", pageSize)
  }

  private static func pages(_ client: ApolloClient, _ search: String, _ size: Int) -> PagerState<LaunchRow> {
    let first = LaunchesQuery(search: search.isEmpty ? .none : .some(search), first: size)
    return PagerState(
      first, client: client, items: { data in data.launches.edges.map(\.node.launchRow) },
      next: { data in
        guard data.launches.pageInfo.hasNextPage, let cursor = data.launches.pageInfo.endCursor else { return nil }
        var next = first
        next.after = .some(cursor)
        return next
      })
  }

  /// Likes a launch, or no longer does. The heart turns at once, and the server is told when there is a network, also if
  /// the app has ended meanwhile.
  public func toggleLike(_ launch: LaunchRow) async throws {
    try await client.enqueue(
      SetLikedMutation(launch: launch.id, isLiked: !launch.isLiked),
      optimisticUpdate: { transaction, mutation in
        try transaction.updateObject(ofType: LaunchRow.self, withKey: "Launch:\(mutation.launch)") {
          $0.isLiked = mutation.isLiked
        }
      })
  }
}
