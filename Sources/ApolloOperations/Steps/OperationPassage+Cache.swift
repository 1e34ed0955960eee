import ApolloTransport
import ApolloAPI
package import ApolloCache

// What is done with a cache: before the server is asked, and with what it answers.

extension OperationPassage {
  /// Reads the cache, if the policy allows it.
  ///
  /// - Parameters:
  ///   - response: What the steps before have made; nil, mostly.
  ///   - store: The cache; nil if there is none.
  /// - Returns: What comes next: the server is asked, unless the cache's result is all.
  /// - Throws: Why there is no result, if the server must not be asked.
  @inline(__always)
  package nonisolated(nonsending) func read(
    _ response: OperationResponse<Operation>?, from store: ApolloStore?
  ) async throws -> NextStep<Operation> {
    guard readsCache else {
      beginSending()
      return .proceed(response)
    }
    return try await readCache(response, from: store)
  }

  @inline(never) private nonisolated(nonsending) func readCache(
    _ response: OperationResponse<Operation>?, from store: ApolloStore?
  ) async throws -> NextStep<Operation> {
    switch try await OperationPipeline(store: store).answerFromCache(
      operation, cachePolicy, requestConfiguration, options)
    {
    case .none(let error):
      // (Not from nothing to nothing: a result of the former start may be written meanwhile, which reads it.)
      if error != nil || cacheError != nil { cacheError = error }
      beginSending()
      return .proceed(response)
    case .first(let result):
      beginSending()
      if hasResultOfCache { return .proceed(response) }
      hasResultOfCache = true
      return .returnAndProceed(result)
    case .only(let result): return .return(result)
    }
  }

  /// Writes the objects of a response.
  @inline(__always)
  package nonisolated(nonsending) func write(
    _ response: OperationResponse<Operation>, to store: ApolloStore?
  ) async {
    var error = cacheError
    response.makeRecords(for: store)
    if let result = response.parsedResponse {
      let answer = OperationPipeline.Answer(result: result, records: response.records)
      let pipeline = OperationPipeline(store: store)
      let writing = await pipeline.write(
        answer, origin: contextIdentifier, requestConfiguration.writeRules, options, sent: ticketOfResponse,
        operation.listEdits)
      if writing.isStored { result.noteStored() }
      error = writing.error ?? error
      if Operation.__hasLocalFields { await complete(response, answer, isStored: writing.isStored, from: store) }
      response.records = nil
    }
    if let error { response.parsedResponse?.cacheInfo.error = error }
  }

  @inline(never) private nonisolated(nonsending) func complete(
    _ response: OperationResponse<Operation>, _ answer: OperationPipeline.Answer<Operation.Data>, isStored: Bool,
    from store: ApolloStore?
  ) async {
    response.parsedResponse = await OperationPipeline(store: store).completed(
      answer, isStored: isStored, of: operation, requestConfiguration)
  }
}

/// Reads the operation's cache before the server is asked.
struct StoreReading: ChainStep {
  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    try await passage.read(response, from: passage.store)
  }
}

/// Writes results to the operation's cache.
struct StoreWriting: ChainStep {
  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    if passage.writesCache, let response { await passage.write(response, to: passage.store) }
    return .proceed(response)
  }
}
