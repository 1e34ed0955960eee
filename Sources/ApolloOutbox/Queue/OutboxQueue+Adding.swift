import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

// How a mutation comes into an outbox.

extension OutboxQueue {
  /// The number of a new mutation, and the temporary ids that are known. Those with higher numbers wait until
  /// `endAdding` is called with the number.
  ///
  /// - Parameter scope: The scope of the mutation.
  /// - Returns: The number and the ids.
  /// - Throws: ``OperationError`` if there is no number left, because a storage had one that was never given.
  func takeNumber(in scope: String) throws -> (Int64, Set<String>) {
    let number = mutations.nextNumber
    guard number <= Outbox.Row.lastNumber else {
      throw OperationError(
        .storage,
        "The storage of the outbox has a mutation with the last possible number. Send or cancel all mutations, and start "
          + "the app again.")
    }
    mutations.nextNumber += 1
    mutations.coming[number] = scope
    return (number, Set(mutations.creators.keys).union(ids.withLock { $0.serverIDs.keys }))
  }

  /// Takes a mutation: shows its guess, and returns when it is kept.
  ///
  /// - Throws: What the storage throws. Then nothing has happened.
  func add(_ row: Outbox.Row, _ work: any QueuedWork) async throws {
    var row = row
    row.owner = owner
    try checkIsOpen()
    mutations.add(Item(row, work))
    backlog.adding.insert(row.id)
    defer { backlog.adding.remove(row.id) }
    await show([row.id])
    guard mutations[row.id] != nil else { throw CancellationError() }
    do { row.files = try await keepFiles(of: row) } catch {
      await takeBack(row.id)
      throw error
    }
    mutations[row.id]?.row.files = row.files
    if let error = await persist(Outbox.Change(saving: row), of: row.id) {
      // A storage that throws may have made the change all the same, and has copies of the files.
      backlog.change.removed.insert(row.id)
      retryStorage()
      await takeBack(row.id)
      throw OperationError(
        .storage, "The mutation cannot be kept, so it is not sent: \(error)", operationName: row.operationName,
        cause: error)
    }
    // All mutations may have been cancelled meanwhile.
    guard mutations[row.id] != nil else { throw CancellationError() }
    mutations.insertIntoLine(row)
    watchExpiry(of: row.id)
    endAdding(row.number)
    changed()
  }

  /// Sends what waits for a mutation that is in its line by now, or could not be added.
  ///
  /// - Parameter number: The number of that mutation.
  func endAdding(_ number: Int64) {
    guard let scope = mutations.coming.removeValue(forKey: number) else { return }
    guard mutations.isComingAwaited else { return schedule(scope) }
    mutations.isComingAwaited = false
    scheduleAll()
  }

  /// Has the storage copy the files of a mutation.
  ///
  /// - Returns: The copies.
  /// - Throws: What the storage throws, or why nothing sends the mutation any more. Then there are no copies.
  private func keepFiles(of row: Outbox.Row) async throws -> [GraphQLFile] {
    guard !row.files.isEmpty else { return [] }
    try checkIsOpen()
    backlog.keeping += 1
    // (What ends the outbox waits for this.)
    defer { endKeeping() }
    let copies = try await configuration.storage.keep(row.files, of: row.id)
    if !isStopped, mutations[row.id] != nil { return copies }
    var change = Outbox.Change()
    change.removed = [row.id]
    _ = await persist(change)
    try checkIsOpen()
    throw CancellationError()
  }

  private func endKeeping() {
    backlog.keeping -= 1
    guard backlog.keeping == 0 else { return }
    for waiter in backlog.keepWaiters { waiter.resume() }
    backlog.keepWaiters = []
  }

  /// Takes away what a mutation shows that could not be added. Those of other scopes may wait for the object that it was
  /// to make.
  private func takeBack(_ id: UUID) async {
    let layer = mutations[id]?.layer
    mutations.remove(id)
    scheduleAll()
    if let layer { await hide([layer]) }
    changed()
  }
}
