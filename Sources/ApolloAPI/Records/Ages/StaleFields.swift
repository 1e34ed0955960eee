/// Finds the fields that are older than they may be, by what the server, the app and the schema have said.
package struct StaleFields {
  private let settings: AgeRules.Settings
  private let maxStale: UInt32
  private let now: UInt32
  private var answers: AgeAnswers
  /// nil: no schema declares ages.
  private var declared: SchemaAges?

  /// Asks the settings for the time.
  ///
  /// - Parameters:
  ///   - settings: What the app has set for its store.
  ///   - schemas: The schemas that declare ages.
  ///   - maxStale: How many seconds longer than it may be used a field counts as fresh.
  package init(_ settings: AgeRules.Settings, _ schemas: [any SchemaMetadata.Type], maxStale: UInt32) {
    self.settings = settings
    self.maxStale = maxStale
    now = max(1, settings.now)
    answers = AgeAnswers(settings)
    declared = schemas.isEmpty ? nil : SchemaAges(schemas)
  }

  /// Whether a field without a server's expiry can be too old.
  package var hasAges: Bool { settings.defaultMaxAge != nil || dependsOnTypes }

  /// Whether the type of the object that a field leads to may say how old the field may be.
  package var dependsOnTypes: Bool { answers.asksApp || declared != nil }

  /// Those of some fields of a record that are too old.
  ///
  /// - Parameters:
  ///   - number: The record.
  ///   - range: The positions of the fields.
  ///   - records: All records.
  /// - Returns: The keys of the fields.
  package mutating func keys(of number: Int32, _ range: Range<Int>, in records: RecordSnapshot) -> [FieldKey] {
    guard let record = records[number] else { return [] }
    let dates = records.dates(of: number), known = Self.dates(dates, of: record, range)
    // A root has no `__typename`.
    let type = record.type == .unknown ? .ofRoot(number) : record.type
    var keys: [FieldKey] = []
    for field in range.lazy.map({ record.field(at: $0) }) where field.key != .typename {
      let date = known[field.key] ?? dates.common
      if date.isTransient || isTooOld(field, date: date, of: type, in: records) { keys.append(field.key) }
    }
    return keys
  }

  /// The dates of those fields that have another one than the record.
  private static func dates(
    _ dates: RecordDates, of record: ObjectRecord, _ range: Range<Int>
  ) -> [FieldKey: FieldDate] {
    guard range.count < record.count, !dates.exceptions.isEmpty else { return dates.datesByKey }
    let keys = Set(range.lazy.map { record.field(at: $0).key })
    return Dictionary(dates.exceptions.lazy.filter { keys.contains($0.key) }.map { ($0.key, $0.date) }) { first, _ in
      first
    }
  }

  private mutating func isTooOld(
    _ field: ObjectRecord.Field, date: FieldDate, of type: TypeSymbol, in records: RecordSnapshot
  ) -> Bool {
    guard hasAges || date.serverExpiry != nil else { return false }
    guard let end = date.end(maxAge: maxAge(of: field, type, records), now: now), now >= end else { return false }
    return !FieldDate.isUsable(after: end, maxStale: maxStale, now: now)
  }

  /// How old a field may be, by what the app says, or else the schema: of the field, of the type of the objects that it
  /// leads to or of its own object, or of all fields.
  private mutating func maxAge(of field: ObjectRecord.Field, _ type: TypeSymbol, _ records: RecordSnapshot) -> UInt32? {
    guard dependsOnTypes else { return settings.defaultMaxAge }
    if let answer = answers.maxAge(of: field.key, on: type, in: records) { return answer }
    switch declared?.maxAge(of: field.key, on: type, in: records) {
    case .seconds(let seconds)?: return UInt32(clamping: seconds)
    case .inherited?: return maxAge(ofObjects: type) ?? settings.defaultMaxAge
    case nil: break
    }
    guard field.value.leadsToObjects else { return maxAge(ofObjects: type) ?? settings.defaultMaxAge }
    let target = records.type(of: field.value)
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
