/// When a server sent the fields of one record, in seconds since 1970; 0 for a date that is not known.
///
/// Most fields of a record come together. So there is one date for the record, and a list of the fields that came at
/// another time.
package struct RecordDates: Equatable, Sendable {
  /// A field that came at another time than the record.
  package struct Exception: Equatable, Sendable {
    package let key: FieldKey
    package let seconds: UInt32

    package init(_ key: FieldKey, seconds: UInt32) {
      self.key = key
      self.seconds = seconds
    }
  }

  /// The date of all fields that are no exceptions.
  package var seconds: UInt32 = 0
  package var exceptions: [Exception] = []

  package init(seconds: UInt32 = 0, exceptions: [Exception] = []) {
    self.seconds = seconds
    self.exceptions = exceptions
  }

  package func seconds(of key: FieldKey) -> UInt32 {
    exceptions.first { $0.key == key }?.seconds ?? seconds
  }

  /// The date of the field that came last.
  package var newest: UInt32 { exceptions.reduce(seconds) { max($0, $1.seconds) } }

  /// Notes when some of the fields came.
  ///
  /// - Parameters:
  ///   - confirmed: The fields that came.
  ///   - record: The record, with these fields.
  ///   - new: When they came.
  package mutating func confirm(_ confirmed: ObjectRecord, of record: ObjectRecord, with new: RecordDates) {
    if confirmed.count <= 8, record.count > 64 {
      // A root with very many fields, of which a response has a few.
      return confirmed.forEachKey { set($0, new.seconds(of: $0)) }
    }
    var isConfirmed: Set<FieldKey> = []
    confirmed.forEachKey { isConfirmed.insert($0) }
    let old = secondsByKey, incoming = new.secondsByKey, oldSeconds = seconds
    if isConfirmed.count * 2 >= record.count { seconds = new.seconds }
    exceptions = []
    record.forEachKey { key in
      let date =
        isConfirmed.contains(key) ? incoming[key] ?? new.seconds : old[key] ?? oldSeconds
      if date != seconds { exceptions.append(Exception(key, seconds: date)) }
    }
  }

  private mutating func set(_ key: FieldKey, _ date: UInt32) {
    switch exceptions.firstIndex(where: { $0.key == key }) {
    case let index? where date == seconds: exceptions.remove(at: index)
    case let index?: exceptions[index] = Exception(key, seconds: date)
    case nil: if date != seconds { exceptions.append(Exception(key, seconds: date)) }
    }
  }

  /// The dates of the exceptions, for looking up many.
  package var secondsByKey: [FieldKey: UInt32] {
    Dictionary(exceptions.lazy.map { ($0.key, $0.seconds) }) { first, _ in first }
  }

  /// Notes that the new fields of a record have no date, because no server has sent them.
  ///
  /// - Parameters:
  ///   - record: The record as it is.
  ///   - old: The record as it was.
  package mutating func forgetFields(of record: ObjectRecord, notIn old: ObjectRecord) {
    guard self != RecordDates() else { return }
    let places = old.places
    var next = 0
    record.forEachKey { key in
      // Most fields come in the order of the old record.
      if let index = places.index(of: key, from: next) { next = index + 1 } else { set(key, 0) }
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
}

extension RecordSnapshot {
  /// When a server sent the fields of a record.
  package func dates(of number: Int32) -> RecordDates {
    guard number >= 0, number < count else { return RecordDates() }
    return chunks[Int(number) / Self.chunkSize].dates(at: Int(number) % Self.chunkSize)
  }

  package mutating func setDates(of number: Int32, _ dates: RecordDates) {
    withChunk(of: number) { $0.setDates(at: $1, dates) }
  }

  /// Notes when some fields of a record came.
  ///
  /// - Parameters:
  ///   - fields: The fields that came. The record has these fields.
  ///   - number: The number of the record.
  ///   - new: When they came.
  package mutating func confirm(_ fields: ObjectRecord, of number: Int32, with new: RecordDates) {
    guard let record = self[number] else { return }
    if record.count == fields.count, new.exceptions.isEmpty, let date = onlySeconds(of: number) {
      // All fields came, as most often.
      if date != new.seconds { withChunk(of: number) { $0.setSeconds(at: $1, new.seconds) } }
      return
    }
    let old = dates(of: number)
    var dates = old
    dates.confirm(fields, of: record, with: new)
    if dates != old { setDates(of: number, dates) }
  }

  /// The date of all fields of a record; nil if they have several. (The chunk is released before it may be changed:
  /// otherwise the change would copy it.)
  @inline(__always) private func onlySeconds(of number: Int32) -> UInt32? {
    chunks[Int(number) / Self.chunkSize].onlySeconds(at: Int(number) % Self.chunkSize)
  }

  /// When a server sent the oldest field that a read depended on, in seconds since 1970; 0 if that is not known.
  ///
  /// Fields that `@skip` or `@include` left out count as well. So the date may be too old, and never too new.
  package func oldestSeconds(of dependencies: Dependencies) -> UInt32 {
    var oldest = UInt32.max
    func take(_ seconds: UInt32) { if seconds > 0 { oldest = min(oldest, seconds) } }
    for read in dependencies.reads {
      guard read.record >= 0, read.record < count, read.table.hasFields else { continue }
      if let seconds = onlySeconds(of: read.record) {
        take(seconds)
      } else {
        let dates = dates(of: read.record)
        // The type of an object does not age.
        for key in dependencies.keys(of: read.table)
        where key != .typename && self[read.record]?.value(of: key) != nil {
          take(dates.seconds(of: key))
        }
      }
    }
    for (record, key) in dependencies.fields where self[record]?.value(of: key) != nil {
      take(dates(of: record).seconds(of: key))
    }
    return oldest == .max ? 0 : oldest
  }
}
