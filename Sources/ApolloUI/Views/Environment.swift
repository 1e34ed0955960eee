#if canImport(SwiftUI)
  public import Apollo
  public import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension EnvironmentValues {
    private struct ClientKey: EnvironmentKey {
      static var defaultValue: ApolloClient? { nil }
    }

    private struct ObservationKey: EnvironmentKey {
      static var defaultValue: Bool { true }
    }

    /// The client of the views; nil if none was set. Then their states have an error that says so.
    public var apolloClient: ApolloClient? {
      get { self[ClientKey.self] }
      set { self[ClientKey.self] = newValue }
    }

    /// Whether the views are in sight; see `queryObservation(_:)`. The default is true.
    public var apolloObservationEnabled: Bool {
      get { self[ObservationKey.self] }
      set { self[ObservationKey.self] = newValue }
    }
  }

  /// When the queries of a view poll and follow what happens.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  public enum QueryObservation: Sendable, Hashable {
    /// As long as the view is there.
    case always
    /// From the first time that it is drawn until it disappears, and again when it appears.
    case onRender
    /// From the time that it appears until it disappears. Until then, only what memory has is shown.
    case onAppear
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension View {
    /// Gives all views in this one a client.
    ///
    /// - Parameter client: The client.
    /// - Returns: The view with it.
    public func apolloClient(_ client: ApolloClient?) -> some View { environment(\.apolloClient, client) }

    /// Says when the queries in this view poll and follow what happens. It is for the properties of the views within: a
    /// modifier in the body of a view does nothing for the view's own properties.
    ///
    /// - Parameter observation: When they do. Without this modifier they always do.
    /// - Returns: The view that says so.
    public func queryObservation(_ observation: QueryObservation) -> some View {
      modifier(ObservationModifier(observation))
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  private struct ObservationModifier: ViewModifier {
    private let observation: QueryObservation
    @State private var isObserving: Bool

    init(_ observation: QueryObservation) {
      self.observation = observation
      _isObserving = State(initialValue: observation != .onAppear)
    }

    func body(content: Content) -> some View {
      content
        .environment(\.apolloObservationEnabled, observation == .always || isObserving)
        .onAppear { isObserving = true }
        .onDisappear { isObserving = false }
    }
  }
#endif
