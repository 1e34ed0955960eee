// Between objects and records: writing them while a response is read, and reading them back.

extension ObjectReader {
  // MARK: Writing

  /// Passes the end of an object and turns its pending fields into a record.
  @inline(never) mutating func endRecord() throws(ReadError) {
    let count = pendingCount - f.pointee.pendingBase
    let fields = pending + f.pointee.pendingBase
    let typename = try typenameBytes()
    let object = ObjectFields(
      start: fields, count: count, type: typename.map { typeNames.symbol($0.0, $0.1) } ?? .unknown, typename: typename,
      hasDuplicates: f.pointee.hasDuplicates)
    let value: RecordValue?
    if f == frames {
      batch.addRoot(object)
      value = nil
    } else {
      let table = f.pointee.keyTable.takeUnretainedValue()
      value =
        identity.isEmpty
        ? batch.add(object, keyFields: table.keyFields, keys: table.staticKeys)
        : try addIdentified(object, table)
    }
    p += 1
    pendingCount -= count
    logCount = f.pointee.logBase
    isRepeated = f.pointee.outerIsRepeated
    f -= 1
    if let value {
      fieldKey = f.pointee.keys[f.pointee.field]
      push(value)
    }
  }

  /// Adds an object whose key the app may tell.
  private mutating func addIdentified(_ object: ObjectFields, _ table: FieldTable.Storage) throws(ReadError)
    -> RecordValue
  {
    let declaredKey = batch.key(of: object, keyFields: table.keyFields, keys: table.staticKeys)
    let record = batch.record(of: object)
    guard let key = try customKey(of: record) ?? declaredKey else { return .object(record) }
    return batch.add(record, key: key)
  }

  // MARK: Reading

  mutating func beginStoredObject(_ table: FieldTable.Storage) throws(ReadError) {
    let record: ObjectRecord
    var number: Int32 = -1
    switch current.pointee {
    case .reference(let reference):
      if let found = snapshot?[reference] {
        record = found
      } else if reference < GraphQLOperationType.rootCount, reference >= 0 {
        record = .empty
      } else {
        // Whoever watches wants to know when it comes.
        dependencies.add(reference, table)
        throw error(.cacheMiss)
      }
      number = reference
    case .object(let embedded): record = embedded
    default: throw storedMismatch(.expectedObject)
    }
    try descend()
    f += 1
    if f == frames + frameCapacity { growFrames() }
    let (entries, count) = record.withUnsafeMutablePointers { ($1, $0.pointee.count) }
    // Of a frame, which is trivial, only what this mode uses is written.
    f.pointee.table = .passUnretained(table)
    f.pointee.fields = table.fields
    f.pointee.keys = keys(of: table)
    f.pointee.start = p
    f.pointee.type = record.type
    f.pointee.field = 0
    f.pointee.index = -1
    f.pointee.hint = 0
    f.pointee.entries = entries
    f.pointee.entryCount = count
    f.pointee.record = number
    // What is inside of a record changes with the field of that record, on which its reader depends already.
    if number >= 0 { dependencies.add(number, table) }
  }

  mutating func storedTypename() throws(ReadError) -> String {
    if let name = f.pointee.type.name { return name }
    if let entries = f.pointee.entries {
      for i in 0..<f.pointee.entryCount where entries[i].key == .typename {
        if case .string(let name) = entries[i].value { return name }
      }
    }
    throw error(.cacheMiss)
  }
}
