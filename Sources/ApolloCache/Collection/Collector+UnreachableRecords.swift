import ApolloAPI

extension Collector {
  /// Removes the records that are reachable neither from the roots nor from what is watched or retained, and the answers of
  /// mutations.
  ///
  /// First those answers are removed. Then the reachable records are marked. A record that changes meanwhile counts as
  /// reachable, and so does what the changed fields refer to. Then all records are removed that have no mark; before each
  /// step of that, the marks are completed. Neither writes nor optimistic updates can keep this from its end: each step
  /// looks at all that was written since the step before, and besides at some more values.
  /// If another process changes the backend meanwhile, the rest is left to the next collection.
  ///
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeUnreachable() async throws -> ApolloStore.CollectedGarbage {
    var garbage = try await removeAnswers()
    var marks = Marks(), seen = Seen()
    for type in GraphQLOperationType.allCases { marks.insert(type.rootNumber) }
    while !(try await step({ try await self.mark(&marks, &seen, $0) })) {}
    try await forEachPage { step, numbers in
      if self.isDisturbed { return true }
      guard try await self.mark(&marks, &seen, step) else { return false }
      var found = ApolloStore.CollectedGarbage()
      for number in numbers where !marks.contains(number) {
        if let key = step.table.records.key(of: number) { found.removedRecords.append(key) }
        step.removeUnreachable(number)
      }
      if !found.isEmpty { garbage.append(found) }
      return true
    }
    return ApolloStore.CollectedGarbage(joining: garbage)
  }

  /// Removes the fields of the root of mutations that nothing depends on: a caller has had the answer. One that comes later
  /// is left to the next collection.
  ///
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  private func removeAnswers() async throws -> [ApolloStore.CollectedGarbage] {
    let root = GraphQLOperationType.mutation.rootNumber
    guard engine.backend != nil || engine.table[root] != nil else { return [] }
    var garbage: [ApolloStore.CollectedGarbage] = [], start = 0
    while !(try await step({ step in
      try await step.load([root])
      let record = step.table[root], count = record?.count ?? 0, end = min(count, start + Self.valueCount)
      let keys = (min(start, end)..<end).compactMap { record?.field(at: $0).key }
        .filter { !self.isInUse($0, of: root, in: step.table) }
      if !keys.isEmpty {
        var found = ApolloStore.CollectedGarbage()
        found.removedFields = keys.map { step.table.records.name(of: RecordField(record: root, key: $0)) }
        garbage.append(found)
        step.changes.formUnion(step.table.remove(keys, from: root))
      }
      start = end - keys.count
      return end == count
    })) {}
    return garbage
  }

  /// What was marked besides the records that others lead to.
  private struct Seen {
    /// How often observers had changed what they depend on when their records were marked.
    var observed = -1
    /// The version of the view of the layers when what they have changed was marked.
    var view: UInt64?
  }

  /// Looks at some more values, and marks the records that they refer to.
  ///
  /// - Parameters:
  ///   - marks: The marks.
  ///   - seen: What was marked besides. It is marked again when it has changed.
  ///   - step: The step.
  /// - Returns: Whether all are marked.
  /// - Throws: What a backend throws.
  private func mark(_ marks: inout Marks, _ seen: inout Seen, _ step: Step) async throws -> Bool {
    var written = 0
    for (number, key) in step.changed {
      written += marks.insert(number, with: step.table[number]?.value(of: key))
    }
    for number in retained.records { marks.insert(number) }
    for number in usedByLayers.records { marks.insert(number) }
    let layers = engine.layers
    if let view = layers.view, view.version != seen.view {
      let changed = layers.changedFields
      for number in changed.records {
        for key in changed.keys(of: number) { marks.insert(number, with: view[number]?.value(of: key)) }
      }
      seen.view = view.version
    }
    let changeCount = engine.observers.withLock { $0.changeCount }
    if changeCount != seen.observed {
      for number in engine.observedNumbers(in: step.table) { marks.insert(number) }
      seen.observed = changeCount
    }
    // (New records are looked at once more, as all that are marked. They do not use up the limit either.)
    let limit = Self.valueCount + 2 * written
    let numbers = marks.run(in: step.table, limit: limit, recordLimit: Self.stepSize)
    if let backend = engine.backend {
      let unloaded = step.table.unloaded(of: Set(numbers))
      if !unloaded.isEmpty {
        let loaded = try await backend.load(unloaded.keys, numberedBy: step.table.records.keys)
        marks.insertReferences(of: loaded, in: step.table)
      }
    }
    return marks.isComplete
  }
}
