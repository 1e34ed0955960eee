import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
public import ApolloCache
public import Foundation

/// Delivers a fragment of one cached object, or of several, now and each time it changes in the cache. It never asks the
/// server: a fragment has no operation with which that could be done. So values of any age are delivered.
///
/// It watches until ``cancel()`` is called, the watcher is released, the client is closed, or the user signs out.
/// After a sign-out nil is delivered once more.
public final class FragmentWatcher<Object: SelectionSet & Sendable>: Cancellable, Sendable {
  private struct State {
    var observer: ObserverID?
    var isCancelled = false
  }

  private let store: ApolloStore
  private let queue: DispatchQueue?
  // Safe: an app's handler (see Handoff).
  nonisolated(unsafe) private let handler: ([Object?]) -> Void
  private let count: Int
  private let activeQueries: ActiveQueries
  private let onEnd: (@Sendable (any Error) -> Void)?
  private let state = Locked(State())

  package init(
    client: ApolloClient, keys: [CacheKey], variables: Variables, queue: DispatchQueue?,
    onEnd: (@Sendable (any Error) -> Void)? = nil, handler: @escaping ([Object?]) -> Void
  ) {
    let store = client.store
    self.store = store
    count = keys.count
    activeQueries = client.activeQueries
    self.onEnd = onEnd
    self.queue = queue?.oneByOne
    self.handler = handler
    let read: @Sendable (WrittenState) async -> Void = { [weak self] state in
      guard let observer = self?.observer else { return }
      if keys.count == 1 {
        await state.observe(Object.self, withKey: keys[0], variables: variables, for: observer) { [weak self] in
          self?.deliver([try? $0.data.get()])
        }
      } else {
        await state.observe(Object.self, withKeys: keys, variables: variables, for: observer) { [weak self] in
          self?.deliver($0.map { try? $0.data.get() })
        }
      }
    }
    let observer = store.addObserver(ignoring: ObserverWrites(asked: UUID()), read)
    state.withLock { $0.observer = observer }
    activeQueries.add(self)
    // (Asked after it was added, so that the sign-out that has not begun yet ends it.)
    if !client.isSigningOut { store.whenTold(read) }
  }

  deinit { cancel() }

  /// Stops watching. The handler is not called after that.
  public func cancel() {
    let observer = state.withLock { state in
      state.isCancelled = true
      defer { state.observer = nil }
      return state.observer
    }
    if let observer { store.removeObserver(observer) }
    activeQueries.remove(ObjectIdentifier(self))
  }

  /// The observer in the store; nil after the watcher was cancelled.
  private var observer: ObserverID? { state.withLock { $0.observer } }

  private func deliver(_ objects: [Object?]) {
    guard let queue else { return handler(objects) }
    queue.async { [weak self] in
      // (What waits for the queue when the user signs out is not told any more.)
      guard let self, self.observer != nil else { return }
      self.handler(objects)
    }
  }
}

extension FragmentWatcher: Watching {
  func end(with error: any Error) {
    let observer = state.withLock { state in
      defer { state.observer = nil }
      return state.observer
    }
    if let observer { store.removeObserver(observer) }
    guard let queue else { return tellEnd(error) }
    queue.async {
      if !self.state.withLock({ $0.isCancelled }) { self.tellEnd(error) }
    }
  }

  private func tellEnd(_ error: any Error) {
    // What was delivered was for the user who is gone.
    if error.isSignOut { handler([Object?](repeating: nil, count: count)) }
    onEnd?(error)
    cancel()
  }
}

extension ApolloClient {
  /// Delivers a fragment of one cached object, now and each time it changes in the cache. So a view that shows one
  /// object of a list needs no query of its own.
  ///
  /// - Parameters:
  ///   - type: The type of the fragment.
  ///   - key: The key of the object, such as `Human:1000`, or a path to it, such as `QUERY_ROOT.hero`.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  ///   - callbackQueue: Where the handler is called. By default the main queue.
  ///   - handler: Called with the fragment, or with nil while the cache does not have all of it.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watchFragment<Object: SelectionSet & Sendable>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none, callbackQueue: DispatchQueue = .main,
    handler: @escaping (Object?) -> Void
  ) -> FragmentWatcher<Object> {
    FragmentWatcher(client: self, keys: [key], variables: variables, queue: callbackQueue) { handler($0[0]) }
  }

  /// Gives a fragment of one cached object as a sequence, now and each time it changes in the cache. A consumer that is
  /// slower than the changes misses some of them, but never the last one. nil stands for a fragment that the cache does
  /// not have completely. The sequence ends when its task is cancelled, the user signs out, or the client is closed.
  ///
  ///     for await card in client.watchFragment(CharacterCard.self, withKey: "Human:1000") { … }
  public func watchFragment<Object: SelectionSet & Sendable>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none
  ) -> AsyncStream<Object?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watcher = FragmentWatcher<Object>(
        client: self, keys: [key], variables: variables, queue: nil, onEnd: { _ in continuation.finish() }
      ) {
        continuation.yield($0[0])
      }
      continuation.onTermination = { _ in watcher.cancel() }
    }
  }

  /// Delivers a fragment of several cached objects, now and each time one of them changes in the cache: for a view that
  /// shows a list of objects whose keys it knows.
  ///
  ///     watcher = client.watchFragments(CharacterCard.self, withKeys: ["Human:1000", "Droid:2001"]) { show($0) }
  ///
  /// A write that changes several of the objects is one call. All objects of a call are of one state of the cache.
  ///
  /// - Parameters:
  ///   - type: The type of the fragment.
  ///   - keys: The keys of the objects, such as `Human:1000`, or paths to them, such as `QUERY_ROOT.hero`. A key may
  ///     stand there twice.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  ///   - callbackQueue: Where the handler is called. By default the main queue.
  ///   - handler: Called with one element for each key, in the order of the keys: the fragment, or nil while the cache
  ///     does not have all of it.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watchFragments<Object: SelectionSet & Sendable>(
    _ type: Object.Type, withKeys keys: [CacheKey], variables: Variables = .none,
    callbackQueue: DispatchQueue = .main, handler: @escaping ([Object?]) -> Void
  ) -> FragmentWatcher<Object> {
    FragmentWatcher(client: self, keys: keys, variables: variables, queue: callbackQueue, handler: handler)
  }

  /// Gives a fragment of several cached objects as a sequence, now and each time one of them changes in the cache.
  ///
  ///     for await cards in client.watchFragments(CharacterCard.self, withKeys: keys) { … }
  ///
  /// A write that changes several of the objects is one element of the sequence. A consumer that is slower than the
  /// changes misses some of them, but never the last one. The sequence ends when its task is cancelled, the user signs
  /// out, or the client is closed.
  ///
  /// - Parameters:
  ///   - type: The type of the fragment.
  ///   - keys: The keys of the objects, such as `Human:1000`, or paths to them. A key may stand there twice.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  /// - Returns: The objects in the order of the keys. nil stands for one that the cache does not have completely.
  public func watchFragments<Object: SelectionSet & Sendable>(
    _ type: Object.Type, withKeys keys: [CacheKey], variables: Variables = .none
  ) -> AsyncStream<[Object?]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watcher = FragmentWatcher<Object>(
        client: self, keys: keys, variables: variables, queue: nil, onEnd: { _ in continuation.finish() }
      ) {
        continuation.yield($0)
      }
      continuation.onTermination = { _ in watcher.cancel() }
    }
  }
}
