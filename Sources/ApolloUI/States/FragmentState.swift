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
@MainActor
public final class FragmentState<Object: SelectionSet & Sendable>: Observable {
  /// The fragment; nil while the cache does not have all of it.
  public private(set) var data: Object? {
    get {
      _ = facts.data
      return object
    }
    set {
      object = newValue
      facts.data &+= 1
    }
  }
  /// The key of the object, such as `Human:1000`, or a path to it. With another key, another object is shown.
  public var key: CacheKey {
    get { facts.key }
    set {
      guard newValue != facts.key else { return }
      facts.key = newValue
      begin()
    }
  }
  private let facts: FragmentFacts
  private var object: Object?
  let client: ApolloClient?
  private let variables: Variables
  private var watcher: FragmentWatcher<Object>?

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
    facts = FragmentFacts(key)
    self.client = client
    self.variables = variables
    begin()
  }

  private func begin() {
    watcher?.cancel()
    guard let client else { return }
    show(client.store.readIfInMemory(Object.self, withKey: key, variables: variables), of: key)
    watcher = client.watchFragment(Object.self, withKey: key, variables: variables) { [weak self, key] object in
      MainActor.assumeIsolated { self?.show(object, of: key) }
    }
  }

  private func show(_ object: Object?, of key: CacheKey) {
    if key == self.key, !areEqual(data, object) { data = object }
  }
}
