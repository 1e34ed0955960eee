import ApolloAPI
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
  public func cachedField(for field: CacheKey) -> CachedField? {
    fields[field].map { value in
      let date = dates[field] ?? receivedAt
      return CachedField(value: value, writtenAt: date.map { Int64($0.timeIntervalSince1970) } ?? 0)
    }
  }

  /// A value in the cache, and when it came. The members are those that Apollo iOS has announced for 3.0.
  public struct CachedField: Hashable, Sendable {
    /// The value.
    public let value: Value
    /// When a server last sent the field, in seconds since 1970; 0 if that is not known.
    public let writtenAt: Int64

    /// Makes a field.
    public init(value: Value, writtenAt: Int64) {
      self.value = value
      self.writtenAt = writtenAt
    }
  }

  /// The value of a field.
  public indirect enum Value: Hashable, Sendable {
    /// Null.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer.
    case int(Int)
    /// A number with a fraction.
    case double(Double)
    /// A string, an enum, or an `ID`.
    case string(String)
    /// The JSON of a custom scalar that is none of these types.
    case json(String)
    /// A reference to an object with a record of its own, by its key.
    case reference(CacheKey)
    /// An object without a key, which belongs to this field.
    case object(Fields)
    /// A list.
    case list([Value])
    /// The JSON of the error that a server reported for this field in place of a value.
    case error(String)
  }
}

extension Record: CustomStringConvertible {
  /// The key and the fields, for debugging.
  public var description: String { "\(key) \(Value.object(fields))" }
}

extension Record.Value: CustomStringConvertible {
  /// The value, for debugging.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .json(let text): text
    case .reference(let key): "→ \(key)"
    case .object(let fields):
      "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .error(let text): "error \(text)"
    }
  }
}

extension Record.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// A list.
  public init(arrayLiteral elements: Record.Value...) { self = .list(elements) }
  /// An object without a key. If several fields have one name, the last one is used.
  public init(dictionaryLiteral elements: (CacheKey, Record.Value)...) {
    self = .object(Record.Fields(elements) { $1 })
  }
}
