import ApolloAPI

/// Finds the fields that are older than they may be, by what the server, the app and the schema have said.
struct StaleFields {
  private let settings: AgeRules.Settings
  private let maxStale: UInt32
  private let now: UInt32
  private var answers: AgeAnswers
  /// nil: no schema declares ages.
  private var declared: SchemaAges?

  init(_ settings: AgeRules.Settings, _ schemas: KnownSchemas, maxStale: UInt32) {
    self.settings = settings
    self.maxStale = maxStale
    now = max(1, settings.now)
    answers = AgeAnswers(settings)
    declared = schemas.declareMaxAges ? SchemaAges(schemas) : nil
  }

  /// Whether a field without a server's expiry can be too old.
  var hasAges: Bool { settings.defaultMaxAge != nil || dependsOnTypes }

  /// Whether the type of the object that a field leads to may say how old the field may be.
  var dependsOnTypes: Bool { answers.asksApp || declared != nil }

  /// Those of some fields of a record that are too old.
  mutating func keys(of number: Int32, _ range: Range<Int>, in table: RecordTable) -> [FieldKey] {
    guard let record = table[number] else { return [] }
    let dates = table.records.dates(of: number), known = Self.dates(dates, of: record, range)
    // A root has no `__typename`.
    let type = record.type == .unknown ? .ofRoot(number) : record.type
    var keys: [FieldKey] = []
    for field in range.lazy.map({ record.field(at: $0) }) where field.key != .typename {
      let date = known[field.key] ?? dates.common
      if date.isTransient || isTooOld(field, date: date, of: type, in: table) { keys.append(field.key) }
    }
    return keys
  }

  /// The dates of those fields that have another one than the record.
  private static func dates(
    _ dates: RecordDates, of record: ObjectRecord, _ range: Range<Int>
  ) -> [FieldKey: FieldDate] {
    guard range.count < record.count, !dates.exceptions.isEmpty else { return dates.datesByKey }
    let keys = Set(range.lazy.map { record.field(at: $0).key })
    return RecordDates(exceptions: dates.exceptions.filter { keys.contains($0.key) }).datesByKey
  }

  private mutating func isTooOld(
    _ field: ObjectRecord.Field, date: FieldDate, of type: TypeSymbol, in table: RecordTable
  ) -> Bool {
    guard hasAges || date.serverExpiry != nil else { return false }
    guard let end = date.end(maxAge: maxAge(of: field, type, table), now: now), now >= end else { return false }
    return !FieldDate.isUsable(after: end, maxStale: maxStale, now: now)
  }

  /// How old a field may be, by what the app says, or else the schema: of the field, of the type of the objects that it
  /// leads to or of its own object, or of all fields.
  private mutating func maxAge(of field: ObjectRecord.Field, _ type: TypeSymbol, _ table: RecordTable) -> UInt32? {
    guard dependsOnTypes else { return settings.defaultMaxAge }
    if let answer = answers.maxAge(of: field.key, on: type, in: table.records) { return answer }
    switch declared?.maxAge(of: field.key, on: type, in: table.records) {
    case .seconds(let seconds)?: return UInt32(clamping: seconds)
    case .inherited?: return maxAge(ofObjects: type) ?? settings.defaultMaxAge
    case nil: break
    }
    guard field.value.leadsToObjects else { return maxAge(ofObjects: type) ?? settings.defaultMaxAge }
    let target = table.records.type(of: field.value)
    if let target, answers.maxAge(of: target) == nil, declared?.maxAge(of: target) == .inherited {
      return maxAge(ofObjects: type) ?? settings.defaultMaxAge
    }
    return target.flatMap { maxAge(ofObjects: $0) } ?? settings.defaultMaxAge
  }

  /// How old the objects of a type may be; nil if that is not said of the type itself.
  private mutating func maxAge(ofObjects type: TypeSymbol) -> UInt32? {
    if let answer = answers.maxAge(of: type) { return answer }
    guard case .seconds(let seconds)? = declared?.maxAge(of: type) else { return nil }
    return UInt32(clamping: seconds)
  }
}

extension Collector {
  /// Removes the fields that are older than they may be.
  ///
  /// - Parameter maxStale: How many seconds longer a field stays.
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeStaleFields(_ maxStale: UInt32) async throws -> ApolloStore.CollectedGarbage {
    var garbage: [ApolloStore.CollectedGarbage] = []
    let hasExpiries = engine.backend != nil || engine.table.records.hasExpiries
    let rules = StaleFields(engine.ages, engine.schemas, maxStale: maxStale)
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
    var stale = StaleFields(engine.ages, engine.schemas, maxStale: maxStale)
    var garbage = ApolloStore.CollectedGarbage()
    var left = Self.valueCount, ended = 0
    // The app is asked for ages: a call of it that would wait for this turn is an error.
    HeldTurn.with(engine, call: call) {
      while left > 0, ended < count, let number = place.waiting.last {
        // Meanwhile the record may have lost fields.
        let fieldCount = step.table[number]?.count ?? 0, start = min(place.field, fieldCount)
        let end = min(fieldCount, start + left)
        left -= 1 + end - start
        let keys = stale.keys(of: number, start..<end, in: step.table)
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
