import ApolloAPI

/// The fields that a write changed, record after record.
struct ChangeSet: Sendable {
  /// Fields that are new, have another value, or were removed.
  private(set) var fields: [(record: Int32, key: FieldKey)] = []
  /// Records that were removed.
  private(set) var removedRecords: [Int32] = []
  /// Records that lost a field: a backend must replace them completely.
  private(set) var reducedRecords: [Int32] = []
  /// Records with new dates for fields that have not changed, if a backend keeps dates.
  private(set) var confirmedRecords: [Int32] = []
  /// Records with fields that have not changed, and that a backend may keep from now on, or no longer.
  private(set) var rewrittenRecords: [Int32] = []
  /// Patterns of keys that were removed: a backend may have more such records than are in memory.
  private(set) var removedPatterns: [String] = []

  /// The first error of a function of the app that merges fields; nil if there was none.
  var mergerError: FieldPolicy.MergerError?

  /// Whether it is that of several writes, so that one may have taken back what another one has changed.
  private(set) var isOfSeveralWrites = false

  var isEmpty: Bool { fields.isEmpty && removedRecords.isEmpty && removedPatterns.isEmpty }

  @inline(__always) mutating func insert(_ record: Int32, _ key: FieldKey) { fields.append((record, key)) }

  mutating func insertConfirmation(of record: Int32) { confirmedRecords.append(record) }

  mutating func insertRewriting(of record: Int32) { rewrittenRecords.append(record) }

  /// Whether a backend has nothing to write but dates.
  var isEmptyForBackend: Bool { isEmpty && rewrittenRecords.isEmpty }

  mutating func insertRemoval(of record: Int32) { removedRecords.append(record) }

  mutating func insertRemoval(of key: FieldKey, from record: Int32) {
    insert(record, key)
    reducedRecords.append(record)
  }

  mutating func insertRemoval(matching pattern: String) { removedPatterns.append(pattern) }

  mutating func formUnion(_ other: ChangeSet) {
    isOfSeveralWrites = isOfSeveralWrites || other.isOfSeveralWrites || !isEmpty && !other.isEmpty
    fields += other.fields
    removedRecords += other.removedRecords
    reducedRecords += other.reducedRecords
    rewrittenRecords += other.rewrittenRecords
    confirmedRecords += other.confirmedRecords
    removedPatterns += other.removedPatterns
  }

  /// The fields as `record.field`.
  func names(in records: RecordSnapshot) -> [String] {
    fields.map { "\(records.key(of: $0.record) ?? "").\(records.text(of: $0.key))" }
  }
}
