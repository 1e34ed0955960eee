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

  /// Notes that a server has sent some of the fields.
  ///
  /// - Parameters:
  ///   - confirmed: What it has sent.
  ///   - record: The record, with these fields.
  ///   - date: When it has sent them.
  package mutating func confirm(_ confirmed: ObjectRecord, of record: ObjectRecord, at date: UInt32) {
    var isConfirmed: Set<FieldKey> = []
    confirmed.forEachKey { isConfirmed.insert($0) }
    var others: [Exception] = []
    let known = Dictionary(exceptions.map { ($0.key, $0.seconds) }) { first, _ in first }
    record.forEachKey { key in
      if !isConfirmed.contains(key) { others.append(Exception(key, seconds: known[key] ?? seconds)) }
    }
    if isConfirmed.count >= others.count {
      exceptions = others.filter { $0.seconds != date }
      seconds = date
    } else {
      exceptions = others.filter { $0.seconds != seconds }
      if date != seconds { confirmed.forEachKey { exceptions.append(Exception($0, seconds: date)) } }
    }
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

  /// Notes that a server has sent some fields of a record.
  ///
  /// - Parameters:
  ///   - fields: What it has sent. The record has these fields.
  ///   - number: The number of the record.
  ///   - seconds: When it has sent them.
  package mutating func confirm(_ fields: ObjectRecord, of number: Int32, at seconds: UInt32) {
    guard let record = self[number] else { return }
    if record.count == fields.count, let date = onlySeconds(of: number) {
      // All fields came, as most often.
      if date != seconds { withChunk(of: number) { $0.setSeconds(at: $1, seconds) } }
      return
    }
    let old = dates(of: number)
    var dates = old
    dates.confirm(fields, of: record, at: seconds)
    if dates != old { setDates(of: number, dates) }
  }

  /// The date of all fields of a record; nil if they have several. (The chunk is released before it may be changed:
  /// otherwise the change would copy it.)
  @inline(__always) private func onlySeconds(of number: Int32) -> UInt32? {
    chunks[Int(number) / Self.chunkSize].onlySeconds(at: Int(number) % Self.chunkSize)
  }

  /// When a server sent the oldest field that a read depended on, in seconds since 1970; 0 if that is not known.
  package func oldestSeconds(of dependencies: Dependencies) -> UInt32 {
    var oldest = UInt32.max
    for read in dependencies.reads {
      guard read.record >= 0, read.record < count else { continue }
      if let seconds = onlySeconds(of: read.record) {
        if seconds > 0 { oldest = min(oldest, seconds) }
      } else {
        let dates = dates(of: read.record)
        for key in dependencies.keys(of: read.table) where self[read.record]?.value(of: key) != nil {
          let seconds = dates.seconds(of: key)
          if seconds > 0 { oldest = min(oldest, seconds) }
        }
      }
    }
    return oldest == .max ? 0 : oldest
  }
}
