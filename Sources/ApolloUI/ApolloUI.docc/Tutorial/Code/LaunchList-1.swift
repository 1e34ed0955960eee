public import Apollo
public import ApolloUI
public import Observation

/// What the list of launches shows, and what its user can do there.
@MainActor @Observable
public final class LaunchList {
  /// The launches, page by page.
  public private(set) var launches: PagerState<LaunchRow>

  @ObservationIgnored private let client: ApolloClient
  @ObservationIgnored private let pageSize: Int

  /// Makes a list, which begins to load.
  public init(client: ApolloClient, pageSize: Int = 20) {
    self.client = client
    self.pageSize = pageSize
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
}
