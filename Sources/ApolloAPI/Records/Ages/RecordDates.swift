/// When a server sent the value of a field, and until when it may be used, in seconds since 1970.
package struct FieldDate: Hashable, Sendable {
  /// When the server sent it; 0 if that is not known.
  package var seconds: UInt32
  /// From when on it may not be used, by what the server said; 0 if it said nothing. ``notStored`` and
  /// ``inMemory`` have meanings of their own.
  package var expiry: UInt32

  /// A date; by default, one that is not known.
  package init(seconds: UInt32 = 0, expiry: UInt32 = 0) {
    self.seconds = seconds
    self.expiry = expiry
  }

  /// The value must not be stored, by what the server said. It is there only as long as it is read.
  static let notStored: UInt32 = 1
  /// The value is kept in memory only, for any time.
  static let inMemory: UInt32 = 2

  /// From when on it may not be used, by what the server said; nil if it said nothing.
  package var serverExpiry: UInt32? { expiry == 0 || expiry == Self.inMemory ? nil : expiry }

  /// Whether a backend may keep the value. What is too old when it comes is kept in memory only.
  package var isForBackend: Bool { expiry == 0 || expiry > max(seconds, Self.inMemory) }

  /// What holds for all values that come with this date as their common one; nil if each may say more.
  package var lifetimeLimit: Lifetime? {
    switch expiry {
    case Self.notStored: .notStored
    case Self.inMemory: .inMemory
    default: nil
    }
  }

  /// Whether the value is there only as long as it is read.
  package var isTransient: Bool { expiry == Self.notStored }
}

/// The dates of the fields of one record.
///
/// Most fields of a record come together. So there is one date for the record, and a list of the fields that have
/// another one.
package struct RecordDates: Equatable, Sendable {
  /// A field that has another date than the record.
  struct Exception: Equatable, Sendable {
    let key: FieldKey
    let date: FieldDate

    init(_ key: FieldKey, _ date: FieldDate) {
      self.key = key
      self.date = date
    }
  }

  /// The date of all fields that are not exceptions.
  package var common: FieldDate
  var exceptions: [Exception] = []

  /// One date for all fields; by default, one that is not known.
  package init(_ common: FieldDate = FieldDate()) { self.common = common }

  /// Makes the dates of a record.
  ///
  /// - Parameters:
  ///   - common: The date of most fields.
  ///   - exceptions: The fields that have another date.
  package init(_ common: FieldDate, exceptions: some Sequence<(key: FieldKey, date: FieldDate)>) {
    self.common = common
    self.exceptions = exceptions.map { Exception($0.key, $0.date) }
  }

  /// The date of a field.
  package func date(of key: FieldKey) -> FieldDate {
    exceptions.first { $0.key == key }?.date ?? common
  }

  /// Whether a backend may keep the same fields by these dates and by others.
  package func hasSameFieldsForBackend(as other: RecordDates, of record: ObjectRecord) -> Bool {
    let known = datesByKey, otherKnown = other.datesByKey
    var isSame = true
    record.forEachKey { key in
      if (known[key] ?? common).isForBackend != (otherKnown[key] ?? other.common).isForBackend { isSame = false }
    }
    return isSame
  }

  var hasExpiries: Bool { common.expiry > 0 || exceptions.contains { $0.date.expiry > 0 } }

  /// Whether any date is known.
  package var isKnown: Bool { common != FieldDate() || !exceptions.isEmpty }

  /// When the field came that came last.
  package var newest: UInt32 { exceptions.reduce(common.seconds) { max($0, $1.date.seconds) } }

  /// Notes when some of the fields came.
  ///
  /// - Parameters:
  ///   - confirmed: The fields that came.
  ///   - record: The record, with these fields.
  ///   - new: When they came.
  package mutating func confirm(_ confirmed: ObjectRecord, of record: ObjectRecord, with new: RecordDates) {
    if confirmed.count <= 8, record.count > 64 {
      // A root with very many fields, of which a response has a few.
      return confirmed.forEachKey { set($0, new.date(of: $0)) }
    }
    var isConfirmed: Set<FieldKey> = []
    confirmed.forEachKey { isConfirmed.insert($0) }
    let old = datesByKey, incoming = new.datesByKey, oldCommon = common
    if isConfirmed.count * 2 >= record.count { common = new.common }
    exceptions = []
    record.forEachKey { key in
      let date =
        isConfirmed.contains(key) ? incoming[key] ?? new.common : old[key] ?? oldCommon
      if date != common { exceptions.append(Exception(key, date)) }
    }
  }

  private mutating func set(_ key: FieldKey, _ date: FieldDate) {
    switch exceptions.firstIndex(where: { $0.key == key }) {
    case let index? where date == common: exceptions.remove(at: index)
    case let index?: exceptions[index] = Exception(key, date)
    case nil: if date != common { exceptions.append(Exception(key, date)) }
    }
  }

  /// Whether a backend may keep all fields of the record.
  package var areForBackend: Bool { common.isForBackend && exceptions.allSatisfy(\.date.isForBackend) }

  /// The dates of the exceptions, for looking up many.
  package var datesByKey: [FieldKey: FieldDate] {
    Dictionary(exceptions.lazy.map { ($0.key, $0.date) }) { first, _ in first }
  }

  /// Notes that the new fields of a record have no date, because no server has sent them.
  ///
  /// - Parameters:
  ///   - record: The record as it is.
  ///   - old: The record as it was.
  package mutating func forgetFields(of record: ObjectRecord, notIn old: ObjectRecord) {
    guard isKnown else { return }
    let places = old.places
    var next = 0
    record.forEachKey { key in
      // Most fields come in the order of the old record.
      if let index = places.index(of: key, from: next) { next = index + 1 } else { set(key, FieldDate()) }
    }
    withExtendedLifetime(old) {}
  }

  /// Forgets the dates of fields that the record does not have.
  package mutating func removeFields(notIn record: ObjectRecord) {
    guard !exceptions.isEmpty else { return }
    var keys: Set<FieldKey> = []
    record.forEachKey { keys.insert($0) }
    exceptions.removeAll { !keys.contains($0.key) }
  }

  /// The dates under other numbers of the fields.
  package func renumbered(_ fieldKey: (FieldKey) -> FieldKey) -> RecordDates {
    RecordDates(
      common,
      exceptions: exceptions.map { ($0.key.hasArguments ? fieldKey($0.key) : $0.key, $0.date) })
  }
}

extension RecordSnapshot {
  /// When a server sent the fields of a record.
  package func dates(of number: Int32) -> RecordDates {
    guard number >= 0, number < count else { return RecordDates() }
    return chunks[Int(number) / Self.chunkSize].dates(at: Int(number) % Self.chunkSize)
  }

  /// When a server sent a field of a record.
  package func date(of key: FieldKey, of number: Int32) -> FieldDate {
    guard number >= 0, number < count else { return FieldDate() }
    return chunks[Int(number) / Self.chunkSize].date(of: key, at: Int(number) % Self.chunkSize)
  }

  /// Replaces the dates of a record.
  package mutating func setDates(of number: Int32, _ dates: RecordDates) {
    if dates.hasExpiries { hasExpiries = true }
    withChunk(of: number) { $0.setDates(at: $1, dates) }
  }

  /// Notes when some fields of a record came.
  ///
  /// - Parameters:
  ///   - fields: The fields that came. The record has these fields.
  ///   - number: The number of the record.
  ///   - new: When they came.
  /// - Returns: Whether a date has changed.
  @discardableResult
  package mutating func confirm(_ fields: ObjectRecord, of number: Int32, with new: RecordDates) -> Bool {
    guard let record = self[number] else { return false }
    if record.count == fields.count, new.exceptions.isEmpty, let date = onlyDate(of: number) {
      // All fields came, as most often.
      if date == new.common { return false }
      if new.common.expiry > 0 { hasExpiries = true }
      withChunk(of: number) { $0.setDate(at: $1, new.common) }
      return true
    }
    let old = dates(of: number)
    var dates = old
    dates.confirm(fields, of: record, with: new)
    if dates == old { return false }
    setDates(of: number, dates)
    return true
  }

  /// The date of all fields of a record; nil if they have several. (The chunk is released before it may be changed:
  /// otherwise the change would copy it.)
  @inline(__always) func onlyDate(of number: Int32) -> FieldDate? {
    chunks[Int(number) / Self.chunkSize].onlyDate(at: Int(number) % Self.chunkSize)
  }

  /// A record, and when all of its fields were sent; nil if there is no such record.
  @inline(__always) func dated(_ number: Int32) -> (record: ObjectRecord, date: OnlyDate)? {
    let number = Int(number)
    guard number >= 0, number < count else { return nil }
    let chunk = chunks[number / Self.chunkSize], index = number % Self.chunkSize
    return chunk.records[index].map { ($0, chunk.dates[index]) }
  }

  /// The date of all fields of a record; nil if they have several. That of a record that is not there is not known.
  @inline(__always) func knownDate(of number: Int32) -> FieldDate? {
    number >= 0 && number < count ? onlyDate(of: number) : FieldDate()
  }

  /// When a server sent the oldest field that a read depended on, in seconds since 1970; 0 if that is not known.
  ///
  /// Fields that `@skip` or `@include` left out count as well. So the date may be too old, and never too new.
  package func oldestSeconds(of dependencies: Dependencies) -> UInt32 {
    var oldest = UInt32.max
    func take(_ seconds: UInt32) { if seconds > 0 { oldest = min(oldest, seconds) } }
    for read in dependencies.reads {
      guard read.record >= 0, read.record < count else { continue }
      if let date = onlyDate(of: read.record) {
        // Most records are not older than what was looked at before. So their tables are not looked at.
        if date.seconds < oldest, read.table.hasFields { take(date.seconds) }
      } else {
        // The type of an object does not age.
        for key in dependencies.keys(of: read)
        where key != .typename && self[read.record]?.value(of: key) != nil {
          take(date(of: key, of: read.record).seconds)
        }
      }
    }
    for (record, key) in dependencies.fields where self[record]?.value(of: key) != nil {
      take(date(of: key, of: record).seconds)
    }
    return oldest == .max ? 0 : oldest
  }
}

/// When all fields of a record were sent.
struct OnlyDate: Equatable, Comparable {
  /// In seconds since 1970; or 0, or the greatest number.
  let seconds: UInt32

  static let unknown = OnlyDate(seconds: 0)
  /// They were sent at several times.
  static let several = OnlyDate(seconds: .max)

  var isKnown: Bool { self != .unknown && self != .several }

  static func < (left: OnlyDate, right: OnlyDate) -> Bool { left.seconds < right.seconds }
}
