import ApolloAPI

/// When records were used last, in steps of reads and writes.
struct RecordUses {
  private var lastUse: [UInt64] = []
  private var now: UInt64 = 0

  mutating func note(_ records: some Sequence<Int32>) {
    now += 1
    for record in records where record >= 0 {
      while lastUse.count <= Int(record) { lastUse.append(0) }
      lastUse[Int(record)] = now
    }
  }

  func lastUse(of record: Int32) -> UInt64 { Int(record) < lastUse.count ? lastUse[Int(record)] : 0 }

  mutating func renumber(_ numbers: [Int32: Int32]) {
    var renumbered = RecordUses()
    renumbered.now = now
    renumbered.lastUse = Array(repeating: 0, count: Int(numbers.values.max() ?? -1) + 1)
    for (old, new) in numbers { renumbered.lastUse[Int(new)] = lastUse(of: old) }
    self = renumbered
  }
}

// Freeing memory. This happens in the turn of a write.

extension RecordEngine {
  /// Keeps the size within its limit, and the keys in proportion to the records.
  func reclaim() {
    if let sizeLimit, let byteCount = table.byteCount, byteCount > sizeLimit { evict(to: sizeLimit / 10 * 9) }
    if table.needsCompaction { compactKeys() }
  }

  /// Frees keys that reads have brought and no write uses. If a write is going on, it does that at its end.
  func reclaimKeys() {
    guard turns.takeIfFree() else { return }
    defer { turns.release() }
    if table.needsCompaction { compactKeys() }
  }

  /// Removes the records that were not used for the longest time; records that a watcher needs are removed last.
  ///
  /// A record with fields that were stored with several arguments, such as the root, first loses the oldest of them.
  private func evict(to size: Int) {
    var table = table
    let uses = state.withLock { $0.uses }
    let observed = observedNumbers(in: table), observedFields = observedFields(in: table)
    let order = table.numbers.map { (number: $0, isObserved: observed.contains($0), use: uses.lastUse(of: $0)) }
      .sorted { ($0.isObserved ? 1 : 0, $0.use, $0.number) < ($1.isObserved ? 1 : 0, $1.use, $1.number) }
    var evicted = 0
    for (number, _, _) in order where (table.byteCount ?? 0) > size {
      while let record = table[number]?.removingOldestArguments(
        keeping: observedFields, table.records.dates(of: number))
      {
        table.set(number, record)
        guard (table.byteCount ?? 0) > size else { break }
      }
      guard (table.byteCount ?? 0) > size else { break }
      table.evict(number)
      evicted += 1
    }
    state.withLock { state in
      state.table = table
      state.counters.evictions += evicted
    }
  }

  /// Gives the records new numbers, and removes the keys that are no longer used.
  private func compactKeys() {
    let old = table
    // The keys that observers wait for stay: otherwise they would come back at once.
    let (compacted, numbers) = old.compacted(
      keeping: observedNumbers(in: old).compactMap { old.records.key(of: $0) },
      fields: observedFields(in: old).map { old.records.text(of: $0) })
    let isFirst = state.withLock { state in
      state.table = compacted
      state.generation += 1
      state.uses.renumber(numbers)
      state.unwrittenDates.renumber(numbers)
      guard state.deliveries.listenerCount > 0 else { return false }
      return state.deliveries.append(.renumber(from: old.records, to: compacted.records))
    }
    if isFirst { startDelivering() }
  }

  /// Removes the records that are reachable neither from the roots nor from the records of watchers.
  ///
  /// - Returns: The number of removed records.
  func removeUnreachable() async throws -> Int {
    var table = table
    var reached = observedNumbers(in: table).union(GraphQLOperationType.allCases.map(\.rootNumber))
    var waiting = Array(reached)
    while let number = waiting.popLast() {
      table[number]?.forEachReference { if reached.insert($0).inserted { waiting.append($0) } }
    }
    let unreachable = table.numbers.filter { !reached.contains($0) }
    var changes = ChangeSet()
    for number in unreachable { changes.formUnion(table.remove(number)) }
    try await finish(table, changes)
    return unreachable.count
  }
}
