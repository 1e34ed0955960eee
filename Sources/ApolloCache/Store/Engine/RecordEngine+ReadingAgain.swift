import ApolloAPI

extension RecordEngine {
  /// How many records are read again at a time.
  private static let rereadCount = 500

  /// Reads the records again that were read before, because the backend was changed from outside.
  ///
  /// Values that differ replace those in memory, and watchers are told. A record that the backend has no longer leaves
  /// the memory, and one that it did not have may be there now. It works in a turn.
  ///
  /// Of a backend that has lost what it had, nothing is read before ``writeAgain()``: all that it does not have would
  /// leave the memory.
  func readAgain() async throws {
    guard let backend, let records = backend.records, !hasUnseenLoss else { return }
    // What waits is written first, with the dates. So the backend has everything that it can have.
    try await flush()
    var table = table, changes = ChangeSet()
    let numbers = (0..<Int32(table.records.count)).filter { table.isLoaded($0) && !RecordTable.isRootOfWrites($0) }
    for start in stride(from: 0, to: numbers.count, by: Self.rereadCount) {
      let some = numbers[start..<min(start + Self.rereadCount, numbers.count)]
      let keys = some.map { table.records.key(of: $0) ?? "" }, names = table.records.keys
      let stored = try await backend.run { _ in try records.load(keys, numberedBy: names) }
      // (Reading or writing may have found it.)
      guard !hasUnseenLoss else { return }
      for (number, stored) in zip(some, stored) {
        let isKept = table.isForBackend(number) && keepsInBackend(number, of: table)
        table.take(stored, of: number, isKept: isKept, &changes)
      }
    }
    let run = await runLayers(onLoaded: &table)
    commit(table, changes, layers: run)
  }

  /// Writes again what is in memory, and what is known to be gone, because the backend has lost all that it had. It
  /// works in a turn.
  ///
  /// The loss is over when the backend has taken that. If it cannot, that goes with the next write.
  func writeAgain() async {
    let table = table, losses = backend?.records?.lossCount ?? 0
    let known = (0..<Int32(table.records.count)).filter { table[$0] != nil || table.records.isGone($0) }
    state.withLock { $0.unwrittenDates.putBack(rewriting: known) }
    try? await writeRest()
    state.withLock { $0.lossCount = losses }
  }

  /// Whether the backend has lost what it had, and what is in memory was not written again yet.
  var hasUnseenLoss: Bool {
    guard let count = backend?.records?.lossCount else { return false }
    return state.withLock { $0.lossCount } != count
  }
}
