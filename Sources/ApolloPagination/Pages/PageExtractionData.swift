public import Apollo

/// The page of which an app tells a pager the ``PaginationInfo``, and what the pager has delivered so far.
public enum PageExtractionData<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, T> {
  /// The first page. Where the cache makes one list of the pages, this is the whole list.
  case initial(InitialQuery.Data, T)
  /// A page behind the first one, or before it.
  case paginated(PaginatedQuery.Data, T)
}

extension PageExtractionData: Sendable
where InitialQuery.Data: Sendable, PaginatedQuery.Data: Sendable, T: Sendable {}

/// What an app has told a pager: how to see where a page ends, and which query brings the page beside it.
struct PageRules<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: Sendable {
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>

  let info: @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Output?>) -> any PaginationInfo
  let query: @Sendable (any PaginationInfo, PaginationDirection) -> PaginatedQuery?

  init<Info: PaginationInfo>(
    _ extractPageInfo: @escaping @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Output?>) -> Info,
    _ pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?
  ) {
    info = extractPageInfo
    query = { info, direction in (info as? Info).flatMap { pageResolver?($0, direction) } }
  }
}
