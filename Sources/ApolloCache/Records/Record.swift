import ApolloAPI
public import Foundation

/// The key of a record, such as `Droid:2001` or `QUERY_ROOT`.
public typealias CacheKey = String

/// The fields of one object, as a backend of the cache sees them: everything that any operation read of it.
///
/// Fields are named as in the schema, with their arguments in one canonical form: `friends`, `friends(first:10)`,
/// `search(order:"ASC",text:"Luke")`.
public struct Record: Hashable, Sendable {
  public typealias Fields = [CacheKey: Value]

  public let key: CacheKey
  /// The fields, with the object's type as `__typename` where it is known.
  public var fields: Fields
  /// When a server last told one of the fields, to the second; nil if that is not known.
  public var receivedAt: Date?

  public init(key: CacheKey, _ fields: Fields = [:], receivedAt: Date? = nil) {
    self.key = key
    self.fields = fields
    self.receivedAt = receivedAt
  }

  public subscript(field: CacheKey) -> Value? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// What a field holds.
  public indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    /// The JSON of a custom scalar that is none of the above.
    case json(String)
    /// An object with a record of its own.
    case reference(CacheKey)
    /// An object without a key, which belongs to this field.
    case object(Fields)
    case list([Value])
    /// The JSON of the error that a server reported for this field, with no value.
    case error(String)
  }
}

extension Record: CustomStringConvertible {
  public var description: String { "\(key) \(Value.object(fields))" }
}

extension Record.Value: CustomStringConvertible {
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
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: Record.Value...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (CacheKey, Record.Value)...) {
    self = .object(Record.Fields(elements) { $1 })
  }
}
