#if canImport(SwiftUI)
  public import Apollo
  public import ApolloAPI
  public import ApolloTransport
  public import SwiftUI

  /// The data of a query in a view, with the client of the environment.
  ///
  ///     struct HeroView: View {
  ///       @Watched(HeroQuery(episode: .empire)) var hero
  ///
  ///       var body: some View {
  ///         switch hero {
  ///         case .content(let data): Text(data.hero?.name ?? "")
  ///         case .failed(let error): Button("\(error.localizedDescription)") { Task { try await $hero.refetch() } }
  ///         default: ProgressView()
  ///         }
  ///       }
  ///     }
  ///
  ///     HeroView().apolloClient(client)
  ///
  /// `hero` is what to show, and `$hero` is the ``QueryState`` with everything else: `$hero.refetch()`, `$hero.isRefreshing`.
  ///
  /// The query of each new value of the view counts. With `initial:` only the first one does, and the view changes it:
  /// `$feed.query.first = 20`. With `binding:` it is a value of another view.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @propertyWrapper @MainActor
  public struct Watched<Query: GraphQLQuery>: DynamicProperty {
    @State private var slot = QuerySlot<Query>()
    @Environment(\.apolloClient) private var environmentClient
    @Environment(\.apolloObservationEnabled) private var isObserving
    // Safe: set when a view is made, and read on the main actor.
    private nonisolated(unsafe) let request: QuerySlot<Query>.Request
    private let client: ApolloClient?

    /// Makes a property whose query is the one that the view was made with.
    ///
    /// - Parameters:
    ///   - query: The query, with its variables.
    ///   - client: Sends it. nil, the default: the client of the environment.
    ///   - cachePolicy: When the cache is read and when the server is asked. By default the cache if it has all of the
    ///     data, and otherwise the server.
    ///   - requestConfiguration: What is different for its requests. nil, the default: nothing.
    ///   - placeholder: Makes what is shown until there is data. nil, the default: there is nothing to show.
    ///   - isSkipped: Whether nothing is asked for. The default is false.
    ///   - grace: How long the state follows the cache when the view is out of sight. The default is 30 seconds.
    public nonisolated init(
      _ query: Query, client: ApolloClient? = nil, cachePolicy: any QueryCachePolicy = CachePolicy.default,
      requestConfiguration: RequestConfiguration? = nil, placeholder: QueryState<Query>.Placeholder? = nil,
      isSkipped: Bool = false, grace: Duration = .seconds(30)
    ) {
      self.init(
        .constant(query), client: client, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration,
        placeholder: placeholder, isSkipped: isSkipped, grace: grace)
    }

    /// Makes a property whose query the view itself changes.
    ///
    /// - Parameters:
    ///   - query: The first query. Later values of the view do not change it.
    ///   - client: Sends it. nil, the default: the client of the environment.
    ///   - cachePolicy: When the cache is read and when the server is asked.
    ///   - placeholder: Makes what is shown until there is data. nil, the default: there is nothing to show.
    public nonisolated init(
      initial query: Query, client: ApolloClient? = nil, cachePolicy: any QueryCachePolicy = CachePolicy.default,
      placeholder: QueryState<Query>.Placeholder? = nil
    ) {
      self.init(.initial(query), client: client, cachePolicy: cachePolicy, placeholder: placeholder)
    }

    /// Makes a property whose query is a value of another view.
    ///
    /// - Parameters:
    ///   - query: The query. What this view sets is set there.
    ///   - client: Sends it. nil, the default: the client of the environment.
    ///   - cachePolicy: When the cache is read and when the server is asked.
    ///   - placeholder: Makes what is shown until there is data. nil, the default: there is nothing to show.
    public nonisolated init(
      binding query: Binding<Query>, client: ApolloClient? = nil,
      cachePolicy: any QueryCachePolicy = CachePolicy.default, placeholder: QueryState<Query>.Placeholder? = nil
    ) {
      self.init(
        .binding(get: { query.wrappedValue }, set: { query.wrappedValue = $0 }), client: client,
        cachePolicy: cachePolicy, placeholder: placeholder)
    }

    private nonisolated init(
      _ source: QuerySource<Query>, client: ApolloClient?, cachePolicy: any QueryCachePolicy,
      requestConfiguration: RequestConfiguration? = nil, placeholder: QueryState<Query>.Placeholder?,
      isSkipped: Bool = false, grace: Duration = .seconds(30)
    ) {
      self.client = client
      request = .init(
        source: source,
        options: WatchOptions(
          cachePolicy: cachePolicy, requestConfiguration: requestConfiguration, refetchPolicy: .onMiss),
        placeholder: placeholder, isSkipped: isSkipped, grace: grace)
    }

    /// What to show.
    public var wrappedValue: Phase<Query.Data> { projectedValue.phase }

    /// The state of the query.
    public var projectedValue: QueryState<Query> { slot.state ?? state }

    private var state: QueryState<Query> {
      slot.update(request, client: client ?? environmentClient, isVisible: isObserving)
    }

    /// Called by SwiftUI before the view is drawn.
    public nonisolated func update() {
      // SwiftUI calls it on the main thread.
      MainActor.assumeIsolated { _ = state }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension QueryState {
    /// The ``query`` as a binding, for a control that changes it: `Stepper("", value: $feed.binding.first)`.
    public var binding: Binding<Query> {
      Binding(get: { @MainActor in self.query }, set: { @MainActor in self.query = $0 })
    }
  }

  /// A fragment of one cached object in a row or a card, with the client of the environment.
  ///
  ///     struct CharacterRow: View {
  ///       @WatchedFragment<CharacterCard> var card: CharacterCard?
  ///
  ///       init(key: CacheKey) { _card = WatchedFragment(withKey: key) }
  ///
  ///       var body: some View { Text(card?.name ?? "…") }
  ///     }
  ///
  /// The row is drawn anew only if its own object changes.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @propertyWrapper @MainActor
  public struct WatchedFragment<Object: SelectionSet & Sendable>: DynamicProperty {
    @State private var slot = FragmentSlot<Object>()
    @Environment(\.apolloClient) private var environmentClient
    private let client: ApolloClient?
    private let key: CacheKey
    private let variables: Variables

    /// Makes a property.
    ///
    /// - Parameters:
    ///   - type: The type of the fragment. By default the one that the property has.
    ///   - key: The key of the object, such as `Human:1000`, or a path to it, such as `QUERY_ROOT.hero`.
    ///   - variables: The values of variables for fields with arguments. The default is none.
    ///   - client: Has the cache. nil, the default: the client of the environment.
    public nonisolated init(
      _ type: Object.Type = Object.self, withKey key: CacheKey, variables: Variables = .none,
      client: ApolloClient? = nil
    ) {
      self.key = key
      self.variables = variables
      self.client = client
    }

    /// The fragment; nil while the cache does not have all of it.
    public var wrappedValue: Object? { projectedValue.data }

    /// The state of the fragment.
    public var projectedValue: FragmentState<Object> { slot.state ?? state }

    private var state: FragmentState<Object> { slot.update(key, variables, client: client ?? environmentClient) }

    /// Called by SwiftUI before the view is drawn.
    public nonisolated func update() {
      // SwiftUI calls it on the main thread.
      MainActor.assumeIsolated { _ = state }
    }
  }
#endif
