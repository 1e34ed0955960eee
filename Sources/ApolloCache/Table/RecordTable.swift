import ApolloAPI
import Foundation

/// The records of a store, and their keys.
///
/// The records are a value: a write changes a copy, which becomes the store's table when it is complete. Keys are only
/// added, so a number stands for one record in every copy that shares the keys.
struct RecordTable: Sendable {
  private(set) var records: RecordSnapshot
  /// How many bytes the records take, by estimate; nil if they are not counted.
  private(set) var byteCount: Int?
  /// The number of writes that have led to this table.
  var version: UInt64 = 0
  /// How many keys the records use: one for each record, and one for each of its fields with arguments.
  private var usedKeyCount = 0
  /// How many keys have lost a use since the keys were last compacted.
  private var lostKeyCount = 0
  /// How many keys there were when they were last compacted.
  private var compactedKeyCount = 0
  /// The patterns of the keys that a layer has removed, or a transaction that is under way: such records of a backend are
  /// not shown.
  private var hidden: [CacheKeyPattern] = []
  /// The patterns of the keys that the backend failed to remove: such records of it are not shown either.
  var unremoved: [CacheKeyPattern] = []
  /// The fields that guesses have written, which do not age as long as the guesses stand; nil if there are none.
  var guesses: Set<RecordField>?

  init(countsBytes: Bool = false, hasBackend: Bool = false) {
    byteCount = countsBytes ? 0 : nil
    records = RecordSnapshot(hasBackend: hasBackend)
  }

  init(records: RecordSnapshot) { self.records = records }

  subscript(number: Int32) -> ObjectRecord? { records[number] }

  /// The numbers of all records.
  var numbers: [Int32] { (0..<Int32(records.count)).filter { records[$0] != nil } }

  // MARK: Merging

  /// Merges a batch of records, whatever other operations have written.
  mutating func merge(_ batch: consuming RecordBatch, date: FieldDate = FieldDate()) -> ChangeSet {
    var order: OrderedWrite?
    return merge(batch, date: date, rules: MergeRules(), in: &order)
  }

  /// Merges a batch of records.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - date: When the server sent them, and until when they may be used; 0 if they are not from a server.
  ///   - rules: The rules for merging values.
  ///   - order: What other operations have written out of the order of sending; nil: nothing.
  /// - Returns: The fields that changed.
  mutating func merge(
    _ batch: consuming RecordBatch, date: FieldDate, rules: MergeRules, in order: inout OrderedWrite?
  ) -> ChangeSet {
    let incoming = IncomingRecords(
      batch, in: records, date: date, leavesOutNulls: rules.leavesOutNulls, rules.parts)
    let hasErrors = incoming.hasErrors, parts = rules.beginPart(incoming.hasOpenLists, in: records)
    let isPart = order != nil || parts != nil
    var changes = ChangeSet()
    changes.mergerError = incoming.forEachRecord { number, record, dates, context in
      context?.begin(number, records.dates(of: number))
      merge(
        isPart ? part(of: record, number, parts, context, &order) : record, into: number, dates: dates, rules: rules,
        hasErrors: hasErrors, context: context, &changes)
    }
    return changes
  }

  /// The numbers that the records of a batch have in this table.
  func numbers(of batch: borrowing RecordBatch) -> [Int32] { batch.numbers(in: records.keys) }

  /// Merges a record into the one with a number.
  ///
  /// - Parameters:
  ///   - record: The record that comes in.
  ///   - number: The number.
  ///   - dates: When a server sent its fields. Without a date, it is a write of the app.
  ///   - rules: The rules for merging values.
  ///   - hasErrors: Whether errors may stand in place of values.
  ///   - context: What functions of the app are told that merge fields, begun with the record. nil, the default: there
  ///     are none.
  ///   - changes: Takes the fields that changed.
  mutating func merge(
    _ record: ObjectRecord, into number: Int32, dates: RecordDates, rules: MergeRules = MergeRules(),
    hasErrors: Bool = false, context: MergeContext? = nil, _ changes: inout ChangeSet
  ) {
    let record = rules.isShared ? record.removing(dates.keysOfNotStored(in: record)) : record
    // An object that is for one user leaves nothing, not even its key. (No field that is kept leads to it.)
    if rules.isShared, records[number] == nil, dates.date(of: .typename).isTransient,
      record.fields.allSatisfy({ $0.key == .typename })
    {
      return
    }
    if let old = records[number] {
      let merged = old.merging(record, replacingByErrors: rules.replacesValuesByErrors, context) {
        changes.insert(number, $0)
      }
      if let merged { if dates.isKnown { set(number, merged) } else { setLocally(number, merged) } }
    } else if record.count > 0 || record.type != .unknown {
      set(number, context.map(record.merged) ?? record)
      record.forEachKey { changes.insert(number, $0) }
      if record.count == 0 { changes.insert(number, .typename) }
    }
    guard dates.isKnown else {
      // A guess that confirms a value of the server takes over its age as well.
      if guesses != nil { record.forEachKey { guesses?.insert(RecordField(record: number, key: $0)) } }
      return
    }
    let isPart = hasErrors || context?.hasDroppedValues == true
    let confirmed = isPart ? stored(of: record, in: number, context) : record
    guard records.hasBackend else { return _ = records.confirm(confirmed, of: number, with: dates) }
    let old = records.dates(of: number)
    guard records.confirm(confirmed, of: number, with: dates) else { return }
    changes.insertConfirmation(of: number)
    if records.hasExpiries, !old.hasSameFieldsForBackend(as: records.dates(of: number), of: confirmed) {
      changes.insertRewriting(of: number)
    }
  }

  /// The fields that came in and were stored. Where a value stays because an error came, or because a page is not
  /// taken, it does not become newer.
  private func stored(of record: ObjectRecord, in number: Int32, _ context: MergeContext?) -> ObjectRecord {
    record.removing(
      record.fields.lazy.filter { field in
        if case .incoming(let value) = field.value { return context?.hasDropped(value) == true }
        guard case .error = field.value else { return false }
        if case .error? = records[number]?.value(of: field.key) { return false }
        return true
      }.map(\.key))
  }

  /// Replaces a record by one that an app has changed. No server has sent the fields that are new.
  mutating func setLocally(_ number: Int32, _ record: ObjectRecord) {
    var dates = records.dates(of: number)
    if let old = records[number] { dates.forgetFields(of: record, notIn: old) }
    set(number, record)
    if dates != records.dates(of: number) { records.setDates(of: number, dates) }
  }

  // MARK: Removing

  mutating func remove(_ number: Int32) -> ChangeSet {
    var changes = ChangeSet()
    guard records[number] != nil else {
      guard !records.isGone(number) else { return changes }
      set(number, nil)
      if records.hasBackend { records.setLoaded(number) }
      changes.insertRemoval(of: number)
      return changes
    }
    set(number, nil)
    changes.insertRemoval(of: number)
    return changes
  }

  mutating func remove(_ keys: [FieldKey], from number: Int32) -> ChangeSet {
    var changes = ChangeSet()
    guard let record = records[number] else { return changes }
    let wanted = Set(keys)
    var removed: [FieldKey] = []
    record.forEachKey { if wanted.contains($0) { removed.append($0) } }
    guard !removed.isEmpty else { return changes }
    set(number, record.removing(removed))
    for key in removed { changes.insertRemoval(of: key, from: number) }
    return changes
  }

  /// Removes those fields of a record that one table has and another one does not.
  mutating func removeFields(of number: Int32, in table: RecordTable, notIn other: RecordTable) {
    guard let record = records[number], let old = table[number] else { return }
    let left = Set(other[number]?.fields.map(\.key) ?? [])
    set(number, record.removing(old.fields.map(\.key).filter { !left.contains($0) }))
  }

  mutating func removeAll() -> ChangeSet {
    var changes = ChangeSet()
    for number in numbers { changes.insertRemoval(of: number) }
    lostKeyCount += usedKeyCount
    usedKeyCount = 0
    records.removeAll()
    if byteCount != nil { byteCount = 0 }
    return changes
  }

  // MARK: One record

  mutating func set(_ number: Int32, _ record: ObjectRecord?) {
    let old = records[number]
    if let bytes = byteCount {
      byteCount =
        bytes + (record.map { records.size(of: $0, number) } ?? 0) - (old.map { records.size(of: $0, number) } ?? 0)
    }
    let lost = old?.keyCount ?? 0, used = record?.keyCount ?? 0
    usedKeyCount += used - lost
    lostKeyCount += max(0, lost - used)
    records.setRecord(number, record)
  }

  /// A date in seconds since 1970; 0 for a date that is not known, or not a number.
  static func seconds(_ date: Date?) -> UInt32 {
    guard let seconds = date?.timeIntervalSince1970, seconds > 0 else { return 0 }
    return seconds < Double(UInt32.max) ? UInt32(seconds) : .max
  }

  // MARK: Records of a backend

  /// Whether the record was requested from the backend before.
  func isLoaded(_ number: Int32) -> Bool { records.isLoaded(number) }

  /// Those records that were not requested from the backend yet.
  func unloaded(of numbers: some Sequence<Int32>) -> UnloadedRecords {
    var unloaded = UnloadedRecords()
    for number in numbers where !isLoaded(number) {
      if let key = records.key(of: number) { unloaded.append(number, key) }
    }
    return unloaded
  }

  /// Adds what the backend has of records.
  mutating func fill(_ unloaded: UnloadedRecords, with loaded: LoadedRecords) {
    for (index, number) in unloaded.numbers.enumerated() {
      var isMissing = false
      switch loaded {
      case _ where isHidden(unloaded.keys[index]): break
      case .records(let records):
        if let record = records[index] { fill(number, with: imported(record.fields), imported(datesOf: record)) }
      case .stored(let records):
        if let stored = records[index] {
          if !stored.isRemoved { fill(number, with: stored.record, stored.dates) }
        } else {
          isMissing = self[number] == nil
        }
      }
      records.setLoaded(number, mayCome: isMissing)
    }
  }

  /// Adds what the backend has of a record. What was written while the backend could not be asked for it is newer.
  private mutating func fill(_ number: Int32, with stored: ObjectRecord, _ dates: RecordDates) {
    let newer = records[number], newerDates = records.dates(of: number)
    let merged = newer.flatMap { stored.merging($0, replacingByErrors: false) { _ in } } ?? stored
    var dates = dates
    if let newer { dates.confirm(newer, of: merged, with: newerDates) }
    set(number, merged)
    records.setDates(of: number, dates)
  }

  /// Takes what a backend has now of a record that was loaded before.
  ///
  /// - Parameters:
  ///   - stored: What the backend has.
  ///   - number: The number of the record.
  ///   - isKept: Whether the backend keeps such records, so that one that it does not have is not in memory either.
  ///   - changes: Takes the fields that changed.
  mutating func take(_ stored: StoredRecord?, of number: Int32, isKept: Bool, _ changes: inout ChangeSet) {
    if let stored, !stored.isRemoved {
      replace(number, by: stored, &changes)
      return
    }
    if records[number] != nil {
      guard isKept else { return }
      changes.formUnion(remove(number))
    }
    set(number, nil)
    records.setLoaded(number, mayCome: stored == nil)
  }

  /// Replaces the fields of a record by those that a backend has now. Fields that the backend does not have stay.
  private mutating func replace(_ number: Int32, by stored: StoredRecord, _ changes: inout ChangeSet) {
    guard let old = records[number] else {
      set(number, stored.record)
      records.setDates(of: number, stored.dates)
      stored.record.forEachKey { changes.insert(number, $0) }
      return
    }
    var dates = records.dates(of: number)
    let merged = old.merging(stored.record, replacingByErrors: true) { changes.insert(number, $0) } ?? old
    set(number, merged)
    dates.confirm(stored.record, of: merged, with: stored.dates)
    records.setDates(of: number, dates)
  }

  /// Adds records that another copy of this table has loaded from the backend.
  mutating func takeLoaded(_ numbers: Set<Int32>, from other: RecordTable) {
    for number in numbers where !isLoaded(number) && other.isLoaded(number) {
      // A part of it that is in memory is in the other copy as well.
      if let record = other[number], hidesNothing || !isHidden(records.key(of: number) ?? "") {
        set(number, record)
        records.setDates(of: number, other.records.dates(of: number))
        records.setLoaded(number)
      } else {
        records.setLoaded(number, mayCome: other[number] == nil && !other.records.isGone(number))
      }
    }
  }

  /// Hides the records of the backend whose keys match, and that are not in memory.
  mutating func hide(_ pattern: CacheKeyPattern) { hidden.append(pattern) }

  /// Shows again what was hidden: the backend has removed it, or it is ``unremoved``.
  mutating func showHidden() { hidden = [] }

  private var hidesNothing: Bool { hidden.isEmpty && unremoved.isEmpty }

  func isHidden(_ key: CacheKey) -> Bool {
    hidden.contains { $0.matches(key) } || unremoved.contains { $0.matches(key) }
  }

  /// Removes a record from memory that the backend still has, or that may come again.
  mutating func evict(_ number: Int32) {
    set(number, nil)
    records.setEvicted(number, true)
  }

  // MARK: New numbers

  /// Whether it is time to compact the keys.
  ///
  /// There has to be much to gain: more keys without a use than with one, and 1,024 more. And enough has to have
  /// happened since the last time: as many keys have come, or lost a use, as are half of all keys. So a store that keeps
  /// many unused keys for its watchers does not compact at each write.
  var needsCompaction: Bool {
    let count = records.keyCount
    return count > 1024 + 2 * usedKeyCount && 2 * (count - compactedKeyCount + lostKeyCount) > count
  }

  /// The records under new numbers, without the keys that are no longer used.
  ///
  /// - Parameters:
  ///   - keptKeys: Keys of records that stay although no record uses them.
  ///   - keptFields: Names of fields, with arguments, whose keys stay although no record uses them.
  /// - Returns: The table, and the new numbers of records by their old ones.
  func compacted(
    keeping keptKeys: [CacheKey] = [], fields keptFields: [String] = []
  ) -> (table: RecordTable, numbers: [Int32: Int32]) {
    var table = RecordTable(countsBytes: byteCount != nil, hasBackend: records.hasBackend)
    table.version = version
    var numbers: [Int32: Int32] = [:]
    func renumber(_ old: Int32) -> Int32 {
      if let known = numbers[old] { return known }
      let new = table.number(for: records.key(of: old) ?? "")
      numbers[old] = new
      return new
    }
    var fieldKeys: [FieldKey: FieldKey] = [:]
    func fieldKey(_ old: FieldKey) -> FieldKey {
      if let known = fieldKeys[old] { return known }
      let text = records.text(of: old), new = table.records.keys.withLock { $0.fieldKey(text) }
      fieldKeys[old] = new
      return new
    }
    for old in self.numbers {
      guard let record = records[old] else { continue }
      let new = renumber(old)
      table.set(new, record.renumbered(renumber, fieldKey))
      table.records.setDates(of: new, records.dates(of: old).renumbered(fieldKey))
      if isLoaded(old) { table.records.setLoaded(new) }
    }
    for (old, new) in numbers where self[old] == nil {
      if !records.isGone(old) {
        if !records.hasBackend { table.records.setEvicted(new, true) }
      } else if records.hasBackend {
        table.records.setLoaded(new)
      }
    }
    for key in keptKeys { _ = table.records.insert(key) }
    for field in keptFields { table.records.keys.withLock { _ = $0.fieldKey(field) } }
    table.compactedKeyCount = table.records.keyCount
    return (table, numbers)
  }
}

/// Records that a backend was not asked for yet, in any order.
struct UnloadedRecords: Sendable {
  private(set) var numbers: [Int32] = []
  private(set) var keys: [CacheKey] = []

  var isEmpty: Bool { numbers.isEmpty }

  mutating func append(_ number: Int32, _ key: CacheKey) {
    numbers.append(number)
    keys.append(key)
  }
}

extension RecordDates {
  /// The fields of a record that must not be stored.
  func keysOfNotStored(in record: ObjectRecord) -> [FieldKey] {
    record.fields.lazy.map(\.key).filter { $0 != .typename && date(of: $0).isTransient }
  }
}
