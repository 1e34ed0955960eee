import ApolloAPI
package import ApolloCache

extension GraphQLResult {
  /// What was read from the cache, or why the cache does not have all of it.
  static func result(of reading: RecordReading<Data>) -> Result<GraphQLResult, any Error> {
    if let result = GraphQLResult(reading) { return .success(result) }
    if let error = reading.backendError { return .failure(error) }
    return reading.data.map { GraphQLResult(data: $0, source: .cache) }.mapError { $0 }
  }

  /// What was read from the cache; nil if the cache does not have all of it.
  package init?(_ reading: RecordReading<Data>) {
    guard case .success(let data) = reading.data else { return nil }
    self.init(
      data: data, errors: reading.errors.isEmpty ? nil : reading.errors, source: .cache,
      cacheInfo: CacheInfo(
        isHit: true, isPartial: !reading.errors.isEmpty, receivedAt: reading.date, error: reading.backendError))
  }
}
