import Apollo
public import ApolloAPI
import ApolloTransport
import Observation

/// Where the query of a view comes from.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public enum QuerySource<Query: GraphQLQuery> {
  /// What the view was made with. Each time it is made anew, its query counts.
  case constant(Query)
  /// What the view was first made with. From then on only the state decides: `$feed.query.first = 20`.
  case initial(Query)
  /// Another value of the app. What the view sets is told to it.
  case binding(get: @MainActor () -> Query, set: @MainActor (Query) -> Void)
}

/// The state of a query of a view, which outlives the values that views are. It makes a state when a view is drawn for the
/// first time, and a new one if the client is another one, or if the query is to be asked for in another way.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class QuerySlot<Query: GraphQLQuery> {
  /// What a property wrapper was given.
  struct Request {
    var source: QuerySource<Query>
    var options: WatchOptions
    var placeholder: QueryState<Query>.Placeholder?
    var isSkipped: Bool
    var grace: Duration
  }

  private(set) var state: QueryState<Query>?
  @ObservationIgnored private var hadClient: ObjectIdentifier?
  @ObservationIgnored private var hadOptions: WatchOptions?
  /// Whether the query of the view was skipped when it was last made.
  @ObservationIgnored private var wasSkipped = false

  /// (A view makes one whenever it is made, and keeps the first one. So this must do nothing.)
  nonisolated init() {}

  /// Brings the state up to date before a view is drawn.
  ///
  /// - Parameters:
  ///   - request: What the property wrapper was given.
  ///   - client: The client of the wrapper or of the environment; nil if there is none.
  ///   - isVisible: Whether the view observes.
  /// - Returns: The state.
  @discardableResult
  func update(_ request: Request, client: ApolloClient?, isVisible: Bool) -> QueryState<Query> {
    let identity = client.map { ObjectIdentifier($0) }
    guard let state, identity == hadClient, hadOptions?.areLike(request.options) == true else {
      let query =
        switch request.source {
        case .constant(let query): query
        // (The query that was chosen since then stays.)
        case .initial(let query): self.state?.query ?? query
        case .binding(let get, _): get()
        }
      let former = identity == hadClient ? self.state : nil
      let isSkipped = request.isSkipped == wasSkipped ? former?.isSkipped ?? wasSkipped : request.isSkipped
      let state = QueryState(
        query, client, request.options, placeholder: request.placeholder, isSkipped: isSkipped, isHidden: !isVisible,
        inPlaceOf: former)
      (hadClient, hadOptions, wasSkipped, self.state) = (identity, request.options, request.isSkipped, state)
      listen(to: state, request.source)
      return state
    }
    // (What a view has set itself stays until the view is made with another value.)
    let skips = request.isSkipped != wasSkipped ? request.isSkipped : nil
    wasSkipped = request.isSkipped
    state.placeholder = request.placeholder
    // What ends comes first, and what begins comes last, so that nothing is asked for in between.
    if skips == true { state.isSkipped = true }
    if !isVisible { state.hide(true, grace: request.grace) }
    switch request.source {
    case .constant(let query): set(query, in: state)
    case .initial: break
    case .binding(let get, _):
      set(get(), in: state)
      listen(to: state, request.source)
    }
    if skips == false { state.isSkipped = false }
    if isVisible { state.hide(false, grace: request.grace) }
    return state
  }

  private func set(_ query: Query, in state: QueryState<Query>) {
    guard query != state.query else { return }
    // The binding has this value already.
    state.onQueryChange = nil
    state.query = query
  }

  private func listen(to state: QueryState<Query>, _ source: QuerySource<Query>) {
    guard case .binding(_, let set) = source else { return }
    state.onQueryChange = { set($0) }
  }
}

/// The state of a fragment of a view.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class FragmentSlot<Object: SelectionSet & Sendable> {
  private(set) var state: FragmentState<Object>?
  @ObservationIgnored private var hadClient: ObjectIdentifier?

  nonisolated init() {}

  @discardableResult
  func update(_ key: CacheKey, _ variables: Variables, client: ApolloClient?) -> FragmentState<Object> {
    let identity = client.map { ObjectIdentifier($0) }
    if let state, identity == hadClient, state.variables == variables {
      state.key = key
      state.restart()
      return state
    }
    let state = FragmentState(Object.self, withKey: key, variables: variables, client: client)
    (hadClient, self.state) = (identity, state)
    return state
  }
}
