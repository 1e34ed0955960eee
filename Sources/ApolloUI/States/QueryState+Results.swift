import Apollo
import ApolloAPI
import ApolloTransport
import Foundation

// What comes of requests and of changes of the cache.

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  /// - Parameters:
  ///   - result: What the watcher has delivered.
  ///   - isLast: Whether nothing more comes of its request.
  func receive(_ result: Result<GraphQLResult<Query.Data>, any Error>, isLast: Bool) {
    guard watch != nil else { return }
    switch result {
    case .success(let result):
      if result.hasData {
        if result.source == .server || dataState == .empty { clearError() }
        show(result)
      } else if result.source == .cache {
        // The cache has a part without data. What is shown stays, as the watcher asks for the rest.
        if dataState == .empty { setErrors(result.errors ?? []) }
      } else {
        // What was shown before is better than nothing.
        setErrors(result.errors ?? [])
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
    if case .failure(let failure) = result { lackedNetwork = failure.isNetworkFailure } else { lackedNetwork = false }
    showStatus()
    finishRefetches(result)
  }

  func finishRefetches(_ result: Result<GraphQLResult<Query.Data>, any Error>) {
    let waiting = refetches
    refetches = []
    for refetch in waiting { refetch.resume(with: result) }
  }

  func show(_ result: GraphQLResult<Query.Data>?) {
    let data = result?.data, state = Self.state(of: result)
    if !areEqual(values.data, data) { self.data = data }
    if isPlaceholder { facts.isPlaceholder = false }
    if dataState != state { facts.dataState = state }
    setErrors(result?.errors ?? [])
    let info = data == nil ? nil : result?.cacheInfo
    if !Self.areAlike(cacheInfo, info) { facts.cacheInfo = info }
    let isStale = cacheInfo?.isStale ?? false
    if self.isStale != isStale { facts.isStale = isStale }
  }

  /// Whether a screen shows the same of two pieces of information: it does not show when the cache was asked.
  private static func areAlike(_ one: CacheInfo?, _ other: CacheInfo?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isHit == other.isHit && one.isPartial == other.isPartial && one.receivedAt == other.receivedAt
      && one.earliestExpiry == other.earliestExpiry && one.staleFields == other.staleFields
      && (one.error == nil) == (other.error == nil)
  }

  static func state(of result: GraphQLResult<Query.Data>?) -> DataState {
    guard let result, result.hasData else { return .empty }
    if Query.hasDeferredFragments, let data = result.data {
      let parts = DeferredParts(in: data)
      if parts.arePending { return result.hasNext ? .streaming : .partial }
      if parts.haveFailed { return .partial }
    }
    return result.cacheInfo.isPartial ? .partial : .complete
  }

  // Observers of a property are told of each assignment, also of an equal value.

  func setStatus(_ status: FetchStatus) {
    if fetchStatus != status { facts.fetchStatus = status }
  }

  func setErrors(_ errors: [GraphQLError]) {
    let areEqual = self.errors.elementsEqual(errors) { $0.message == $1.message && $0.path == $1.path }
    if !areEqual { facts.errors = errors }
  }

  func clearError() {
    if error != nil { facts.error = nil }
  }
}
