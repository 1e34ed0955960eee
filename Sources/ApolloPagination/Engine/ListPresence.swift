import Apollo
import ApolloAPI
import ApolloCache

/// Finds out whether the cache has the one list of a query all the time, whatever part of it may be missing.
///
/// The first page that comes into a cache without the list is the list: a page from its middle must not be that. In
/// doubt, the list is there: a fetch of the first page in place of the next one takes pages from the screen.
final class ListPresence<Query: GraphQLQuery>: Sendable {
  private struct State: Sendable {
    var observer: ObserverID?
    var wasGone = false
  }

  private let query: Query
  /// What is shown, which has the list.
  private let shown: GraphQLResult<Query.Data>
  private let store: ApolloStore
  private let state = Locked(State())

  /// - Parameters:
  ///   - query: The query that has the list.
  ///   - shown: What is shown of it.
  ///   - store: Where the list is.
  ///   - writes: Those that bring a page into the list, after which it is there.
  init(
    of query: Query, showing shown: GraphQLResult<Query.Data>, in store: ApolloStore, ignoring writes: ObserverWrites
  ) {
    (self.query, self.shown, self.store) = (query, shown, store)
    let observer = store.addObserver(ignoring: writes) { [weak self] written in
      guard let self, let observer = state.withLock({ $0.observer }) else { return }
      await written.observe(self.query, for: observer, returnsPartialData: true) { [weak self] in self?.take($0) }
    }
    state.withLock { $0.observer = observer }
  }

  deinit {
    if let observer = state.withLock({ $0.observer }) { store.removeObserver(observer) }
  }

  /// Looks at the cache, and follows it from then on.
  ///
  /// - Returns: Whether the list is there.
  func isThere() async -> Bool {
    guard let observer = state.withLock({ $0.observer }) else { return true }
    await withCheckedContinuation { done in
      store.observe(query, for: observer, returnsPartialData: true) { reading in
        self.take(reading)
        done.resume()
      }
    }
    return !state.withLock { $0.wasGone }
  }

  /// Whether the list has been there since ``isThere()`` was called.
  func hasStayed() async -> Bool {
    await store.waitUntilTold()
    return !state.withLock { $0.wasGone }
  }

  private func take(_ reading: ReadResult<Query.Data>) {
    guard !reading.isHit, !reading.isMissOfLayers, reading.backendError == nil else { return }
    // (What a guess hides is there.)
    let missing = (reading.errorsBelowLayers ?? reading.errors).filter {
      $0.extensions?["code"] as? String == "CACHE_MISS"
    }.compactMap(\.path)
    // (What is missing in an element is missing in a list.)
    let fields = missing.filter { path in !path.contains { if case .index = $0 { true } else { false } } }
    guard !fields.isEmpty else { return }
    let response = shown.data.flatMap { try? ResponseReader.jsonValue($0.response()) as? JSONObject }
    if areLists(of: response?["data"], missingWith: fields) { state.withLock { $0.wasGone = true } }
  }
}

/// Whether fields that are missing had all lists that are shown. (Nothing says which of several is the one that has
/// pages, so none may be left.)
///
/// - Parameters:
///   - data: What is shown.
///   - fields: The paths of the fields that are missing.
/// - Returns: False also if no list is shown.
func areLists(of data: JSONValue?, missingWith fields: [[PathComponent]]) -> Bool {
  /// The paths of lists that are in no other list.
  func lists(in value: JSONValue?, at path: [PathComponent]) -> [[PathComponent]] {
    if value is [JSONValue] { return [path] }
    return (value as? JSONObject ?? [:]).flatMap { name, value in lists(in: value, at: path + [.field(name)]) }
  }
  let lists = lists(in: data, at: [])
  return !lists.isEmpty && lists.allSatisfy { list in fields.contains { list.starts(with: $0) } }
}
