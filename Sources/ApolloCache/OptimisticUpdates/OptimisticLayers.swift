import ApolloAPI
import Foundation

/// A change that is shown before the server has confirmed it: a guess.
///
/// The records of the responses and transactions are the base. What reads and watchers see is the view: the base with the
/// changes of all layers on top of it, in the order in which the layers came. Whenever the base changes, the view is made
/// anew: each layer runs again. So a layer is a function, and not the values that it has written once.
struct OptimisticLayer: Sendable {
  typealias Change = @Sendable (ApolloStore.ReadWriteTransaction) throws -> Void

  /// The name that the app has given.
  let id: String
  /// Tells the layer from an earlier one of the same name.
  let token: UUID
  let identity: ObjectIdentity
  /// When it was asked for; nil for the guess of a mutation in an outbox, which is shown until the mutation is answered.
  let asked: StoreEpoch?
  let change: Change
  /// Whether it threw when it ran last, so that the view is without it.
  var isLeftOut = false
}

/// The layers of a store, and what they have made of its base.
struct OptimisticLayers: Sendable {
  var list: [OptimisticLayer] = []
  /// The base with the changes of all layers; nil if there are no layers.
  var view: RecordTable?
  /// The fields of the view that layers have changed.
  var changes = ChangeSet()
  /// The fields that layers have read; nil if that was not noted.
  var reads: RetainedFields?

  /// The layers without the one that has a token.
  func list(without token: UUID) -> [OptimisticLayer] { list.filter { $0.token != token } }

  /// The layers with others on top. A layer that has the name of one of those is left out.
  func list(with others: [OptimisticLayer]) -> [OptimisticLayer] {
    let names = Set(others.map(\.id))
    return list.filter { !names.contains($0.id) } + others
  }

  /// The fields that layers have changed, without the records that they have removed.
  var changedFields: RetainedFields {
    var changed = RetainedFields()
    for (record, key) in changes.fields { changed.insert(key, of: record) }
    return changed
  }

  /// The fields that layers have changed or read. They need them when they run again.
  var usedFields: RetainedFields {
    var used = changedFields
    if let reads { used.formUnion(reads) }
    for record in changes.removedRecords { used.insert(.unresolved, of: record) }
    return used
  }
}

/// What came of running layers.
struct LayerRun {
  var layers: OptimisticLayers
  /// The records that a backend has to be asked for first. If there are any, the layers have to run again.
  var missing: Set<Int32> = []
  /// What layers threw that had not thrown when they ran before.
  var failures: [Failure] = []

  struct Failure {
    let layer: OptimisticLayer
    let error: any Error
  }
}

/// What came of running one layer. The transaction in which it ran is gone, so its table is in no other place.
private struct LayerStep {
  let table: RecordTable
  let changes: ChangeSet
  let missing: Set<Int32>
  let reads: RetainedFields
  let error: (any Error)?

  init(_ layer: OptimisticLayer, of engine: RecordEngine, on table: consuming RecordTable, _ notesReads: Bool) {
    let transaction = ApolloStore.ReadWriteTransaction(
      of: engine, on: table, identity: layer.identity, notesReads: notesReads)
    let result = Result {
      try HeldTurn.with(engine, call: "optimistic update '\(layer.id)'", isOfLayer: true) {
        try layer.change(transaction)
      }
    }
    transaction.end()
    self.table = transaction.table
    (changes, missing, reads) = (transaction.changes, transaction.missing, transaction.reads)
    if case .failure(let thrown) = result { error = thrown } else { error = nil }
  }
}

extension RecordEngine {
  var layers: OptimisticLayers { state.withLock { $0.layers } }

  var hasLayers: Bool { state.withLock { !$0.layers.list.isEmpty } }

  /// The records that reads see.
  var view: RecordTable { state.withLock { $0.view } }

  /// Whether it is noted what layers read. It matters to limits of memory, and to a collection that is under way.
  private var notesReadsOfLayers: Bool { notesUses || state.withLock { $0.changedFields != nil } }

  /// The fields that layers have changed or read, for a collection that is under way. If it was not noted what they
  /// read, they run once more.
  func fieldsUsedByLayers() async -> RetainedFields {
    var (layers, table) = state.withLock { ($0.layers, $0.table) }
    if layers.reads == nil, !layers.list.isEmpty {
      let version = table.version, reads = await run(layers.list, onLoaded: &table).layers.reads
      state.withLock { if $0.table.version == version { $0.layers.reads = reads } }
      layers.reads = reads
    }
    return layers.usedFields
  }

  /// Runs layers, one after the other, on a base. A layer that throws is left out. One that was asked for before the store
  /// was cleared is gone.
  ///
  /// - Parameters:
  ///   - list: The layers.
  ///   - base: What they run on.
  ///   - below: The layers of which the base is the view. The default is that there are none.
  /// - Returns: What came of it, and of the layers below.
  func run(
    _ list: [OptimisticLayer], on base: RecordTable, above below: OptimisticLayers = OptimisticLayers()
  ) -> LayerRun {
    let list = list.filter { takes($0.asked) }
    guard !list.isEmpty else { return LayerRun(layers: below) }
    // What is in two tables is copied when it is written to. So the table below a layer is kept only if layers throw.
    if !list.contains(where: \.isLeftOut), let run = run(list, on: base, above: below, keepsTables: false) {
      return run
    }
    return run(list, on: base, above: below, keepsTables: true) ?? LayerRun(layers: below)
  }

  /// Runs layers, one after the other.
  ///
  /// - Parameters:
  ///   - list: The layers.
  ///   - table: What they run on.
  ///   - below: The layers of which the table is the view.
  ///   - keepsTables: Whether the table below a layer is kept for the case that the layer throws.
  /// - Returns: What came of it; nil if a layer threw, and no table was kept.
  private func run(
    _ list: [OptimisticLayer], on table: consuming RecordTable, above below: OptimisticLayers, keepsTables: Bool
  ) -> LayerRun? {
    let notesReads = notesReadsOfLayers
    var run = LayerRun(layers: below)
    run.layers.view = nil
    run.layers.list += list
    run.layers.reads = notesReads ? below.reads ?? RetainedFields() : nil
    if table.guesses == nil { table.guesses = [] }
    for (index, layer) in zip(below.list.count..., list) {
      let kept = keepsTables ? table : nil, step = LayerStep(layer, of: self, on: consume table, notesReads)
      run.missing.formUnion(step.missing)
      run.layers.reads?.formUnion(step.reads)
      run.layers.list[index].isLeftOut = step.error != nil
      table = step.table
      if let error = step.error {
        guard let kept else { return nil }
        table = kept
        if !layer.isLeftOut { run.failures.append(LayerRun.Failure(layer: layer, error: error)) }
      } else {
        run.layers.changes.formUnion(step.changes)
      }
    }
    table.guesses?.formUnion(run.layers.changes.fields.lazy.map { RecordField(record: $0, key: $1) })
    run.layers.view = table
    return run
  }

  /// Runs layers on a base, after loading what they need from the backend.
  ///
  /// - Parameters:
  ///   - list: The layers.
  ///   - base: The base. It takes the records that are loaded.
  /// - Returns: What came of it.
  func run(_ list: [OptimisticLayer], onLoaded base: inout RecordTable) async -> LayerRun {
    while true {
      let run = run(list, on: base)
      guard let backend, !base.unloaded(of: run.missing).isEmpty else { return run }
      // (They are not the caller's alone, which may be cancelled.)
      do { try await base.fill(run.missing, from: backend, heedsCancelling: false) } catch {
        // Layers that need what cannot be loaded are left out.
        return run
      }
    }
  }

  /// Runs the layers of the store on a base that is to be put in place; nil if there are none.
  func runLayers(onLoaded base: inout RecordTable) async -> LayerRun? {
    hasLayers ? await run(layers.list, onLoaded: &base) : nil
  }

  /// How the view differs from the one before.
  ///
  /// - Parameters:
  ///   - run: What came of running the layers.
  ///   - next: The base that they ran on.
  ///   - changes: How this base differs from the one before.
  /// - Returns: The fields that are seen differently.
  func differences(of run: LayerRun, over next: RecordTable, _ changes: ChangeSet) -> ChangeSet {
    ChangeSet(from: view, to: run.layers.view ?? next, among: [changes, layers.changes, run.layers.changes])
  }

  /// What observers and subscribers are told of a write.
  ///
  /// - Parameters:
  ///   - changes: What the write has changed.
  ///   - next: The table that it has made.
  ///   - run: What came of running the layers on the table; nil if there are none.
  /// - Returns: The fields that are seen differently.
  func told(of changes: ChangeSet, in next: RecordTable, layers run: LayerRun?) -> ChangeSet {
    if let run { return differences(of: run, over: next, changes) }
    return changes.isOfSeveralWrites ? ChangeSet(from: table, to: next, among: [changes]) : changes
  }

  /// Tells the app of layers that have thrown.
  func report(_ failures: [LayerRun.Failure]) {
    guard !failures.isEmpty, let tell = onOptimisticFailure.withLock({ $0 }) else { return }
    for failure in failures { tell(failure.layer.id, failure.error) }
  }

  // MARK: Adding and removing layers, in a turn

  /// Runs layers on top of the others, which have no need to run: what is below them is as it was.
  ///
  /// - Returns: What came of it; nil if all layers have to run, because one is replaced or was left out.
  private func runOnTop(_ added: [OptimisticLayer]) -> LayerRun? {
    let (below, view) = state.withLock { ($0.layers, $0.view) }
    guard below.list.count + added.count == below.list(with: added).count,
      below.list.allSatisfy({ !$0.isLeftOut && takes($0.asked) }),
      below.list.isEmpty || below.reads != nil || !notesReadsOfLayers
    else { return nil }
    return run(added, on: view, above: below)
  }

  /// Puts layers on top of the others, in one commit. Layers of the same names are removed.
  ///
  /// - Parameters:
  ///   - added: The layers. Their names differ.
  ///   - keepsFailing: Whether a layer is kept if it throws. Otherwise nothing has happened then.
  /// - Throws: What a layer throws, if it is not kept.
  func add(_ added: [OptimisticLayer], keepsFailing: Bool) async throws {
    let added = added.filter { takes($0.asked) }
    guard !added.isEmpty else { return }
    var table = table
    var onTop = runOnTop(added)
    if let backend, let missing = onTop?.missing, !table.unloaded(of: missing).isEmpty {
      onTop = nil
      // (If it fails, so does it when all of them run.)
      try? await table.fill(missing, from: backend)
    }
    let run = if let onTop { onTop } else { await run(layers.list(with: added), onLoaded: &table) }
    let tokens = Set(added.map(\.token))
    if !keepsFailing, let failure = run.failures.first(where: { tokens.contains($0.layer.token) }) {
      throw failure.error
    }
    commit(table, ChangeSet(), layers: run)
  }

  /// Removes layers. What the others had changed on top of them is made anew.
  func removeLayers(where isRemoved: (OptimisticLayer) -> Bool) async {
    let list = layers.list, kept = list.filter { !isRemoved($0) }
    guard kept.count < list.count else { return }
    var table = table
    let run = await run(kept, onLoaded: &table)
    commit(table, ChangeSet(), layers: run)
  }
}

extension RecordEngine {
  /// Makes the changes that end the guess of a mutation, one after the other, on a table that is to be put in place.
  ///
  /// - Parameters:
  ///   - completion: The end of the guess.
  ///   - table: The table. A change that throws leaves it as it is.
  ///   - changes: Takes what has changed.
  ///   - order: Takes what was written; nil: the operation is in the order of sending.
  /// - Returns: The first error that a change threw, or the backend that it needed; nil if nothing was thrown.
  func make(
    _ completion: OptimisticUpdate.Completion, on table: inout RecordTable, _ changes: inout ChangeSet,
    in order: inout OrderedWrite?
  ) async -> (any Error)? {
    var failure: (any Error)?
    for change in completion.changes {
      guard let thrown = await make(change, completion.identity, on: &table, &changes, in: &order) else { continue }
      failure = failure ?? thrown.error
      guard thrown.isOfBackend, let unread = completion.unread else { continue }
      unread.withLock { $0 = thrown.error }
      break
    }
    return failure
  }

  private func make(
    _ change: OptimisticUpdate.Change, _ identity: ObjectIdentity, on table: inout RecordTable,
    _ changes: inout ChangeSet, in order: inout OrderedWrite?
  ) async -> (error: any Error, isOfBackend: Bool)? {
    while true {
      let transaction = ApolloStore.ReadWriteTransaction(of: self, on: table, identity: identity)
      if order?.notes == true { transaction.written = ChangeSet() }
      let result = Result { try HeldTurn.with(self, call: "perform(mutation:)") { try change(transaction) } }
      transaction.end()
      if let backend, !table.unloaded(of: transaction.missing).isEmpty {
        do { try await table.fill(transaction.missing, from: backend) } catch { return (error, true) }
        continue
      }
      switch result {
      case .success:
        table = transaction.table
        changes.formUnion(transaction.changes)
        order?.note(transaction.changes, in: table)
        if let written = transaction.written { order?.note(written, in: table) }
        return nil
      case .failure(let error): return (error, false)
      }
    }
  }

  /// Ends the guess of a mutation whose result has no records for the cache.
  func complete(
    _ completion: OptimisticUpdate.Completion, asked: StoreEpoch?, sent ticket: SendingTicket?
  ) async -> (any Error)? {
    guard takes(asked) else {
      await drop(completion)
      return nil
    }
    var table = table, changes = ChangeSet(), order = ticket?.write(in: self)
    var failure = await make(completion, on: &table, &changes, in: &order)
    do { try await persist(changes, of: table) } catch {
      giveUp()
      failure = error
      (table, changes, order) = (self.table, ChangeSet(), nil)
    }
    hideUnremoved(in: &table)
    let run = await run(layers.list(without: completion.token), onLoaded: &table)
    noteOrder(of: &order)
    commit(table, changes, layers: run)
    return failure
  }
}

extension RecordEngine.State {
  // (Inlined: a call would copy the whole state.)

  /// The records that reads see.
  @inline(__always) var view: RecordTable { layers.list.isEmpty ? table : layers.view ?? table }

  /// The records without the changes of layers; nil if there are no layers.
  @inline(__always) var base: RecordTable? { layers.list.isEmpty ? nil : table }

  /// Takes records that were loaded from the backend.
  mutating func takeLoaded(_ numbers: Set<Int32>, from other: RecordTable) {
    table.takeLoaded(numbers, from: other)
    layers.view?.takeLoaded(numbers, from: other)
  }
}
