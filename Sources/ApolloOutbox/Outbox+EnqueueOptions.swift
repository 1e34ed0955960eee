import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache
import Foundation

extension Outbox {
  /// Changes the cache as a mutation is expected to change it, until its result is there.
  ///
  /// It may run any number of times, on any thread: each time the cache changes below it, it runs again on what is there
  /// now. A request in it is an error.
  public typealias MutationGuess<Mutation: GraphQLMutation> =
    @Sendable (ApolloStore.ReadWriteTransaction, Mutation) throws -> Void

  /// Changes the cache by the result of a mutation, in the same commit as the result. With a backend it may run more than
  /// once, until everything that it reads has been loaded; only the last run counts.
  public typealias MutationUpdate<Mutation: GraphQLMutation> =
    @Sendable (ApolloStore.ReadWriteTransaction, Mutation.Data) throws -> Void

  /// What an app says of a mutation when it enqueues it. The parameters of
  /// `ApolloClient.enqueue(_:optimisticData:…)` tell what each of them does.
  public struct EnqueueOptions<Mutation: GraphQLMutation> {
    /// The data that the server is expected to answer with. nil, the default: no data is expected.
    public var optimisticData: Mutation.Data?
    /// Changes the cache as the mutation will. nil, the default: nothing more is changed.
    public var optimisticUpdate: Outbox.MutationGuess<Mutation>?
    /// Changes the cache by the real data. nil, the default: what the registry says.
    public var update: Outbox.MutationUpdate<Mutation>?
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
    /// The call whose mutation is enqueued later; nil: it is enqueued now.
    var call: EnqueueCall?

    /// Makes options of which all have their defaults.
    public init() {}
  }

  /// Keeps a mutation, and sends it when its turn has come.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - options: What the app says of it.
  /// - Returns: The mutation, which can be observed, waited for and cancelled.
  /// - Throws: ``OperationError`` if the mutation cannot be kept, or its variables are not JSON; what the storage throws if
  ///   it cannot be read, or cannot copy a file; and `CancellationError` if all mutations are cancelled meanwhile. Then
  ///   nothing has happened.
  nonisolated(nonsending) package func take<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ options: EnqueueOptions<Mutation>
  ) async throws -> QueuedMutation<Mutation> {
    if let refusal = Self.refusal(of: Mutation.operationName) { throw refusal }
    let asked = options.call?.asked ?? .current
    // (What has an outbox of its own may have passed the options on.)
    let queue = if let call = options.call, call.outbox === self { call.queue } else { self.queue }
    try await queue.ready()
    let work = MutationWork(
      mutation, guess: options.optimisticUpdate, update: options.update, idMapping: options.idMapping,
      queue.configuration.registry.registration(of: Mutation.self))
    let (number, known) = try await queue.takeNumber(in: options.scope)
    do {
      let row = try Row(mutation, options, number: number, doing: work, among: known, at: queue.clock.date)
      try queue.sender.route.policies.checkUser(since: asked, operationName: Mutation.operationName)
      try await queue.add(row, work)
      return queuedMutation(row.id, work)
    } catch {
      await queue.endAdding(number)
      throw error
    }
  }
}

/// A call that enqueues a mutation when those before it have been enqueued.
struct EnqueueCall {
  let outbox: Outbox
  /// The mutations of the owner at the time of the call.
  let queue: OutboxQueue
  let asked: StoreEpoch
}

extension Outbox {
  /// The error for a mutation that is enqueued within an optimistic update; nil if the caller is not in one.
  static func refusal(of operationName: String) -> OperationError? {
    ApolloStore.runningOptimisticUpdate.map { update in
      OperationError(
        .invalidRequest,
        "It was enqueued in the body of the \(update), which may run any number of times. Enqueue it outside of it.",
        operationName: operationName)
    }
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
