import ApolloAPI

/// The order in which operations were sent, and what has been written out of this order.
///
/// A field that a later operation has written is not overwritten by the answer to an earlier one, whose server may not
/// have known of the later one yet. The answer to a mutation is only held back by that to a later mutation: a query that
/// was sent after a mutation, and answered before it, has most likely not seen its effect. What was written is remembered
/// only as long as an earlier operation is under way.
struct SendingOrder {
  /// The operation and the mutation, of those that have written or removed something, that were sent last.
  struct Writers {
    var operation: UInt64 = 0
    var mutation: UInt64 = 0

    fileprivate mutating func insert(_ write: OrderedWrite) {
      operation = max(operation, write.number)
      if write.isMutation { mutation = max(mutation, write.number) }
    }
  }

  /// What operations have written and removed while an earlier one was under way.
  struct Written {
    var fields: [RecordField: Writers] = [:]
    /// The fields and the records that were removed, the records under `unresolved`. What is there all the same was
    /// written after the removal.
    var removed: [RecordField: Writers] = [:]
    /// The patterns of the keys that were removed.
    var patterns: [CacheKeyPattern: Writers] = [:]

    var isEmpty: Bool { fields.isEmpty && removed.isEmpty && patterns.isEmpty }

    /// What is left of it for the operations from a number on.
    fileprivate func from(_ oldest: UInt64) -> Written {
      Written(
        fields: fields.filter { $0.value.operation > oldest }, removed: removed.filter { $0.value.operation > oldest },
        patterns: patterns.filter { $0.value.operation > oldest })
    }
  }

  /// Whether each operation is under way, from ``oldest`` on.
  private var isUnderWay = FirstInFirstOut<Bool>()
  /// No operation is under way with a smaller number.
  private var oldest: UInt64 = 1
  private(set) var written = Written()
  /// What rules have merged of the answers that come in parts, by the numbers of their operations.
  private var parts: [UInt64: MergedParts] = [:]
  /// The places of the operations that were sent again, by the numbers that they began with.
  private var places: [UInt64: UInt64] = [:]
  var isOn = true

  /// Begins an operation that is sent now. It keeps its number when it is sent again.
  mutating func begin() -> UInt64 {
    isUnderWay.append(true)
    return oldest + UInt64(isUnderWay.count) - 1
  }

  /// Gives an operation a new place that is sent again now, if others have begun since. The records of its answer are
  /// as new when they come again. What rules have merged of it is not merged once more.
  mutating func renew(_ number: UInt64) {
    parts(of: number)?.forgetPart()
    let place = place(of: number)
    guard place + 1 < oldest + UInt64(isUnderWay.count) else { return }
    places[number] = begin()
    leave(place)
  }

  private func place(of number: UInt64) -> UInt64 { places.isEmpty ? number : places[number] ?? number }

  mutating func expectParts(of number: UInt64) {
    if parts[number] == nil { parts[number] = MergedParts() }
  }

  func parts(of number: UInt64) -> MergedParts? { parts.isEmpty ? nil : parts[number] }

  /// What has become of the parts of all answers that come in parts.
  var allParts: [MergedParts] { Array(parts.values) }

  mutating func end(_ number: UInt64) {
    if !parts.isEmpty { parts[number] = nil }
    leave(places.isEmpty ? number : places.removeValue(forKey: number) ?? number)
  }

  private mutating func leave(_ number: UInt64) {
    guard number >= oldest, number - oldest < UInt64(isUnderWay.count) else { return }
    isUnderWay.replace(at: Int(number - oldest), with: false)
    guard number == oldest else { return }
    while isUnderWay.first == false {
      _ = isUnderWay.popFirst()
      oldest += 1
    }
    if written.isEmpty { return }
    written = isUnderWay.count == 0 ? Written() : written.from(oldest)
  }

  /// What has to be known for writing the answer to an operation; nil if it is in order.
  func write(of number: UInt64, isMutation: Bool) -> OrderedWrite? {
    let number = place(of: number)
    let notes = oldest < number && isUnderWay.count > 0
    guard isOn, notes || !written.isEmpty else { return nil }
    return OrderedWrite(number: number, isMutation: isMutation, written: written, notes: notes)
  }

  /// Notes what an operation has written. (A write that still has what others have written makes this copy all of it.)
  mutating func note(_ write: OrderedWrite) {
    // What was earlier may have ended since.
    guard isUnderWay.count > 0, oldest < write.number else { return }
    for place in write.fields { written.fields[place, default: Writers()].insert(write) }
    for place in write.removed { written.removed[place, default: Writers()].insert(write) }
    for pattern in write.patterns { written.patterns[pattern, default: Writers()].insert(write) }
  }
}

/// The answer to one operation, as it is written among those to others.
struct OrderedWrite {
  let number: UInt64
  let isMutation: Bool
  /// What is not to be overwritten by earlier operations.
  private(set) var written: SendingOrder.Written
  /// Whether the fields are noted, because an earlier operation is under way.
  let notes: Bool
  /// The fields that were written.
  private(set) var fields: [RecordField] = []
  /// The fields and records that were removed, the records under `unresolved`.
  private(set) var removed: [RecordField] = []
  /// The patterns of the keys that were removed.
  private(set) var patterns: [CacheKeyPattern] = []
  /// Whether a part of the answer was left out.
  private(set) var isPart = false

  init(number: UInt64, isMutation: Bool, written: SendingOrder.Written, notes: Bool) {
    self.number = number
    self.isMutation = isMutation
    self.written = written
    self.notes = notes
  }

  /// Forgets what other operations have written, when the write is complete.
  mutating func forgetOthers() { written = SendingOrder.Written() }

  /// Notes what the operation has written beside its answer: by its edits of lists, and by the change of the app that
  /// came with it. This is written whatever later operations have written.
  ///
  /// - Parameters:
  ///   - changes: What was written and removed.
  ///   - table: The records after it.
  mutating func note(_ changes: ChangeSet, in table: RecordTable) {
    guard notes else { return }
    patterns += changes.removedPatterns.map { CacheKeyPattern($0) }
    for (number, key) in changes.fields where !RecordTable.isRootOfWrites(number) {
      let isThere = key == .typename || table[number]?.value(of: key) != nil
      if isThere {
        fields.append(RecordField(record: number, key: key))
      } else {
        removed.append(RecordField(record: number, key: key))
      }
    }
    removed += changes.removedRecords.lazy.map(Self.whole)
  }

  /// What stands for a record as a whole.
  private static func whole(_ number: Int32) -> RecordField { RecordField(record: number, key: .unresolved) }

  /// Whether an operation that was sent later has written or removed something.
  private func isEarlier(than writers: SendingOrder.Writers?) -> Bool {
    guard let writers else { return false }
    return (isMutation ? writers.mutation : writers.operation) > number
  }

  /// Whether an operation that was sent later has removed a record.
  private func hasRemoved(_ number: Int32, _ key: () -> CacheKey?) -> Bool {
    if isEarlier(than: written.removed[Self.whole(number)]) { return true }
    guard !written.patterns.isEmpty, let key = key() else { return false }
    return written.patterns.contains { pattern, writers in isEarlier(than: writers) && pattern.matches(key) }
  }

  /// The part of a record that is written.
  ///
  /// A field that a later operation has written stays as it is, as long as it is there. Of an object without a key in it,
  /// what is new is taken. A field or a record that a later operation has removed does not come back, nor does a part
  /// of it. What was written after the removal stays as what that operation has written. The type of the object counts
  /// as a field. Pages, and what functions of the app merge, are always taken. The roots of mutations and subscriptions
  /// have what was answered last, and are always taken.
  ///
  /// - Parameters:
  ///   - record: The record that comes in.
  ///   - number: Its number.
  ///   - old: The record that is there.
  ///   - key: Its key. nil, the default: it is not known.
  /// - Returns: The part. Nothing is written of a record that is empty and has no type.
  mutating func part(
    of record: ObjectRecord, _ number: Int32, over old: ObjectRecord?, key: @autoclosure () -> CacheKey? = nil
  ) -> ObjectRecord {
    if RecordTable.isRootOfWrites(number) { return record }
    let wasRemoved = hasRemoved(number, key)
    if old == nil, wasRemoved {
      isPart = true
      return ObjectRecord.make(type: .unknown, capacity: 0)
    }
    let typePlace = RecordField(record: number, key: .typename)
    // The name of another type that a later operation has told.
    var laterType = wasRemoved || isEarlier(than: written.fields[typePlace]) ? old?.typename : nil
    if let name = laterType, name == record.typename { laterType = nil }
    if notes, laterType == nil, record.type != .unknown { fields.append(typePlace) }
    var kept: [ObjectRecord.Field] = [], isWhole = laterType == nil
    record.forEachField { field in
      if field.key == .typename, let laterType {
        // An alias makes it a field as well.
        return kept.append(ObjectRecord.Field(.typename, .string(laterType)))
      }
      let place = RecordField(record: number, key: field.key)
      let isRemoved = wasRemoved || isEarlier(than: written.removed[place])
      // (The field is searched for only if it matters.)
      let isLater = isRemoved || isEarlier(than: written.fields[place])
      let there = isLater ? old?.value(of: field.key) : nil
      if isRemoved || there != nil, !field.value.isMergedByRule {
        isWhole = false
        if let there, let part = field.value.part(over: there, takesNew: !isRemoved) {
          kept.append(ObjectRecord.Field(field.key, part))
        }
      } else {
        kept.append(field)
        if notes, !field.value.isError { fields.append(place) }
      }
    }
    if isWhole { return record }
    isPart = true
    let part = ObjectRecord.make(type: laterType == nil ? record.type : .unknown, capacity: kept.count)
    for field in kept { part.append(field) }
    return part
  }
}

extension RecordValue {
  fileprivate var isMergedByRule: Bool { if case .incoming = self { true } else { false } }

  /// The part that is written over a value of a later operation: what is merged by a rule, and what an object has that
  /// is not there, if that is taken. nil if there is no such part.
  fileprivate func part(over there: RecordValue, takesNew: Bool) -> RecordValue? {
    switch (self, there) {
    case (.incoming, _): return self
    case (.object(let new), .object(let old)) where new.hasSameType(as: old):
      let part = ObjectRecord.make(type: new.type, capacity: new.count)
      new.forEachField { field in
        guard let there = old.value(of: field.key) else {
          return takesNew || field.value.isMergedByRule ? part.append(field) : ()
        }
        if let value = field.value.part(over: there, takesNew: takesNew) {
          part.append(ObjectRecord.Field(field.key, value))
        }
      }
      return part.count == 0 ? nil : .object(part)
    default: return nil
    }
  }

  fileprivate var isError: Bool { if case .error = self { true } else { false } }
}
