public import Apollo
public import ApolloAPI
public import ApolloCache
public import Observation

/// A fragment of one cached object for a row or a card, which is drawn anew only if this object changes.
///
///     @State private var card = FragmentState(CharacterCard.self, withKey: "Human:1000", client: client)
///
/// It never asks the server: the query of the screen does. What memory has of the object is there before the first frame.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class FragmentState<Object: SelectionSet & Sendable> {
  /// The fragment; nil while the cache does not have all of it.
  public private(set) var data: Object?
  /// The key of the object, such as `Human:1000`, or a path to it.
  public let key: CacheKey
  @ObservationIgnored private var watcher: FragmentWatcher<Object>?

  /// Makes a state, which begins at once.
  ///
  /// - Parameters:
  ///   - type: The type of the fragment.
  ///   - key: The key of the object, such as `Human:1000`, or a path to it, such as `QUERY_ROOT.hero`.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  ///   - client: Has the cache. nil: there is never any data.
  public init(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none, client: ApolloClient?
  ) {
    self.key = key
    guard let client else { return }
    data = client.store.readIfInMemory(type, withKey: key, variables: variables)
    watcher = client.watchFragment(type, withKey: key, variables: variables) { [weak self] object in
      MainActor.assumeIsolated { self?.show(object) }
    }
  }

  private func show(_ object: Object?) {
    if !areEqual(data, object) { data = object }
  }
}
