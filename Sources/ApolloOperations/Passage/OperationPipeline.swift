import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The stages through which an operation and its responses go, whichever transport sends it:
///
///     cache, by the policy ─► bytes from a transport ─► parts joined ─► typed data and records ─► cache ─► result
///
/// Each stage is a function of this type, which one of the steps calls. So all transports follow one set of rules for the
/// cache and its policies.
struct OperationPipeline: Sendable {
  /// nil: there is no cache.
  let store: ApolloStore?

  init(store: ApolloStore?) { self.store = store }

  // MARK: The cache before the server

  /// The result of reading the cache before the server is asked.
  enum CacheAnswer<Data: SelectionSet>: Sendable {
    /// There is no result. The error is the one that the cache's backend threw; nil if it did not throw.
    case none((any Error)?)
    /// A result that the server's result will follow.
    case first(GraphQLResult<Data>)
    /// The only result: the server is not asked.
    case only(GraphQLResult<Data>)
  }

  /// Reads the cache, if the policy allows it.
  ///
  /// If the cache has an error that the server reported in place of a value, `returnCacheDataElseFetch` asks the server
  /// again; all other policies return the data with the error.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - policy: Whether the cache is read, and whether the server is asked after that.
  ///   - configuration: What is different for this operation: how old the data may be.
  ///   - options: What other parts of this ask of it.
  /// - Returns: The result, and whether the server's follows.
  /// - Throws: Why the cache has no result, if the server must not be asked.
  func answerFromCache<Operation: GraphQLOperation>(
    _ operation: Operation, _ policy: CachePolicy, _ configuration: RequestConfiguration, _ options: OperationOptions
  ) async throws -> CacheAnswer<Operation.Data> {
    if let trace = options.trace, !options.isTold {
      return try await trace.read(options) { try await answerFromCache(operation, policy, configuration, $0) }
    }
    guard options.mayReadCache(for: Operation.operationType) else { return .none(nil) }
    switch policy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return .none(nil)
    case .returnCacheDataElseFetch, .returnCacheDataAndFetch:
      guard let store else { return .none(nil) }
      let revalidates = policy == .returnCacheDataAndFetch && options.revalidatesCache
      let staleLimit = configuration.staleLimit(default: revalidates ? .permissive : .strict)
      if Operation.operationType == .subscription { return answerFromMemory(operation, staleLimit, in: store) }
      let reading = await store.read(
        operation, staleLimit, returnsPartialData: configuration.returnsPartialData == true)
      if !reading.isHit { options.trace?.note(reading.firstMiss) }
      guard let result = GraphQLResult(reading, of: operation, in: store), result.hasData else {
        return .none(reading.backendError)
      }
      if !reading.isHit {
        let isFirst = policy == .returnCacheDataAndFetch || options.deliversPartFirst
        return isFirst ? .first(result) : .none(reading.backendError)
      }
      if policy == .returnCacheDataAndFetch, !revalidates || isStale(result, configuration) { return .first(result) }
      return reading.errors.isEmpty ? .only(result) : .none(reading.backendError)
    case .returnCacheDataDontFetch: return .only(try await onlyAnswerFromCache(operation, configuration, options))
    }
  }

  /// Reads what memory has of a subscription. It does not wait, because subscriptions begin in the order of their calls,
  /// and no disk has their results.
  @inline(never) private func answerFromMemory<Operation: GraphQLOperation>(
    _ operation: Operation, _ staleLimit: StaleLimit, in store: ApolloStore
  ) -> CacheAnswer<Operation.Data> {
    let reading = store.readIfInMemory(operation, staleLimit, returnsPartialData: false)
    guard let reading, reading.isHit, let result = GraphQLResult(reading, of: operation, in: store), result.hasData
    else {
      return .none(nil)
    }
    return .first(result)
  }

  /// Reads the cache where the server must not be asked.
  @inline(never) private func onlyAnswerFromCache<Operation: GraphQLOperation>(
    _ operation: Operation, _ configuration: RequestConfiguration, _ options: OperationOptions
  ) async throws -> GraphQLResult<Operation.Data> {
    guard let store else {
      throw OperationError(
        .cacheMiss, "The cache policy allows the cache only, and this transport has no cache.",
        operationName: Operation.operationName)
    }
    let reading = await store.read(
      operation, configuration.staleLimit(), returnsPartialData: configuration.returnsPartialData == true)
    if !reading.isHit { options.trace?.note(reading.firstMiss) }
    if let result = GraphQLResult(reading, of: operation, in: store) { return result }
    if let error = reading.backendError { throw error }
    return GraphQLResult(data: try reading.data.get(), source: .cache)
  }

  /// Whether the server is asked for newer data than that of the cache.
  private func isStale<Data>(_ result: GraphQLResult<Data>, _ configuration: RequestConfiguration) -> Bool {
    result.cacheInfo.isStale && configuration.ttlEnforcement != .permissive
  }

  // MARK: A response

  /// A response that has been read: its result, and its objects for the cache.
  struct Answer<Data: SelectionSet> {
    var result: GraphQLResult<Data>
    var records: Records?

    init(result: GraphQLResult<Data>, records: Records?) {
      self.result = result
      self.records = records
    }

    /// The objects. Those that an interceptor has made anew do not say whether lists of them may still grow.
    var recordsOfPart: Records? {
      guard result.hasOpenLists, case .own(var own)? = records else { return records }
      own.hasOpenLists = true
      return .own(own)
    }
  }

  /// The objects of a response.
  typealias Records = ResponseRecords

  /// The rules by which the objects of a response get their cache keys.
  var identity: ObjectIdentity { store?.identity ?? ObjectIdentity() }

  /// Makes typed data of the bytes of a response, and records if they are for the cache.
  func read<Operation: GraphQLOperation>(
    _ bytes: ResponseBytes, of operation: Operation, makesRecords: Bool, identity: ObjectIdentity? = nil,
    maximumDepth: Int = ResponseReader.defaultMaximumDepth, httpResponse: HTTPURLResponse? = nil,
    times: (sent: Date, received: Date)? = nil
  ) throws(ResponseDecodingError) -> Answer<Operation.Data> {
    let identity = identity ?? self.identity
    var info = CacheInfo(isHit: false)
    if let times { (info.networkStart, info.networkEnd) = (times.sent, times.received) }
    let contents = try ResponseReader.read(
      Operation.Data.self, from: bytes, variables: operation.variables,
      rootKey: makesRecords ? Operation.operationType.rootKey : nil, identity: identity,
      lifetimes: store?.lifetimeRules ?? LifetimeRules(), maximumDepth: maximumDepth)
    var result = GraphQLResult(
      data: contents.data, extensions: contents.extensions, errors: contents.errors, source: .server,
      hasNext: contents.hasNext, cacheInfo: info, httpResponse: httpResponse, byteCount: bytes.count,
      of: operation, identity)
    // (Asked here, where the layout of the contents is known.)
    if contents.unhandledFieldError != nil || !contents.loggedNulls.isEmpty {
      result.noteNulls(unhandled: contents.unhandledFieldError, logged: contents.loggedNulls)
    }
    if contents.records?.hasOpenLists == true { result.hasOpenLists = true }
    return Answer(result: result, records: contents.records.map { .read($0) })
  }

  /// Merges the objects of a response into the cache.
  ///
  /// If one of its errors has no path, any null of the response may stand for an error, and must not replace data in the
  /// cache: then all values are written, and no nulls.
  ///
  /// - Parameters:
  ///   - answer: The response.
  ///   - origin: Identifies the writer: a watcher with an equal identifier is not told. nil: every watcher is.
  ///   - rules: What is different for this operation: how long its results may be stored, and whether they are awaited.
  ///   - options: What other parts of this ask of it.
  ///   - ticket: The place of the operation in the order of sending. nil: it has none.
  ///   - edits: What the operation does to lists, given its data; nil if it does nothing.
  /// - Returns: What has become of it.
  func write<Data: SelectionSet>(
    _ answer: Answer<Data>, origin: UUID?, _ rules: RequestConfiguration.WriteRules, _ options: OperationOptions,
    sent ticket: SendingTicket? = nil,
    _ edits: ListEdits<Data>? = nil
  ) async -> Writing {
    guard let store, !rules.refusesErrors || answer.result.errors?.isEmpty ?? true else { return Writing() }
    if let trace = options.trace, !options.isTold, answer.records != nil {
      return await trace.write(options) { await write(answer, origin: origin, rules, $0, sent: ticket, edits) }
    }
    if answer.result.hasNext { ticket?.expectParts() }
    let completesSomething = options.effects != nil || edits != nil
    let completion = completesSomething ? completion(of: answer, options, edits, in: store) : nil
    let lifetime = Self.lifetime(of: answer.result.httpResponse, rules.limit, in: store)
    let isLeftOut = lifetime == .notStored && store.isShared
    let leavesOutNulls = !answer.result.tellsWhereErrorsAre
    guard let records = answer.recordsOfPart, !isLeftOut, !leavesOutNulls || options.writesUncertainResults
    else {
      guard let completion else { return Writing() }
      return Writing(error: await store.complete(completion, asked: ticket?.asked, sent: ticket))
    }
    store.register(Data.schema)
    // Who is not told of its own writes has to know when they have happened.
    if !rules.isAwaited, origin == nil, options.effects == nil, edits == nil {
      store.publishLater(records, leavesOutNulls: leavesOutNulls, lifetime: lifetime, sent: ticket)
      return Writing()
    }
    let error = await store.publish(
      records, origin: origin, leavesOutNulls: leavesOutNulls, lifetime: lifetime, completing: completion, sent: ticket)
    // The objects are in memory even if the backend refuses them, but not if they were asked for before a clearing.
    let isRefused = if case .own = records { error != nil } else { error is ApolloStore.Error }
    let isCleared = ticket.map { !store.takes($0.asked) } ?? false
    return Writing(isStored: !isRefused && !isCleared, error: error ?? edits?.error)
  }

  /// What has become of a write.
  struct Writing {
    /// Whether the cache has the response.
    var isStored = false
    /// What the cache's backend threw, or the edit of a list; nil for a write that the result does not wait for.
    var error: (any Error)?
  }

  // (What does not wait is in functions of its own, whose frames are gone when the write begins.)

  /// What follows the write: the end of a guess, and the edits of lists.
  @inline(never) private func completion<Data: SelectionSet>(
    of answer: Answer<Data>, _ options: OperationOptions, _ edits: ListEdits<Data>?, in store: ApolloStore
  ) -> OptimisticUpdate.Completion? {
    let completion = options.effects?.completion(with: answer.result, in: store)
    guard let edits, let data = answer.result.data, !answer.result.hasNext, answer.records != nil else {
      return completion
    }
    return store.completion(completion, after: edits.change(by: data))
  }

  /// For how long a response is kept; nil: neither the server nor the operation says it.
  @inline(never) private static func lifetime(
    of response: HTTPURLResponse?, _ limit: Lifetime?, in store: ApolloStore
  ) -> Lifetime? {
    store.serverCacheControl.lifetime { response?.value(forHTTPHeaderField: $0) }?.limited(to: limit) ?? limit
  }

  /// The result of a response, with its local fields: no server sends them, so the data is read from the cache.
  ///
  /// The cache may have other values than the response: where the response has errors that the cache has not taken, and
  /// where it was not written. Where it keeps the results of mutations and subscriptions, another operation may have
  /// written since. So only the local fields of these are those of the cache.
  ///
  /// - Parameters:
  ///   - answer: The response.
  ///   - isStored: Whether it was written.
  ///   - operation: The operation.
  ///   - configuration: What is different for this operation.
  /// - Returns: The result as it was, if it was not for the cache, or if the cache does not have all of it.
  func completed<Operation: GraphQLOperation>(
    _ answer: Answer<Operation.Data>, isStored: Bool, of operation: Operation, _ configuration: RequestConfiguration
  ) async -> GraphQLResult<Operation.Data> {
    var result = answer.result
    guard let store, result.hasData, answer.records != nil, !result.hasNext,
      result.tellsWhereErrorsAre, configuration.writesToCacheAsynchronously != true
    else { return result }
    if Operation.operationType == .query, isStored {
      let reading = await store.read(operation, .permissive)
      guard result.hasReportedErrors else {
        if case .success(let data) = reading.data { result.data = data }
        return result
      }
      if result.take(reading) { return result }
    }
    if let data = result.data { result.data = await store.addingLocalFields(to: data, of: operation) ?? data }
    return result
  }

  // MARK: The cache in place of the server

  /// The result of the cache in place of a failure, with what failed in its ``CacheInfo/fetchError``.
  ///
  /// - Parameters:
  ///   - error: What failed.
  ///   - operation: The operation.
  ///   - configuration: What is different for this operation: how old the data may be.
  ///   - reading: What reads the cache, where an interceptor of the app does.
  /// - Returns: nil if the cache does not have all of the data, or is not to be asked: the server did answer, or the
  ///   operation was cancelled.
  /// - Throws: What the interceptor threw.
  func standIn<Operation: GraphQLOperation>(
    for error: any Error, of operation: Operation, _ configuration: RequestConfiguration, by reading: StandInReading
  ) async throws -> GraphQLResult<Operation.Data>? {
    let isAnswer = (error as? any ApolloError)?.code == .operationRefused
    guard !isAnswer, !error.isCancellation else { return nil }
    let found: GraphQLResult<Operation.Data>?
    if let read = reading.read {
      found = try await read() as? GraphQLResult<Operation.Data>
    } else {
      found = await lateAnswerFromCache(operation, configuration)
    }
    guard var result = found, result.hasData else { return nil }
    result.cacheInfo.fetchError = OperationError.unwrap(error)
    return result
  }

  private func lateAnswerFromCache<Operation: GraphQLOperation>(
    _ operation: Operation, _ configuration: RequestConfiguration
  ) async -> GraphQLResult<Operation.Data>? {
    guard let store else { return nil }
    let reading = await store.read(
      operation, configuration.staleLimit(default: .permissive),
      returnsPartialData: configuration.returnsPartialData == true)
    return GraphQLResult(reading, of: operation, in: store)
  }
}
