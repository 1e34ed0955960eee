import ApolloAPI
public import Foundation

/// One field of one record. It has the name and the members that Apollo iOS has announced for 3.0; earlier releases use
/// a text such as `Droid:2001.name`.
public struct CacheDependentKey: Hashable, Sendable, CustomStringConvertible {
  /// The key of the record, such as `Droid:2001`.
  public let cacheKey: CacheKey
  /// The name of the field with its arguments, such as `friends(first:10)`.
  public let fieldName: String

  /// Names a field of a record.
  ///
  /// - Parameters:
  ///   - cacheKey: The key of the record.
  ///   - fieldName: The name of the field with its arguments.
  public init(cacheKey: CacheKey, fieldName: String) {
    self.cacheKey = cacheKey
    self.fieldName = fieldName
  }

  /// The text that Apollo iOS 1 and 2 use for the field: `Droid:2001.name`.
  public var description: String { "\(cacheKey).\(fieldName)" }
}

extension ApolloStore {
  /// The changes that one write made in a store.
  public struct Change: Hashable, Sendable {
    /// The fields that are new, have another value, or are gone. The fields of removed records are among them.
    public let changedKeys: Set<CacheDependentKey>
    /// The keys of the records that are gone.
    public let removedRecords: Set<CacheKey>
    /// The identifier that the writer gave; nil if it gave none.
    public let contextIdentifier: UUID?

    /// Makes a change, for an app's tests.
    ///
    /// - Parameters:
    ///   - changedKeys: The fields that are new, have another value, or are gone.
    ///   - removedRecords: The keys of the records that are gone.
    ///   - contextIdentifier: The identifier that the writer gave; nil if it gave none.
    public init(changedKeys: Set<CacheDependentKey>, removedRecords: Set<CacheKey>, contextIdentifier: UUID?) {
      self.changedKeys = changedKeys
      self.removedRecords = removedRecords
      self.contextIdentifier = contextIdentifier
    }
  }
}

extension ApolloStore.Change {
  init(_ write: Write) {
    let records = write.table.records
    var changed: Set<CacheDependentKey> = [], removed: Set<CacheKey> = []
    func insert(_ field: FieldKey, of key: CacheKey) {
      changed.insert(CacheDependentKey(cacheKey: key, fieldName: records.text(of: field)))
    }
    // The type of a new object need not be among its fields.
    for record in Set(write.changes.fields.lazy.map(\.record)) {
      guard write.previous[record] == nil, write.table[record]?.type.name != nil else { continue }
      if let key = records.key(of: record) { insert(.typename, of: key) }
    }
    for (record, field) in write.changes.fields {
      if let key = records.key(of: record) { insert(field, of: key) }
    }
    for record in write.changes.removedRecords {
      guard let key = records.key(of: record) else { continue }
      // A record that was removed and written again is there.
      if write.table[record] == nil { removed.insert(key) }
      guard let previous = write.previous[record] else { continue }
      if previous.type.name != nil { insert(.typename, of: key) }
      for field in previous.fields { insert(field.key, of: key) }
    }
    self.init(changedKeys: changed, removedRecords: removed, contextIdentifier: write.origin)
  }
}
