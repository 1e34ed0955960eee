public import ApolloAPI
import ApolloCache
public import Foundation

extension ApolloClientProtocol {
  /// Puts a mutation into the outbox: it is sent when there is a network, after those of its scope that came before.
  ///
  ///     let queued = try await client.enqueue(
  ///       RenameMutation(id: "7", name: "Luke"),
  ///       optimisticData: .init(rename: .init(id: "7", name: "Luke")))
  ///
  /// When this returns, the mutation is kept in the storage of the outbox, and what is expected of it is shown in the
  /// cache. Each try carries the same key, in the header field `Idempotency-Key` and in `extensions.idempotencyKey`, by
  /// which a server can tell that it has done the mutation already.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - optimisticData: The data that the server is expected to answer with. It is kept, and shown again after the app was
  ///     started again. nil, the default: no data is expected.
  ///   - optimisticUpdate: Changes the cache as the mutation will, after `optimisticData` was written. It may run any
  ///     number of times, and ends with the process: see ``Outbox/Registry``. nil, the default: nothing more is changed.
  ///   - update: Changes the cache by the real data, in the commit of the result. It ends with the process as well. nil,
  ///     the default: what the registry says.
  ///   - files: The files that are sent with the mutation. A storage on disk keeps a copy of each. The default is none.
  ///   - scope: Mutations of one scope are sent one after the other, and scopes beside each other. The default is one scope
  ///     for all.
  ///   - policy: What happens after a failure, among other things.
  ///   - localID: The temporary id of the object that the mutation makes, of ``Outbox/makeLocalID()``. nil, the default: it
  ///     is found in `optimisticData`.
  ///   - idMapping: Finds the server's id for that object in the real data, such as `\.createTodo.id`. nil, the default:
  ///     what the registry says. Without either, later mutations that name the temporary id fail.
  ///   - refetchQueries: The names of queries that are asked again when the mutation was done, which may be in a later
  ///     launch. Those that are not watched then are passed over. The default is none.
  /// - Returns: The mutation, which can be observed, waited for and cancelled.
  /// - Throws: ``OperationError`` if the mutation cannot be kept, or its variables are not JSON. Then nothing has happened.
  @discardableResult
  nonisolated(nonsending) public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticData: Mutation.Data? = nil,
    optimisticUpdate: ApolloClient.MutationGuess<Mutation>? = nil,
    update: ApolloClient.MutationUpdate<Mutation>? = nil, files: [GraphQLFile] = [],
    scope: String = Outbox.defaultScope, policy: Outbox.Policy = Outbox.Policy(), localID: String? = nil,
    idMapping: (@Sendable (Mutation.Data) -> String?)? = nil, refetchQueries: [String] = []
  ) async throws -> Outbox.QueuedMutation<Mutation> {
    var options = Outbox.EnqueueOptions<Mutation>()
    options.optimisticData = optimisticData
    options.optimisticUpdate = optimisticUpdate
    options.update = update
    options.files = files
    options.scope = scope
    options.policy = policy
    options.localID = localID
    options.idMapping = idMapping
    options.refetchQueries = refetchQueries
    return try await enqueue(mutation, options: options)
  }

  /// Puts a mutation into the outbox, and calls a completion when it is kept there.
  ///
  /// See the form of this function with `async`. Calls are taken in their order.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - optimisticData: The data that the server is expected to answer with. nil, the default: no data is expected.
  ///   - optimisticUpdate: Changes the cache as the mutation will. nil, the default: nothing more is changed.
  ///   - update: Changes the cache by the real data, in the commit of the result. nil, the default: what the registry says.
  ///   - files: The files that are sent with the mutation. The default is none.
  ///   - scope: Mutations of one scope are sent one after the other. The default is one scope for all.
  ///   - policy: What happens after a failure, among other things.
  ///   - localID: The temporary id of the object that the mutation makes. nil, the default: it is found in
  ///     `optimisticData`.
  ///   - idMapping: Finds the server's id for that object in the real data. nil, the default: what the registry says.
  ///   - refetchQueries: The names of queries that are asked again when the mutation was done. The default is none.
  ///   - queue: Where the completion is called.
  ///   - completion: Called with the mutation when it is kept, or with the error because of which it cannot be.
  public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticData: Mutation.Data? = nil,
    optimisticUpdate: ApolloClient.MutationGuess<Mutation>? = nil,
    update: ApolloClient.MutationUpdate<Mutation>? = nil, files: [GraphQLFile] = [],
    scope: String = Outbox.defaultScope, policy: Outbox.Policy = Outbox.Policy(), localID: String? = nil,
    idMapping: (@Sendable (Mutation.Data) -> String?)? = nil, refetchQueries: [String] = [],
    queue: DispatchQueue = .main,
    completion: @escaping (Result<Outbox.QueuedMutation<Mutation>, any Error>) -> Void
  ) {
    let client = Handoff<any ApolloClientProtocol>(self), completion = Handoff(completion)
    let data = Handoff(optimisticData)
    // Within an update, the task would not know of it.
    let running = ApolloStore.runningOptimisticUpdate
    outbox.inOrder {
      let result: Result<Outbox.QueuedMutation<Mutation>, any Error>
      do {
        if let running { throw Outbox.withinUpdate(running, Mutation.operationName) }
        result = .success(
          try await client.value.enqueue(
            mutation, optimisticData: data.value, optimisticUpdate: optimisticUpdate, update: update, files: files,
            scope: scope, policy: policy, localID: localID, idMapping: idMapping, refetchQueries: refetchQueries))
      } catch {
        result = .failure(error)
      }
      queue.async { completion.value(result) }
    }
  }
}

extension Outbox {
  /// What an app says of a mutation when it enqueues it. The parameters of
  /// ``ApolloClientProtocol/enqueue(_:optimisticData:optimisticUpdate:update:files:scope:policy:localID:idMapping:refetchQueries:)``
  /// tell what each of them does.
  public struct EnqueueOptions<Mutation: GraphQLMutation> {
    /// The data that the server is expected to answer with. nil, the default: no data is expected.
    public var optimisticData: Mutation.Data?
    /// Changes the cache as the mutation will. nil, the default: nothing more is changed.
    public var optimisticUpdate: ApolloClient.MutationGuess<Mutation>?
    /// Changes the cache by the real data. nil, the default: what the registry says.
    public var update: ApolloClient.MutationUpdate<Mutation>?
    /// The files that are sent with the mutation. The default is none.
    public var files: [GraphQLFile] = []
    /// Mutations of one scope are sent one after the other. The default is one scope for all.
    public var scope = Outbox.defaultScope
    /// What happens after a failure, among other things.
    public var policy = Policy()
    /// The temporary id of the object that the mutation makes. nil, the default: it is found in the expected data.
    public var localID: String?
    /// Finds the server's id for that object in the real data. nil, the default: what the registry says.
    public var idMapping: (@Sendable (Mutation.Data) -> String?)?
    /// The names of queries that are asked again when the mutation was done. The default is none.
    public var refetchQueries: [String] = []

    /// Makes options of which all have their defaults.
    public init() {}
  }
}

extension ApolloClient {
  /// Puts a mutation into the outbox, with options that stand in one value.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - options: What is said of it.
  /// - Returns: The mutation, which can be observed, waited for and cancelled.
  /// - Throws: ``OperationError`` if the mutation cannot be kept, or its variables are not JSON. Then nothing has happened.
  @discardableResult
  nonisolated(nonsending) public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, options: Outbox.EnqueueOptions<Mutation>
  ) async throws -> Outbox.QueuedMutation<Mutation> {
    if let running = ApolloStore.runningOptimisticUpdate { throw Outbox.withinUpdate(running, Mutation.operationName) }
    let asked = StoreEpoch.current, queue = outbox.queue
    try await queue.ready()
    let work = MutationWork(
      mutation, guess: options.optimisticUpdate, update: options.update, idMapping: options.idMapping,
      queue.configuration.registry.registration(of: Mutation.self))
    let (number, known) = try await queue.takeNumber()
    let row = try Outbox.Row(mutation, options, number: number, doing: work, among: known, at: queue.clock.date)
    guard route.policies.running.takes(asked) else { throw OperationError.signedOut(Mutation.operationName) }
    try await queue.add(row, work)
    return outbox.queuedMutation(row.id, work)
  }
}

extension ApolloClientProtocol {
  /// An outbox in which nothing waits: that of a type which does not say it, since its ``enqueue(_:options:)`` sends at
  /// once.
  public var outbox: Outbox {
    Outbox(
      nil, route: TransportRoute(NoTransport(), store: store), store: store, defaults: RequestConfiguration(),
      activeQueries: ActiveQueries(.system))
  }

  /// Sends the mutation at once, with the type's own `perform`, or `upload` if there are files: what a type does that does
  /// not say it, such as a mock of an app's tests. Of the options, only the files count.
  @discardableResult
  nonisolated(nonsending) public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, options: Outbox.EnqueueOptions<Mutation>
  ) async throws -> Outbox.QueuedMutation<Mutation> {
    let progress = Outbox.QueuedMutation<Mutation>.Progress()
    progress.set(.sending(attempt: 1))
    let type = "\(Self.self)"
    let finish = CompletionToken {
      // The handler was released without a last result.
      guard !progress.state.isFinal else { return }
      progress.set(.failed(OperationError.noAnswer(from: type, operationName: Mutation.operationName)))
    }
    .guarding { (result: Result<GraphQLResult<Mutation.Data>, any Error>) in
      guard !progress.state.isFinal else { return }
      switch result {
      case .success(let value) where value.hasNext: break
      case .success(let value): progress.set(.succeeded(value))
      case .failure(let error): progress.set(.failed(error))
      }
    }
    let queue = DispatchQueue.global().oneByOne
    let running = Handoff(
      options.files.isEmpty
        ? perform(
          mutation: mutation, publishResultToStore: true, contextIdentifier: nil, context: nil, queue: queue,
          resultHandler: finish)
        : upload(operation: mutation, files: options.files, context: nil, queue: queue, resultHandler: finish))
    return Outbox.QueuedMutation(id: UUID(), progress) {
      guard !progress.state.isFinal else { return false }
      progress.set(.cancelled)
      running.value.cancel()
      return true
    }
  }
}

/// The transport of an outbox into which nothing is put.
private final class NoTransport: NetworkTransport {
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    let handler = Handoff(completionHandler)
    callbackQueue.async {
      handler.value(
        .failure(
          OperationError(
            .invalidRequest, "This client has no outbox of its own.", operationName: Operation.operationName)))
    }
    return EmptyCancellable()
  }
}

extension Outbox {
  static func withinUpdate(_ update: String, _ operationName: String) -> OperationError {
    OperationError(
      .invalidRequest,
      "It was enqueued in the body of the \(update), which may run any number of times. Enqueue it outside of it.",
      operationName: operationName)
  }
}

extension Outbox.Row {
  /// What is kept of a mutation.
  ///
  /// - Throws: ``OperationError`` if the variables or the data are not JSON, or if `localID` is not a temporary id.
  init<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ options: Outbox.EnqueueOptions<Mutation>, number: Int64,
    doing work: MutationWork<Mutation>, among known: Set<String>, at date: Date
  ) throws {
    let data = options.optimisticData, localID = options.localID
    func invalid(_ message: String, _ cause: (any Error)? = nil) -> OperationError {
      OperationError(.invalidRequest, message, operationName: Mutation.operationName, cause: cause)
    }
    let variables = mutation.variables
    if let failure = variables.failure { throw invalid(failure.description, failure) }
    if let localID, !LocalIDs.isLocal(localID) {
      throw invalid("'\(localID)' is not a temporary id. 'Outbox.makeLocalID()' makes one.")
    }
    // (Nothing is smaller than a value that is not a number.)
    if let limit = options.policy.expiresAfter, !(limit > -.infinity) {
      throw invalid("The 'expiresAfter' of its policy is \(limit) seconds.")
    }
    var policy = options.policy
    if policy.expiresAfter == .infinity { policy.expiresAfter = nil }
    let json: Data?
    do {
      json = try data?.written(variables: variables)
      try data?.checkTypes(variables: variables)
    } catch {
      throw invalid("The data that is expected cannot be kept: \(error)", error)
    }
    let mapped = data.flatMap { work.idMapping?($0) }.flatMap { LocalIDs.isLocal($0) ? $0 : nil }
    // What no earlier mutation makes, and this one does not name, it makes.
    let named = known.union(LocalIDs.all(in: variables.json))
    let made = localID ?? mapped ?? json.flatMap { LocalIDs.all(in: $0).first { !named.contains($0) } }
    var path: [String]?
    if let made, mapped == made, let json, let value = try? ResponseReader.jsonValue(ResponseBytes(json)) {
      path = JSONPaths.first(of: made, in: value)
    }
    let id = UUID()
    self.init(
      id: id, number: number, operationName: Mutation.operationName,
      typeName: _mangledTypeName(Mutation.self) ?? String(reflecting: Mutation.self), scope: options.scope,
      variables: Data(variables.json), optimisticData: json, listEdits: mutation.__listEdits.map { ListEdit($0) },
      localID: made, localIDPath: path, policy: policy, date: date,
      idempotencyKey: id.uuidString.lowercased(),
      refetchQueries: options.refetchQueries.isEmpty ? nil : options.refetchQueries, files: options.files)
  }
}
