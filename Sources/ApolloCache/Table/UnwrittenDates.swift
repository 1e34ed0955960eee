import ApolloAPI

/// The records of which the backend has older dates than the memory.
///
/// Responses that confirm values and change none would otherwise make the backend write again and again. So their dates
/// wait for the next write, and those of one record are written at most once in a minute. What a backend failed to write
/// waits here as well.
struct UnwrittenDates {
  private static let interval: UInt32 = 60

  private var waiting: Set<Int32> = []
  /// The records that a backend failed to replace as a whole, or to remove: it may have what is not to be in it.
  private var rewrites: Set<Int32> = []
  /// The patterns of the keys that a backend failed to remove.
  private(set) var patterns: [String] = []
  /// When the dates of a record were last written, in seconds since 1970.
  private var writtenAt: [Int32: UInt32] = [:]

  /// Whether a backend failed to replace or to remove something. What was removed is in the backend only, so the keys
  /// have to keep their numbers.
  var hasRewrites: Bool { !rewrites.isEmpty || !patterns.isEmpty }

  func contains(_ record: Int32) -> Bool { waiting.contains(record) || rewrites.contains(record) }

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
    writtenAt = writtenAt.filter { now >= $0.value && now - $0.value < Self.interval }
    let taken = waiting.filter { takesAll || writtenAt[$0] == nil }
    waiting.subtract(taken)
    for record in taken { writtenAt[record] = now }
    return taken.sorted()
  }

  mutating func removeAll() { self = UnwrittenDates() }

  /// Takes over the new numbers of records. There must be nothing to replace: see ``hasRewrites``.
  mutating func renumber(_ numbers: [Int32: Int32]) {
    waiting = Set(waiting.compactMap { numbers[$0] })
    writtenAt = Dictionary(writtenAt.compactMap { record, date in numbers[record].map { ($0, date) } }) { max($0, $1) }
  }
}
