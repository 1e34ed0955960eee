import ApolloAPI
public import Foundation

/// One field of one record, as Apollo iOS names it from 3.0 on (announced in its design): what was a text such as
/// `Droid:2001.name` before.
public struct CacheDependentKey: Hashable, Sendable, CustomStringConvertible {
  /// The key of the record, such as `Droid:2001`.
  public let cacheKey: CacheKey
  /// The field, with its arguments, such as `friends(first:10)`.
  public let fieldName: String

  public init(cacheKey: CacheKey, fieldName: String) {
    self.cacheKey = cacheKey
    self.fieldName = fieldName
  }

  /// The text that stands for it in Apollo iOS 1.x and 2.x: `Droid:2001.name`.
  public var description: String { "\(cacheKey).\(fieldName)" }
}

/// What one write changed in a store.
public struct StoreChange: Hashable, Sendable {
  /// The fields that are new, have another value, or are gone; those of removed records are among them.
  public let changedKeys: Set<CacheDependentKey>
  /// The records that are gone.
  public let removedRecords: Set<CacheKey>
  /// The identifier that the writer gave; nil if it gave none.
  public let contextIdentifier: UUID?

  public init(changedKeys: Set<CacheDependentKey>, removedRecords: Set<CacheKey>, contextIdentifier: UUID?) {
    self.changedKeys = changedKeys
    self.removedRecords = removedRecords
    self.contextIdentifier = contextIdentifier
  }
}

extension StoreChange {
  init(_ write: Write) {
    let records = write.table.records
    var changed: Set<CacheDependentKey> = [], removed: Set<CacheKey> = []
    for (record, field) in write.changes.fields {
      guard let key = records.key(of: record) else { continue }
      changed.insert(CacheDependentKey(cacheKey: key, fieldName: field.text))
    }
    for record in write.changes.removedRecords {
      guard let key = records.key(of: record) else { continue }
      // A record that was removed and written anew is there.
      if write.table[record] == nil { removed.insert(key) }
      for field in write.previous[record]?.fields ?? [] {
        changed.insert(CacheDependentKey(cacheKey: key, fieldName: field.key.text))
      }
    }
    self.init(changedKeys: changed, removedRecords: removed, contextIdentifier: write.origin)
  }
}
