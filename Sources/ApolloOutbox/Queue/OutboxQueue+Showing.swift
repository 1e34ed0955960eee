import ApolloAPI
import ApolloCache
import Foundation

// What an outbox shows in the cache.

extension OutboxQueue {
  /// The guess of a mutation.
  private struct Guess {
    let id: UUID
    let layer: OptimisticUpdate
    /// Whether it threw when it ran last.
    let hasThrown: Locked<Bool>
  }

  /// Shows what mutations will change, in their order, on top of what is shown, unless the outbox has ended.
  func show(_ wanted: [UUID]) async {
    guard !isStopped else { return }
    var guesses: [Guess] = []
    for id in wanted {
      guard let item = mutations[id], let guess = item.work?.guess(of: item.row, ids) else { continue }
      let hasThrown = Locked(false)
      let layer = OptimisticUpdate(id: id.uuidString, asked: nil) { transaction in
        hasThrown.withLock { $0 = true }
        try guess(transaction)
        hasThrown.withLock { $0 = false }
      }
      mutations[id]?.layer = layer
      guesses.append(Guess(id: id, layer: layer, hasThrown: hasThrown))
    }
    guard !guesses.isEmpty else { return }
    await outsideOfTransaction { [guesses] in await self.begin(guesses) }
  }

  private func begin(_ guesses: [Guess]) async {
    let store = sender.target
    try? await store.begin(guesses.map(\.layer))
    // What has ended a mutation, or the outbox, may have had its turn in the cache before the guess was there.
    func isEnded(_ guess: Guess) -> Bool { isStopped || mutations[guess.id]?.isUnanswered != true }
    let ended = guesses.filter(isEnded)
    if !ended.isEmpty { await store.revert(ended.map(\.layer)) }
    let unseen = guesses.filter { $0.hasThrown.withLock { $0 } && !isEnded($0) }
    if !unseen.isEmpty, let error = await store.readingFailure { readLater(unseen.map(\.id), because: error) }
  }

  /// Shows mutations again, and makes their updates, when the cache can be read: after a while, and when the app comes to
  /// the foreground.
  ///
  /// - Parameters:
  ///   - ids: The mutations.
  ///   - error: Why it cannot be read.
  func readLater(_ ids: [UUID], because error: any Error) {
    guard !isStopped else { return }
    configuration.onStorageFailure?(error)
    unread.formUnion(ids)
    waitToReadAgain()
  }

  private func waitToReadAgain() { rereading.again(by: clock) { [weak self] in await self?.readAgain() } }

  /// Does what ``readLater(_:because:)`` was called for, unless that is under way.
  func readAgain() {
    guard readingAgain == nil, !unread.isEmpty, !isStopped else { return }
    finishing += 1
    readingAgain = Task.own { await self.readUnread() }
  }

  private func readUnread() async {
    // (What is under way brings its answer into the cache itself.)
    let items = unread.subtracting(mutations.underWay.filter { mutations[$0]?.stage == .answered })
      .compactMap { mutations[$0] }.sorted { $0.row.number < $1.row.number }
    unread = []
    for item in items where item.stage == .answered && !isStopped { await apply(item.row.id) }
    if let first = items.first(where: \.isUnanswered) { await showInPlace(first.row.id) }
    readingAgain = nil
    // (The time of the next try may have come meanwhile.)
    if unread.isEmpty { rereading.end() } else if !isStopped { waitToReadAgain() }
    finished()
  }

  /// Shows what a mutation will change, below what those will that came later.
  func showInPlace(_ id: UUID) async {
    guard let number = mutations[id]?.row.number else { return }
    // What is shown again is on top of the others.
    await show([id] + unanswered(after: number))
  }

  /// The mutations that wait for an answer and came after another one, in their order.
  ///
  /// - Parameter number: The number of the other one. The default is 0: all of them.
  /// - Returns: Their ids.
  func unanswered(after number: Int64 = 0) -> [UUID] {
    mutations.items.values.filter { $0.row.number > number && $0.isUnanswered }
      .sorted { $0.row.number < $1.row.number }.map(\.row.id)
  }

  /// Takes away what mutations show.
  func hide(_ layers: [OptimisticUpdate]) async {
    guard !layers.isEmpty else { return }
    await outsideOfTransaction { [store = sender.target] in await store.revert(layers) }
  }

  /// Does what needs a turn in the cache. In the body of a transaction, which has the turn until it ends, it is done after
  /// that, and in the order of the calls.
  ///
  /// - Parameter work: What is to be done.
  private func outsideOfTransaction(_ work: @escaping @Sendable () async -> Void) async {
    guard sender.target.isHeldByCaller else {
      await afterTransaction?.value
      return await work()
    }
    afterTransaction = Task.own { [last = afterTransaction] in
      await last?.value
      await work()
    }
  }
}

extension ApolloStore {
  /// Why the backend cannot be read now, as while the key of its codec is locked; nil if it can be read, or if that cannot
  /// be found out.
  fileprivate var readingFailure: (any Swift.Error)? {
    get async {
      guard let cache = cache as? any EnumerableNormalizedCache else { return nil }
      do { _ = try await cache.loadRecords(forKeys: Set(cache.keys(after: nil, limit: 1))) } catch { return error }
      return nil
    }
  }
}
