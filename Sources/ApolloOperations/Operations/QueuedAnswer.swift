package import ApolloTransport
package import ApolloAPI
package import ApolloCache
package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

// How an outbox sends its mutations, and what it does with the answers.

/// A server's answer to a mutation of an outbox, which is not in the cache yet.
package struct QueuedAnswer<Data: SelectionSet>: Sendable {
  fileprivate var answer: OperationPipeline.Answer<Data>

  /// Reads an answer that was kept.
  ///
  /// - Throws: `ResponseDecodingError` if it cannot be read.
  package init<Mutation: GraphQLMutation>(
    _ bytes: ResponseBytes, of mutation: Mutation, for store: ApolloStore
  ) throws(ResponseDecodingError) where Mutation.Data == Data {
    answer = try OperationPipeline(store: store).read(bytes, of: mutation, makesRecords: true)
  }

  fileprivate init(_ result: GraphQLResult<Data>, _ records: OperationPipeline.Records) {
    answer = OperationPipeline.Answer(result: result, records: records)
  }

  /// What the server says.
  package var result: GraphQLResult<Data> { answer.result }
}

extension TransportRoute {
  /// Sends a mutation of an outbox once, and writes nothing to the cache.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - key: By what the server recognizes it when it comes again.
  ///   - headers: Its own header fields.
  ///   - files: The files that are sent with it.
  ///   - defaults: What holds for every operation of the client.
  ///   - deadline: How many seconds it may take, if the client does not say it and there are no files.
  ///   - store: The cache that the answer is for.
  ///   - count: Counts how often it is sent: interceptors may send it again.
  /// - Returns: The whole response; the answer, if it can be written as it was read; and the status of a response without
  ///   data.
  /// - Throws: Why there is no response.
  package func send<Mutation: GraphQLMutation>(
    queued mutation: Mutation, key: String, headers: [String: String], files: [GraphQLFile],
    _ defaults: RequestConfiguration, deadline: TimeInterval, for store: ApolloStore, counting count: SendingCount
  ) async throws -> (bytes: ResponseBytes, answer: QueuedAnswer<Mutation.Data>?, refusal: HTTPURLResponse?) {
    let configuration = RequestConfiguration(
      headers: headers.merging(["Idempotency-Key": key]) { own, _ in own }, bodyExtensions: ["idempotencyKey": key])
    var call = OperationCall(
      mutation, cachePolicy: .fetchIgnoringCacheCompletely, configuration: configuration,
      files: files.isEmpty ? nil : files)
    let unwritten = UnwrittenAnswer()
    call.options.answer = unwritten
    call.options.sendingCount = count
    call.options.trace = policies.events.trace(Mutation.self)
    // The key is among the extensions as well, for transports that send no header fields.
    call.options.hasOwnRoute = !headers.isEmpty
    call.fill(from: defaults)
    // What the server has done in part is done: the errors are looked at when the answer is kept.
    call.configuration.errorPolicy = .all
    // How long an upload takes is up to the size of its files.
    if call.configuration.deadline == nil, files.isEmpty { call.configuration.deadline = deadline }
    let result: GraphQLResult<Mutation.Data>?
    do { result = try await OperationRun(call, by: self).last() } catch {
      // The server has done it, and what it says does not fit the app: an answer like any other.
      guard OperationError.unwrap(error) is ResponseDecodingError, let bytes = unwritten.bytes, bytes.hasData else {
        throw error
      }
      return (bytes, nil, nil)
    }
    try Task.checkCancellation()
    guard let result else {
      throw OperationError.noAnswer(from: "\(type(of: transport))", operationName: Mutation.operationName)
    }
    return (
      unwritten.bytes ?? result.written(for: mutation),
      unwritten.takeRecords(for: store).map { QueuedAnswer(result, $0) },
      result.data == nil ? result.httpResponse : nil
    )
  }

  /// Brings the answer to a mutation of an outbox into the cache, and takes away what the mutation shows, in one commit.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - mutation: The mutation.
  ///   - defaults: What holds for every operation of the client.
  ///   - store: The cache.
  ///   - layer: What the mutation shows.
  ///   - ticket: Its place in the order of sending; nil: it has none.
  ///   - unread: Takes what the cache's backend threw when records of it were needed to change lists, or by the change.
  ///     Then not all of that is made, and the answer has to be brought into the cache again.
  ///   - change: What else is changed in the commit.
  /// - Returns: The result.
  /// - Throws: The errors of the answer, if the client's error policy says so.
  package func write<Mutation: GraphQLMutation>(
    _ answer: QueuedAnswer<Mutation.Data>, of mutation: Mutation, _ defaults: RequestConfiguration,
    to store: ApolloStore, ending layer: OptimisticUpdate, sent ticket: SendingTicket?,
    unread: Locked<(any Error)?>, _ change: @escaping OptimisticUpdate.Change
  ) async throws -> GraphQLResult<Mutation.Data> {
    var answer = answer.answer
    let pipeline = OperationPipeline(store: store)
    var configuration = RequestConfiguration()
    configuration.fill(from: defaults)
    configuration.writesToCacheAsynchronously = nil
    let policy = configuration.errorPolicy
    configuration.errorPolicy = .all
    var options = OperationOptions()
    options.effects = MutationEffects(ending: layer, in: store, unread: unread, change)
    let writing = await pipeline.write(
      answer, origin: nil, configuration.writeRules, options, sent: ticket, mutation.listEdits)
    if Mutation.__hasLocalFields {
      answer.result = await pipeline.completed(answer, isStored: writing.isStored, of: mutation, configuration)
    }
    if let error = writing.error { answer.result.cacheInfo.error = error }
    if policy == .ignore { answer.result = try policy.apply(to: answer.result, of: Mutation.operationName) }
    return answer.result
  }
}

extension ResponseBytes {
  /// Whether this is a response with data, whatever they are.
  fileprivate var hasData: Bool {
    let response = (try? ResponseReader.jsonValue(self)) as? JSONObject
    return response?["data"] is JSONObject
  }
}

extension GraphQLResult {
  /// The response that a result was read from, as far as the result has it: for transports that give no bytes.
  func written<Operation: GraphQLOperation>(for operation: Operation) -> ResponseBytes
  where Operation.Data == Data {
    var writer = __JSONWriter(variables: operation.variables)
    writer.writeRaw(#"{"data":"#.utf8)
    if let data { data.__write(to: &writer) } else { writer.writeNull() }
    if let errors, !errors.isEmpty {
      writer.writeRaw(#","errors":"#.utf8)
      writer.writeJSON(errors.map { $0.object as JSONValue })
    }
    if let extensions {
      writer.writeRaw(#","extensions":"#.utf8)
      writer.writeJSON(extensions)
    }
    writer.writeRaw("}".utf8)
    return ResponseBytes(writer.bytes)
  }
}
