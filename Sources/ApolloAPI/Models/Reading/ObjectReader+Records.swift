// Between objects and records: writing them while a response is read, and reading them back.

extension __ObjectReader {
  // MARK: Writing

  /// Passes the end of an object and turns its pending fields into a record.
  @inline(never) mutating func endRecord() throws(__ReadError) {
    let typename = try typenameBytes()
    let type = typename.map { typeNames.symbol($0.0, $0.1) } ?? .unknown
    let object = sink.takeObject(
      from: frames.top.pendingBase, type: type, typename: typename, hasDuplicates: frames.top.hasDuplicates)
    let lifetimes = sink.lifetimes == nil ? nil : takeLifetimes()
    if frames.hasOne {
      sink.batch.addRoot(object)
      if let lifetimes { sink.batch.setLifetimes(lifetimes, of: RecordBatch.root) }
      passEnd()
    } else {
      let isEmbedded = isEmbedded(), keyFields = isEmbedded ? .none : keyFields(of: type)
      let value =
        identity.isEmpty || isEmbedded
        ? sink.batch.add(object, keyFields: keyFields) : try addIdentified(object, keyFields)
      passEnd()
      if let lifetimes {
        try noteChild(type)
        if !lifetimes.isEmpty { try keep(lifetimes, of: value) }
      }
      sink.fieldKey = try currentKey()
      sink.push(value)
    }
  }

  /// The fields that make the key of the current object: those of a table that it was read with, or those of its type.
  @inline(__always) private mutating func keyFields(of type: TypeSymbol) -> UnownedList<FieldKey> {
    if frames.top.keyFields.count > 0 { return frames.top.keyFields }
    let table = frames.top.table.table
    return table.typeKeys.isEmpty ? .none : table.keyFields(of: type)
  }

  /// Whether the current object is kept inside of the object around it, though it has a key.
  @inline(__always) private mutating func isEmbedded() -> Bool {
    let field = frames.outer.field
    return field < frames.outer.fields.count && frames.outer.fields[field].isEmbedded
  }

  /// Adds an object whose key the app may tell.
  private mutating func addIdentified(
    _ object: consuming FinishedObject, _ keyFields: UnownedList<FieldKey>
  ) throws(__ReadError) -> RecordValue {
    let declaredKey = sink.batch.key(of: object, keyFields: keyFields)
    let record = sink.batch.makeRecord(object)
    guard let key = try customKey(of: record) ?? declaredKey else { return .object(record) }
    return sink.batch.add(record, key: key)
  }

  /// The key of the field that is being read. (Code that was not generated may begin an object where no field is.)
  @inline(__always) mutating func currentKey() throws(__ReadError) -> FieldKey {
    let field = frames.top.field
    guard field < frames.top.keys.count else {
      wrongPosition = field
      throw error(.position)
    }
    return frames.top.keys[field]
  }

  // MARK: Reading

  mutating func beginStoredObject(_ fields: __FieldTable.Storage) throws(__ReadError) {
    let record: ObjectRecord
    var number: Int32 = -1, date = OnlyDate.unknown
    switch source.current.value {
    case .reference(let reference):
      if let found = source.snapshot?.dated(reference) {
        (record, date) = found
      } else if reference < GraphQLOperationType.rootCount, reference >= 0 {
        record = .empty
      } else {
        // Depends on all fields of the record, so that a watcher is told when it comes: its fragments were not read
        // yet.
        source.dependencies.add(reference, fields)
        source.dependencies.add(reference, field: .unresolved)
        throw error(.cacheMiss)
      }
      number = reference
    case .object(let embedded): record = embedded
    default: throw error(.cacheMismatch)
    }
    try cursor.descend()
    let table = UnownedTable(fields), keys = keys(of: fields)
    frames.push(
      Frame(
        table: table, keyFields: .none, fields: fields.fields, keys: keys, start: cursor.p, resume: cursor.p,
        type: record.type, entries: record.places, record: number))
    // What is inside of a record changes with the field of that record, on which its reader depends already.
    if number >= 0 { depend(on: number, fields, sentAt: date) }
    if source.readers != nil { beginComputedFields() }
    if source.hasAges(fields) { beginAges() }
  }

  /// Continues in the surrounding object.
  @inline(never) mutating func endStoredObject() {
    cursor.depth -= 1
    if source.ages != nil { endAges() }
    frames.pop()
  }

  mutating func storedTypename() throws(__ReadError) -> String {
    if let name = frames.top.type.name { return name }
    if let entries = storedFields, let index = entries.index(of: .typename),
      case .string(let name) = entries[index].value
    {
      return name
    }
    throw error(.cacheMiss)
  }
}

extension __ObjectReader {
  /// The dependencies, with the field keys that belong to them.
  mutating func finishedDependencies() -> Dependencies {
    // What failed may have failed within a fragment.
    leaveScopes(to: VariableScopes.outermost)
    var result = source.dependencies
    var seen: Set<ObjectIdentifier> = []
    for table in result.reads.lazy.map(\.table)
    where !table.arguments.isEmpty && seen.insert(ObjectIdentifier(table)).inserted {
      guard table.dynamicIndex < resolved.count, let keys = resolved[table.dynamicIndex]?.keys else { continue }
      result.resolve(table, keys.array)
    }
    return result
  }
}
