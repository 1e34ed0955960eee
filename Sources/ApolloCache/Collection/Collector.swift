import ApolloAPI

/// One collection: it goes through the records of a store in steps of bounded size, even where a record is large. Each
/// step takes a turn of its own, so other writes go on between two steps.
///
/// As long as it lasts, the numbers of records stay as they are, and the engine notes which fields are changed.
final class Collector {
  /// How many records a step looks at, at most.
  static let stepSize = 500
  /// How many values of records a step looks at, at most: a record may have any number of fields, and lists of any length.
  /// What others have written since the step before does not count.
  static let valueCount = 2500

  let engine: RecordEngine
  /// What the app has called.
  let call: String
  /// What retained operations read.
  private(set) var retained = RetainedFields()
  private var retentionVersion: UInt64?
  /// What layers have changed or read.
  private(set) var usedByLayers = RetainedFields()
  /// How many steps there have been.
  private(set) var stepCount = 0

  /// How often the backend had been changed from outside when the collection began.
  private let foreignChangeCount: Int

  /// Begins a collection. If the backend was changed from outside, the store reads it again before.
  init(_ engine: RecordEngine, call: String) async throws {
    self.engine = engine
    self.call = call
    foreignChangeCount = try await engine.backend?.records?.readForeignChanges() ?? 0
  }

  /// Whether the backend was changed from outside since the collection began. Then it is not known what leads to what.
  var isDisturbed: Bool { engine.backend?.records.map { $0.foreignChangeCount != foreignChangeCount } ?? false }

  /// What one step does.
  struct Step {
    /// The records as they will be.
    var table: RecordTable
    var changes = ChangeSet()
    /// The fields that other writes have changed since the step before.
    let changed: [(record: Int32, key: FieldKey)]
    fileprivate let backend: BackendCalls?
    /// The records that were loaded for this step only.
    fileprivate var loaded: [Int32] = []
    /// Whether it removes records because nothing leads to them.
    fileprivate var removesUnreachable = false

    /// Loads records from the backend, until the end of the step.
    mutating func load(_ numbers: [Int32]) async throws {
      guard let backend else { return }
      let unloaded = Set(numbers.filter { !table.isLoaded($0) })
      guard !unloaded.isEmpty else { return }
      loaded += unloaded.filter { table[$0] == nil }
      try await table.fill(unloaded, from: backend)
    }

    /// Removes a record to which nothing leads, and which may be in the backend only.
    mutating func removeUnreachable(_ number: Int32) {
      removesUnreachable = true
      if table[number] == nil { changes.insertRemoval(of: number) } else { changes.formUnion(table.remove(number)) }
      // Another process may lead to it, and then it stays in the backend.
      if backend != nil { table.evict(number) }
    }
  }

  /// Runs one step in a turn. If it fails, nothing has changed.
  func step<T>(_ body: (inout Step) async throws -> T) async throws -> T {
    try Task.checkCancellation()
    await Task.yield()
    stepCount += 1
    return try await engine.inTurn(call) {
      var step = Step(table: engine.table, changed: engine.takeChangedFields(), backend: engine.backend)
      try await updateRetained(in: step)
      usedByLayers = await engine.fieldsUsedByLayers()
      let result = try await body(&step)
      guard !step.changes.isEmpty else { return result }
      do {
        try await engine.persist(
          step.changes, of: step.table, unreachableSince: step.removesUnreachable ? foreignChangeCount : nil)
        // What leaves the memory has to be in the backend.
        if !step.loaded.isEmpty { try await engine.backend?.flush() }
      } catch {
        engine.giveUp()
        throw error
      }
      engine.forgetParts(step.changes.removedRecords, in: step.table) { step.changes.fields }
      for number in step.loaded { step.table.evict(number) }
      let run = await engine.runLayers(onLoaded: &step.table)
      engine.commit(step.table, step.changes, used: [], layers: run, isOfCollection: true)
      return result
    }
  }

  // MARK: Pages

  /// Goes through the numbers of all records, in memory and in a backend that can list its keys. Records that come into
  /// memory meanwhile are left out. Otherwise they could come faster than they are gone through.
  ///
  /// - Parameter body: Is given some of the numbers. If it returns false, it is given them again in the next step.
  /// - Throws: What `body` throws, and what a backend throws.
  func forEachPage(_ body: (inout Step, [Int32]) async throws -> Bool) async throws {
    var seen = NumberBits(), start = 0
    let count = engine.table.records.count
    while start < count {
      let end = min(count, start + Self.stepSize)
      while !(try await step({ step in
        let numbers = (start..<end).map(Int32.init).filter { step.table[$0] != nil }
        for number in numbers { seen.insert(number) }
        return try await body(&step, numbers)
      })) {}
      start = end
    }
    try await forEachPageOfBackend { step, numbers in
      try await body(&step, numbers.filter { !seen.contains($0) })
    }
  }

  /// Goes through the numbers of all records of a backend that can list its keys.
  func forEachPageOfBackend(_ body: (inout Step, [Int32]) async throws -> Bool) async throws {
    guard let backend = engine.backend, backend.isEnumerable else { return }
    var last: CacheKey?
    while true {
      let next = try await step { step -> (isDone: Bool, last: CacheKey?) in
        let keys = try await backend.keys(after: last, limit: Self.stepSize)
        // A backend that gives the same keys again would never come to an end.
        guard let end = keys.last, end != last else { return (true, nil) }
        return (try await body(&step, keys.map { step.table.number(for: $0) }), end)
      }
      guard next.isDone else { continue }
      guard let end = next.last else { return }
      last = end
    }
  }

  // MARK: What stays

  /// Whether a watcher, a retained operation or a layer depends on a field.
  func isInUse(_ key: FieldKey, of number: Int32, in table: RecordTable) -> Bool {
    retained.contains(key, of: number) || usedByLayers.contains(key, of: number)
      || engine.isObserved(key, of: number, in: table)
  }

  /// Reads the retained operations again, if they may read something else now.
  private func updateRetained(in step: Step) async throws {
    let version = engine.retentions.withLock { $0.version }
    if version == retentionVersion, !step.changed.contains(where: { retained.contains($0.record) }) { return }
    retained = try await engine.retainedFields(in: step.table)
    retentionVersion = version
  }
}

extension RecordEngine {
  /// Runs a collection when no other one is under way.
  ///
  /// - Parameters:
  ///   - call: What the app has called, for the error if the caller holds the turn of a transaction.
  ///   - body: Does the collection.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``ApolloStore/Error/isWithinTransaction(call:transaction:)``.
  func collect<T>(_ call: String, _ body: (Collector) async throws -> T) async throws -> T {
    if let conflict = conflict(of: call) { throw conflict }
    await collections.take()
    state.withLock { $0.changedFields = [] }
    defer {
      state.withLock { $0.changedFields = nil }
      collections.release()
      reclaimIfFree()
    }
    return try await body(try await Collector(self, call: call))
  }

  /// The fields that were changed since this was last called.
  func takeChangedFields() -> [(record: Int32, key: FieldKey)] {
    state.withLock { state in
      defer { state.changedFields = [] }
      return state.changedFields ?? []
    }
  }

  /// Whether an observer depends on a field of a record.
  fileprivate func isObserved(_ key: FieldKey, of number: Int32, in table: RecordTable) -> Bool {
    guard let keys = observers.withLock({ $0.keys }) else { return false }
    var record: Int32? = number, key = key
    if !(keys === table.records.keys) {
      // The records have been given new numbers, and the observers do not know these yet.
      let name = table.records.key(of: number), field = table.records.text(of: key)
      (record, key) = keys.withLock { keys in
        (name.flatMap { keys.number(of: $0) }, keys.findFieldKey(field) ?? .unresolved)
      }
    }
    guard let record else { return false }
    return observers.withLock { $0.contains(key, of: record) }
  }
}
