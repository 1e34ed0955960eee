import ApolloConcurrency
import ApolloAPI

/// The order in which operations were sent, and what has been written out of this order.
///
/// A field that a later operation has written is not overwritten by the answer to an earlier one, whose server may not
/// have known of the later one yet. The answer to a mutation is only held back by that to a later mutation: a query that
/// was sent after a mutation, and answered before it, has most likely not seen its effect. What was written is remembered
/// only as long as an earlier operation is under way.
struct SendingOrder {
  /// Who has written a field last, or removed a field or a record, by the order of sending.
  struct Writers {
    var operation: UInt64 = 0
    var mutation: UInt64 = 0
    /// Whether what has happened last is a removal.
    var isRemoval = false
  }

  /// Whether each operation is under way, from ``oldest`` on.
  private var isUnderWay = FirstInFirstOut<Bool>()
  /// No operation is under way with a smaller number.
  private var oldest: UInt64 = 1
  /// The fields that an operation has written or removed while an earlier one was under way. A record that
  /// it has removed is in it under `unresolved`, which stands for any field.
  private(set) var written: [RecordField: Writers] = [:]
  var isOn = true

  /// Begins an operation that is sent now.
  mutating func begin() -> UInt64 {
    isUnderWay.append(true)
    return oldest + UInt64(isUnderWay.count) - 1
  }

  mutating func end(_ number: UInt64) {
    guard number >= oldest, number - oldest < UInt64(isUnderWay.count) else { return }
    isUnderWay.replace(at: Int(number - oldest), with: false)
    guard number == oldest else { return }
    while isUnderWay.first == false {
      _ = isUnderWay.popFirst()
      oldest += 1
    }
    if written.isEmpty { return }
    written = isUnderWay.count == 0 ? [:] : written.filter { $0.value.operation > oldest }
  }

  /// What has to be known for writing the answer to an operation; nil if it is in order.
  func write(of number: UInt64, isMutation: Bool) -> OrderedWrite? {
    let notes = oldest < number && isUnderWay.count > 0
    guard isOn, notes || !written.isEmpty else { return nil }
    return OrderedWrite(number: number, isMutation: isMutation, written: written, notes: notes)
  }

  mutating func note(_ write: OrderedWrite) {
    // What was earlier may have ended since.
    guard isUnderWay.count > 0, oldest < write.number else { return }
    for place in write.fields { note(place, of: write, isRemoval: false) }
    for place in write.removed { note(place, of: write, isRemoval: true) }
  }

  private mutating func note(_ place: RecordField, of write: OrderedWrite, isRemoval: Bool) {
    var writers = written[place] ?? Writers()
    writers.operation = max(writers.operation, write.number)
    if write.isMutation { writers.mutation = max(writers.mutation, write.number) }
    writers.isRemoval = isRemoval
    written[place] = writers
  }
}

/// The answer to one operation, as it is written among those to others.
struct OrderedWrite {
  let number: UInt64
  let isMutation: Bool
  /// The fields that are not to be overwritten by earlier operations.
  let written: [RecordField: SendingOrder.Writers]
  /// Whether the fields are noted, because an earlier operation is under way.
  let notes: Bool
  /// The fields that were written.
  private(set) var fields: [RecordField] = []
  /// The fields and records that were removed, the records under `unresolved`.
  private(set) var removed: [RecordField] = []

  init(number: UInt64, isMutation: Bool, written: [RecordField: SendingOrder.Writers], notes: Bool) {
    self.number = number
    self.isMutation = isMutation
    self.written = written
    self.notes = notes
  }

  /// Notes what the operation has changed beside its answer: by its edits of lists, and by the change of the app that
  /// came with it. These changes are made whatever later operations have written.
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - table: The records after it.
  mutating func note(_ changes: ChangeSet, in table: RecordTable) {
    guard notes else { return }
    for (number, key) in changes.fields where !RecordTable.isRootOfWrites(number) {
      let isThere = key == .typename || table[number]?.value(of: key) != nil
      if isThere {
        fields.append(RecordField(record: number, key: key))
      } else {
        removed.append(RecordField(record: number, key: key))
      }
    }
    for number in changes.removedRecords where table[number] == nil { removed.append(Self.whole(number)) }
  }

  /// What stands for a record as a whole.
  private static func whole(_ number: Int32) -> RecordField { RecordField(record: number, key: .unresolved) }

  /// Whether an operation that was sent later has written or removed something.
  private func isEarlier(than writers: SendingOrder.Writers?) -> Bool {
    guard let writers else { return false }
    return (isMutation ? writers.mutation : writers.operation) > number
  }

  /// The part of a record that is written.
  ///
  /// A field that a later operation has written stays as it is, as long as it is there. Of an object without a key in it,
  /// what is new is taken. A field or a record that a later operation has removed does not come back. Pages, and what
  /// functions of the app merge, are always taken. The roots of mutations and subscriptions have what was answered
  /// last, and are always taken.
  ///
  /// - Parameters:
  ///   - record: The record that comes in.
  ///   - number: Its number.
  ///   - old: The record that is there.
  /// - Returns: The part. Nothing is written of a record that is empty and has no type.
  mutating func part(of record: ObjectRecord, _ number: Int32, over old: ObjectRecord?) -> ObjectRecord {
    if RecordTable.isRootOfWrites(number) { return record }
    if old == nil, isEarlier(than: written[Self.whole(number)]) {
      return ObjectRecord.make(type: .unknown, capacity: 0)
    }
    var kept: [ObjectRecord.Field] = [], isWhole = true
    record.forEachField { field in
      let place = RecordField(record: number, key: field.key)
      let writers = written[place]
      if isEarlier(than: writers), !field.value.isMergedByRule,
        case let there = old?.value(of: field.key), there != nil || writers?.isRemoval == true
      {
        isWhole = false
        if let there, let part = field.value.part(over: there) { kept.append(ObjectRecord.Field(field.key, part)) }
      } else {
        kept.append(field)
        if notes, !field.value.isError { fields.append(place) }
      }
    }
    if isWhole { return record }
    // The later operation has told the type as well.
    let isTypeKnown = old.map { $0.type != .unknown } ?? false
    let part = ObjectRecord.make(type: isTypeKnown ? .unknown : record.type, capacity: kept.count)
    for field in kept { part.append(field) }
    return part
  }
}

extension RecordValue {
  fileprivate var isMergedByRule: Bool { if case .incoming = self { true } else { false } }

  /// The part that is written over a value of a later operation: what is merged by a rule, and what an object has that is
  /// not there. nil if there is no such part.
  fileprivate func part(over there: RecordValue) -> RecordValue? {
    switch (self, there) {
    case (.incoming, _): return self
    case (.object(let new), .object(let old)) where new.hasSameType(as: old):
      let part = ObjectRecord.make(type: new.type, capacity: new.count)
      new.forEachField { field in
        guard let there = old.value(of: field.key) else { return part.append(field) }
        if let value = field.value.part(over: there) { part.append(ObjectRecord.Field(field.key, value)) }
      }
      return part.count == 0 ? nil : .object(part)
    default: return nil
    }
  }

  fileprivate var isError: Bool { if case .error = self { true } else { false } }
}
