import ApolloAPI

extension Collector {
  /// Removes the records that are reachable neither from the roots nor from what is watched or retained.
  ///
  /// First the reachable records are marked. A record that changes meanwhile counts as reachable, and so does what the
  /// changed fields refer to. Then all records are removed that have no mark; before each step of that, the marks are completed.
  /// If another process changes the backend meanwhile, the rest is left to the next collection.
  ///
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeUnreachable() async throws -> ApolloStore.CollectedGarbage {
    var garbage: [ApolloStore.CollectedGarbage] = []
    var marks = Marks(), observed = -1
    for type in GraphQLOperationType.allCases { marks.insert(type.rootNumber) }
    while !(try await step({ try await self.mark(&marks, &observed, $0) })) {}
    try await forEachPage { step, numbers in
      if self.isDisturbed { return true }
      guard try await self.mark(&marks, &observed, step) else { return false }
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

  /// Looks at some more values, and marks the records that they refer to.
  ///
  /// - Parameters:
  ///   - marks: The marks.
  ///   - observed: How often observers had changed what they depend on when their records were marked.
  ///   - step: The step.
  /// - Returns: Whether all are marked.
  /// - Throws: What a backend throws.
  private func mark(_ marks: inout Marks, _ observed: inout Int, _ step: Step) async throws -> Bool {
    for (number, key) in step.changed { marks.revisit(number, step.table[number]?.value(of: key)) }
    for number in retained.records { marks.insert(number) }
    for number in usedByLayers.records { marks.insert(number) }
    let layers = engine.layers
    for number in layers.touched { marks.revisit(number, layers.view?[number].map { .object($0) }) }
    let changeCount = engine.observers.withLock { $0.changeCount }
    if changeCount != observed {
      for number in engine.observedNumbers(in: step.table) { marks.insert(number) }
      observed = changeCount
    }
    let numbers = marks.run(in: step.table, limit: Self.valueCount, recordLimit: Self.stepSize)
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
