import ApolloAPI
package import ApolloCache

extension GraphQLResult {
  /// What was read from the cache; nil if the cache does not have all of it.
  package init?(_ reading: RecordReading<Data>) {
    guard case .success(let data) = reading.data else { return nil }
    self.init(
      data: data, errors: reading.errors.isEmpty ? nil : reading.errors, source: .cache,
      cacheInfo: CacheInfo(
        isHit: true, isPartial: !reading.errors.isEmpty, receivedAt: reading.date, error: reading.backendError))
  }
}
