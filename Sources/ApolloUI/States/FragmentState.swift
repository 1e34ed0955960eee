public import Apollo
public import ApolloAPI
public import ApolloCache
import ApolloTransport
import Dispatch
public import Observation

/// A fragment of one cached object for a row or a card, which is drawn anew only if this object changes.
///
///     let card = FragmentState(CharacterCard.self, withKey: "Human:1000", client: client)
///
/// It never asks the server: the query of the screen does. What memory has of the object is there before the first frame.
/// When the user signs out, the data is gone; ``restart()`` begins for the next one. When the client is closed, what is
/// shown stays.
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
  /// Why there will be no data: there is no client. nil otherwise.
  public var error: (any Error)? { client == nil ? StateError.noClient : nil }
  private let facts: FragmentFacts
  private var object: Object?
  let client: ApolloClient?
  let variables: Variables
  private var watcher: FragmentWatcher<Object>?

  /// Makes a state, which begins at once.
  ///
  /// - Parameters:
  ///   - type: The type of the fragment.
  ///   - key: The key of the object, such as `Human:1000`, or a path to it, such as `QUERY_ROOT.hero`.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  ///   - client: Has the cache. nil: the state has an error that says so.
  public init(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none, client: ApolloClient?
  ) {
    facts = FragmentFacts(key)
    self.client = client
    self.variables = variables
    begin()
  }

  /// Begins anew, if the user has signed out since.
  public func restart() {
    if watcher == nil { begin() }
  }

  private func begin() {
    watcher?.cancel()
    guard let client else { return }
    let key = key
    // (What memory has while the user is being signed out is for the former one.)
    let object =
      client.isSigningOut ? nil : client.store.readIfInMemory(Object.self, withKey: key, variables: variables)
    show(object, of: key)
    // (The watcher calls both on its queue, which is the main queue. There are many such states, so both are one closure.)
    let take: @Sendable ([Object?]) -> Void = { [weak self] objects in
      MainActor.assumeIsolated {
        if let object = objects.first { self?.show(object, of: key) } else { self?.end(of: key) }
      }
    }
    watcher = FragmentWatcher(
      client: client, keys: [key], variables: variables, queue: .main, onEnd: { if $0.isSignOut { take([]) } },
      handler: take)
  }

  /// The user has signed out. (Also observers that had no data are told, so that a view begins anew.)
  private func end(of key: CacheKey) {
    guard key == self.key else { return }
    watcher = nil
    data = nil
  }

  private func show(_ object: Object?, of key: CacheKey) {
    if key == self.key, !areEqual(self.object, object) { data = object }
  }
}
