import ApolloAPI

extension Collector {
  /// Removes references to records that do not exist.
  ///
  /// A step looks at a number of values, so it may end inside of a record and inside of a list. What was found in a record
  /// is taken out in one step, at its end: a record and a list are values, so each is replaced by a copy without it.
  ///
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeDanglingReferences() async throws -> ApolloStore.CollectedGarbage {
    var stored = NumberBits()
    try await forEachPageOfBackend { step, numbers in
      for number in numbers + step.changed.map(\.record) { stored.insert(number) }
      return true
    }
    var search = DanglingSearch(), removed: [[String]] = []
    try await forEachPage { step, numbers in
      for (number, _) in step.changed { stored.insert(number) }
      if search.isAtEnd {
        try await step.load(numbers)
        search.begin(numbers, in: step.table)
      } else {
        search.note(step.changed)
      }
      let candidates = search.run(in: step.table, limit: Self.valueCount)
      let absent = try await self.absent(of: Set(candidates.map(\.target)), step, stored)
      for found in search.take(candidates.filter { absent.contains($0.target) }, in: step.table) {
        try await step.load([found.number])
        removed += found.remove(from: &step)
      }
      return search.isAtEnd
    }
    var garbage = ApolloStore.CollectedGarbage()
    for names in removed { garbage.removedFields += names }
    return garbage
  }

  /// - Parameters:
  ///   - numbers: Records that are not in memory.
  ///   - step: The step.
  ///   - stored: Records that the backend has.
  /// - Returns: Those of the records that do not exist.
  /// - Throws: What a backend throws.
  private func absent(of numbers: Set<Int32>, _ step: Step, _ stored: NumberBits) async throws -> Set<Int32> {
    let table = step.table
    guard let backend = engine.backend else { return numbers.filter { table.records.isGone($0) } }
    let unknown = table.unloadedKeys(of: numbers.filter { !stored.contains($0) })
    var absent = numbers.filter { table.isLoaded($0) }
    guard !backend.isEnumerable else { return absent.union(unknown.values) }
    for start in stride(from: 0, to: unknown.count, by: Self.stepSize) {
      let keys = Set(unknown.keys.dropFirst(start).prefix(Self.stepSize)), found = try await backend.load(keys)
      absent.formUnion(keys.lazy.filter { found[$0] == nil }.compactMap { unknown[$0] })
    }
    return absent
  }
}
