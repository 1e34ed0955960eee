package import ApolloTransport
package import ApolloAPI
package import ApolloCache

// What interceptors of an app do with a response themselves.

extension GraphQLOperation {
  /// Makes typed data of the bytes of a response, and records of its objects.
  ///
  /// - Parameters:
  ///   - bytes: The response.
  ///   - makesRecords: Whether records are made.
  ///   - identity: The rules by which the records get their keys.
  /// - Returns: The result and the records; no records if there is no data.
  /// - Throws: `ResponseDecodingError` if the response does not fit the operation.
  package func read(
    _ bytes: ResponseBytes, makesRecords: Bool, identity: ObjectIdentity
  ) throws(ResponseDecodingError) -> (result: GraphQLResult<Data>, records: RecordSet?) {
    let answer = try OperationPipeline(store: nil).read(
      bytes, of: self, makesRecords: makesRecords, identity: identity)
    guard case .read(let records)? = answer.records else { return (answer.result, nil) }
    return (answer.result, RecordSet(records, receivedAt: SystemClock().date))
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

extension OperationResponse {
  /// The objects of the result, as they will be written to the cache; nil: there are none, or the body is not parsed yet.
  package var ownRecords: RecordSet? {
    get {
      // An interceptor of the app that asks for them may write them itself.
      if records != nil { parsedResponse?.noteStored() }
      if case .read(let read)? = records {
        var own = RecordSet(read, receivedAt: parsedResponse?.cacheInfo.networkEnd ?? SystemClock().date)
        own.asked = asked
        records = .own(own)
      }
      if case .own(let own)? = records { return own }
      return nil
    }
    set { records = newValue.map { .own($0) } }
  }
}
