/// The records of a store at one moment, by their numbers.
///
/// Chunks are shared with the store until it changes them, so taking a snapshot costs a few references.
package struct RecordSnapshot: Sendable {
  static let chunkSize = 128

  private(set) var chunks: [Chunk] = []
  /// One more than the greatest number that may have a record.
  package var count: Int { chunks.count * Self.chunkSize }
  /// The keys of the numbers. Keys are only added, so a number has one meaning in all snapshots that share them.
  package let keys: Locked<StoreKeys>

  /// Whether some field has, or had, an expiry.
  package internal(set) var hasExpiries = false
  /// Whether records may be in a backend that are not in memory.
  package let hasBackend: Bool

  /// A snapshot without records, with keys of its own.
  package init(hasBackend: Bool = false) {
    self.hasBackend = hasBackend
    var roots = StoreKeys()
    for type in GraphQLOperationType.allCases { _ = roots.records.insert(type.rootKey) }
    keys = Locked(roots)
  }

  /// The record with a number; nil if there is none in memory.
  package subscript(number: Int32) -> ObjectRecord? {
    let number = Int(number)
    guard number >= 0, number < count else { return nil }
    return chunks[number / Self.chunkSize].records[number % Self.chunkSize]
  }

  /// Whether a backend was asked for the record.
  package func isLoaded(_ number: Int32) -> Bool {
    guard number >= 0, number < count else { return false }
    return chunks[Int(number) / Self.chunkSize].isLoaded[Int(number) % Self.chunkSize]
  }

  /// Whether it is known that there is no such record. (One that was removed to save memory, or room in a backend, may come
  /// again.)
  package func isGone(_ number: Int32) -> Bool {
    guard number >= 0, number < count else { return !hasBackend }
    let chunk = chunks[Int(number) / Self.chunkSize], index = Int(number) % Self.chunkSize
    return chunk.records[index] == nil && !chunk.isEvicted[index] && (chunk.isLoaded[index] || !hasBackend)
  }

  // MARK: Keys

  /// The number of a key, if it has one.
  package func number(of key: String) -> Int32? { keys.withLock { $0.number(of: key) } }

  /// The key of a number; nil if no key has it.
  package func key(of number: Int32) -> String? { keys.withLock { $0.key(of: number) } }

  /// How many bytes the key of a record has as UTF-8; 0 if no record has the number.
  package func keyLength(of number: Int32) -> Int {
    keys.withLock { number >= 0 && Int(number) < $0.records.count ? $0.records.length(of: number) : 0 }
  }

  /// Adds the key of a record as UTF-8; nothing if no record has the number.
  package func appendKey(of number: Int32, to bytes: inout [UInt8]) {
    keys.withLock { if number >= 0, Int(number) < $0.records.count { $0.records.append(number, to: &bytes) } }
  }

  /// The number of a key. A new key is given a number.
  package func insert(_ key: String) -> Int32 { keys.withLock { $0.insert(key) } }

  /// The key of a field, by its name, or by its name and its arguments. nil if no record has such a field.
  package func fieldKey(of text: String) -> FieldKey? { keys.withLock { $0.findFieldKey(text) } }

  /// The name of a field, with its arguments if it has any.
  package func text(of key: FieldKey) -> String {
    key.hasArguments ? keys.withLock { $0.text(of: key) } : key.name
  }

  /// How many bytes a record takes with its key, by estimate.
  package func size(of record: ObjectRecord, _ number: Int32) -> Int {
    let fields = record.keysWithArguments
    return record.estimatedSize
      + keys.withLock { keys in
        48 + keys.records.length(of: number) + fields.reduce(0) { $0 + 48 + keys.length(of: $1) }
      }
  }

  /// How many keys have numbers: keys of records, and of fields with arguments.
  package var keyCount: Int { keys.withLock { $0.count } }

  // MARK: Changing

  /// Removes all records. Their keys stay.
  package mutating func removeAll() { chunks = [] }

  /// Replaces a record. Fields that are gone have no date.
  package mutating func setRecord(_ number: Int32, _ record: ObjectRecord?) {
    withChunk(of: number) { $0.setRecord(at: $1, record) }
  }

  /// Notes that a backend was asked for a record.
  ///
  /// - Parameters:
  ///   - number: The number of the record.
  ///   - mayCome: Whether the backend does not have it for a reason that is not known. The default is false: if it is not
  ///     there, it is gone.
  package mutating func setLoaded(_ number: Int32, mayCome: Bool = false) {
    withChunk(of: number) {
      $0.isLoaded[$1] = true
      if mayCome { $0.isEvicted[$1] = true }
    }
  }

  /// Notes whether a record was removed to save memory. A backend is asked for such a record again.
  package mutating func setEvicted(_ number: Int32, _ isEvicted: Bool) {
    withChunk(of: number) {
      $0.isEvicted[$1] = isEvicted
      if isEvicted { $0.isLoaded[$1] = false }
    }
  }

  /// Changes the chunk that has a number, at the number's place in it. Other snapshots keep theirs.
  mutating func withChunk(of number: Int32, _ body: (Chunk, Int) -> Void) {
    let index = Int(number) / Self.chunkSize
    while chunks.count <= index { chunks.append(Chunk()) }
    if !isKnownUniquelyReferenced(&chunks[index]) { chunks[index] = chunks[index].copy() }
    body(chunks[index], Int(number) % Self.chunkSize)
  }
}

extension GraphQLOperationType {
  /// The key of the record that holds the fields of the root object.
  package var rootKey: String {
    switch self {
    case .query: "QUERY_ROOT"
    case .mutation: "MUTATION_ROOT"
    case .subscription: "SUBSCRIPTION_ROOT"
    }
  }

  /// The number of the root record, which is fixed in every store. It exists even while the record has no fields.
  package var rootNumber: Int32 {
    switch self {
    case .query: 0
    case .mutation: 1
    case .subscription: 2
    }
  }

  static let rootCount: Int32 = 3
}
