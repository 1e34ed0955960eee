import ApolloAPI

extension ChangeSet {
  /// How a view differs from the view before.
  ///
  /// - Parameters:
  ///   - previous: The view before.
  ///   - view: The view.
  ///   - changes: Everything that may have changed: what has changed in the base, and what layers change in the two views.
  init(from previous: RecordTable, to view: RecordTable, among changes: [ChangeSet]) {
    self.init()
    var fields: [Int32: Set<FieldKey>] = [:], whole: Set<Int32> = []
    for changes in changes {
      for (record, key) in changes.fields { fields[record, default: []].insert(key) }
      whole.formUnion(changes.removedRecords)
    }
    for record in whole.union(fields.keys).sorted() {
      let old = previous[record], new = view[record]
      // What the backend had of it is not known.
      let isUnknown = view.records.hasBackend && !previous.isLoaded(record)
      if old != nil || isUnknown && whole.contains(record), new == nil {
        insertRemoval(of: record)
        continue
      }
      var keys = fields[record] ?? []
      if whole.contains(record) {
        old?.forEachKey { keys.insert($0) }
        new?.forEachKey { keys.insert($0) }
        if Self.typesDiffer(old, new) { keys.insert(.typename) }
      }
      for key in keys where isUnknown || Self.differs(key, old, new) { insert(record, key) }
    }
  }

  private static func differs(_ key: FieldKey, _ old: ObjectRecord?, _ new: ObjectRecord?) -> Bool {
    // The type of an object need not be a field.
    if key == .typename, typesDiffer(old, new) { return true }
    return switch (old?.value(of: key), new?.value(of: key)) {
    case (nil, nil): false
    case (let a?, let b?): !a.isSame(as: b)
    default: true
    }
  }

  private static func typesDiffer(_ old: ObjectRecord?, _ new: ObjectRecord?) -> Bool {
    (old?.type ?? .unknown) != (new?.type ?? .unknown)
  }
}
