public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache
import ApolloJSON
import Foundation

/// The body of a response that an interceptor of the app has parsed as JSON, as in Apollo iOS 1 and earlier.
///
///     let response = GraphQLResponse(operation: request.operation, body: body)
///     let (result, records) = try response.parseResult(withCachePolicy: request.cachePolicy)
public final class GraphQLResponse<Data: SelectionSet> {
  private let parse: (_ cacheKeyForObject: CacheKeyForObject?, _ makesRecords: Bool) throws -> Parsed

  private typealias Parsed = (result: GraphQLResult<Data>, records: RecordSet?)

  /// The result, if the body was parsed already.
  private let parsed: GraphQLResult<Data>?
  private let makeBody: () -> JSONObject

  /// Makes a response of a JSON object.
  ///
  /// - Parameters:
  ///   - operation: The operation that was sent: it tells which fields to read, and has the variables.
  ///   - body: An object with `data`, `errors` and `extensions`, as `JSONSerialization` or a literal gives it.
  public init<Operation: GraphQLOperation>(operation: Operation, body: JSONObject) where Operation.Data == Data {
    let receivedAt = SystemClock().date
    parsed = nil
    makeBody = { body }
    parse = { cacheKeyForObject, makesRecords in
      try operation.read(
        ResponseBytes(try JSONSerializationFormat.serialize(value: body)), makesRecords: makesRecords,
        identity: ObjectIdentity(cacheKeyForObject: cacheKeyForObject), receivedAt: receivedAt)
    }
  }

  /// Makes a response of a body that was parsed already.
  init(_ result: GraphQLResult<Data>, _ records: RecordSet?, makeBody: @escaping () -> JSONObject) {
    parsed = result
    parse = { _, _ in (result, records) }
    self.makeBody = makeBody
  }

  /// The JSON object with `data`, `errors` and `extensions`. If the client has parsed it, each access reads it anew; it is
  /// empty if there are no bytes to read.
  public var body: JSONObject { makeBody() }

  /// Reads the errors in the body, whatever its data is.
  ///
  /// - Returns: The errors; nil if the body has none.
  public func parseErrorsOnlyFast() -> [GraphQLError]? {
    if let parsed { return parsed.errors }
    return (body["errors"] as? [JSONValue])?.map { GraphQLError(anyValue: $0) }
  }

  /// Reads the body: the result, and the objects of the data as records for the cache.
  ///
  /// - Parameter cacheKeyForObject: Makes the keys of the records. nil, the default: the keys of the schema.
  /// - Returns: The result and the records; no records if there is no data.
  /// - Throws: `ResponseDecodingError` if the body does not fit the operation.
  public func parseResult(
    cacheKeyForObject: CacheKeyForObject? = nil
  ) throws -> (GraphQLResult<Data>, RecordSet?) {
    try parse(cacheKeyForObject, true)
  }

  /// Reads the body: the result, and records for the cache unless the policy keeps the data out of the cache.
  ///
  /// - Throws: `ResponseDecodingError` if the body does not fit the operation.
  public func parseResult(withCachePolicy cachePolicy: CachePolicy) throws -> (GraphQLResult<Data>, RecordSet?) {
    try parse(nil, cachePolicy != .fetchIgnoringCacheCompletely)
  }

  /// Reads the body without making records for the cache.
  ///
  /// - Throws: `ResponseDecodingError` if the body does not fit the operation.
  public func parseResultFast() throws -> GraphQLResult<Data> { try parse(nil, false).result }
}

extension GraphQLResponse: UnmadeRecords {
  package func makeRecords(cacheKeyForObject: CacheKeyForObject?) -> RecordSet? {
    try? parse(cacheKeyForObject, true).records
  }
}

extension HTTPResponse {
  /// The objects of the result, as they will be written to the cache. nil before the body is parsed, and if the cache
  /// policy keeps the result out of the cache. Where ``legacyResponse`` was set, they have the keys of the schema, and are
  /// written with those of the cache.
  public var cacheRecords: RecordSet? {
    get { ownRecords }
    set { ownRecords = newValue }
  }

  /// The parsed result and its records, under the name of Apollo iOS 0.3x to 1. nil before the body is parsed.
  ///
  /// Setting it replaces ``cacheRecords``: its objects are written to the cache, with the keys of that; see
  /// `ApolloStore.cacheKeyForObject`. Nothing is written of a response that cannot be parsed.
  public var legacyResponse: GraphQLResponse<Operation.Data>? {
    get {
      if let own = unmadeRecords as? GraphQLResponse<Operation.Data> { return own }
      let bytes = body
      return parsedResponse.map { result in
        GraphQLResponse(result, cacheRecords) {
          (try? JSONSerializationFormat.deserialize(data: bytes)) as? JSONObject ?? [:]
        }
      }
    }
    set {
      cacheRecords = nil
      unmadeRecords = newValue
    }
  }
}
