import ApolloAPI

/// The changes that writing a model makes in the cache: values of fields, by object.
struct ModelChanges {
  typealias Fields = [(key: FieldKey, value: ModelRecords.Value)]

  /// The objects that change, in the order in which the model has them.
  private(set) var locations: [RecordLocation] = []
  private var fields: [RecordLocation: Fields] = [:]

  subscript(location: RecordLocation) -> Fields { fields[location] ?? [] }

  /// Finds the difference between a model as it was read and as it is now.
  ///
  /// A copy of a field was not changed if it has the value that was read. For a field that was not read, nil changes
  /// nothing, as long as the cache has the object without that field. Nor does a nil, or an error, that was read where
  /// the cache has a value: it stands for an object in which something is not there (`@required`, or `@catch`).
  ///
  /// - Parameters:
  ///   - old: The model as it was read; nil if nothing was read.
  ///   - new: The model as it is now.
  ///   - writesAll: Whether fields that have not changed are written as well, and every other nil as null.
  ///   - table: The records.
  /// - Throws: ``ApolloStore/ReadWriteTransaction/ConflictingCopiesError`` if copies of a field were changed to
  ///   different values.
  init(from old: ModelRecords?, to new: ModelRecords, writesAll: Bool, in table: RecordTable) throws {
    for location in new.locations {
      guard let object = new[location] else { continue }
      let cached = table.object(at: location)
      let oldObject = old?[location]
      for field in object.fields {
        let key = field.key, oldField = oldObject?.field(key), base = oldField?.value, copies = field.copies
        let kept = KeptValues(base: base, field: oldField, object: cached, key: key, table: table)
        let changed = copies.filter { copy in oldField.map { !$0.has(copy) } ?? true }
        if let base, changed.isEmpty {
          // (What the cache does not have is written with the list that it is in.)
          if writesAll && !kept.isAll || location.isNew { add(kept.filling(base), of: key, at: location) }
          continue
        }
        let isWeak = base == nil && !writesAll
        let values = isWeak ? changed.filter { !$0.value.isNull } : changed
        if !values.isEmpty {
          let changes = values.map { copy in
            let base = oldField?.value(of: copy)
            let kept = KeptValues(base: base, field: oldField, object: cached, key: key, table: table)
            return CopyChange(own: copy.value, filled: kept.filling(copy.value), base: base)
          }
          let value = changes.count == 1 ? changes[0].filled : try CopyChange.joined(changes, of: values)
          add(value, of: key, at: location)
        } else if cached == nil || cached?.value(of: key)?.hasValue == true {
          add(.leaf(.null), of: key, at: location)
        }
      }
    }
  }

  private mutating func add(_ value: ModelRecords.Value, of key: FieldKey, at location: RecordLocation) {
    if fields[location]?.append((key, value)) == nil {
      fields[location] = [(key, value)]
      locations.append(location)
    }
  }
}

/// What a copy of a field was changed to.
private struct CopyChange {
  /// The value as the copy has it.
  let own: ModelRecords.Value
  /// The value with what the cache has in place of what was nil before.
  let filled: ModelRecords.Value
  /// Whether the copy had no value before. Then nothing tells whether a nil in it hides what another copy has.
  private let isNew: Bool
  /// The value as the copy had it; nil if it had none, and for what is inside of it.
  private var base: ModelRecords.Value?
  /// Whether it is one of several elements that were nil, and nothing tells which.
  private var mayHide = false

  init(own: ModelRecords.Value, filled: ModelRecords.Value, base: ModelRecords.Value?) {
    (self.own, self.filled, self.base, isNew) = (own, filled, base, base?.isNullOrError ?? true)
  }

  private init(own: ModelRecords.Value, filled: ModelRecords.Value, isNew: Bool, mayHide: Bool = false) {
    (self.own, self.filled, self.isNew, self.mayHide) = (own, filled, isNew, mayHide)
  }

  /// Whether the copy does not say what is there.
  private var isOpen: Bool {
    isNew ? own.isNull : own.isNullOrError && (mayHide || !filled.isNullOrError)
  }

  /// What all copies say together.
  ///
  /// - Parameters:
  ///   - changes: What each copy says.
  ///   - copies: The copies.
  /// - Returns: The value.
  /// - Throws: ``ApolloStore/ReadWriteTransaction/ConflictingCopiesError``.
  static func joined(_ changes: [CopyChange], of copies: [ModelRecords.Copy]) throws -> ModelRecords.Value {
    var all = changes[0]
    for (index, change) in changes.enumerated().dropFirst() {
      guard let joined = all.joined(with: change) else {
        let other = changes.firstIndex { $0.joined(with: change) == nil } ?? 0
        throw ApolloStore.ReadWriteTransaction.ConflictingCopiesError(
          first: copies[other].path, second: copies[index].path)
      }
      all = joined
    }
    return all.filled
  }

  /// What this copy and another one say together; nil if they differ.
  private func joined(with other: CopyChange) -> CopyChange? {
    if isOpen { return other.isOpen && !filled.isNullOrError ? self : other }
    if other.isOpen || filled.isSame(as: other.filled) { return self }
    // (Where nothing was read, an error may hide what another copy has.)
    if isNew, own.isNullOrError != other.own.isNullOrError { return own.isNullOrError ? other : self }
    guard let elements, let others = other.elements, elements.count == others.count else { return nil }
    var joined: [CopyChange] = []
    for (element, other) in zip(elements, others) {
      guard let both = element.joined(with: other) else { return nil }
      joined.append(both)
    }
    return CopyChange(own: .list(joined.map(\.own)), filled: .list(joined.map(\.filled)), isNew: isNew && other.isNew)
  }

  private var elements: [CopyChange]? {
    guard case .list(let own) = own, case .list(let filled) = filled else { return nil }
    var mayHide = false
    // (If there are more than before, the app has set one.)
    if case .list(let bases)? = base {
      mayHide = own.count { $0.isNullOrError } <= bases.count { $0.isNullOrError }
    }
    return zip(own, filled).map { CopyChange(own: $0, filled: $1, isNew: isNew, mayHide: mayHide) }
  }
}

/// What the cache has where a model as it was read has nil, or an error.
private struct KeptValues {
  /// The value that was read; nil if none was.
  let base: ModelRecords.Value?
  /// The field with all copies, as it was read.
  let field: ModelRecords.Object.Field?
  /// The object of the field, as the cache has it.
  let object: ObjectRecord?
  let key: FieldKey
  let table: RecordTable

  /// Whether the cache has something else than null in place of the whole value.
  var isAll: Bool {
    guard base?.isNullOrError == true, let cached = object?.value(of: key) else { return false }
    if case .null = cached { return false }
    return true
  }

  /// A value in which elements of lists that are nil as before, or an error, are what the cache has in their places.
  func filling(_ value: ModelRecords.Value) -> ModelRecords.Value {
    guard value.holdsNulls, let object, let field else { return value }
    // (What a function has made need not be where the cache has it. Other copies have it in the same places.)
    let cached = field.isComputed ? nil : object.value(of: key)
    return filling(value, base, field.value, cached, isOfPages: object.isPageList(key))
  }

  private func filling(
    _ value: ModelRecords.Value, _ base: ModelRecords.Value?, _ all: ModelRecords.Value?, _ cached: RecordValue?,
    isOfPages: Bool = false
  ) -> ModelRecords.Value {
    guard case .list(let values) = value, case .list(let bases)? = base else { return value }
    let indices = cached.flatMap { table.records.indices(ofRead: bases.count, from: $0, isOfPages: isOfPages) }
    var wholes: [ModelRecords.Value]?
    if case .list(let values)? = all, values.count == bases.count { wholes = values }
    return .list(
      zip(values, Self.places(of: values, in: bases)).map { value, place in
        guard let place else { return value }
        let whole = wholes?[place], cached = indices.flatMap { cached?.element(at: $0[place]) }
        guard value.isNullOrError else { return filling(value, bases[place], whole, cached) }
        guard bases[place].isSame(as: value) else { return value }
        // Another copy may have the object, and its changes. (That may hide something as well.)
        if let whole, !whole.isNullOrError { return filling(whole, whole, whole, cached) }
        guard let cached, !table.records.isLeftOut(cached) else { return value }
        return .leaf(cached)
      })
  }

  /// Where elements of a list were when it was read.
  ///
  /// In a list of the same length, in which each nil is still where it was, that is their own index. In another one the
  /// elements at its beginning and its end tell it, and between these each nil is one that was there, if there are as
  /// many as before.
  ///
  /// - Parameters:
  ///   - values: The elements.
  ///   - bases: The elements as they were read.
  /// - Returns: An index for each element; nil if it was not there, or nothing tells where.
  private static func places(of values: [ModelRecords.Value], in bases: [ModelRecords.Value]) -> [Int?] {
    let shorter = min(values.count, bases.count), shift = bases.count - values.count
    if shift == 0, zip(values, bases).allSatisfy({ $0.isNullOrError || !$1.isNullOrError }) {
      return Array(bases.indices)
    }
    var start = 0, end = values.count
    while start < shorter, values[start].isSame(as: bases[start]) { start += 1 }
    while end > start, end + shift > start, values[end - 1].isSame(as: bases[end - 1 + shift]) { end -= 1 }
    // (One of several nils in a row may be any of them.)
    while start > 0, values[start - 1].isNullOrError { start -= 1 }
    while end < values.count, values[end].isNullOrError { end += 1 }
    var places = values.indices.map { index in index < start ? index : index < end ? nil : index + shift }
    let nulls = (start..<end).filter { values[$0].isNullOrError }
    let oldNulls = (start..<end + shift).filter { bases[$0].isNullOrError }
    if nulls.count == oldNulls.count { for (index, place) in zip(nulls, oldNulls) { places[index] = place } }
    return places
  }
}

extension RecordValue {
  fileprivate var hasValue: Bool {
    switch self {
    case .null, .error: false
    default: true
    }
  }

  /// Whether objects without a key can be inside of the value.
  fileprivate var mayHoldObjects: Bool {
    switch self {
    case .object, .list: true
    default: false
    }
  }
}

// MARK: - Writing

extension RecordTable {
  /// Writes the changes that a model makes. All other fields stay, including those of objects without a key.
  mutating func apply(_ changes: ModelChanges, _ changeSet: inout ChangeSet) {
    // A guess is noted also where that is what the server has sent.
    if guesses != nil { for (record, key) in changes.places { guesses?.insert(RecordField(record: record, key: key)) } }
    let writer = ModelWriter(changes: changes, table: self)
    for number in writer.records {
      let location = RecordLocation(record: number)
      let (record, keys) = writer.object(at: location)
      guard !keys.isEmpty else { continue }
      setLocally(number, record)
      for key in keys { changeSet.insert(number, key) }
    }
  }
}

extension ModelChanges {
  /// The fields that are written, whether or not they have these values already. An object without a key is a part of
  /// the field that it is in.
  var places: [(record: Int32, key: FieldKey)] {
    locations.flatMap { location in
      let keys = if case .field(let key)? = location.steps.first { [key] } else { self[location].map(\.key) }
      return keys.map { (location.record, $0) }
    }
  }
}

/// Makes new records of the records in the table and of changes.
private struct ModelWriter {
  let changes: ModelChanges
  let table: RecordTable
  /// The records that change, in the order in which the model has them.
  private(set) var records: [Int32] = []
  /// The locations with changes, and those of the objects around them.
  private var touched: Set<RecordLocation> = []

  init(changes: ModelChanges, table: RecordTable) {
    self.changes = changes
    self.table = table
    for var location in changes.locations {
      while touched.insert(location).inserted {
        guard location.steps.popLast() != nil else {
          records.append(location.record)
          break
        }
      }
    }
  }

  /// The object after the changes, and the fields that have changed.
  func object(at location: RecordLocation) -> (ObjectRecord, changed: [FieldKey]) {
    let old = table.object(at: location), changes = changes[location]
    var type = old?.type ?? .unknown, changed: [FieldKey] = [], fields: [ObjectRecord.Field] = []
    for field in old?.fields ?? [] where !changes.contains(where: { $0.key == field.key }) {
      guard field.value.mayHoldObjects else {
        fields.append(field)
        continue
      }
      let value = rebuilt(field.value, at: location.appending(.field(field.key)))
      if !value.isSame(as: field.value) { changed.append(field.key) }
      fields.append(ObjectRecord.Field(field.key, value))
    }
    for (key, value) in changes {
      let oldValue = old?.value(of: key)
      let new = recordValue(value)
      if key == .typename, case .string(let name) = new {
        if old?.typename != name { changed.append(key) }
        type = .lookUp(name)
        if type != .unknown { continue }
      } else if oldValue?.isSame(as: new) != true {
        changed.append(key)
      }
      fields.append(ObjectRecord.Field(key, new))
    }
    if type != .unknown { fields.removeAll { $0.key == .typename } }
    let record = ObjectRecord.make(type: type, capacity: fields.count)
    for field in fields { record.append(field) }
    return (record.forgettingCursors(since: old), changed)
  }

  /// A value that was not replaced, with the changed objects in it.
  private func rebuilt(_ value: RecordValue, at place: RecordLocation) -> RecordValue {
    guard touched.contains(place) else { return value }
    switch value {
    case .object: return .object(object(at: place).0)
    case .list(let values):
      return .list(values.enumerated().map { rebuilt($1, at: place.appending(.index($0))) })
    default: return value
    }
  }

  private func recordValue(_ value: ModelRecords.Value) -> RecordValue {
    switch value {
    case .leaf(let value): value
    case .object(let location):
      location.steps.isEmpty ? .reference(location.record) : .object(object(at: location).0)
    case .list(let values): list(values.map { recordValue($0) })
    }
  }

  /// A list of references has a form of its own.
  private func list(_ values: [RecordValue]) -> RecordValue {
    let numbers = values.compactMap { value -> Int32? in
      switch value {
      case .reference(let number): number
      case .null: -1
      default: nil
      }
    }
    return numbers.count == values.count && !values.isEmpty ? .references(numbers) : .list(values)
  }
}
