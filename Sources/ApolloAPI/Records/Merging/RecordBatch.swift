/// An object that has just been read, and becomes a record.
struct FinishedObject: ~Copyable {
  var fields: PendingFields
  let type: TypeSymbol
  /// The value of `__typename`, if it was selected.
  let typename: (start: Bytes, length: Int)?
  /// Some field may be there twice: fragments or aliases selected it again.
  let hasDuplicates: Bool

  consuming func makeRecord(_ merge: inout Merge) -> ObjectRecord {
    if hasDuplicates { fields.removeDuplicates(&merge) }
    // (An aliased `__typename` is among the fields already.)
    let isUnknown = type == .unknown && typename != nil && fields.places.index(of: .typename) == nil
    let record = ObjectRecord.make(type: type, capacity: fields.count + (isUnknown ? 1 : 0))
    if isUnknown, let typename {
      record.append(ObjectRecord.Field(.typename, .string(typename.start.text(typename.length))))
    }
    record.append(fields)
    return record
  }
}

/// The records of one response, or of one write.
///
/// References are numbers of this batch; a store gives them its own numbers when it merges the batch. Until then
/// nothing has changed: a response that turns out to be broken leaves the cache as it was.
package struct RecordBatch: ~Copyable {
  private(set) var records: [ObjectRecord] = []
  /// Whether errors stand in place of values.
  var hasErrors = false
  /// Whether lists may be shorter than in the whole answer: see ``DeferMark/openLists``.
  var hasOpenLists = false
  private(set) var keys = StoreKeys()
  /// How long single fields may be kept, by the number of their record.
  private(set) var lifetimes: [Int32: [FieldKey: Lifetime]] = [:]
  /// The rules for fields with arguments, if they have pages, or if the app has functions that merge fields.
  private(set) var rules: [FieldKey: FieldRule] = [:]
  /// The app's functions that merge fields; nil if it has none.
  var mergers: FieldFunctions<any FieldPolicy.Merger>?
  private var key = JSONBuffer()
  private var merge = Merge(isOfOneResponse: true)

  init() {}

  /// The number of the root object, which has the key ``rootKey``.
  static let root: Int32 = 0

  mutating func addRoot(_ object: consuming FinishedObject) {
    // The root ends last, but has number 0 from the start, and the app may give objects inside of it the same key.
    let root = object.makeRecord(&merge)
    records[0] = records[0].count == 0 ? root : records[0].merging(root, &merge) ?? records[0]
    mergeTwins()
  }

  /// The record of an object that is a value of its parent unless the app tells a key for it.
  mutating func makeRecord(_ object: consuming FinishedObject) -> ObjectRecord {
    let record = object.makeRecord(&merge)
    mergeTwins()
    return record
  }

  mutating func reserveRoot(_ key: String) {
    _ = keys.records.insert(key)
    records.append(ObjectRecord.make(type: .unknown, capacity: 0))
  }

  /// Adds an object: as a record of its own if it has a key, else as a value of its parent.
  mutating func add(_ object: consuming FinishedObject, keyFields: UnownedList<FieldKey>) -> RecordValue {
    guard makeKey(object, keyFields) else { return .object(makeRecord(object)) }
    let (number, isNew) = keys.records.insert(key)
    if isNew {
      records.append(object.makeRecord(&merge))
    } else if let merged = records[Int(number)].merging(object.fields.places, &merge) {
      records[Int(number)] = merged
    }
    mergeTwins()
    return .reference(number)
  }

  /// Adds a record under a key, or merges it with the one that is there.
  mutating func add(_ record: ObjectRecord, key: String) -> RecordValue {
    let number = keys.records.insert(key)
    if Int(number) == records.count {
      records.append(record)
    } else if let merged = records[Int(number)].merging(record, &merge) {
      records[Int(number)] = merged
    }
    mergeTwins()
    return .reference(number)
  }

  /// Merges objects that were selected without their key into the records that they are a part of.
  @inline(__always) private mutating func mergeTwins() {
    if !merge.twins.isEmpty { mergeAllTwins() }
  }

  @inline(never) private mutating func mergeAllTwins() {
    while let (number, object) = merge.twins.popLast() {
      let record = records[Int(number)]
      if record.hasSameType(as: object), let merged = record.merging(object, &merge) { records[Int(number)] = merged }
    }
  }

  /// The key that the key fields make; nil if there are none, or one is null or missing.
  mutating func key(of object: borrowing FinishedObject, keyFields: UnownedList<FieldKey>) -> String? {
    makeKey(object, keyFields) ? key.text : nil
  }

  /// Passes each record, with its number, to a closure.
  ///
  /// Each record is released at once if the closure does not keep it, while it is in the processor's cache. For a
  /// response of 2.7 MB without changes, this avoids a tenth of the misses of a cache of 2 MB.
  consuming func forEachRecord(_ body: (Int32, ObjectRecord) -> Void) {
    for index in records.indices {
      var record = ObjectRecord.empty
      swap(&record, &records[index])
      body(Int32(index), record)
    }
  }

  mutating func setLifetimes(_ new: [FieldKey: Lifetime], of number: Int32) {
    if !new.isEmpty { lifetimes[number, default: [:]].merge(new) { $0.joined(with: $1) } }
  }

  // MARK: Keys

  /// The numbers that the records of the batch have in a store. New keys are given numbers.
  package borrowing func numbers(in keys: Locked<StoreKeys>) -> [Int32] {
    keys.withLock { $0.insert(self.keys, rules).records }
  }

  /// The key of a field with the arguments of this execution.
  mutating func fieldKey(_ text: String) -> FieldKey { keys.fieldKey(text) }

  func text(of key: FieldKey) -> String { keys.text(of: key) }

  /// The key of a field with the arguments of this execution, which is merged by a rule.
  ///
  /// - Parameters:
  ///   - text: The name of the field, and all of its arguments in parentheses.
  ///   - stored: The key under which a record has the field.
  ///   - rule: Makes the rule, of the key under which a record has the field.
  /// - Returns: The key.
  mutating func fieldKey(_ text: String, storedAs stored: String, rule: (FieldKey) -> FieldRule) -> FieldKey {
    let storedKey = keys.fieldKey(stored), key = keys.fieldKey(text)
    rules[key] = rule(storedKey)
    return key
  }

  /// Finds the fields that are merged by rules.
  ///
  /// - Parameter inParts: Whether the batch is of a response that comes in parts.
  /// - Returns: nil if there are no such fields.
  func incomingFields(inParts: Bool) -> IncomingFields? {
    guard !rules.isEmpty || mergers != nil else { return nil }
    return IncomingFields(rules: rules, mergers: mergers, argumentKeys: inParts ? keys.fieldTexts : nil)
  }

  /// Makes the key `Typename:value+value`, with `+` and `\` escaped in the values. Returns false if there are no key
  /// fields, or if one of them is null or missing.
  private mutating func makeKey(_ object: borrowing FinishedObject, _ keyFields: UnownedList<FieldKey>) -> Bool {
    guard keyFields.count > 0, let typename = object.typename else { return false }
    key.truncate(to: 0)
    key.append(typename.start, typename.length)
    let fields = object.fields.places
    var separator = UInt8(ascii: ":")
    for position in 0..<keyFields.count {
      guard let field = fields.index(of: keyFields[position]) else { return false }
      key.append(separator)
      separator = UInt8(ascii: "+")
      switch fields[field].value {
      case .string(let value): key.append(keyPart: value)
      case .int(let value): key.append(decimal: Int64(value))
      case .bool(let value): key.append(value ? "true" : "false")
      case .double(let value): key.append(keyPart: String(value))
      case let value:
        guard let digits = value.wideInteger else { return false }
        key.append(keyPart: digits)
      }
    }
    return true
  }
}

/// A batch on its way from a reader to a store, which takes it once.
package final class RecordBatchTransfer: @unchecked Sendable {
  // Made by one thread, taken by the next.
  private var batch: RecordBatch?

  init(_ batch: consuming RecordBatch) { self.batch = consume batch }

  /// Whether lists of the batch may be shorter than in the whole answer. False if it was taken before.
  package var hasOpenLists: Bool { batch?.hasOpenLists ?? false }

  /// Takes the batch; nil if it was taken before.
  package func take() -> RecordBatch? { batch.take() }
}
