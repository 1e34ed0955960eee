import ApolloHTTP
import ApolloOperations
import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a queue does with one of its mutations. It hides the type of the mutation.
protocol QueuedWork: Sendable {
  /// What the mutation shows in the cache until it is answered; nil if it shows nothing.
  func guess(of row: Outbox.Row, _ ids: Locked<LocalIDs>) -> OptimisticUpdate.Change?
  /// Sends the mutation once.
  ///
  /// - Parameters:
  ///   - row: What is stored of the mutation.
  ///   - ids: The temporary ids that are known.
  ///   - isRepeated: Whether the server may have got it before.
  ///   - sender: Where it is sent.
  ///   - count: Counts how often it is sent.
  /// - Returns: The server's answer, a JSON object.
  /// - Throws: Why there is no answer.
  func send(
    _ row: Outbox.Row, _ ids: LocalIDs, isRepeated: Bool, by sender: OutboxSender, counting count: SendingCount
  ) async throws -> Data
  /// Brings the answer into the cache, and takes away what the mutation shows, in one commit.
  ///
  /// - Returns: What the answer says.
  /// - Throws: `ResponseDecodingError` if it cannot be read.
  func apply(
    _ row: Outbox.Row, replacing ids: Locked<LocalIDs>, by sender: OutboxSender, ending layer: OptimisticUpdate,
    sent ticket: SendingTicket?
  ) async throws -> any AppliedAnswer
  /// What decides whether a failure is tried again.
  ///
  /// - Parameters:
  ///   - error: Why there is no answer.
  ///   - clock: By which the server's date to try again at lies in the future.
  ///   - isSent: Whether a request is known to have been made.
  /// - Returns: The failure.
  func failure(
    _ error: any Error, _ clock: any ClientClock, isSent: Bool
  ) -> MaxRetryInterceptor.RetryRule.FailedOperation

  func tell(_ event: QueueEvent)
  /// Shows that an earlier launch has given the mutation up, which was told then.
  func restore(failedWith error: OperationError?)
}

/// What becomes of a mutation.
enum QueueEvent {
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
protocol AppliedAnswer: Sendable {
  /// Why the server has not done what was asked for; nil if it has.
  var refusal: OperationError? { get }
  /// The server's id for the object that the mutation has made; nil if it was not found.
  var serverID: String? { get }
  /// Why lists have to be changed, and the update made, again: the cache could not be read. nil: that was done, or
  /// there is nothing to do.
  var unread: (any Error)? { get }
  /// Gives the result to the callers that wait for it.
  func deliver()
}

/// The queries that an app watches.
package protocol QueriesByName: Sendable {
  /// Asks again for those with one of some names, and does not wait for the answers.
  func refetch(named names: [String])
}

/// How a queue sends, and where it writes.
struct OutboxSender: Sendable {
  let route: TransportRoute
  let store: ApolloStore
  let defaults: RequestConfiguration
  let deadline: TimeInterval
  let activeQueries: any QueriesByName

  /// The cache that answers go to: that of the transport, if it has one.
  var target: ApolloStore { route.store ?? store }
}

/// What a queue does with a mutation of a type.
final class MutationWork<Mutation: GraphQLMutation>: QueuedWork {
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
    let answer: QueuedAnswer<Mutation.Data>
  }

  init(
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

  func tell(_ event: QueueEvent) {
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

  func restore(failedWith error: OperationError?) {
    progress.set(
      .failed(error ?? OperationError(.other, "It was given up.", operationName: Mutation.operationName)))
  }

  func failure(
    _ error: any Error, _ clock: any ClientClock, isSent: Bool
  ) -> MaxRetryInterceptor.RetryRule.FailedOperation {
    let thrown = OperationError.unwrap(error)
    // What was wrapped around it may know the status of the response.
    let status = (error as? OperationError)?.httpStatus ?? 0
    let isBetter = status >= 400 && (thrown as? any ApolloError)?.httpStatus == nil
    return MaxRetryInterceptor.RetryRule.FailedOperation(
      queued: Mutation.self, isBetter ? error : thrown, clock, isSent: isSent)
  }

  // MARK: The guess

  func guess(of row: Outbox.Row, _ ids: Locked<LocalIDs>) -> OptimisticUpdate.Change? {
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

  func send(
    _ row: Outbox.Row, _ ids: LocalIDs, isRepeated: Bool, by sender: OutboxSender, counting count: SendingCount
  ) async throws -> Data {
    let variables = ids.resolved(json: row.variables)
    if let mutation, variables == row.variables {
      return try await send(mutation, variables, row, isRepeated: isRepeated, by: sender, counting: count)
    }
    let stored = try StoredMutation<Mutation>(variables, [])
    return try await send(stored, variables, row, isRepeated: isRepeated, by: sender, counting: count)
  }

  private func send<Operation: GraphQLMutation>(
    _ operation: Operation, _ variables: Data, _ row: Outbox.Row, isRepeated: Bool, by sender: OutboxSender,
    counting count: SendingCount
  ) async throws -> Data where Operation.Data == Mutation.Data {
    let sent = try await sender.route.send(
      queued: operation, key: row.idempotencyKey, headers: row.policy.headers, files: row.files, sender.defaults,
      deadline: sender.deadline, for: sender.target, counting: count)
    let kept = Data(sent.bytes.array)
    if let status = sent.refusal, MaxRetryInterceptor.RetryRule.passes(status.statusCode, isRepeated: isRepeated) {
      // A server that is not well says so in the form of GraphQL, too.
      throw ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: status, rawData: kept)
    }
    if let answer = sent.answer {
      read.withLock { $0 = ReadAnswer(bytes: kept, variables: variables, answer: answer) }
    }
    return kept
  }

  // MARK: The answer

  func apply(
    _ row: Outbox.Row, replacing ids: Locked<LocalIDs>, by sender: OutboxSender, ending layer: OptimisticUpdate,
    sent ticket: SendingTicket?
  ) async throws -> any AppliedAnswer {
    let known = ids.withLock { $0 }, store = sender.target
    let operation = try StoredMutation<Mutation>(
      known.resolved(json: row.variables), row.listEdits.compactMap { $0.edit(known) })
    let bytes = ResponseBytes(row.answer ?? Data())
    // In the launch in which it was sent, it was read when it came.
    let read = read.withLock { $0.take() }
    let isRead = read?.bytes == row.answer && read?.variables == known.resolved(json: row.variables)
    let answer = if isRead, let read { read.answer } else { try QueuedAnswer(bytes, of: operation, for: store) }
    let refusal = Self.refusal(of: answer.result, bytes)
    let serverID = refusal == nil ? serverID(in: answer.result.data, bytes, row) : nil
    let update = update, unread = Locked<(any Error)?>(nil)
    // Safe: a model is a value, and the store makes one change at a time.
    nonisolated(unsafe) let data = answer.result.data
    let result = try await sender.route.write(
      answer, of: operation, sender.defaults, to: store, ending: layer, sent: ticket, unread: unread
    ) { transaction in
      // From here on, the guesses of later mutations have the id of the server.
      if let local = row.localID, let serverID { ids.withLock { $0.set(serverID, for: local) } }
      // What the server has refused has not been done.
      guard refusal == nil, let update, let data else { return }
      try update(transaction, data)
    }
    return Applied(
      work: self, result: result, refusal: refusal, serverID: serverID, unread: unread.withLock { $0 })
  }

  private struct Applied: AppliedAnswer {
    let work: MutationWork
    let result: GraphQLResult<Mutation.Data>
    let refusal: OperationError?
    let serverID: String?
    let unread: (any Error)?

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
  /// The data as it was last read, and how often the ids of the server had changed then.
  private let read = Locked<(count: Int, answer: Handoff<ExpectedAnswer<StoredMutation<Mutation>>>)?>(nil)

  init(_ json: Data, of row: Outbox.Row, replacing ids: Locked<LocalIDs>) {
    self.json = json
    self.row = row
    self.ids = ids
  }

  func write(in transaction: ApolloStore.ReadWriteTransaction) throws { try current().write(in: transaction) }

  private func current() throws -> ExpectedAnswer<StoredMutation<Mutation>> {
    let known = ids.withLock { $0 }, count = known.changeCount
    if let read = read.withLock({ $0 }), read.count == count { return read.answer.value }
    let operation = try StoredMutation<Mutation>(
      known.resolved(json: row.variables), row.listEdits.compactMap { $0.edit(known) })
    let data = try Mutation.Data.read(known.resolved(json: json), of: operation)
    let answer = ExpectedAnswer(data, of: operation)
    read.withLock { $0 = (count, Handoff(answer)) }
    return answer
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
