/// The records of a batch, in the numbers of the store that they are merged into.
package struct IncomingRecords: ~Copyable {
  private let batch: RecordBatch
  private let numbers: BatchNumbers
  private let date: FieldDate
  private let leavesOutNulls: Bool
  private let fields: IncomingFields?
  private let context: MergeContext?

  /// Gives the keys of a batch numbers in a store.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - records: The records of the store. They are kept only if rules merge fields.
  ///   - date: When the server sent the batch, and until when its values may be used; 0 if it is not from a server.
  ///   - leavesOutNulls: Whether nulls are left out.
  ///   - parts: What rules have merged of earlier parts of the response; nil: it comes whole.
  package init(
    _ batch: consuming RecordBatch, in records: RecordSnapshot, date: FieldDate, leavesOutNulls: Bool,
    _ parts: MergedParts?
  ) {
    let numbers = records.keys.withLock { $0.insert(batch.keys, batch.rules) }
    let fields = batch.incomingFields(inParts: parts != nil)
    context = fields.map { _ in MergeContext(records: records, seconds: date.seconds, numbers, parts) }
    self.fields = fields
    self.numbers = numbers
    self.date = date
    self.leavesOutNulls = leavesOutNulls
    self.batch = batch
  }

  /// Whether errors may stand in place of values.
  package var hasErrors: Bool { batch.hasErrors }

  /// Whether lists may be shorter than in the whole answer.
  package var hasOpenLists: Bool { batch.hasOpenLists }

  /// Gives up the records, one after the other.
  ///
  /// - Parameter body: Merges a record. It is given the number, the record, the dates of its fields, and what functions of
  ///   the app are told that merge fields; nil if there are none.
  /// - Returns: The first error of a function of the app that merges fields; nil if there was none.
  package consuming func forEachRecord(
    _ body: (Int32, ObjectRecord, RecordDates, MergeContext?) -> Void
  ) -> FieldPolicy.MergerError? {
    let (numbers, fields, context, leavesOutNulls) = (numbers, fields, context, leavesOutNulls)
    let dates = RecordDates(date), lifetimes = batch.lifetimes
    func pass(_ index: Int32, _ incoming: ObjectRecord) {
      incoming.renumber(numbers)
      var ownDates: RecordDates?
      if !lifetimes.isEmpty, let own = lifetimes[index] { ownDates = dates.limited(to: own, numbers) }
      body(numbers[index], incoming, ownDates ?? dates, context)
    }
    var merge = Merge(isOfOneResponse: true)
    batch.forEachRecord { index, record in
      let given = leavesOutNulls ? record.withoutNulls : record
      pass(index, fields?.marking(given, type: .ofRoot(numbers[index]), &merge) ?? given)
    }
    while let fields, let twin = merge.twins.popLast() { pass(twin.number, fields.marking(twin.object, &merge)) }
    return context?.error
  }
}

extension RecordDates {
  /// The dates, with the lifetimes of some fields of a batch.
  fileprivate func limited(to lifetimes: [FieldKey: Lifetime], _ numbers: BatchNumbers) -> RecordDates {
    let limit = common.lifetimeLimit
    return RecordDates(
      common,
      exceptions: lifetimes.map { key, lifetime in
        (numbers.storedKey(of: key), lifetime.limited(to: limit).date(at: common.seconds))
      })
  }
}
