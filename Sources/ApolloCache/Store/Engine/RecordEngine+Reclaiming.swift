import ApolloAPI

// Freeing memory. This happens in a turn.

extension RecordEngine {
  /// When records are used, if that matters.
  struct UseTime {
    /// In seconds since 1970.
    let now: UInt32
    /// After how many seconds without use a record is dropped.
    let limit: UInt32
  }

  /// The time, if records are dropped that were not used for long. It is asked for before a lock is taken, because it
  /// may be code of the app that tells it.
  var useTime: UseTime? { unusedLimit.map { UseTime(now: ages.now, limit: $0) } }

  /// Whether it matters when records were used.
  var notesUses: Bool { sizeLimit != nil || unusedLimit != nil }

  /// Whether it is time to drop records from memory.
  var exceedsSizeLimit: Bool {
    guard let sizeLimit else { return false }
    return state.withLock { ($0.table.byteCount ?? 0) > max(sizeLimit, $0.evictionThreshold) }
  }

  /// Keeps the size within its limit, and the keys in proportion to the records.
  func reclaim() {
    if let step = state.withLock({ $0.uses.takeExpired() }) { evictUnused(since: step) }
    if let sizeLimit, exceedsSizeLimit { evict(to: sizeLimit / 10 * 9) }
    if table.needsCompaction { compactKeys() }
  }

  /// Frees what reads have brought. If a write is going on, it does that at its end.
  func reclaimIfFree() {
    guard turns.takeIfFree() else { return }
    defer { turns.release() }
    reclaim()
  }

  /// Drops the records that were not used for the longest time; records that a watcher needs are dropped last.
  ///
  /// A record with fields that were stored with several arguments, such as the root, first loses the oldest of them.
  /// In front of a backend only whole records are dropped, and only those that the backend has just as they are.
  private func evict(to size: Int) {
    let (start, uses) = state.withLock { ($0.table, $0.uses) }
    var table = start
    let unsaved = Unsaved(in: self)
    let observed = observedNumbers(in: table), observedFields = observedFields(in: table)
    let usedByLayers = layers.usedFields
    let order = table.numbers.map { (number: $0, isObserved: observed.contains($0), use: uses.lastUse(of: $0)) }
      .sorted { ($0.isObserved ? 1 : 0, $0.use, $0.number) < ($1.isObserved ? 1 : 0, $1.use, $1.number) }
    var evicted: [Int32] = [], reduced: [Int32] = []
    // What layers have changed or read stays: they need it when they run again.
    for (number, _, _) in order where (table.byteCount ?? 0) > size {
      if backend == nil {
        let used = usedByLayers.keys(of: number)
        while !used.contains(.unresolved),
          let record = table[number]?.removingOldestArguments(
            keeping: observedFields.union(used), table.records.dates(of: number))
        {
          table.set(number, record)
          reduced.append(number)
          guard (table.byteCount ?? 0) > size else { break }
        }
        guard (table.byteCount ?? 0) > size else { break }
      } else if unsaved.contains(number, of: table) {
        continue
      }
      if usedByLayers.contains(number) { continue }
      table.evict(number)
      evicted.append(number)
    }
    put(table, evicted, reduced: reduced, since: start)
  }

  /// Tells which records a backend does not have just as they are. Without a backend, none is.
  private struct Unsaved {
    private let engine: RecordEngine
    /// Whether the backend has lost what it had, and may have nothing.
    private let isAll: Bool
    private let datesOnly: UnwrittenDates
    private let waiting: Set<Int32>

    init(in engine: RecordEngine) {
      self.engine = engine
      isAll = engine.hasUnseenLoss
      datesOnly = engine.state.withLock { $0.unwrittenDates }
      waiting = engine.backend?.records?.waitingRecords(numberedBy: engine.table.records.keys) ?? []
    }

    func contains(_ number: Int32, of table: RecordTable) -> Bool {
      guard engine.backend != nil else { return false }
      return isAll || datesOnly.contains(number) || waiting.contains(number) || !table.isForBackend(number)
        || !engine.keepsInBackend(number, of: table)
    }
  }

  /// Whether the backend keeps records such as one of a table.
  func keepsInBackend(_ number: Int32, of table: RecordTable) -> Bool {
    guard let records = backend?.records else { return true }
    return records.keepsRecords(of: table[number]?.type ?? .unknown)
  }

  /// Drops the records that were not used since a step, except for roots and what a watcher needs.
  private func evictUnused(since step: UInt64) {
    var table = table
    let uses = state.withLock { $0.uses }, kept = observedNumbers(in: table), usedByLayers = layers.usedFields
    let unsaved = Unsaved(in: self)
    var evicted: [Int32] = []
    for number in table.numbers where uses.lastUse(of: number) <= step && !table.isRoot(number) {
      guard !kept.contains(number), !usedByLayers.contains(number), !unsaved.contains(number, of: table) else {
        continue
      }
      table.evict(number)
      evicted.append(number)
    }
    put(table, evicted, since: table)
  }

  private func put(_ table: RecordTable, _ evicted: [Int32], reduced: [Int32] = [], since old: RecordTable) {
    let isPut = state.withLock { state in
      // Otherwise a change was made beside the turn: it is tried again with the next write.
      guard state.table.version == table.version else { return false }
      // What layers have changed stays in the view.
      for number in reduced { state.layers.view?.removeFields(of: number, in: state.table, notIn: table) }
      state.table = table
      for number in evicted { state.layers.view?.evict(number) }
      state.counters.evictions += evicted.count
      // If there was not enough to drop, it is tried again when there is more.
      state.evictionThreshold = (table.byteCount ?? 0) / 10 * 11
      return true
    }
    guard isPut, !reduced.isEmpty else { return }
    forgetParts([], in: table) {
      Set(reduced).flatMap { number in (old[number]?.fields ?? []).map { (number, $0.key) } }
    }
  }

  /// Has the parts of answers forget what the store itself has removed: it is as new with the next part. What an app or
  /// an answer removes does not come back.
  ///
  /// - Parameters:
  ///   - records: The records that were removed.
  ///   - table: The records after it.
  ///   - fields: Gives fields; those of them were removed that are not there.
  func forgetParts(_ records: [Int32], in table: RecordTable, fields: () -> [(record: Int32, key: FieldKey)]) {
    let all = sendingOrder.withLock { $0.allParts }
    if all.isEmpty { return }
    let removed = fields().filter { $0.key != .typename && table[$0.record]?.value(of: $0.key) == nil }
    let keys = Dictionary(grouping: removed, by: \.record).mapValues { $0.map(\.key) }
    for parts in all { parts.forget(keys, records, in: table.records.keys) }
  }

  /// Gives the records new numbers, and removes the keys that are no longer used. A collection, layers, the order of
  /// sending, and what a backend still has to remove need the old ones.
  private func compactKeys() {
    let isPossible = state.withLock {
      $0.changedFields == nil && $0.layers.list.isEmpty && !$0.unwrittenDates.hasRewrites
    }
    guard isPossible, sendingOrder.withLock({ $0.written.isEmpty }) else { return }
    let old = table
    // The keys that observers wait for stay: otherwise they would come back at once.
    let (compacted, numbers) = old.compacted(
      keeping: observedNumbers(in: old).compactMap { old.records.key(of: $0) },
      fields: observedFields(in: old).map { old.records.text(of: $0) })
    let isFirst = state.withLock { state in
      guard state.table.version == old.version else { return false }
      state.table = compacted
      // A change that is being made with the old numbers has to be made again.
      state.table.version += 1
      state.generation += 1
      state.uses.renumber(numbers)
      state.unwrittenDates.renumber(numbers)
      guard state.deliveries.listenerCount > 0 else { return false }
      return state.deliveries.append(.renumber(from: old.records, to: compacted.records))
    }
    if isFirst { startDelivering() }
  }
}

extension RecordEngine {
  /// Hides in a table only what the backend failed to remove. Layers that run on the table cannot load that.
  func hideUnremoved(in table: inout RecordTable) {
    table.showHidden()
    table.unremoved = state.withLock { $0.unwrittenDates.patterns }.map { CacheKeyPattern($0) }
  }
}

extension RecordEngine.State {
  /// Hides what the backend failed to remove, until it has.
  mutating func hideUnremoved() {
    let patterns = unwrittenDates.patterns.map { CacheKeyPattern($0) }
    table.showHidden()
    table.unremoved = patterns
    // (What layers have removed stays hidden in the view.)
    layers.view?.unremoved = patterns
  }

  /// Notes that records were used now.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - time: The time, and after how many seconds without use a record is dropped; nil: never.
  mutating func noteUses(of records: some Sequence<Int32>, at time: RecordEngine.UseTime?) {
    uses.note(records)
    if let time { uses.noteTime(time.now, limit: time.limit) }
  }
}
