package import ApolloTransport
package import ApolloAPI
package import ApolloCache
package import Foundation

// What interceptors of an app do with a response themselves.

extension GraphQLOperation {
  /// Makes typed data of the bytes of a response, and records of its objects.
  ///
  /// - Parameters:
  ///   - bytes: The response.
  ///   - makesRecords: Whether records are made.
  ///   - identity: The rules by which the records get their keys.
  ///   - receivedAt: When the response was received.
  /// - Returns: The result and the records; no records if there is no data.
  /// - Throws: `ResponseDecodingError` if the response does not fit the operation.
  package func read(
    _ bytes: ResponseBytes, makesRecords: Bool, identity: ObjectIdentity, receivedAt: Date
  ) throws(ResponseDecodingError) -> (result: GraphQLResult<Data>, records: RecordSet?) {
    let answer = try OperationPipeline(store: nil).read(
      bytes, of: self, makesRecords: makesRecords, identity: identity)
    guard case .read(let records)? = answer.records else { return (answer.result, nil) }
    return (answer.result, RecordSet(records, receivedAt: receivedAt))
  }

  /// Merges the records of a result into a cache.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - records: Its records; nil if there are none.
  ///   - store: The cache.
  ///   - passage: The operation on its way, which says how it is written; nil if that is not known.
  /// - Throws: The error that a backend of the cache threw.
  package func write(
    _ result: GraphQLResult<Data>, _ records: RecordSet?, to store: ApolloStore, as passage: OperationPassage<Self>?
  ) async throws {
    let answer = OperationPipeline.Answer(result: result, records: records.map { .own($0) })
    let writing = await OperationPipeline(store: store).write(
      answer, origin: passage?.contextIdentifier,
      (passage?.requestConfiguration ?? RequestConfiguration()).writeRules, passage?.options ?? OperationOptions(),
      sent: passage?.ticketOfResponse, listEdits)
    if writing.isStored { result.noteStored() }
    if let error = writing.error { throw error }
  }
}

/// A response that an interceptor of the app has parsed itself. Its objects are made when they are written, because the cache
/// has the rules for their keys.
package protocol UnmadeRecords {
  /// Makes the objects.
  ///
  /// - Parameter cacheKeyForObject: Makes their keys. nil: the keys of the schema.
  /// - Returns: The objects; nil if there are none.
  func makeRecords(cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)?) -> RecordSet?
}

extension OperationResponse {
  /// The objects of the result, as they will be written to the cache; nil: there are none, or the body is not parsed yet.
  package var ownRecords: RecordSet? {
    get {
      // An interceptor of the app that asks for them may write them itself.
      if records != nil || unmadeRecords != nil { parsedResponse?.noteStored() }
      if let unmadeRecords { return unmadeRecords.makeRecords(cacheKeyForObject: nil) }
      if case .read(let read)? = records {
        var own = RecordSet(read, receivedAt: parsedResponse?.cacheInfo.networkEnd ?? SystemClock().date)
        own.asked = asked
        records = .own(own)
      }
      if case .own(let own)? = records { return own }
      return nil
    }
    set {
      records = newValue.map { .own($0) }
      unmadeRecords = nil
    }
  }

  /// Makes the objects that are still to be made, with the keys of the cache that they are written to.
  package func makeRecords(for store: ApolloStore?) {
    guard let unmadeRecords else { return }
    ownRecords = unmadeRecords.makeRecords(cacheKeyForObject: store?.cacheKeyForObject)
  }
}
