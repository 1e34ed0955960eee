import ApolloAPI
import Foundation

// All of these functions work in a turn.

extension RecordEngine {
  /// Merges the records of a response. Without a backend it does not suspend. If the store was cleared since the operation
  /// was asked for, nothing is merged, and only its guess ends.
  ///
  /// - Parameters:
  ///   - transfer: The records.
  ///   - origin: Identifies the writer, which is not told.
  ///   - rules: The rules for merging values.
  ///   - lifetime: How long the values may be kept of which the batch does not say it. nil: for ever.
  ///   - completion: The end of a guess, which happens in the same commit. nil: there was none.
  ///   - ticket: The place of the operation in the order of sending. nil, the default: it has none.
  /// - Returns: The error that the backend threw, or else that of the end of the guess, or one of a field merger; nil if
  ///   there was none. Even after an error, the records are in memory.
  func publish(
    _ transfer: RecordBatchTransfer, origin: UUID?, rules: RecordTable.MergeRules, lifetime: Lifetime? = nil,
    completing completion: OptimisticUpdate.Completion? = nil, sent ticket: SendingTicket? = nil
  ) async -> (any Error)? {
    guard let batch = transfer.take() else {
      // They are merged already. The guess ends nevertheless.
      guard let completion else { return nil }
      return await complete(completion, asked: ticket?.asked, sent: ticket)
    }
    guard takes(ticket?.asked) else {
      await drop(completion)
      return nil
    }
    var rules = rules
    rules.parts = ticket?.parts(in: self)
    let seconds = RecordTable.seconds(now), date = lifetime?.date(at: seconds) ?? FieldDate(seconds: seconds)
    guard backend != nil || completion != nil else {
      return publishInMemory(batch, date, origin: origin, rules: rules, sent: ticket)
    }
    return await publish(batch, date, origin: origin, rules: rules, completing: completion, sent: ticket)
  }

  // (Two functions, so that the frame of one that waits is made only where something is waited for.)

  @inline(never) private func publishInMemory(
    _ batch: consuming RecordBatch, _ date: FieldDate, origin: UUID?, rules: RecordTable.MergeRules,
    sent ticket: SendingTicket?
  ) -> (any Error)? {
    var table = table, order = ticket?.write(in: self)
    let numbers = notesUses ? table.numbers(of: batch) : nil
    let changes = table.merge(batch, date: date, rules: rules, in: &order)
    let isPart = noteOrder(of: &order)
    commit(table, changes, origin: origin, used: numbers)
    if isPart { notePart(by: origin) }
    return changes.mergerError
  }

  @inline(never) private func publish(
    _ batch: consuming RecordBatch, _ date: FieldDate, origin: UUID?, rules: RecordTable.MergeRules,
    completing completion: OptimisticUpdate.Completion?, sent ticket: SendingTicket?
  ) async -> (any Error)? {
    var table = table, order = ticket?.write(in: self)
    var failure: (any Error)?
    let numbers = table.numbers(of: batch)
    if let backend { do { try await table.fill(Set(numbers), from: backend) } catch { failure = error } }
    var changes = table.merge(batch, date: date, rules: rules, in: &order), updateError: (any Error)?
    if let completion { updateError = await make(completion, on: &table, &changes, in: &order) }
    do { try await persist(changes, of: table) } catch {
      failure = failure ?? error
      // They are written with the next change.
      state.withLock { state in
        state.unwrittenDates.putBack(changes.fields.lazy.map(\.record))
        state.unwrittenDates.putBack(
          rewriting: changes.rewrittenRecords + changes.reducedRecords + changes.removedRecords,
          removing: changes.removedPatterns)
      }
    }
    hideUnremoved(in: &table)
    let run: LayerRun? =
      if let completion {
        await self.run(layers.list(without: completion.token), onLoaded: &table)
      } else {
        await runLayers(onLoaded: &table)
      }
    let isPart = noteOrder(of: &order)
    commit(table, changes, origin: origin, used: notesUses && backend == nil ? numbers : nil, layers: run)
    if isPart { notePart(by: origin) }
    return failure ?? updateError ?? changes.mergerError
  }

  /// Notes what an answer has written, for the answers to operations that were sent earlier. It is called before the
  /// table is put in place: after that, records may be given new numbers.
  ///
  /// - Returns: Whether a part of the answer was left out.
  @discardableResult func noteOrder(of order: inout OrderedWrite?) -> Bool {
    guard var write = order.take() else { return false }
    if write.notes {
      write.forgetOthers()
      sendingOrder.withLock { $0.note(write) }
    }
    return write.isPart
  }

  /// Notes that a part of what an observer has written was left out. It is called after the table was put in place, so
  /// that it is noted behind the write, whether that has changed anything or not.
  private func notePart(by origin: UUID?) {
    guard let origin else { return }
    deliver { $0.engine.observers.withLock { $0.noteOwnWrite(by: origin, .part) } }
  }

  /// Merges records that an app made. Without a backend it does not suspend. If the store was cleared since the operation
  /// was asked for whose records they are, nothing is merged, and only its guess ends.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - origin: Identifies the writer, which is not told.
  ///   - rules: The rules for merging values.
  ///   - completion: The end of a guess, which happens in the same commit. nil, the default: there was none.
  ///   - ticket: The place of the operation in the order of sending. nil, the default: it has none.
  /// - Throws: What the backend throws; then nothing has changed, but for the guess, which ends. What the end of the guess
  ///   throws; then the records are merged nevertheless.
  func publish(
    _ records: RecordSet, origin: UUID?, rules: RecordTable.MergeRules,
    completing completion: OptimisticUpdate.Completion? = nil, sent ticket: SendingTicket? = nil
  ) async throws {
    guard takes(ticket?.asked), takes(records.asked) else { return await drop(completion) }
    let updateError: (any Error)?
    do {
      updateError = try await merge(records, origin: origin, rules: rules, completing: completion, sent: ticket)
    } catch {
      ticket?.parts(in: self)?.forgetPart()
      await drop(completion)
      throw error
    }
    if let updateError { throw updateError }
  }

  /// Merges records that an app made, and makes the change that ends a guess.
  ///
  /// - Returns: What that change threw; nil if it threw nothing.
  /// - Throws: What the backend throws; then nothing has changed.
  private func merge(
    _ records: RecordSet, origin: UUID?, rules: RecordTable.MergeRules,
    completing completion: OptimisticUpdate.Completion?, sent ticket: SendingTicket?
  ) async throws -> (any Error)? {
    var table = table, order = ticket?.write(in: self), rules = rules
    rules.parts = ticket?.parts(in: self)
    if let backend {
      while case let missing = table.missing(for: records), !missing.isEmpty {
        try await table.fill(missing, from: backend)
      }
    }
    var changes = table.merge(records, rules: rules, in: &order), updateError: (any Error)?
    if let completion { updateError = await make(completion, on: &table, &changes, in: &order) }
    try await finish(
      table, changes, origin: origin, layers: completion.map { layers.list(without: $0.token) }, order: consume order)
    return updateError
  }

  /// Passes a write to the backend and completes it. If the backend throws, nothing changes.
  ///
  /// - Parameters:
  ///   - table: The table to be put in place.
  ///   - changes: How it differs from the table before.
  ///   - origin: Identifies the writer, which is not told. nil, the default: all are told.
  ///   - list: The layers from then on. nil, the default: those that there are.
  ///   - order: What an answer has written. nil, the default: it is in order, or no answer.
  /// - Throws: What the backend throws.
  func finish(
    _ table: RecordTable, _ changes: ChangeSet, origin: UUID? = nil, layers list: [OptimisticLayer]? = nil,
    order: consuming OrderedWrite? = nil
  ) async throws {
    do { try await persist(changes, of: table) } catch {
      giveUp()
      throw error
    }
    var table = table
    hideUnremoved(in: &table)
    // A layer that has gone is a change as well.
    let run = hasLayers ? await run(list ?? layers.list, onLoaded: &table) : nil
    let isPart = noteOrder(of: &order)
    commit(table, changes, origin: origin, layers: run)
    if isPart { notePart(by: origin) }
  }

  // MARK: Transactions

  /// Runs a transaction on a thread of the store. If it throws, or if the backend does, nothing changes.
  func runTransaction<T>(identity: ObjectIdentity, _ body: (ApolloStore.ReadWriteTransaction) throws -> T) throws -> T {
    let transaction = ApolloStore.ReadWriteTransaction(of: self, on: table, identity: identity, loads: true)
    defer { transaction.end() }
    let result = try body(transaction)
    transaction.end()
    let (table, changes) = (transaction.table, transaction.changes)
    if let backend, !changes.isEmpty {
      try backend.wait { try await self.finish(table, changes) }
    } else {
      commit(table, changes)
    }
    return result
  }

  /// Runs a transaction in the task of the caller. If it throws, or if the backend does, nothing changes.
  func runTransaction<T>(
    identity: ObjectIdentity, _ body: (ApolloStore.ReadWriteTransaction) async throws -> T
  ) async throws -> T {
    let transaction = ApolloStore.ReadWriteTransaction(of: self, on: table, identity: identity, loads: true)
    defer { transaction.end() }
    let result = try await body(transaction)
    transaction.end()
    try await finish(transaction.table, transaction.changes)
    return result
  }
}
