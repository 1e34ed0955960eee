import ApolloAPI

/// Finds the fields that are older than they may be, by what the server and the app have said.
struct StaleFields {
  private let settings: AgeRules.Settings
  private let maxStale: UInt32
  private let now: UInt32
  private var answers: AgeAnswers

  init(_ settings: AgeRules.Settings, maxStale: UInt32) {
    self.settings = settings
    self.maxStale = maxStale
    now = max(1, settings.now)
    answers = AgeAnswers(settings)
  }

  /// Whether a field without a server's expiry can be too old.
  var hasAges: Bool { settings.defaultMaxAge != nil || settings.maxAge != nil }

  /// The fields of a record that are too old.
  mutating func keys(of number: Int32, in table: RecordTable) -> [FieldKey] {
    guard let record = table[number] else { return [] }
    let dates = table.records.dates(of: number), known = dates.datesByKey
    var keys: [FieldKey] = []
    for field in record.fields where field.key != .typename {
      let date = known[field.key] ?? dates.common
      if date.isTransient || isTooOld(field, date, record.type, table) { keys.append(field.key) }
    }
    return keys
  }

  private mutating func isTooOld(
    _ field: ObjectRecord.Field, _ date: FieldDate, _ type: TypeSymbol, _ table: RecordTable
  ) -> Bool {
    guard hasAges || date.serverExpiry != nil else { return false }
    guard let end = date.end(maxAge: maxAge(of: field, type, table), now: now), now >= end else { return false }
    return !FieldDate.isUsable(after: end, maxStale: maxStale, now: now)
  }

  /// How old a field may be, by what the app says: of the field, of the type of the objects that it leads to or of its
  /// own object, or of all fields.
  private mutating func maxAge(of field: ObjectRecord.Field, _ type: TypeSymbol, _ table: RecordTable) -> UInt32? {
    guard answers.asksApp else { return settings.defaultMaxAge }
    if let answer = answers.maxAge(of: field.key, on: type, in: table.records) { return answer }
    let object = field.value.leadsToObjects ? table.records.type(of: field.value) : type
    return object.flatMap { answers.maxAge(of: $0) } ?? settings.defaultMaxAge
  }
}

extension Collector {
  /// Removes the fields that are older than they may be.
  ///
  /// - Parameter maxStale: How many seconds longer a field stays.
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeStaleFields(_ maxStale: UInt32) async throws -> ApolloStore.CollectedGarbage {
    var garbage = ApolloStore.CollectedGarbage()
    let hasExpiries = engine.backend != nil || engine.table.records.hasExpiries
    guard hasExpiries || StaleFields(engine.ages, maxStale: maxStale).hasAges else { return garbage }
    try await forEachPage { step, numbers in
      try await step.load(numbers)
      garbage.add(self.removeStaleFields(of: numbers, maxStale, &step))
      return true
    }
    return garbage
  }

  private func removeStaleFields(
    of numbers: [Int32], _ maxStale: UInt32, _ step: inout Step
  ) -> ApolloStore.CollectedGarbage {
    var stale = StaleFields(engine.ages, maxStale: maxStale)
    var garbage = ApolloStore.CollectedGarbage()
    // The app is asked for ages: a call of it that would wait for this turn is an error.
    HeldTurn.with(engine, call: call) {
      for number in numbers {
        let keys = stale.keys(of: number, in: step.table).filter { !isInUse($0, of: number, in: step.table) }
        guard !keys.isEmpty else { continue }
        garbage.removedFields += keys.map { step.table.records.name(of: RecordField(record: number, key: $0)) }
        step.changes.formUnion(step.table.remove(keys, from: number))
      }
    }
    return garbage
  }
}
