import ApolloHTTP
package import ApolloOperations
package import ApolloTransport
import ApolloConcurrency
package import ApolloAPI
package import ApolloCache
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a queue does with one of its mutations. It hides the type of the mutation.
package protocol QueuedWork: Sendable {
  /// What the mutation shows in the cache until it is answered; nil if it shows nothing.
  func guess(of row: Outbox.Row, _ ids: Locked<LocalIDs>) -> OptimisticUpdate.Change?
  /// Sends the mutation once.
  ///
  /// - Returns: The server's answer, a JSON object.
  /// - Throws: Why there is no answer.
  func send(_ row: Outbox.Row, _ ids: LocalIDs, by sender: OutboxSender) async throws -> Data
  /// Brings the answer into the cache, and takes away what the mutation shows, in one commit.
  ///
  /// - Returns: What the answer says.
  /// - Throws: `ResponseDecodingError` if it cannot be read.
  func apply(
    _ row: Outbox.Row, replacing ids: Locked<LocalIDs>, by sender: OutboxSender, ending layer: OptimisticUpdate,
    sent ticket: SendingTicket?
  ) async throws -> any AppliedAnswer
  /// Decides whether a failure is tried again.
  func failure(_ error: any Error, _ clock: any ClientClock) -> MaxRetryInterceptor.RetryRule.FailedOperation

  func tell(_ event: QueueEvent)
}

/// What becomes of a mutation.
package enum QueueEvent {
  case queued
  case waitingForNetwork
  case waiting(Date)
  case sending(attempt: Int)
  case failed(any Error)
  case cancelled
  /// Its outbox has ended before it did.
  case left
}

extension QueueEvent {
  /// Two events with one text are the same to listeners.
  var text: String {
    switch self {
    case .queued: "queued"
    case .waitingForNetwork: "network"
    case .waiting(let date): "until \(date.timeIntervalSince1970)"
    case .sending(let attempt): "sending \(attempt)"
    case .failed, .cancelled, .left: "over"
    }
  }

  /// What the listeners of the client are told; nil: nothing.
  var state: ClientEvent.OutboxEntry.State? {
    switch self {
    case .queued: .queued
    case .waitingForNetwork: .waitingForNetwork
    case .waiting(let date): .waiting(until: date)
    case .sending(let attempt): .sending(attempt: attempt)
    case .failed(let error): .failed(error)
    case .cancelled: .cancelled
    case .left: nil
    }
  }
}

/// An answer that is in the cache.
package protocol AppliedAnswer: Sendable {
  /// Why the server has not done what was asked for; nil if it has.
  var refusal: OperationError? { get }
  /// The server's id for the object that the mutation has made; nil if it was not found.
  var serverID: String? { get }
  /// Gives the result to the callers that wait for it.
  func deliver()
}

/// The queries that an app watches.
package protocol QueriesByName: Sendable {
  /// Asks again for those with one of some names, and does not wait for the answers.
  func refetch(named names: [String])
}

/// How a queue sends, and where it writes.
package struct OutboxSender: Sendable {
  let route: TransportRoute
  let store: ApolloStore
  let defaults: RequestConfiguration
  let deadline: TimeInterval
  package let activeQueries: any QueriesByName

  /// The cache that answers go to: that of the transport, if it has one.
  var target: ApolloStore { route.store ?? store }
}

/// What a queue does with a mutation of a type.
package final class MutationWork<Mutation: GraphQLMutation>: QueuedWork {
  /// The mutation as it was enqueued; nil if that was in an earlier launch.
  let mutation: Mutation?
  let guess: Outbox.MutationGuess<Mutation>?
  let update: Outbox.MutationUpdate<Mutation>?
  let idMapping: (@Sendable (Mutation.Data) -> String?)?
  let registration: Registration<Mutation>?
  let progress = Outbox.QueuedMutation<Mutation>.Progress()
  /// The answer as it was read when it came, until it is in the cache.
  private let read = Locked<ReadAnswer?>(nil)

  private struct ReadAnswer: Sendable {
    let bytes: Data
    /// The variables that were sent: the keys of fields have them.
    let variables: Data
    let answer: OperationPipeline.Answer<Mutation.Data>
  }

  package init(
    _ mutation: Mutation?, guess: Outbox.MutationGuess<Mutation>? = nil,
    update: Outbox.MutationUpdate<Mutation>? = nil, idMapping: (@Sendable (Mutation.Data) -> String?)? = nil,
    _ registration: Registration<Mutation>?
  ) {
    self.mutation = mutation
    self.guess = guess
    self.update = update ?? registration?.update
    self.idMapping = idMapping ?? registration?.idMapping
    self.registration = registration
  }

  package func tell(_ event: QueueEvent) {
    switch event {
    case .queued: progress.set(.queued)
    case .waitingForNetwork: progress.set(.waitingForNetwork)
    case .waiting(let date): progress.set(.waiting(until: date))
    case .sending(let attempt): progress.set(.sending(attempt: attempt))
    case .cancelled: progress.set(.cancelled)
    case .left: progress.end()
    case .failed(let error):
      progress.set(.failed(error))
      registration?.completion?(.failure(error))
    }
  }

  package func failure(_ error: any Error, _ clock: any ClientClock) -> MaxRetryInterceptor.RetryRule.FailedOperation {
    let thrown = OperationError.unwrap(error)
    // What was wrapped around it may know the status of the response.
    let status = (error as? OperationError)?.httpStatus ?? 0
    let isBetter = status >= 400 && (thrown as? any ApolloError)?.httpStatus == nil
    return MaxRetryInterceptor.RetryRule.FailedOperation(queued: Mutation.self, isBetter ? error : thrown, clock)
  }

  // MARK: The guess

  package func guess(of row: Outbox.Row, _ ids: Locked<LocalIDs>) -> OptimisticUpdate.Change? {
    let data = row.optimisticData.map { GuessedData<Mutation>($0, of: row, replacing: ids) }
    let closure = closureGuess(of: row, ids)
    guard data != nil || closure != nil else { return nil }
    return { transaction in
      try data?.write(in: transaction)
      try closure?(transaction)
    }
  }

  private func closureGuess(of row: Outbox.Row, _ ids: Locked<LocalIDs>) -> OptimisticUpdate.Change? {
    if let guess, let mutation {
      return { transaction in
        // The mutation itself still has the temporary ids.
        transaction.resolvesKeys { key in ids.withLock { $0.resolved(key) } }
        try guess(transaction, mutation)
      }
    }
    // A registered closure stands in for one that is gone, and for none, but not for data.
    guard let guess = registration?.optimisticUpdate, row.optimisticData == nil else { return nil }
    let variables = row.variables
    return { transaction in
      let json = ids.withLock { $0.resolved(json: variables) }
      try guess(transaction, try ResponseReader.jsonValue(ResponseBytes(json)) as? JSONObject ?? [:])
    }
  }

  // MARK: Sending

  package func send(_ row: Outbox.Row, _ ids: LocalIDs, by sender: OutboxSender) async throws -> Data {
    let variables = ids.resolved(json: row.variables)
    if let mutation, variables == row.variables { return try await send(mutation, variables, row, by: sender) }
    return try await send(StoredMutation<Mutation>(variables, []), variables, row, by: sender)
  }

  private func send<Operation: GraphQLMutation>(
    _ operation: Operation, _ variables: Data, _ row: Outbox.Row, by sender: OutboxSender
  ) async throws -> Data where Operation.Data == Mutation.Data {
    let configuration = RequestConfiguration(
      headers: row.policy.headers.merging(["Idempotency-Key": row.idempotencyKey]) { own, _ in own },
      bodyExtensions: ["idempotencyKey": row.idempotencyKey])
    // The outbox brings answers into the cache itself, after it has kept them.
    var call = OperationCall(
      operation, cachePolicy: .fetchIgnoringCacheCompletely, configuration: configuration,
      files: row.files.isEmpty ? nil : row.files)
    let answer = UnwrittenAnswer()
    call.options.answer = answer
    call.options.trace = sender.route.policies.events.trace(Mutation.self)
    // The key is among the extensions as well, for transports that send no header fields.
    call.options.hasOwnRoute = !row.policy.headers.isEmpty
    call.fill(from: sender.defaults)
    // What the server has done in part is done: the errors are looked at when the answer is kept.
    call.configuration.errorPolicy = .all
    if call.configuration.deadline == nil { call.configuration.deadline = sender.deadline }
    let result: GraphQLResult<Mutation.Data>?
    do { result = try await OperationRun(call, by: sender.route).last() } catch {
      // The server has done it, and what it says does not fit the app: an answer like any other.
      guard OperationError.unwrap(error) is ResponseDecodingError, let bytes = answer.bytes,
        bytes.hasData
      else { throw error }
      return Data(bytes.array)
    }
    try Task.checkCancellation()
    guard let result else {
      throw OperationError.noAnswer(
        from: "\(type(of: sender.route.transport))", operationName: Operation.operationName)
    }
    let bytes = answer.bytes ?? result.written(for: operation)
    if let status = result.httpResponse, result.data == nil, MaxRetryInterceptor.RetryRule.passes(status.statusCode) {
      // A server that is not well says so in the form of GraphQL, too.
      throw ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: status, rawData: Data(bytes.array))
    }
    let kept = Data(bytes.array)
    if let records = answer.takeRecords(for: sender.target) {
      let read = OperationPipeline.Answer(result: result, records: records)
      self.read.withLock { $0 = ReadAnswer(bytes: kept, variables: variables, answer: read) }
    }
    return kept
  }

  // MARK: The answer

  package func apply(
    _ row: Outbox.Row, replacing ids: Locked<LocalIDs>, by sender: OutboxSender, ending layer: OptimisticUpdate,
    sent ticket: SendingTicket?
  ) async throws -> any AppliedAnswer {
    let known = ids.withLock { $0 }, store = sender.target
    let operation = try StoredMutation<Mutation>(
      known.resolved(json: row.variables), row.listEdits.compactMap { $0.edit(known) })
    let bytes = ResponseBytes(row.answer ?? Data())
    let pipeline = OperationPipeline(store: store)
    // In the launch in which it was sent, it was read when it came.
    let read = read.withLock { $0.take() }
    let isRead = read?.bytes == row.answer && read?.variables == known.resolved(json: row.variables)
    var answer =
      if isRead, let read { read.answer } else { try pipeline.read(bytes, of: operation, makesRecords: true) }
    var configuration = RequestConfiguration()
    configuration.fill(from: sender.defaults)
    configuration.writesToCacheAsynchronously = nil
    let policy = configuration.errorPolicy
    configuration.errorPolicy = .all
    let refusal = Self.refusal(of: answer.result, bytes)
    let serverID = refusal == nil ? serverID(in: answer.result.data, bytes, row) : nil
    let update = update
    var options = OperationOptions()
    options.effects = MutationEffects(ending: layer, in: store) { data in
      // Safe: a model is a value, and the store makes one change at a time.
      nonisolated(unsafe) let data = data as? Mutation.Data
      return { transaction in
        // From here on, the guesses of later mutations have the id of the server.
        if let local = row.localID, let serverID { ids.withLock { $0.set(serverID, for: local) } }
        if let update, let data { try update(transaction, data) }
      }
    }
    let error = await pipeline.write(
      answer, origin: nil, configuration.writeRules, options, sent: ticket, ListEdits.of(operation))
    if Mutation.__hasLocalFields { answer.result = await pipeline.completed(answer, of: operation, configuration) }
    if let error { answer.result.cacheInfo.error = error }
    if policy == .ignore { answer.result = try policy.apply(to: answer.result, of: Mutation.operationName) }
    return Applied(work: self, result: answer.result, refusal: refusal, serverID: serverID)
  }

  private struct Applied: AppliedAnswer {
    let work: MutationWork
    let result: GraphQLResult<Mutation.Data>
    let refusal: OperationError?
    let serverID: String?

    func deliver() {
      work.progress.set(.succeeded(result))
      work.registration?.completion?(.success(result))
    }
  }

  /// Why the server has done nothing: there are errors, and no field of the mutation has a value.
  private static func refusal(of result: GraphQLResult<Mutation.Data>, _ bytes: ResponseBytes) -> OperationError? {
    guard let error = result.errors?.first else { return nil }
    let response = (try? ResponseReader.jsonValue(bytes)) as? JSONObject
    let data = response?["data"] as? JSONObject ?? [:]
    let hasValue = data.contains { name, value in name != "__typename" && !(value is JSONNull) }
    guard result.data == nil || !hasValue else { return nil }
    return OperationError(
      .operationRefused, error.message ?? "\(error)", operationName: Mutation.operationName, path: error.path ?? [],
      cause: error)
  }

  private func serverID(in data: Mutation.Data?, _ bytes: ResponseBytes, _ row: Outbox.Row) -> String? {
    guard row.localID != nil, let data else { return nil }
    if let idMapping { return idMapping(data) }
    guard let path = row.localIDPath, let response = (try? ResponseReader.jsonValue(bytes)) as? JSONObject,
      let data = response["data"]
    else { return nil }
    return JSONPaths.text(at: path, in: data)
  }
}

/// The data that a server is expected to answer with, with its ids in place of temporary ones as they become known.
private final class GuessedData<Mutation: GraphQLMutation>: Sendable {
  private let json: Data
  private let row: Outbox.Row
  private let ids: Locked<LocalIDs>
  /// The data as it was last read, and how many ids of the server were known then.
  private let read = Locked<(count: Int, data: Handoff<Mutation.Data>, operation: StoredMutation<Mutation>)?>(nil)

  init(_ json: Data, of row: Outbox.Row, replacing ids: Locked<LocalIDs>) {
    self.json = json
    self.row = row
    self.ids = ids
  }

  func write(in transaction: ApolloStore.ReadWriteTransaction) throws {
    let (data, operation) = try current()
    try transaction.write(data: data, for: operation)
    // A list that is not there is told with the result.
    _ = try transaction.applyListEdits(of: data, for: operation)
  }

  private func current() throws -> (Mutation.Data, StoredMutation<Mutation>) {
    let known = ids.withLock { $0 }, count = known.serverIDs.count
    if let read = read.withLock({ $0 }), read.count == count { return (read.data.value, read.operation) }
    let operation = try StoredMutation<Mutation>(
      known.resolved(json: row.variables), row.listEdits.compactMap { $0.edit(known) })
    let data = try Mutation.Data.read(known.resolved(json: json), of: operation)
    read.withLock { $0 = (count, Handoff(data), operation) }
    return (data, operation)
  }
}

extension SelectionSet {
  /// Reads the JSON of an operation's data.
  static func read<Operation: GraphQLOperation>(
    _ json: Foundation.Data, of operation: Operation
  ) throws -> Self where Operation.Data == Self {
    let bytes = ResponseBytes(Array(#"{"data":"#.utf8) + json + Array("}".utf8))
    let contents = try ResponseReader.read(Self.self, from: bytes, variables: operation.variables)
    guard let data = contents.data else {
      throw OperationError(
        .invalidResponse, "The data that was expected cannot be read.", operationName: Operation.operationName)
    }
    return data
  }

  /// The JSON of an operation's data.
  ///
  /// - Throws: `JSONEncodingError`.
  func written(variables: Variables) throws -> Foundation.Data {
    var writer = __JSONWriter(variables: variables)
    __write(to: &writer)
    if let failure = writer.failure { throw failure }
    return Foundation.Data(writer.bytes)
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
