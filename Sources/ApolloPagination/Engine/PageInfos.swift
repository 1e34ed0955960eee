import Apollo
import ApolloAPI

/// What the app says of the pages beside those of one output. It is asked once for each page at an end of the list: its
/// `transform` may run for that.
final class PageInfos<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: Sendable {
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>
  private typealias Page = PageExtractionData<InitialQuery, PaginatedQuery, Output?>

  private enum Place: Hashable {
    case initial
    case last(PaginationDirection)
  }

  private let output: Output
  private let infos = Locked<[Place: any PaginationInfo]>([:])

  init(of output: Output) { self.output = output }

  /// What the last page in a direction says about the one beside it. It must not be asked for under a lock, because a
  /// closure of the app runs.
  ///
  /// - Returns: What it says; nil if there is no page.
  func info(
    _ direction: PaginationDirection, by rules: PageRules<InitialQuery, PaginatedQuery>
  ) -> (any PaginationInfo)? {
    guard let (place, page) = lastPage(direction) else { return nil }
    if let known = infos.withLock({ $0[place] }) { return known }
    let info = rules.info(page)
    infos.withLock { $0[place] = info }
    return info
  }

  /// The last page in a direction that has data; nil if there is none.
  private func lastPage(_ direction: PaginationDirection) -> (place: Place, page: Page)? {
    // (The previous pages are in the order of the list.)
    let page =
      direction == .next
      ? output.nextPages.last { $0.data != nil } : output.previousPages.first { $0.data != nil }
    if let data = page?.data { return (Place.last(direction), Page.paginated(data, output)) }
    guard let data = output.initialPage?.data else { return nil }
    return (Place.initial, Page.initial(data, output))
  }
}
