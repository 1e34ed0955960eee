// Fields that functions of the app compute while records are read.

extension __ObjectReader {
  /// Notes for the current object, through the current table, whether the app computes some of its fields.
  @inline(never) mutating func beginComputedFields() {
    let isComputed = source.readers?.functions(on: Self.typeForApp(frames.top)).isEmpty == false
    frames.top.hint = isComputed ? .max : 0
  }

  /// The value that the app computes for field `i`; nil if it does not compute the field.
  @inline(never) mutating func computed(_ i: Int) throws(__ReadError) -> ValuePlace? {
    let key = frames.top.keys[i], table = frames.top.table.table
    let (name, template) = table.arguments.first { $0.field == i }.map { ($0.name, $0.text) } ?? (key.name, [])
    guard let snapshot = source.snapshot, key != .typename,
      let reader = source.readers?.functions(on: Self.typeForApp(frames.top))[name]
    else { return nil }
    let reads = FieldReads()
    let arguments = FieldPolicy.InputData(
      arguments: CanonicalArguments.values(arguments: template, variables: variables))
    let value = try compute(reader, existingField(key, snapshot), context(arguments, snapshot, reads))
    for (record, key) in reads.fields { source.dependencies.add(record, field: key) }
    guard let value, !reads.lacksRecords else { throw error(.cacheMiss) }
    return source.place(ofComputed: snapshot.imported(value))
  }

  private mutating func compute(
    _ reader: any FieldPolicy.Reader, _ existing: CachedValue.Field?, _ context: FieldPolicy.Context
  ) throws(__ReadError) -> CachedValue? {
    do {
      return try reader.value(of: existing, in: context)
    } catch {
      scalarError = error
      throw self.error(.computation)
    }
  }

  /// What the record has in a field; nil if it has nothing.
  private mutating func existingField(_ key: FieldKey, _ snapshot: RecordSnapshot) -> CachedValue.Field? {
    guard let entries = storedFields, let index = entries.index(of: key) else { return nil }
    let record = frames.top.record
    let date = record < 0 ? nil : snapshot.date(of: key, of: record)
    return CachedValue.Field(value: snapshot.exported(entries[index].value), writtenAt: Int64(date?.seconds ?? 0))
  }

  /// The current object, as functions of the app see it.
  private mutating func context(
    _ arguments: FieldPolicy.InputData, _ snapshot: RecordSnapshot, _ reads: FieldReads
  ) -> FieldPolicy.Context {
    let object = ObjectRecord.make(type: frames.top.type, capacity: storedFields?.count ?? 0)
    if let entries = storedFields { for index in 0..<entries.count { object.append(entries[index]) } }
    let record = frames.top.record
    return FieldPolicy.Context(
      arguments: arguments, typename: frames.top.type.name ?? (try? storedTypename()),
      key: record < 0 ? nil : snapshot.key(of: record), object: object, records: snapshot, reads: reads)
  }
}
