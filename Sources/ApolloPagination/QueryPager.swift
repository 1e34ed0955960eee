public import Apollo
public import Foundation

/// A pager: ``GraphQLQueryPager``, or ``AsyncGraphQLQueryPager``. It has the initializers of both.
public protocol QueryPager<Model> {
  /// What the pager makes of all pages.
  associatedtype Model

  /// Makes a pager of what the other initializers have put together.
  init(_ recipe: __PagerRecipe<Model>)
}

extension QueryPager {
  /// Makes a pager whose outputs have all pages as they are.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - initialQuery: The query for the first page.
  ///   - watcherDispatchQueue: Where subscribers are called. By default the main queue.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  public init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    watcherDispatchQueue: DispatchQueue = .main,
    extractPageInfo: @escaping @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Model?>) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?
  ) where Model == PaginationOutput<InitialQuery, PaginatedQuery> {
    self.init(
      __PagerRecipe(client, first: initialQuery, on: watcherDispatchQueue, by: PageRules(extractPageInfo, pageResolver))
      { $0 })
  }

  /// Makes a pager whose outputs are models of the app.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - initialQuery: The query for the first page.
  ///   - watcherDispatchQueue: Where subscribers are called. By default the main queue.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  ///   - transform: Makes the model of all pages. An error that it throws is an output.
  public init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    watcherDispatchQueue: DispatchQueue = .main,
    extractPageInfo:
      @escaping @Sendable (
        PageExtractionData<InitialQuery, PaginatedQuery, PaginationOutput<InitialQuery, PaginatedQuery>?>
      ) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?,
    transform: @escaping @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
  ) {
    self.init(
      __PagerRecipe(
        client, first: initialQuery, on: watcherDispatchQueue, by: PageRules(extractPageInfo, pageResolver), transform))
  }

  /// Makes a pager whose outputs are one collection of the elements of all pages.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - initialQuery: The query for the first page.
  ///   - watcherDispatchQueue: Where subscribers are called. By default the main queue.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  ///   - initialTransform: Makes the elements of the first page. An error that it throws is an output.
  ///   - pageTransform: Makes the elements of another page. An error that it throws is an output.
  public init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    watcherDispatchQueue: DispatchQueue = .main,
    extractPageInfo: @escaping @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Model?>) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?,
    initialTransform: @escaping @Sendable (InitialQuery.Data) throws -> Model,
    pageTransform: @escaping @Sendable (PaginatedQuery.Data) throws -> Model
  ) where Model: RangeReplaceableCollection & SendableMetatype {
    let transform: @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model = concatenation(
      initialTransform, pageTransform)
    self.init(
      __PagerRecipe(
        client, first: initialQuery, on: watcherDispatchQueue,
        by: PageRules({ extractPageInfo($0.map { output in output.flatMap { try? transform($0) } }) }, pageResolver),
        transform))
  }

  /// Makes a pager of one query, whose outputs have all pages as they are.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - initialQuery: The query for the first page.
  ///   - watcherDispatchQueue: Where subscribers are called. By default the main queue.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  public init<Query: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: Query,
    watcherDispatchQueue: DispatchQueue = .main,
    extractPageInfo: @escaping @Sendable (Query.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> Query?
  ) where Model == PaginationOutput<Query, Query> {
    self.init(
      __PagerRecipe(
        client, first: initialQuery, on: watcherDispatchQueue,
        by: PageRules(extraction(extractPageInfo, extractPageInfo), pageResolver)
      ) { $0 })
  }

  /// Makes a pager of two queries, whose outputs have all pages as they are.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - initialQuery: The query for the first page.
  ///   - watcherDispatchQueue: Where subscribers are called. By default the main queue.
  ///   - extractInitialPageInfo: Finds in the data of the first page what it says about the pages beside it.
  ///   - extractNextPageInfo: Finds in the data of another page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  public init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    watcherDispatchQueue: DispatchQueue = .main,
    extractInitialPageInfo: @escaping @Sendable (InitialQuery.Data) -> Info,
    extractNextPageInfo: @escaping @Sendable (PaginatedQuery.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> PaginatedQuery?
  ) where Model == PaginationOutput<InitialQuery, PaginatedQuery> {
    self.init(
      __PagerRecipe(
        client, first: initialQuery, on: watcherDispatchQueue,
        by: PageRules(extraction(extractInitialPageInfo, extractNextPageInfo), pageResolver)
      ) { $0 })
  }

  /// Makes a pager whose outputs have all pages as they are. The order of its parameters is that of Apollo iOS 1.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - watcherDispatchQueue: Where subscribers are called.
  ///   - initialQuery: The query for the first page.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  public init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    watcherDispatchQueue: DispatchQueue,
    initialQuery: InitialQuery,
    extractPageInfo: @escaping @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Model?>) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?
  ) where Model == PaginationOutput<InitialQuery, PaginatedQuery> {
    self.init(
      __PagerRecipe(client, first: initialQuery, on: watcherDispatchQueue, by: PageRules(extractPageInfo, pageResolver))
      { $0 })
  }

  /// Makes a pager whose outputs are models of the app. The order of its parameters is that of Apollo iOS 1.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - watcherDispatchQueue: Where subscribers are called.
  ///   - initialQuery: The query for the first page.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  ///   - transform: Makes the model of all pages. An error that it throws is an output.
  public init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    watcherDispatchQueue: DispatchQueue,
    initialQuery: InitialQuery,
    extractPageInfo:
      @escaping @Sendable (
        PageExtractionData<InitialQuery, PaginatedQuery, PaginationOutput<InitialQuery, PaginatedQuery>?>
      ) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?,
    transform: @escaping @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
  ) {
    self.init(
      __PagerRecipe(
        client, first: initialQuery, on: watcherDispatchQueue, by: PageRules(extractPageInfo, pageResolver), transform))
  }

  /// Makes a pager of one query, whose outputs have all pages as they are. The order of its parameters is that of
  /// Apollo iOS 1.
  ///
  /// - Parameters:
  ///   - client: An `ApolloClient`, or a stand-in for one in an app's tests.
  ///   - watcherDispatchQueue: Where subscribers are called.
  ///   - initialQuery: The query for the first page.
  ///   - extractPageInfo: Finds in the data of a page what it says about the pages beside it.
  ///   - pageResolver: Makes the query for the page beside the last one. nil, or a result of nil: there is none.
  public init<Query: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    watcherDispatchQueue: DispatchQueue,
    initialQuery: Query,
    extractPageInfo: @escaping @Sendable (Query.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> Query?
  ) where Model == PaginationOutput<Query, Query> {
    self.init(
      __PagerRecipe(
        client, first: initialQuery, on: watcherDispatchQueue,
        by: PageRules(extraction(extractPageInfo, extractPageInfo), pageResolver)
      ) { $0 })
  }
}

/// What both closures of an app say about a page.
private func extraction<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info, Output>(
  _ initial: @escaping @Sendable (InitialQuery.Data) -> Info,
  _ paginated: @escaping @Sendable (PaginatedQuery.Data) -> Info
) -> @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Output>) -> Info {
  { page in
    switch page {
    case .initial(let data, _): initial(data)
    case .paginated(let data, _): paginated(data)
    }
  }
}

/// The elements of all pages that have data, in their order.
private func concatenation<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Model>(
  _ initial: @escaping @Sendable (InitialQuery.Data) throws -> Model,
  _ page: @escaping @Sendable (PaginatedQuery.Data) throws -> Model
) -> @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
where Model: RangeReplaceableCollection & SendableMetatype {
  { output in
    var elements = Model()
    for previous in output.previousPages.compactMap(\.data) { elements += try page(previous) }
    if let first = output.initialPage?.data { elements += try initial(first) }
    for next in output.nextPages.compactMap(\.data) { elements += try page(next) }
    return elements
  }
}

extension PageExtractionData {
  /// The same page, with something else beside it.
  fileprivate func map<Other>(_ body: (T) -> Other) -> PageExtractionData<InitialQuery, PaginatedQuery, Other> {
    switch self {
    case .initial(let data, let output): .initial(data, body(output))
    case .paginated(let data, let output): .paginated(data, body(output))
    }
  }
}
