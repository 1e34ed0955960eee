import ApolloTransport
import ApolloAPI
import ApolloCache

/// What a mutation shows in the cache while it is under way, and what it does there with its result.
final class MutationEffects: Sendable {
  private let update: OptimisticUpdate
  /// Why the guess cannot be shown, whatever the cache has; nil if it can.
  private let problem: OperationError?
  /// Makes a change of the data of the result; nil if there is nothing to do with it.
  private let changeOfData: @Sendable (Any) -> OptimisticUpdate.Change?
  /// Takes what the backend threw when a change needed records of it; nil: the changes are not made later.
  private let unread: Locked<(any Error)?>?
  private let state = Locked(State())

  private struct State {
    weak var store: ApolloStore?
    /// The place of the mutation in the order of sending, until the guess has ended; nil before it is sent.
    var ticket: SendingTicket?
    var isOver = false
  }

  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - id: The name of the guess; nil for one without a name.
  ///   - data: The data that the server is expected to answer with; nil, the default, for no guess by data.
  ///   - guess: Shows the guess; nil if there is none.
  ///   - update: Changes the cache by the real data; nil for no change.
  init<Mutation: GraphQLMutation>(
    of mutation: Mutation, id: String?, expecting data: Mutation.Data? = nil, guess: OptimisticUpdate.Change?,
    update: (@Sendable (ApolloStore.ReadWriteTransaction, Mutation.Data) throws -> Void)?
  ) {
    problem = data.flatMap { Self.problem(of: $0, expectedBy: mutation) }
    unread = nil
    self.update = OptimisticUpdate(id: id, asked: .current, guess: guess)
    changeOfData = { data in
      guard let update, let data = data as? Mutation.Data else { return nil }
      // Safe: a model is a value, and the store makes one change at a time.
      nonisolated(unsafe) let handed = data
      return { try update($0, handed) }
    }
  }

  private static func problem<Mutation: GraphQLMutation>(
    of data: Mutation.Data, expectedBy mutation: Mutation
  ) -> OperationError? {
    do {
      try data.checkTypes(variables: mutation.variables)
    } catch let error as ApolloStore.ReadWriteTransaction.AbstractTypeError {
      return OperationError(
        .invalidRequest, "The data that is expected cannot be shown: \(error)", operationName: Mutation.operationName,
        cause: error)
    } catch {
      // It is the error of the guess.
    }
    return nil
  }

  /// The end of a guess that is shown already.
  ///
  /// - Parameters:
  ///   - update: The guess.
  ///   - store: The cache that shows it.
  ///   - unread: Takes what the backend threw when a change needed records of it. Then all changes are made later.
  ///   - change: What is changed with the result, if it has data.
  init(
    ending update: OptimisticUpdate, in store: ApolloStore, unread: Locked<(any Error)?>,
    _ change: @escaping OptimisticUpdate.Change
  ) {
    problem = nil
    self.unread = unread
    self.update = update
    changeOfData = { _ in change }
    state.withLock { $0.store = store }
  }

  /// Whether the result is in the cache, and the guess is no longer shown.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Shows the guess.
  ///
  /// - Throws: ``OperationError`` if the data that is expected cannot be what a server answers.
  func begin(in store: ApolloStore) async throws {
    if let problem { throw problem }
    state.withLock { $0.store = store }
    try await store.begin(update)
  }

  /// The end of the guess, for the commit of a result; nil for a result that another one follows, and if it is over.
  func completion<Data>(with result: GraphQLResult<Data>, in store: ApolloStore) -> OptimisticUpdate.Completion? {
    let isTaken = state.withLock { state in
      guard !result.hasNext, !state.isOver, state.store === store else { return false }
      state.isOver = true
      return true
    }
    guard isTaken else { return nil }
    return store.completion(of: update, result.data.flatMap { changeOfData($0) }, unread: unread)
  }

  /// Takes the place of the mutation in the order of sending. A result that the transport does not write is written by
  /// it.
  func hold(_ ticket: SendingTicket?) {
    // (What is released here is not released under the lock.)
    let released = state.withLock { state in
      defer { state.ticket = ticket }
      return state.ticket
    }
    withExtendedLifetime(released) {}
  }

  /// Ends the guess with a result that is not written to the cache.
  ///
  /// - Returns: The error of the end; nil if there is none.
  func complete(
    _ completion: OptimisticUpdate.Completion, asked: StoreEpoch, in store: ApolloStore
  ) async -> (any Error)? {
    await store.complete(completion, asked: asked, sent: state.withLock { $0.ticket })
  }

  /// Takes the guess back, if it is not over.
  func revert(in store: ApolloStore) async {
    let isTaken = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isTaken { await store.revert(update) }
    hold(nil)
  }
}
