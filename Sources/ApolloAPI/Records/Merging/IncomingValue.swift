/// How a field of a response is merged with what the cache has in it.
struct FieldRule: Sendable {
  /// The key under which a record has the field, in the numbers of the batch.
  let storedKey: FieldKey
  /// The name of the field.
  let name: String
  let arguments: FieldPolicy.InputData
  /// How its pages become one list; nil if the schema does not say it.
  let pagination: PaginationPolicy?
}

/// A value that has come in and is not merged yet with what the cache has in its field.
///
/// It stands in the records of a batch only while they are merged, and in no record of a store.
package final class IncomingValue: Sendable {
  /// What came under one set of arguments.
  struct Part: Sendable {
    var value: RecordValue
    let arguments: FieldPolicy.InputData
  }

  /// How the value is merged.
  enum Rule: Sendable {
    /// By a function of the app for the field with a coordinate.
    case function(any FieldPolicy.Merger, coordinate: String)
    case pages(PaginationPolicy)
  }

  /// An operation may select a field several times under different arguments that lead to one field of the record.
  let parts: [Part]
  let rule: Rule
  /// The field of the record that the value is in.
  let field: FieldKey
  /// Where the value is in the record, if the response comes in parts.
  let path: String

  init(_ parts: [Part], _ rule: Rule, in field: FieldKey, at path: String = "") {
    self.parts = parts
    self.rule = rule
    self.field = field
    self.path = path
  }

  /// The value that the cache keeps; nil if it keeps none.
  func merged(with existing: RecordValue?, _ context: MergeContext) -> RecordValue? {
    let existing = existing?.isValue == true ? existing : nil, parts = merged(context)
    var result = existing, isTaken = false
    switch rule {
    case .pages(let policy):
      let earlier: MergedParts.EarlierPages =
        policy.style == .key ? .absent : context.earlierPages(than: parts, at: path)
      if let existing, earlier == .equal { return existing }
      for (index, part) in parts.enumerated() {
        let merged = policy.merge(
          part.value, with: result, part.arguments,
          // The first part may have put objects into the list that are new.
          in: index == 0 ? context.records : nil, firstNew: index == 0 ? context.firstNew : .max,
          isAgain: earlier != .absent)
        guard let merged else { continue }
        result = merged
        isTaken = true
      }
      if isTaken, policy.style != .key { context.note(pages: parts, at: path) }
    case .function(let merger, let coordinate):
      isTaken = !parts.isEmpty
      if isTaken { result = context.merge(parts, with: existing, by: merger, coordinate: coordinate, in: self) }
    }
    if !isTaken { context.noteDropped(self) }
    return result
  }

  /// The parts, with those values in them merged that came in.
  private func merged(_ context: MergeContext) -> [Part] {
    parts.compactMap { part in
      part.value.merged(context).map { Part(value: $0, arguments: part.arguments) }
    }
  }
}

/// What functions that merge fields are told about a record, how they have failed, and which values were not taken.
package final class MergeContext {
  fileprivate let records: RecordSnapshot
  private let seconds: UInt32
  /// Numbers of records from this one on are in no record of the store.
  fileprivate let firstNew: Int32
  private let parts: MergedParts?
  /// The record that values are merged into, and its dates.
  private var record: Int32 = 0, dates = RecordDates()
  /// Those values of the record that came in and were not taken. The record holds them as long as they are here.
  private var dropped: Set<ObjectIdentifier> = []
  private(set) var error: FieldPolicy.MergerError?

  /// - Parameters:
  ///   - records: The records of the store.
  ///   - seconds: When the batch came, in seconds since 1970.
  ///   - numbers: The numbers of the batch.
  ///   - parts: What has been merged of earlier parts of the response; nil: it comes whole.
  init(records: RecordSnapshot, seconds: UInt32, _ numbers: borrowing BatchNumbers, _ parts: MergedParts?) {
    firstNew = numbers.firstNew
    self.records = records
    self.seconds = seconds
    self.parts = parts
  }

  /// Begins with another record.
  ///
  /// - Parameters:
  ///   - record: Its number.
  ///   - dates: Its dates, before anything is merged into it.
  package func begin(_ record: Int32, _ dates: RecordDates) {
    self.record = record
    self.dates = dates
    dropped = []
  }

  fileprivate func noteDropped(_ incoming: IncomingValue) { dropped.insert(ObjectIdentifier(incoming)) }

  /// Whether values of the record came in and were not taken, such as pages that would have left a gap.
  package var hasDroppedValues: Bool { !dropped.isEmpty }

  /// What came to the place of pages with an earlier part of the response.
  fileprivate func earlierPages(than pages: [IncomingValue.Part], at path: String) -> MergedParts.EarlierPages {
    parts?.earlierPages(than: pages.map(\.value), in: records.keys, at: place(path)) ?? .absent
  }

  /// Notes pages that were taken, for later parts of the response.
  fileprivate func note(pages: [IncomingValue.Part], at path: String) {
    parts?.note(pages: pages.map(\.value), in: records.keys, at: place(path))
  }

  private func place(_ path: String) -> MergedParts.Place {
    MergedParts.Place(record: records.key(of: record), path: path)
  }

  /// Whether a value of the record came in and was not taken.
  package func hasDropped(_ incoming: IncomingValue) -> Bool { dropped.contains(ObjectIdentifier(incoming)) }

  /// Has a function merge what came in for a field under each set of arguments, one after the other. If the same came in
  /// with an earlier part of the response, the field stays. If more has come, the function is given what
  /// ``MergedParts`` says.
  fileprivate func merge(
    _ incoming: [IncomingValue.Part], with existing: RecordValue?, by merger: any FieldPolicy.Merger,
    coordinate: String, in place: IncomingValue
  ) -> RecordValue? {
    let date = Int64(dates.date(of: place.field).seconds)
    var current = existing.map { CachedValue.Field(value: records.exported($0), writtenAt: date) }
    let values = incoming.map { records.exported($0.value) }
    let placeInParts = parts.map { _ in self.place(place.path) }
    if let parts, let placeInParts {
      let before = parts.note(values, over: current, at: placeInParts)
      if before.isSame { return existing }
      current = before.existing
    }
    var result = existing
    for (index, (part, value)) in zip(incoming, values).enumerated() {
      let merged = merge(part, value, with: current, by: merger, coordinate: coordinate)
      result = merged
      guard parts != nil || index < values.count - 1 else { break }
      current = CachedValue.Field(value: records.exported(merged), writtenAt: current?.writtenAt ?? date)
    }
    if let parts, let placeInParts, let current { parts.note(result: current.value, at: placeInParts) }
    return result
  }

  private func merge(
    _ part: IncomingValue.Part, _ value: CachedValue, with existing: CachedValue.Field?,
    by merger: any FieldPolicy.Merger, coordinate: String
  ) -> RecordValue {
    do {
      let merged = records.imported(
        try merger.merge(
          existing: existing, incoming: CachedValue.Field(value: value, writtenAt: Int64(seconds)),
          arguments: part.arguments))
      if merged.hasSameKind(as: part.value) { return merged }
      error = error ?? FieldPolicy.MergerError(coordinate: coordinate, underlyingError: nil)
    } catch {
      self.error = self.error ?? FieldPolicy.MergerError(coordinate: coordinate, underlyingError: error)
    }
    return part.value
  }
}

extension RecordValue {
  /// Whether it is neither null nor an error.
  var isValue: Bool {
    switch self {
    case .null, .error: false
    default: true
    }
  }

  /// Whether both are lists, or both are objects, or both are neither. Null fits all.
  fileprivate func hasSameKind(as other: RecordValue) -> Bool {
    func kind(_ value: RecordValue) -> Int? {
      switch value {
      case .null: nil
      case .list, .references: 1
      case .object, .reference: 2
      default: 3
      }
    }
    guard let own = kind(self), let others = kind(other) else { return true }
    return own == others
  }

  /// The value, with those inside of it merged that came in where the cache has nothing. nil if the cache keeps none.
  func merged(_ context: MergeContext) -> RecordValue? {
    switch self {
    case .incoming(let incoming): incoming.merged(with: nil, context)
    case .object(let object): .object(object.merged(context))
    case .list(let values) where isOrHasIncoming: .list(values.map { $0.merged(context) ?? .null })
    default: self
    }
  }

  /// Whether it, or something in it, is not merged yet.
  var isOrHasIncoming: Bool {
    switch self {
    case .incoming: true
    case .object(let object): object.hasIncomingValues
    case .list(let values): values.contains { $0.isOrHasIncoming }
    default: false
    }
  }
}

extension ObjectRecord {
  /// The record, with those values in it merged that came in where the cache has nothing.
  package func merged(_ context: MergeContext) -> ObjectRecord {
    guard hasIncomingValues else { return self }
    let result = ObjectRecord.make(type: type, capacity: count)
    for field in fields { if let value = field.value.merged(context) { result.append(Field(field.key, value)) } }
    return result
  }

  fileprivate var hasIncomingValues: Bool {
    defer { withExtendedLifetime(self) {} }
    let places = places
    for index in 0..<places.count where places[index].value.isOrHasIncoming { return true }
    return false
  }
}
