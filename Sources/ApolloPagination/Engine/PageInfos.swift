import ApolloConcurrency
import Apollo
import ApolloAPI

/// What the app says of the pages beside those of one output. It is asked once for each direction: its `transform` may run
/// for that.
final class PageInfos<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: Sendable {
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>

  private let output: Output
  private let infos = Locked<[PaginationDirection: any PaginationInfo]>([:])

  init(of output: Output) { self.output = output }

  /// What the last page in a direction says about the one beside it. It must not be asked for under a lock, because a
  /// closure of the app runs.
  ///
  /// - Returns: What it says; nil if there is no page.
  func info(
    _ direction: PaginationDirection, by rules: PageRules<InitialQuery, PaginatedQuery>
  ) -> (any PaginationInfo)? {
    if let known = infos.withLock({ $0[direction] }) { return known }
    let info = lastPage(direction).map(rules.info)
    infos.withLock { $0[direction] = info }
    return info
  }

  /// The last page in a direction that has data; nil if there is none.
  private func lastPage(_ direction: PaginationDirection) -> PageExtractionData<InitialQuery, PaginatedQuery, Output?>?
  {
    // (The previous pages are in the order of the list.)
    let page =
      direction == .next
      ? output.nextPages.last { $0.data != nil } : output.previousPages.first { $0.data != nil }
    if let data = page?.data { return .paginated(data, output) }
    return output.initialPage?.data.map { .initial($0, output) }
  }
}
