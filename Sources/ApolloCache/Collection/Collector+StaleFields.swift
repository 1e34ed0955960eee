import ApolloAPI

extension Collector {
  /// Removes the fields that are older than they may be.
  ///
  /// - Parameter maxStale: How many seconds longer a field stays.
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeStaleFields(_ maxStale: UInt32) async throws -> ApolloStore.CollectedGarbage {
    var garbage: [ApolloStore.CollectedGarbage] = []
    let hasExpiries = engine.backend != nil || engine.table.records.hasExpiries
    let rules = StaleFields(engine.ages, engine.schemas.withAges, maxStale: maxStale)
    guard hasExpiries || rules.hasAges else { return ApolloStore.CollectedGarbage() }
    var place = StalePlace()
    try await forEachPage { step, numbers in
      if place.waiting.isEmpty { place = StalePlace(waiting: numbers.reversed()) }
      let count = min(place.batch, place.waiting.count)
      try await step.load(Array(place.waiting.suffix(count)))
      if rules.dependsOnTypes { try await step.load(place.unloadedReferences(count, in: step.table)) }
      let found = self.removeStaleFields(at: &place, count: count, maxStale: maxStale, in: &step)
      if !found.isEmpty { garbage.append(found) }
      return place.waiting.isEmpty
    }
    return ApolloStore.CollectedGarbage(joining: garbage)
  }

  /// Removes fields from where the step before has ended.
  ///
  /// - Parameters:
  ///   - place: Where that is.
  ///   - count: How many records are in memory for it.
  ///   - maxStale: How many seconds longer a field stays.
  ///   - step: The step.
  /// - Returns: What was removed.
  private func removeStaleFields(
    at place: inout StalePlace, count: Int, maxStale: UInt32, in step: inout Step
  ) -> ApolloStore.CollectedGarbage {
    var stale = StaleFields(engine.ages, engine.schemas.withAges, maxStale: maxStale)
    var garbage = ApolloStore.CollectedGarbage()
    var left = Self.valueCount, ended = 0
    // The app is asked for ages: a call of it that would wait for this turn is an error.
    HeldTurn.with(engine, call: call) {
      while left > 0, ended < count, let number = place.waiting.last {
        // Meanwhile the record may have lost fields.
        let fieldCount = step.table[number]?.count ?? 0, start = min(place.field, fieldCount)
        let end = min(fieldCount, start + left)
        left -= 1 + end - start
        let keys = stale.keys(of: number, start..<end, in: step.table.records)
          .filter { !isInUse($0, of: number, in: step.table) }
        if !keys.isEmpty {
          garbage.removedFields += keys.map { step.table.records.name(of: RecordField(record: number, key: $0)) }
          step.changes.formUnion(step.table.remove(keys, from: number))
        }
        if end < fieldCount {
          place.field = end - keys.count
        } else {
          place.field = 0
          place.waiting.removeLast()
          ended += 1
        }
      }
    }
    place.batch = max(1, ended)
    return garbage
  }
}

/// How far a search for old fields has come in a page of records.
private struct StalePlace {
  /// The records that were not looked at to their ends, the last one first.
  var waiting: [Int32] = []
  /// The field of the first of them that is looked at next.
  var field = 0
  /// How many records are loaded for the next step.
  var batch = Collector.stepSize

  /// The records of which the types count for the fields that are looked at next, as far as a backend has to be asked.
  func unloadedReferences(_ count: Int, in table: RecordTable) -> [Int32] {
    guard table.records.hasBackend else { return [] }
    var found: Set<Int32> = [], left = Collector.valueCount, start = field
    for number in waiting.suffix(count).reversed() where left > 0 {
      guard let record = table[number] else { continue }
      let end = min(record.count, start + left)
      for index in min(start, end)..<end {
        guard let target = record.field(at: index).value.firstReference, !table.isLoaded(target) else { continue }
        found.insert(target)
      }
      (left, start) = (left - 1 - end + min(start, end), 0)
    }
    return Array(found)
  }
}
