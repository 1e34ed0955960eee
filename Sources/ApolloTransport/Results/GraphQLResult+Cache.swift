import ApolloAPI
package import ApolloCache
import Foundation

extension GraphQLResult {
  /// What was read from the cache, or why the cache does not have all of it.
  package static func result<Operation: GraphQLOperation>(
    of reading: ReadResult<Data>, _ operation: Operation, _ store: ApolloStore
  ) -> Result<GraphQLResult, any Error> where Operation.Data == Data {
    if let result = GraphQLResult(reading, of: operation, in: store) { return .success(result) }
    if let error = reading.backendError { return .failure(error) }
    return reading.data.map { GraphQLResult(data: $0, source: .cache) }.mapError { $0 }
  }

  /// What was read from the cache; nil if the cache does not have all of it, and a part was not asked for.
  package init?<Operation: GraphQLOperation>(
    _ reading: ReadResult<Data>, of operation: Operation, in store: ApolloStore
  ) where Operation.Data == Data {
    let data = try? reading.data.get(), errors = reading.errors
    // Without data, the errors of a part say what is missing.
    guard data != nil || reading.isPart else { return nil }
    var info = CacheInfo(
      isHit: reading.isHit, isPartial: !errors.isEmpty, receivedAt: reading.date, error: reading.backendError)
    info.staleFields = reading.staleFields
    info.earliestExpiry = reading.earliestExpiry
    if let times = reading.times {
      info.cacheStart = Date(timeIntervalSince1970: times.start)
      info.cacheEnd = Date(timeIntervalSince1970: times.end)
    }
    self.init(
      data: data, extensions: nil, errors: errors.isEmpty ? nil : errors, source: .cache, hasNext: false,
      cacheInfo: info, findKeys: Self.keyFinder(operation, store.identity))
  }

  /// Finds what data of an operation depends on: the fields of the records that they would be written to.
  static func keyFinder<Operation: GraphQLOperation>(
    _ operation: Operation, _ identity: ObjectIdentity
  ) -> KeyFinder where Operation.Data == Data {
    { data in
      let contents = try? ResponseReader.read(
        Data.self, from: data.response(), variables: operation.variables,
        rootKey: Operation.operationType.rootKey, identity: identity)
      guard let records = contents?.records.map({ RecordSet($0, receivedAt: .distantPast) }) else { return nil }
      return Set(records.keys.flatMap { key in (records[key]?.fields.keys).map { $0.map { "\(key).\($0)" } } ?? [] })
    }
  }
}
