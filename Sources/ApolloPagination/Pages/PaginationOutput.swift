public import Apollo

/// All pages that a pager has loaded.
///
/// Where the cache makes one list of the pages, ``initialPage`` has the whole list, and there are no other pages.
public struct PaginationOutput<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: Sendable {
  /// The pages before the first one that was loaded, in the order of the list.
  public let previousPages: [GraphQLResult<PaginatedQuery.Data>]
  /// The page that was loaded first; nil if there is none.
  public let initialPage: GraphQLResult<InitialQuery.Data>?
  /// The pages behind the first one that was loaded, in the order of the list.
  public let nextPages: [GraphQLResult<PaginatedQuery.Data>]
  /// The page for which this output was delivered: the one that was loaded, or that has changed in the cache.
  public let lastUpdatedPage: QueryWrapper

  /// Makes an output, for an app's tests.
  ///
  /// - Parameters:
  ///   - previousPages: The pages before the first one that was loaded, in the order of the list.
  ///   - initialPage: The page that was loaded first; nil if there is none.
  ///   - nextPages: The pages behind the first one that was loaded, in the order of the list.
  ///   - lastUpdatedPage: The page for which this output was delivered.
  public init(
    previousPages: [GraphQLResult<PaginatedQuery.Data>], initialPage: GraphQLResult<InitialQuery.Data>?,
    nextPages: [GraphQLResult<PaginatedQuery.Data>], lastUpdatedPage: QueryWrapper
  ) {
    self.previousPages = previousPages
    self.initialPage = initialPage
    self.nextPages = nextPages
    self.lastUpdatedPage = lastUpdatedPage
  }

  /// The errors that the server reported for fields of the pages, in the order of the pages.
  public var allErrors: [GraphQLError] {
    previousPages.flatMap { $0.errors ?? [] } + (initialPage?.errors ?? []) + nextPages.flatMap { $0.errors ?? [] }
  }

  /// A page of one of the two queries.
  public enum QueryWrapper: Sendable {
    /// The first page.
    case initial(GraphQLResult<InitialQuery.Data>)
    /// A page behind the first one, or before it.
    case paginated(GraphQLResult<PaginatedQuery.Data>)

    /// The errors that the server reported for fields of the page; nil if there are none.
    public var errors: [GraphQLError]? {
      switch self {
      case .initial(let result): result.errors
      case .paginated(let result): result.errors
      }
    }

    /// Why the page has no data; nil if it has some.
    var problem: (any Error)? {
      do {
        switch self {
        case .initial(let result): _ = try result.dataOrThrow(allowsErrors: true)
        case .paginated(let result): _ = try result.dataOrThrow(allowsErrors: true)
        }
        return nil
      } catch {
        return error
      }
    }

    /// Where the data of the page comes from.
    public var source: UpdateSource {
      switch self {
      case .initial(let result): result.source == .cache ? .cache : .server
      case .paginated(let result): result.source == .cache ? .cache : .server
      }
    }
  }
}

extension PaginationOutput where InitialQuery == PaginatedQuery {
  /// The data of all pages that have data, in the order of the list.
  public var allData: [InitialQuery.Data] { allPages.compactMap(\.data) }

  /// All pages, in the order of the list.
  public var allPages: [GraphQLResult<InitialQuery.Data>] {
    previousPages + (initialPage.map { [$0] } ?? []) + nextPages
  }
}

extension PaginationOutput.QueryWrapper where InitialQuery == PaginatedQuery {
  /// The data of the page; nil if it has none.
  public var data: InitialQuery.Data? {
    switch self {
    case .initial(let result): result.data
    case .paginated(let result): result.data
    }
  }
}

extension PaginationOutput: Equatable where InitialQuery.Data: Equatable, PaginatedQuery.Data: Equatable {}
extension PaginationOutput: Hashable where InitialQuery.Data: Hashable, PaginatedQuery.Data: Hashable {}
extension PaginationOutput.QueryWrapper: Equatable
where InitialQuery.Data: Equatable, PaginatedQuery.Data: Equatable {}
extension PaginationOutput.QueryWrapper: Hashable where InitialQuery.Data: Hashable, PaginatedQuery.Data: Hashable {}
