/// Some records, by their keys.
public struct RecordSet: Hashable, Sendable {
  public private(set) var storage: [CacheKey: Record] = [:]

  public init(records: some Sequence<Record> = []) { insert(contentsOf: records) }

  public var isEmpty: Bool { storage.isEmpty }
  public var keys: Set<CacheKey> { Set(storage.keys) }

  public subscript(key: CacheKey) -> Record? { storage[key] }

  /// Adds a record; one that is there under the same key is replaced.
  public mutating func insert(_ record: Record) { storage[record.key] = record }

  public mutating func insert(contentsOf records: some Sequence<Record>) {
    for record in records { insert(record) }
  }

  public mutating func removeRecord(for key: CacheKey) { storage[key] = nil }

  /// - Parameter pattern: See ``CacheKeyPattern``.
  public mutating func removeRecords(matching pattern: CacheKey) {
    let pattern = CacheKeyPattern(pattern)
    storage = storage.filter { !pattern.matches($0.key) }
  }

  public mutating func clear() { storage.removeAll() }

  /// Merges records field by field: fields that come in replace those that are there, all others stay.
  ///
  /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
  @discardableResult public mutating func merge(records: RecordSet) -> Set<CacheKey> {
    var changed: Set<CacheKey> = []
    for record in records.storage.values { changed.formUnion(merge(record: record)) }
    return changed
  }

  /// Merges one record; see ``merge(records:)``.
  @discardableResult public mutating func merge(record: Record) -> Set<CacheKey> {
    guard var merged = storage.removeValue(forKey: record.key) else {
      storage[record.key] = record
      return Set(record.fields.keys.map { "\(record.key).\($0)" })
    }
    var changed: Set<CacheKey> = []
    for (field, value) in record.fields where merged.fields[field] != value {
      merged.fields[field] = value
      changed.insert("\(record.key).\(field)")
    }
    if let date = record.receivedAt { merged.receivedAt = date }
    storage[record.key] = merged
    return changed
  }
}

extension RecordSet: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (CacheKey, Record.Fields)...) {
    self.init(records: elements.map { Record(key: $0, $1) })
  }
}

extension RecordSet: CustomStringConvertible {
  public var description: String {
    storage.values.sorted { $0.key < $1.key }.map(\.description).joined(separator: "\n")
  }
}
