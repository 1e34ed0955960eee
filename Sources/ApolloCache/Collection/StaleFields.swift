import ApolloAPI

/// Finds the fields that are older than they may be, by what the server and the app have said.
struct StaleFields {
  private let settings: AgeRules.Settings
  private let maxStale: UInt32
  private let now: UInt32
  /// What the app has answered.
  private var answers: [Question: UInt32?] = [:]

  private struct Question: Hashable {
    let type: TypeSymbol
    let field: FieldKey
  }

  init(_ settings: AgeRules.Settings, maxStale: UInt32) {
    self.settings = settings
    self.maxStale = maxStale
    now = max(1, settings.now)
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
    guard settings.maxAge != nil else { return settings.defaultMaxAge }
    if let answer = answer(type, field.key, in: table) { return answer }
    let object = table.leadsToObjects(field.value) ? table.type(of: field.value) : type
    return object.flatMap { answer($0, nil, in: table) } ?? settings.defaultMaxAge
  }

  private mutating func answer(_ type: TypeSymbol, _ key: FieldKey?, in table: RecordTable) -> UInt32? {
    let question = Question(type: type, field: key ?? .unresolved)
    if let known = answers[question] { return known }
    let field = key.map { String(table.records.text(of: $0).prefix { $0 != "(" }) }
    let answer = type.name.flatMap { settings.maxAge?($0, field) }
    answers[question] = .some(answer)
    return answer
  }
}

extension RecordTable {
  fileprivate func leadsToObjects(_ value: RecordValue) -> Bool {
    switch value {
    case .reference, .references, .object: true
    case .list(let values): values.contains(where: leadsToObjects)
    case .null, .bool, .int, .double, .string, .json, .error: false
    }
  }

  /// The type of an object, or of the first object of a list, if it is in memory.
  fileprivate func type(of value: RecordValue) -> TypeSymbol? {
    switch value {
    case .reference(let number): self[number]?.type
    case .references(let numbers): numbers.first { $0 >= 0 }.flatMap { self[$0]?.type }
    case .object(let record): record.type
    case .list(let values): values.lazy.compactMap { self.type(of: $0) }.first
    case .null, .bool, .int, .double, .string, .json, .error: nil
    }
  }

  /// Whether a record has nothing but a type.
  func isEmptyRecord(_ number: Int32) -> Bool {
    guard let record = self[number], !isRoot(number) else { return false }
    var isEmpty = true
    record.forEachKey { if $0 != .typename { isEmpty = false } }
    return isEmpty
  }

  func name(of key: FieldKey, in number: Int32) -> String {
    "\(records.key(of: number) ?? "").\(records.text(of: key))"
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
        garbage.removedFields += keys.map { step.table.name(of: $0, in: number) }
        step.changes.formUnion(step.table.remove(keys, from: number))
        removeIfEmpty(number, &step, &garbage)
      }
    }
    return garbage
  }

  /// Removes a record that has nothing left but its type.
  func removeIfEmpty(_ number: Int32, _ step: inout Step, _ garbage: inout ApolloStore.CollectedGarbage) {
    guard step.table.isEmptyRecord(number), !isInUse(number, in: step.table) else { return }
    if let key = step.table.records.key(of: number) { garbage.removedRecords.append(key) }
    step.remove(number)
  }
}
