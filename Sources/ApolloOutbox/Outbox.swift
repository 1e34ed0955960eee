import ApolloConcurrency
package import ApolloOperations
public import ApolloTransport
public import ApolloAPI
package import ApolloCache
import ApolloDigest
public import Foundation

/// The mutations of a client that wait to be sent, in the order in which they came.
///
/// `client.enqueue(…)` adds them. A mutation is kept before it is sent, shown in the cache as it is expected to end, and
/// sent when there is a network: once, as far as a client can know. With a storage on disk all of this survives the end of
/// the app. `Docs/offline.md` tells the whole story.
public final class Outbox: Sendable {
  /// The scope of mutations for which no other is named: all of them are sent one after the other.
  public static let defaultScope = "default"

  /// Makes a temporary id for an object that a mutation will make: `local:` and a UUID.
  ///
  /// It stands in the data that is expected, and in the variables of later mutations. When the server has answered, its id
  /// takes the place of the temporary one.
  public static func makeLocalID() -> String { LocalIDs.make() }

  /// The owner of the outbox, and the mutations of this owner.
  private struct State {
    var owner: String?
    /// Made when it is needed: most clients enqueue nothing.
    var queue: OutboxQueue?
    /// Whether a call gives the outbox to another owner now.
    var isChanging = false
    /// The calls that wait for that one, in their order.
    var nextChanges: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Locked<State>
  private let make: @Sendable (_ owner: String?, _ isHeld: Bool) -> OutboxQueue
  /// Whether there may be mutations of an earlier launch.
  private let isConfigured: Bool
  private let storage: any Storage
  /// The last call of a function with a completion. The next one waits for it.
  private let lastCall = Locked<Task<Void, Never>?>(nil)

  package init(
    _ configuration: Configuration?, route: TransportRoute, store: ApolloStore, defaults: RequestConfiguration,
    activeQueries: any QueriesByName
  ) {
    let settings = configuration ?? Configuration()
    if let clock = route.policies.ownClock { (settings.storage as? any ClockUsing)?.use(clock) }
    state = Locked(State(owner: settings.owner))
    isConfigured = configuration != nil
    storage = settings.storage
    make = { owner, isHeld in
      OutboxQueue(
        settings, owner: owner.map(Self.mark), isHeld: isHeld,
        sender: OutboxSender(
          route: route, store: store, defaults: defaults, deadline: settings.deadline, activeQueries: activeQueries),
        connectivity: route.policies.connectivityOfOutbox())
    }
    // Without a configuration, nothing is left of an earlier launch.
    guard isConfigured else { return }
    let queue = queue
    Task.own { await queue.begin() }
    // What the client reads first has the guesses already.
    route.policies.holdOperations(
      until: Task.own { [reading = queue.holding.stream] in for await _ in reading {} }, of: queue.sender.target)
  }

  deinit {
    guard let queue = state.withLock({ $0.queue }) else { return }
    Task.own { await queue.stop() }
  }

  /// The mutations of the present owner.
  var queue: OutboxQueue {
    state.withLock { state in
      let queue = state.queue ?? make(state.owner, false)
      state.queue = queue
      return queue
    }
  }

  // MARK: The owner

  /// Whose mutations are enqueued, shown and sent; nil: those without an owner.
  public var owner: String? { state.withLock { $0.owner } }

  /// Gives the outbox to another owner, such as when a user has signed in.
  ///
  ///     try await client.outbox.setOwner(account.id) { session.use(account) }
  ///
  /// When `change` is called, no mutation of the former owner is shown any more, and none is sent with credentials that it
  /// sets: what was sent is given up, and its handles end as when the client ends. Nothing is sent until `change` returns.
  /// Then what waits for the new owner is shown and sent. The mutations of the former owner stay in the storage until their
  /// owner is back, or until ``ApolloClient/signOut()`` removes them. Mutations without an owner belong to an outbox without
  /// one. Of two calls at a time, the later one waits for the earlier one, and so it counts. `change` must not wait for
  /// another call of this function. A paused outbox stays paused.
  ///
  /// - Parameters:
  ///   - owner: The new owner, such as the id of an account: any text, of which the storage has a hash. nil: none. If it is
  ///     the owner of now, nothing but `change` happens.
  ///   - change: Gives the new owner's credentials to the client's authenticator. By default it does nothing.
  /// - Throws: What the storage throws when the mutations of the new owner are loaded. It is tried again with the next
  ///   call.
  nonisolated(nonsending) public func setOwner(
    _ owner: String?, _ change: nonisolated(nonsending) () async -> Void = {}
  ) async throws {
    await beginChange()
    defer { endChange() }
    let (left, next) = state.withLock { state -> (OutboxQueue?, OutboxQueue?) in
      guard state.owner != owner else { return (nil, nil) }
      let next = make(owner, true)
      defer { (state.owner, state.queue) = (owner, next) }
      return (state.queue, next)
    }
    guard let next else { return await change() }
    if let left {
      if await left.isPaused { await next.setPaused(true) }
      await left.leave()
    }
    await change()
    await next.beginSending()
    if left != nil || isConfigured { try await next.ready() }
  }

  /// Waits until no other call gives the outbox to an owner.
  nonisolated(nonsending) private func beginChange() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isChanging { state.nextChanges.append(continuation) }
        defer { state.isChanging = true }
        return !state.isChanging
      }
      if isFree { continuation.resume() }
    }
  }

  private func endChange() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isChanging = !state.nextChanges.isEmpty
      return state.isChanging ? state.nextChanges.removeFirst() : nil
    }
    next?.resume()
  }

  /// What is kept of an owner: a hash, from which the text cannot be read.
  ///
  /// - Parameter owner: The owner.
  /// - Returns: The SHA-256 of the text, as 64 hexadecimal digits. A text that can be guessed can be found by trying.
  public static func mark(of owner: String) -> String { SHA256.hexadecimal("owner of an outbox: " + owner) }

  /// Removes everything of every owner, as the end of a user's time. Then the outbox has no owner.
  ///
  /// - Throws: What the storage throws. Then nothing of what is left is loaded, shown or sent, not by another outbox either:
  ///   each call that needs the storage tries first to remove it.
  package func removeAll() async throws {
    let (left, isUsed) = state.withLock { state in
      defer { (state.owner, state.queue) = (nil, nil) }
      let isUsed = state.queue != nil || isConfigured
      // Before there is another queue, which would load what is removed.
      if isUsed { UsedStorages.setMustBeEmptied(storage, true) }
      return (state.queue, isUsed)
    }
    guard isUsed else { return }
    let queue = left ?? make(nil, true)
    try await queue.removeAll()
  }

  /// Runs a body that enqueues a mutation, after those that were passed before.
  ///
  /// - Parameters:
  ///   - options: What the app says of the mutation.
  ///   - body: Called with the options, which say when and by whom it was enqueued; or with an error if the mutation must
  ///     not be enqueued: within an optimistic update.
  package func inOrder<Mutation: GraphQLMutation>(
    _ options: EnqueueOptions<Mutation>,
    _ body: @escaping @Sendable (_ options: Result<EnqueueOptions<Mutation>, OperationError>) async -> Void
  ) {
    var options = options
    // The task would not know of an update that it is within, and another user may have signed in when it runs.
    let refusal = Self.refusal(of: Mutation.operationName)
    options.call = EnqueueCall(outbox: self, queue: queue, asked: .current)
    let result: Result<EnqueueOptions<Mutation>, OperationError> =
      if let refusal { .failure(refusal) } else { .success(options) }
    // Safe: a model is a value, which only the task uses.
    let checked = Handoff(result)
    lastCall.withLock { last in
      last = Task.own { [previous = last] in
        await previous?.value
        await body(checked.value)
      }
    }
  }

  /// Waits until what an earlier launch has left is loaded and shown. Operations of the client do that by themselves.
  ///
  /// - Throws: What the storage throws. It is tried again with the next call, and by itself after a while.
  public func ready() async throws { try await queue.ready() }

  /// Ends the outbox: what is sent now is given up, and all that is not answered stays in the storage, which another client
  /// of this process can use then. The cache no longer shows what is expected of the mutations. That client shows again
  /// what can be kept: expected data, and closures of the registry. It happens by itself, some time after the client
  /// was released.
  public func close() async { await queue.stop() }

  // MARK: What is there

  /// How many mutations are not answered: those that wait and those that are sent now. Mutations of an earlier launch are
  /// among them once the storage was read, which ``ready()`` waits for; 0 before that.
  public var count: Int { queue.shownCount.withLock { $0 } }

  /// The mutations that are not answered, in their order.
  public var pending: [Entry] { get async { await queue.loadedEntries(failed: false) } }

  /// The mutations that were given up. They stay until they are dismissed or tried again.
  public var failed: [Entry] { get async { await queue.loadedEntries(failed: true) } }

  /// Whether nothing is sent until ``resume()``.
  public var isPaused: Bool { get async { await queue.isPaused } }

  /// What is in the outbox: as it is now, and after each change, unless the next one comes before it was looked at. Each
  /// call gives a sequence of its own. It ends with the client, and goes on with another owner.
  public var statuses: AsyncStream<Status> {
    let (stream, continuation) = AsyncStream<Status>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task.own { [weak self] in
      var last: OutboxQueue?
      // Another owner has another queue.
      while let queue = self?.queue(after: last) {
        last = queue
        let (ticks, ticker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = await queue.observe(ticker)
        for await _ in ticks { continuation.yield(await queue.status) }
        await queue.endObserving(number)
        if Task.isCancelled { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// The queue of now, if it is another one.
  private func queue(after last: OutboxQueue?) -> OutboxQueue? {
    let now = queue
    return now === last ? nil : now
  }

  /// The mutations of a type that are in the outbox, those of earlier launches among them.
  ///
  /// - Parameter type: The type.
  /// - Returns: The mutations, in their order.
  public func queued<Mutation: GraphQLMutation>(_ type: Mutation.Type) async -> [QueuedMutation<Mutation>] {
    try? await queue.ready()
    return await queue.work(of: type).map { queuedMutation($0, $1) }
  }

  func queuedMutation<Mutation: GraphQLMutation>(
    _ id: UUID, _ work: MutationWork<Mutation>
  ) -> QueuedMutation<Mutation> {
    QueuedMutation(id: id, work.progress) { [weak queue] in await queue?.cancel(id) ?? false }
  }

  /// The id that a server has given to an object.
  ///
  /// - Parameter localID: The temporary id.
  /// - Returns: The id of the server; nil if it is not known (yet).
  public func serverID(for localID: String) -> String? { queue.ids.withLock { $0.serverID(for: localID) } }

  // MARK: What an app does with it

  /// Takes a mutation out of the outbox, whether it waits or was given up.
  ///
  /// - Parameter id: The mutation.
  /// - Returns: False if it was answered already, or is not there.
  @discardableResult public func cancel(_ id: UUID) async -> Bool { await queue.cancel(id) }

  /// Takes all mutations out of the outbox that are not answered.
  public func cancelAll() async { await queue.cancelAll() }

  /// Takes a mutation away that was given up.
  ///
  /// - Parameter id: The mutation.
  /// - Returns: False if there is none.
  @discardableResult public func dismiss(_ id: UUID) async -> Bool { await queue.dismiss(id) }

  /// Sends a mutation again that was given up, at its old place among the others.
  ///
  /// - Parameter id: The mutation.
  /// - Returns: False if it was not given up, or if the app no longer has its operation.
  @discardableResult public func retry(_ id: UUID) async -> Bool { await queue.retry(id) }

  /// Sends nothing more until ``resume()``. What is sent now is not interrupted. After the app was started again, the
  /// outbox is not paused.
  public func pause() async { await queue.setPaused(true) }

  /// Sends what waits.
  public func resume() async { await queue.setPaused(false) }

  /// Sends at once what waits for a network or for its next try. It returns when nothing more can be sent now: each
  /// mutation was answered, or its try has failed, or it waits for another one. While a monitor says that there is no
  /// network, nothing is sent. In the body of a transaction of the cache, which the answers wait for, it does not wait
  /// for them.
  ///
  /// - Throws: What the storage threw when it was loaded, and `CancellationError`.
  public func flush() async throws { try await queue.flush() }
}

extension Outbox {
  /// A mutation in an outbox, for user interfaces.
  public struct Entry: Sendable, Identifiable {
    /// How far a mutation has come.
    public enum State: Sendable, Hashable {
      /// It waits: for those before it, for a network, or for its next try.
      case waiting
      /// It is sent now.
      case sending
      /// It was given up.
      case failed
    }

    /// Identifies the mutation.
    public let id: UUID
    /// The name of the operation.
    public let operationName: String
    /// The scope of the mutation.
    public let scope: String
    /// The variables, with temporary ids as they were given.
    public var variables: JSONObject { (try? ResponseReader.jsonValue(ResponseBytes(json)) as? JSONObject) ?? [:] }
    private let json: Data
    /// When it came.
    public let date: Date
    /// How far it has come.
    public let state: State
    /// How often it was tried to send it.
    public let attempts: Int
    /// When it is tried again; nil if no try has failed, or if it is sent now.
    public let nextAttempt: Date?
    /// Why it was given up, or why the last try failed; nil if neither happened.
    public let error: OperationError?

    init(_ item: OutboxQueue.Item) {
      let row = item.row
      id = row.id
      operationName = row.operationName
      scope = row.scope
      json = row.variables
      date = row.date
      attempts = row.attempts
      nextAttempt = item.stage == .waiting ? row.notBefore : nil
      error = row.failure?.error(of: row.operationName)
      state =
        switch item.stage {
        case .waiting: .waiting
        case .sending, .answered: .sending
        case .failed: .failed
        }
    }
  }

  /// What is in an outbox at a time.
  public struct Status: Sendable {
    /// The mutations that are not answered, in their order.
    public let pending: [Entry]
    /// The mutations that were given up.
    public let failed: [Entry]
    /// Whether nothing is sent until ``Outbox/resume()``.
    public let isPaused: Bool
    /// Whether there is a network, as far as it is known.
    public let isOnline: Bool
  }
}
