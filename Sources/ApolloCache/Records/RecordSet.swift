import Foundation

/// Several records, by their keys.
public struct RecordSet: Hashable, Sendable {
  /// The records by their keys.
  public private(set) var storage: [CacheKey: Record] = [:]
  /// When the operation was asked for whose answer the records are of; nil: they are of none. A store that was cleared
  /// since does not take them, whatever code of an app publishes them.
  package var asked: StoreEpoch?
  /// Whether lists may be shorter than in the whole answer, of which the records are a part.
  package var hasOpenLists = false

  /// Makes a set. If several records have one key, the last one is kept.
  public init(records: some Sequence<Record> = []) { insert(contentsOf: records) }

  /// Whether there are no records.
  public var isEmpty: Bool { storage.isEmpty }
  /// The keys of the records.
  public var keys: Set<CacheKey> { Set(storage.keys) }

  /// The record with a key; nil if there is none.
  public subscript(key: CacheKey) -> Record? { storage[key] }

  /// Adds a record. It replaces a record with an equal key.
  public mutating func insert(_ record: Record) { storage[record.key] = record }

  /// Adds records. Each replaces a record with an equal key.
  public mutating func insert(contentsOf records: some Sequence<Record>) {
    for record in records { insert(record) }
  }

  /// Removes the record with a key, if there is one.
  public mutating func removeRecord(for key: CacheKey) { storage[key] = nil }

  /// Removes all records whose keys match.
  ///
  /// - Parameter pattern: A pattern in the form of ``CacheKeyPattern``.
  public mutating func removeRecords(matching pattern: CacheKey) {
    let pattern = CacheKeyPattern(pattern)
    storage = storage.filter { !pattern.matches($0.key) }
  }

  /// Removes all records.
  public mutating func clear() { storage.removeAll() }

  /// Merges records field by field: new fields replace fields with equal names, and all other fields stay.
  ///
  /// - Parameter records: The records to merge.
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
    merged.mergeDates(of: record)
    for (field, value) in record.fields where merged.fields[field] != value {
      merged.fields[field] = value
      changed.insert("\(record.key).\(field)")
    }
    storage[record.key] = merged
    return changed
  }
}

extension RecordSet {
  /// Compares the records.
  public static func == (a: RecordSet, b: RecordSet) -> Bool { a.storage == b.storage }

  /// Feeds the records into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}

extension RecordSet: ExpressibleByDictionaryLiteral {
  /// Makes a set of fields by the keys of their records.
  public init(dictionaryLiteral elements: (CacheKey, Record.Fields)...) {
    self.init(records: elements.map { Record(key: $0, $1) })
  }
}

extension RecordSet: CustomStringConvertible {
  /// The records, sorted by key, one on each line.
  public var description: String {
    storage.values.sorted { $0.key < $1.key }.map(\.description).joined(separator: "\n")
  }
}

extension Record {
  /// Takes the dates of another record for the fields of that record, before they are merged. All other fields keep
  /// theirs. Where the other record has no date, its new fields have none.
  fileprivate mutating func mergeDates(of record: Record) {
    let unknown = Date(timeIntervalSince1970: 0)
    var all: [CacheKey: Date] = [:]
    for field in fields.keys { all[field] = dates[field] ?? receivedAt ?? unknown }
    for field in record.fields.keys {
      expirations[field] = record.expirations[field]
      if let date = record.dates[field] ?? record.receivedAt {
        all[field] = date
      } else if all[field] == nil {
        all[field] = unknown
      }
    }
    receivedAt = [receivedAt, record.receivedAt].compactMap(\.self).max()
    dates = all.filter { $0.value != receivedAt ?? unknown }
  }
}
