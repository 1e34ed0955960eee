import Apollo
import ApolloAPI

extension GraphQLResult {
  /// This result with what is kept of an earlier one of the same page.
  ///
  /// That is the data, if this one has none. With data of the cache, it is the errors without a path: the cache keeps
  /// errors in the place of values, and has no place for these.
  func following(_ earlier: GraphQLResult?) -> GraphQLResult {
    guard var kept = earlier, kept.hasData else { return self }
    guard hasData else {
      kept.errors = errors
      return kept
    }
    let placeless = source == .cache ? (kept.errors ?? []).filter { $0.path == nil } : []
    guard !placeless.isEmpty else { return self }
    var result = self
    result.errors = placeless + (errors ?? [])
    return result
  }
}
