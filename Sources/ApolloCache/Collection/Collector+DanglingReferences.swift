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
    // Nothing leads any more to what was removed.
    if let backend = engine.backend?.records { try await engine.inTurn(call) { try await backend.forgetRemovals() } }
    var garbage = ApolloStore.CollectedGarbage()
    for names in removed { garbage.removedFields += names }
    return garbage
  }

  /// - Parameters:
  ///   - numbers: Records that are not in memory.
  ///   - step: The step.
  ///   - stored: Records that the backend has.
  /// - Returns: Those of the records that do not exist. Those that are missing in a backend and were not removed may come
  ///   again.
  /// - Throws: What a backend throws.
  private func absent(of numbers: Set<Int32>, _ step: Step, _ stored: NumberBits) async throws -> Set<Int32> {
    let table = step.table
    var absent = numbers.filter { table.records.isGone($0) }
    guard let backend = engine.backend else { return absent }
    let unknown = table.unloaded(of: numbers.filter { !stored.contains($0) })
    guard !backend.isEnumerable || backend.records != nil else { return absent.union(unknown.numbers) }
    for start in stride(from: 0, to: unknown.numbers.count, by: Self.stepSize) {
      let keys = Array(unknown.keys.dropFirst(start).prefix(Self.stepSize))
      let isGone =
        switch try await backend.load(keys, numberedBy: table.records.keys) {
        case .records(let records): records.map { $0 == nil }
        case .stored(let records): records.map { $0?.isRemoved ?? false }
        }
      absent.formUnion(zip(unknown.numbers.dropFirst(start), isGone).lazy.filter(\.1).map(\.0))
    }
    return absent
  }
}
