public import ApolloAPI
public import ApolloCache
import ApolloFoundation
import Foundation

/// The body of a response, which an interceptor of the app's own parses, as in releases up to 1.x of Apollo iOS.
///
///     let response = GraphQLResponse(operation: request.operation, body: body)
///     let (result, records) = try response.parseResult(withCachePolicy: request.cachePolicy)
public final class GraphQLResponse<Data: SelectionSet> {
  private let parse: (_ cacheKeyForObject: CacheKeyForObject?, _ makesRecords: Bool) throws -> Parsed

  private typealias Parsed = (result: GraphQLResult<Data>, records: RecordSet?)

  /// - Parameters:
  ///   - operation: Tells what the data is, and has the variables.
  ///   - body: With `data`, `errors` and `extensions`, as `JSONSerialization` or a literal gives it.
  public init<Operation: GraphQLOperation>(operation: Operation, body: JSONObject) where Operation.Data == Data {
    parse = { cacheKeyForObject, makesRecords in
      let answer = try OperationPipeline(store: nil).read(
        ResponseBytes(try JSONSerializationFormat.serialize(value: body)), of: operation,
        makesRecords: makesRecords,
        identity: ObjectIdentity(cacheKeyForObject: cacheKeyForObject))
      guard case .read(let records)? = answer.records else { return (answer.result, nil) }
      return (answer.result, RecordSet(records))
    }
  }

  /// What was parsed already.
  init(_ result: GraphQLResult<Data>, _ records: RecordSet?) { parse = { _, _ in (result, records) } }

  /// The result, and the objects of the data as records for the cache.
  ///
  /// - Parameter cacheKeyForObject: Makes the keys of the records; nil for those of the schema.
  /// - Throws: ``ResponseDecodingError`` if the body does not fit the operation.
  public func parseResult(
    cacheKeyForObject: CacheKeyForObject? = nil
  ) throws -> (GraphQLResult<Data>, RecordSet?) {
    try parse(cacheKeyForObject, true)
  }

  /// The result, and the objects of the data as records unless the policy keeps them from the cache.
  ///
  /// - Throws: ``ResponseDecodingError`` if the body does not fit the operation.
  public func parseResult(withCachePolicy cachePolicy: CachePolicy) throws -> (GraphQLResult<Data>, RecordSet?) {
    try parse(nil, cachePolicy != .fetchIgnoringCacheCompletely)
  }

  /// The result without records.
  ///
  /// - Throws: ``ResponseDecodingError`` if the body does not fit the operation.
  public func parseResultFast() throws -> GraphQLResult<Data> { try parse(nil, false).result }
}

extension HTTPResponse {
  /// The objects of the result, as they are going to be written to the cache; nil before the body is parsed, and where
  /// the cache policy keeps them from the cache.
  public var cacheRecords: RecordSet? {
    get {
      if case .read(let read)? = records { records = .own(RecordSet(read)) }
      if case .own(let own)? = records { return own }
      return nil
    }
    set { records = newValue.map { .own($0) } }
  }

  /// The parsed result and its records, by their name in releases 0.3x to 1.x of Apollo iOS; nil before the body is parsed.
  ///
  /// An interceptor of the app's own that sets it sets ``cacheRecords``. A response that cannot be parsed sets nothing: the
  /// interceptor gets the error when it parses it.
  public var legacyResponse: GraphQLResponse<Operation.Data>? {
    get { parsedResponse.map { GraphQLResponse($0, cacheRecords) } }
    set { cacheRecords = try? newValue?.parseResult().1 }
  }
}
