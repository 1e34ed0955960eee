import Apollo
import ApolloAPI
import ApolloTransport
import Foundation

// What comes of requests and of changes of the cache.

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  /// - Parameters:
  ///   - result: What the watcher has delivered.
  ///   - deferred: What became of deferred fragments in it; nil if there are none.
  ///   - isLast: Whether nothing more comes of its request.
  func receive(
    _ result: Result<GraphQLResult<Query.Data>, any Error>, _ deferred: DeferredOutcome?, isLast: Bool
  ) {
    guard watch != nil else { return }
    switch result {
    case .success(let result):
      if result.hasData {
        if result.source == .server { clearError() }
        show(result, deferred)
      } else if result.source == .cache {
        // The cache has a part without data. What is shown stays, as the watcher asks for the rest.
        if dataState == .empty { showErrors(of: result) }
      } else {
        // What was shown before is better than nothing.
        responseErrors = result.errors ?? []
        setErrors(responseErrors)
        do { _ = try result.dataOrThrow() } catch { facts.error = error }
      }
    case .failure(let failure):
      facts.error = failure
    }
    if isLast { endRequest(result) }
  }

  /// Nothing more comes of a request.
  ///
  /// - Parameter result: The last result.
  func endRequest(_ result: Result<GraphQLResult<Query.Data>, any Error>) {
    lackedNetwork = result.serverFailure()?.isNetworkFailure ?? false
    showStatus()
    finishRefetches(result.mapError { OperationError.thrown($0, operationName: Query.operationName) })
  }

  func finishRefetches(_ result: Result<GraphQLResult<Query.Data>, any Error>) {
    let waiting = refetches.values
    refetches = [:]
    for refetch in waiting {
      refetch.yield(with: result)
      refetch.finish()
    }
  }

  /// - Parameters:
  ///   - result: What is to be shown; nil: nothing.
  ///   - deferred: What became of deferred fragments in it. nil, the default: it is not known.
  func show(_ result: GraphQLResult<Query.Data>?, _ deferred: DeferredOutcome? = nil) {
    let data = result?.data, state = state(of: result, deferred)
    if !areEqual(values.data, data) { self.data = data }
    if isPlaceholder { facts.isPlaceholder = false }
    // (It was why there was no data.)
    if dataState == .empty, state != .empty { clearError() }
    if dataState != state { facts.dataState = state }
    isStored = result?.isStored ?? false
    showErrors(of: result)
    let info = result?.hasData == true ? result?.cacheInfo : nil
    if !Self.areAlike(cacheInfo, info) { facts.cacheInfo = info }
    let isStale = info?.isStale ?? false
    if self.isStale != isStale { facts.isStale = isStale }
  }

  /// Whether a screen shows the same of two pieces of information: it does not show when the cache was asked.
  private static func areAlike(_ one: CacheInfo?, _ other: CacheInfo?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isHit == other.isHit && one.isPartial == other.isPartial && one.receivedAt == other.receivedAt
      && one.earliestExpiry == other.earliestExpiry && one.staleFields == other.staleFields
      && areAlike(one.error, other.error) && areAlike(one.fetchError, other.fetchError)
  }

  private static func areAlike(_ one: (any Error)?, _ other: (any Error)?) -> Bool {
    // (The text of an error of the connection may have the number of its task.)
    if let one = one as? URLError, let other = other as? URLError { return one.code == other.code }
    return one.map { "\($0)" } == other.map { "\($0)" }
  }

  /// The errors of the last response stay when the cache changes, but for those that the cache keeps in the place of
  /// fields: these are the cache's.
  private func showErrors(of result: GraphQLResult<Query.Data>?) {
    let errors = result?.errors ?? []
    if errors.isEmpty, responseErrors.isEmpty { return setErrors([]) }
    if result?.source == .cache { return setErrors(responseErrors.filter { !errors.contains($0) } + errors) }
    responseErrors = result?.isStored == true ? errors.filter { $0.path == nil } : errors
    setErrors(errors)
  }

  private func state(of result: GraphQLResult<Query.Data>?, _ deferred: DeferredOutcome?) -> DataState {
    guard let result, result.hasData else { return .empty }
    if Query.hasDeferredFragments, let state = deferredState(of: result, deferred) { return state }
    return result.cacheInfo.isPartial ? .partial : .complete
  }

  /// The state of data with deferred fragments; nil if all of them have come.
  private func deferredState(of result: GraphQLResult<Query.Data>, _ deferred: DeferredOutcome?) -> DataState? {
    guard let outcome = deferred ?? result.data.map({ DeferredOutcome(in: $0) }) else { return nil }
    // (The cache may change between two parts.)
    let isStreaming = result.hasNext || result.source == .cache && dataState == .streaming
    if outcome.arePending { return isStreaming ? .streaming : .partial }
    return outcome.haveFailed ? .partial : nil
  }

  // Observers of a property are told of each assignment, also of an equal value.

  func setStatus(_ status: FetchStatus) {
    if fetchStatus != status { facts.fetchStatus = status }
  }

  func setErrors(_ errors: [GraphQLError]) {
    if self.errors != errors { facts.errors = errors }
  }

  func clearError() {
    if error != nil { facts.error = nil }
  }
}

extension Result {
  /// Why the server has not answered, also where the cache stands in for it; nil if it has.
  func serverFailure<Data: SelectionSet>() -> (any Error)? where Success == GraphQLResult<Data> {
    switch self {
    case .success(let result): result.cacheInfo.fetchError
    case .failure(let error): error
    }
  }
}
