public import ApolloAPI
public import Foundation

/// The key under which the cache keeps an object, such as `Droid:2001` or `QUERY_ROOT`.
public typealias CacheKey = String

/// The fields of one object, as a backend of the cache sees them: everything that any operation read of the object.
///
/// Fields have the names of the schema, with their arguments in one canonical form: `friends`, `friends(first:10)`,
/// `search(order:"ASC",text:"Luke")`.
public struct Record: Hashable, Sendable {
  /// The fields of an object by their names with arguments.
  public typealias Fields = [CacheKey: Value]

  /// The key of the record.
  public let key: CacheKey
  /// The fields by name. If the type of the object is known, it is the field `__typename`.
  public var fields: Fields
  /// When a server last sent one of the fields, to the second; nil if that is not known.
  public var receivedAt: Date?
  /// When a server last sent a field, to the second, for fields that did not come with the newest ones at
  /// ``receivedAt``. 1970 stands for a date that is not known.
  public var dates: [CacheKey: Date] = [:]
  /// From when on a field may not be used, to the second, for fields for which a server said it.
  public var expirations: [CacheKey: Date] = [:]

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - fields: The fields by name. The default is none.
  ///   - receivedAt: When a server last sent one of the fields. nil, the default: not known.
  public init(key: CacheKey, _ fields: Fields = [:], receivedAt: Date? = nil) {
    self.key = key
    self.fields = fields
    self.receivedAt = receivedAt
  }

  /// The value of a field; nil if the record does not have the field.
  public subscript(field: CacheKey) -> Value? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// A field with its date; nil if the record does not have the field.
  public func cachedField(for field: CacheKey) -> CachedValue.Field? {
    fields[field].map { value in
      let date = dates[field] ?? receivedAt
      return CachedValue.Field(value: value, writtenAt: date.map { wholeSeconds($0.timeIntervalSince1970) } ?? 0)
    }
  }

  /// A value in the cache, and when it came. The name inside of a record, as Apollo iOS has announced it for 3.0.
  public typealias CachedField = CachedValue.Field

  /// The value of a field.
  public typealias Value = CachedValue
}

extension Record: CustomStringConvertible {
  /// The key and the fields, for debugging.
  public var description: String { "\(key) \(Value.object(fields))" }
}
