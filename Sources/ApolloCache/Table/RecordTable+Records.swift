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
    var changes = ChangeSet()
    for record in records.storage.values.sorted(by: { $0.key < $1.key }) {
      // The key may be the path that leads to an object.
      let location = location(of: record.key) ?? RecordLocation(record: number(for: record.key))
      let type = object(at: location)?.type ?? .unknown
      var fields = imported(record.fields, type: type)
      if location.steps.isEmpty, order != nil,
        let part = order?.part(of: fields, location.record, over: self[location.record], key: record.key)
      {
        fields = part
      }
      merge(fields, at: location, dates: imported(datesOf: record), rules: rules, &changes)
    }
    return changes
  }
}
