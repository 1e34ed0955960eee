/// The value of a field in the cache, as backends and functions of an app see it.
public indirect enum CachedValue: Hashable, Sendable {
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
  case reference(String)
  /// An object without a key, which belongs to this field. Its fields have the names of the schema, with their arguments
  /// in one canonical form.
  case object([String: CachedValue])
  /// A list.
  case list([CachedValue])
  /// The JSON of the error that a server reported for this field in place of a value.
  case error(String)
}

extension CachedValue {
  /// A value in the cache, and when it came. The members are those that Apollo iOS has announced for 3.0.
  public struct Field: Hashable, Sendable {
    /// The value.
    public let value: CachedValue
    /// When a server last sent the field, in seconds since 1970; 0 if that is not known.
    public let writtenAt: Int64

    /// Makes a field.
    public init(value: CachedValue, writtenAt: Int64) {
      self.value = value
      self.writtenAt = writtenAt
    }
  }
}

extension CachedValue: CustomStringConvertible {
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

extension CachedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
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
  public init(arrayLiteral elements: CachedValue...) { self = .list(elements) }
  /// An object without a key. If several fields have one name, the last one is used.
  public init(dictionaryLiteral elements: (String, CachedValue)...) {
    self = .object([String: CachedValue](elements) { $1 })
  }
}
