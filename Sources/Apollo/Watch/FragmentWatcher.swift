public import ApolloAPI
public import ApolloCache
public import Foundation

/// Delivers a fragment of one cached object, now and whenever it changes in the cache. It never asks a server.
///
/// It watches until ``cancel()``, or until nobody holds it any more.
public final class FragmentWatcher<Object: SelectionSet & Sendable>: Cancellable, Sendable {
  private struct State {
    var observer: ObserverID?
    var isCancelled = false
  }

  private let store: ApolloStore
  private let key: CacheKey
  private let variables: Variables
  private let queue: DispatchQueue?
  private let handler: Handoff<(Object?) -> Void>
  private let state = Locked(State())

  init(
    store: ApolloStore, key: CacheKey, variables: Variables, queue: DispatchQueue?,
    handler: @escaping (Object?) -> Void
  ) {
    self.store = store
    self.key = key
    self.variables = variables
    self.queue = queue
    self.handler = Handoff(handler)
    let observer = store.addObserver(ignoring: UUID()) { [weak self] state in
      guard let observer = self?.observer else { return }
      await state.observe(Object.self, withKey: key, variables: variables, for: observer) { [weak self] in
        self?.deliver($0)
      }
    }
    state.withLock { $0.observer = observer }
    store.observe(Object.self, withKey: key, variables: variables, for: observer) { [weak self] in self?.deliver($0) }
  }

  deinit { cancel() }

  /// Stops watching.
  public func cancel() {
    let observer = state.withLock { state in
      state.isCancelled = true
      defer { state.observer = nil }
      return state.observer
    }
    if let observer { store.removeObserver(observer) }
  }

  /// nil when it is cancelled.
  private var observer: ObserverID? { state.withLock { $0.observer } }

  private func deliver(_ reading: RecordReading<Object>) {
    let object = try? reading.data.get()
    guard let queue else { return handler.value(object) }
    queue.async { [weak self] in
      guard let self, !self.state.withLock({ $0.isCancelled }) else { return }
      self.handler.value(object)
    }
  }
}

extension ApolloClient {
  /// Delivers a fragment of one cached object, now and whenever it changes in the cache: a view that shows one object of
  /// a list needs no query of its own.
  ///
  /// - Parameters:
  ///   - key: The key of the object, such as `Human:1000`, or a path to it.
  ///   - variables: For fields of the fragment with arguments.
  ///   - handler: Called with nil while the cache does not have all of the fragment.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watchFragment<Object: SelectionSet & Sendable>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none, callbackQueue: DispatchQueue = .main,
    handler: @escaping (Object?) -> Void
  ) -> FragmentWatcher<Object> {
    FragmentWatcher(store: store, key: key, variables: variables, queue: callbackQueue, handler: handler)
  }

  /// The same as a sequence that ends with its task. A slow consumer misses values in between, never the last one.
  ///
  ///     for await card in client.watchFragment(CharacterCard.self, withKey: "Human:1000") { … }
  public func watchFragment<Object: SelectionSet & Sendable>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none
  ) -> AsyncStream<Object?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watcher = FragmentWatcher<Object>(store: store, key: key, variables: variables, queue: nil) {
        continuation.yield($0)
      }
      continuation.onTermination = { _ in watcher.cancel() }
    }
  }
}
