import ApolloAPI

// Records that an app made.

extension RecordTable {
  /// The records that must be loaded from a backend before records of an app are merged.
  func missing(for records: RecordSet) -> Set<Int32> {
    var missing: Set<Int32> = []
    for key in records.storage.keys {
      missing.formUnion(unloaded(on: key))
      let number = number(for: key)
      if !isLoaded(number) { missing.insert(number) }
    }
    return missing
  }

  /// Merges records that an app made.
  mutating func merge(_ records: RecordSet) -> ChangeSet {
    var order: OrderedWrite?
    return merge(records, rules: MergeRules(), in: &order)
  }

  /// Merges the records of a response that an app has read or changed.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - rules: The rules for merging values.
  ///   - order: What other operations have written out of the order of sending; nil: nothing.
  /// - Returns: The fields that changed.
  mutating func merge(_ records: RecordSet, rules: MergeRules, in order: inout OrderedWrite?) -> ChangeSet {
    let parts = rules.beginPart(records.hasOpenLists, in: self.records)
    var changes = ChangeSet()
    for record in records.storage.values.sorted(by: { $0.key < $1.key }) {
      // The key may be the path that leads to an object.
      let location = location(of: record.key) ?? RecordLocation(record: number(for: record.key))
      let type = object(at: location)?.type ?? .unknown
      var fields = imported(record.fields, type: type)
      if location.steps.isEmpty { fields = part(of: fields, location.record, parts, nil, &order) }
      merge(fields, at: location, dates: imported(datesOf: record), rules: rules, &changes)
    }
    return changes
  }

  /// The fields that records of an app write. An object without a key is a part of the field that it is in.
  func places(of records: RecordSet) -> [(record: Int32, key: FieldKey)] {
    records.storage.values.flatMap { record -> [(record: Int32, key: FieldKey)] in
      let location = location(of: record.key) ?? RecordLocation(record: number(for: record.key))
      if case .field(let key)? = location.steps.first { return [(location.record, key)] }
      return record.fields.keys.map { name in
        (location.record, self.records.keys.withLock { $0.fieldKey(name) })
      }
    }
  }

  /// What a part of a response brings anew of a record, and no operation has written that was sent later.
  func part(
    of record: ObjectRecord, _ number: Int32, _ parts: MergedParts?, _ context: MergeContext?,
    _ order: inout OrderedWrite?
  ) -> ObjectRecord {
    let news = parts?.news(of: record, number, over: records, context) ?? record
    return order?.part(of: news, number, over: records[number], key: records.key(of: number)) ?? news
  }
}
