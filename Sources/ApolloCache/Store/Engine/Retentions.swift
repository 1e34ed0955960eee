import ApolloAPI

/// The operations that are kept from collections.
struct Retentions {
  struct Identity: Hashable {
    let type: ObjectIdentifier
    let variables: Variables
  }

  struct Reader: Sendable {
    let operation: Identity
    /// Reads the operation: what the read depended on, and what a backend has to be asked for to go on.
    let read: @Sendable (RecordTable) -> (dependencies: Dependencies, missing: Set<Int32>)
  }

  private var active: [UInt64: Reader] = [:]
  /// Those that were released last, each once.
  private var released: [Reader] = []
  private var nextID: UInt64 = 0
  /// Changes with the operations.
  private(set) var version: UInt64 = 0
  var bufferSize = 10 { didSet { trim() } }

  var readers: [Reader] { Array(active.values) + released }

  mutating func add(_ reader: Reader) -> UInt64 {
    nextID += 1
    version += 1
    active[nextID] = reader
    return nextID
  }

  mutating func release(_ id: UInt64) {
    guard let reader = active.removeValue(forKey: id) else { return }
    released.removeAll { $0.operation == reader.operation }
    released.append(reader)
    trim()
  }

  private mutating func trim() {
    version += 1
    released.removeFirst(max(0, released.count - bufferSize))
  }
}

/// The fields that retained operations read, or layers.
struct RetainedFields {
  private var fields: [Int32: Set<FieldKey>] = [:]

  var records: some Collection<Int32> { fields.keys }

  func contains(_ number: Int32) -> Bool { fields[number] != nil }

  func contains(_ key: FieldKey, of number: Int32) -> Bool {
    fields[number].map { $0.contains(key) || $0.contains(.unresolved) } ?? false
  }

  /// The fields of a record. With `unresolved` among them, they are all of its fields.
  func keys(of number: Int32) -> Set<FieldKey> { fields[number] ?? [] }

  mutating func insert(_ key: FieldKey, of number: Int32) { fields[number, default: []].insert(key) }

  mutating func formUnion(_ other: RetainedFields) {
    fields.merge(other.fields) { $0.union($1) }
  }

  mutating func insert(_ dependencies: Dependencies) {
    for read in dependencies.reads where read.record >= 0 {
      fields[read.record, default: []].formUnion(dependencies.keys(of: read))
    }
    for (record, key) in dependencies.fields where record >= 0 { insert(key, of: record) }
  }
}
