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

  /// Likes a launch, or no longer does. The heart turns at once, and the server is told when there is a network.
  public func toggleLike(_ launch: LaunchRow) async throws {
    try await client.enqueue(SetLikedMutation(launch: launch.id, isLiked: !launch.isLiked))
  }

  /// What the outbox of the client has to know: what a like changes until the server has answered.
  ///
  /// - Parameter storage: Where likes are kept. If it is on disk, a later launch shows and sends what was not sent.
  /// - Returns: The settings of the outbox.
  public nonisolated static func outbox(in storage: any Outbox.Storage) -> Outbox.Configuration {
    var registry = Outbox.Registry()
    registry.register(
      SetLikedMutation.self,
      optimisticUpdate: { transaction, variables in
        guard let launch = variables["launch"] as? String, let isLiked = variables["isLiked"] as? Bool else { return }
        try transaction.updateObject(ofType: LaunchRow.self, withKey: "Launch:\(launch)") { $0.isLiked = isLiked }
      })
    return Outbox.Configuration(storage: storage, registry: registry)
  }
}
