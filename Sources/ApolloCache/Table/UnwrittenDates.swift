import ApolloAPI

/// The records of which the backend has older dates than the memory.
///
/// Responses that confirm values and change none would otherwise make the backend write again and again. So their dates
/// wait for the next write, and those of one record are written at most once in a minute. What a backend failed to write
/// waits here as well.
struct UnwrittenDates {
  private static let interval: UInt32 = 60

  private var waiting: Set<Int32> = []
  /// Records that wait, and whose dates were written less than a minute ago. All of them are looked at again when the
  /// minute of the first of them is over: not with each write, as they may be many.
  private var early: Set<Int32> = []
  /// When the dates of the first of those were written.
  private var firstEarly: UInt32 = .max
  /// The records that a backend failed to replace as a whole, or to remove: it may have what is not to be in it.
  private var rewrites: Set<Int32> = []
  /// The patterns of the keys that a backend failed to remove.
  private(set) var patterns: [String] = []
  /// When the dates of a record were last written, in seconds since 1970.
  private var writtenAt: [Int32: UInt32] = [:]
  /// When those times were last removed that are over. That takes place once in a minute.
  private var cleanedAt: UInt32 = 0

  /// Whether a backend failed to replace or to remove something. What was removed is in the backend only, so the keys
  /// have to keep their numbers.
  var hasRewrites: Bool { !rewrites.isEmpty || !patterns.isEmpty }

  func contains(_ record: Int32) -> Bool {
    waiting.contains(record) || early.contains(record) || rewrites.contains(record)
  }

  mutating func insert(_ records: some Sequence<Int32>) { waiting.formUnion(records) }

  /// Puts records back that could not be written. They are written with the next change.
  mutating func putBack(_ records: some Sequence<Int32>) {
    for record in records {
      waiting.insert(record)
      writtenAt[record] = nil
    }
  }

  /// Puts back what could not be replaced as a whole, or removed. That happens with the next change.
  ///
  /// - Parameters:
  ///   - records: The records. One that is not in memory is removed.
  ///   - patterns: The patterns of the keys to remove. The default is none.
  mutating func putBack(rewriting records: some Sequence<Int32>, removing patterns: [String] = []) {
    rewrites.formUnion(records)
    // (The same change of an app may fail again and again.)
    for pattern in patterns where !self.patterns.contains(pattern) { self.patterns.append(pattern) }
  }

  /// Takes what has to be replaced as a whole, or removed.
  mutating func takeRewrites() -> (records: [Int32], patterns: [String]) {
    defer { (rewrites, patterns) = ([], []) }
    return (rewrites.sorted(), patterns)
  }

  /// Takes the records whose dates may be written now.
  ///
  /// - Parameters:
  ///   - now: The time, in seconds since 1970.
  ///   - takesAll: Whether those are taken as well that were written less than a minute ago.
  /// - Returns: The numbers of the records.
  mutating func take(at now: UInt32, takesAll: Bool = false) -> [Int32] {
    func isRecent(_ date: UInt32) -> Bool { now >= date && now - date < Self.interval }
    if !isRecent(cleanedAt) {
      writtenAt = writtenAt.filter { isRecent($0.value) }
      cleanedAt = now
    }
    if takesAll || !isRecent(firstEarly) {
      waiting.formUnion(early)
      (early, firstEarly) = ([], .max)
    }
    var taken: [Int32] = []
    for record in waiting {
      if !takesAll, let date = writtenAt[record], isRecent(date) {
        early.insert(record)
        firstEarly = min(firstEarly, date)
      } else {
        taken.append(record)
      }
    }
    waiting = []
    for record in taken {
      early.remove(record)
      writtenAt[record] = now
    }
    return taken.sorted()
  }

  mutating func removeAll() { self = UnwrittenDates() }

  /// Takes over the new numbers of records. There must be nothing to replace: see ``hasRewrites``.
  mutating func renumber(_ numbers: [Int32: Int32]) {
    waiting = Set(waiting.compactMap { numbers[$0] })
    early = Set(early.compactMap { numbers[$0] })
    writtenAt = Dictionary(writtenAt.compactMap { record, date in numbers[record].map { ($0, date) } }) { max($0, $1) }
  }
}
