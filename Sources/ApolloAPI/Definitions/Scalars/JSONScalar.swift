/// A JSON value of any kind: the type for a scalar such as `JSON`, whose values the schema does not describe.
///
///     extend scalar JSON @map(to: "JSONScalar", module: "ApolloAPI")
///
/// A model then has a value that can be looked into, and a variable takes a literal:
///
///     let color = issue.settings?["labels"]?[0]?["color"]?.string
///     SaveSettingsMutation(settings: ["labels": [["color": "red"]], "limit": 10])
public enum JSONScalar: CustomScalarType, Hashable {
  /// `null` inside of a list or an object.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction that an `Int` can hold.
  case int(Int)
  /// A number with a fraction or an exponent.
  case double(Double)
  /// A number that neither an `Int` nor a `Double` can hold.
  case number(JSONNumber)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONScalar])
  /// An object: values by the names of its members, whose order is not kept.
  case object([String: JSONScalar])

  /// Makes a value of JSON.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value that is not one of ``JSONValue``'s types.
  public init(_jsonValue value: JSONValue) throws {
    switch value {
    case is JSONNull: self = .null
    case let value as JSONScalar: self = value
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(value)
    case let value as Double: self = .double(value)
    case let value as JSONNumber: self = .number(value)
    case let value as String: self = .string(value)
    case let value as [JSONValue]: self = .array(try value.map(Self.init(_jsonValue:)))
    case let value as JSONObject: self = .object(try value.mapValues(Self.init(_jsonValue:)))
    default: throw JSONDecodingError.couldNotConvert(value: value, to: Self.self)
    }
  }

  /// The value in Swift's own types.
  public var _jsonValue: JSONValue {
    switch self {
    case .null: JSONNull()
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .number(let value): value
    case .string(let value): value
    case .array(let values): values.map(\._jsonValue)
    case .object(let members): members.mapValues(\._jsonValue)
    }
  }
}

// MARK: - Looking into a value

extension JSONScalar {
  /// A member of an object; nil if there is none, or if this is not an object.
  public subscript(name: String) -> JSONScalar? { object?[name] }

  /// An element of a list; nil if there is none, or if this is not a list.
  public subscript(index: Int) -> JSONScalar? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }
  /// The Boolean; nil for a value of another kind.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The text; nil for a value of another kind.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The elements; nil for a value of another kind.
  public var array: [JSONScalar]? { if case .array(let values) = self { values } else { nil } }
  /// The members; nil for a value of another kind.
  public var object: [String: JSONScalar]? { if case .object(let members) = self { members } else { nil } }

  /// The number, if it has no fraction and an `Int` can hold it: `2`, and `2.0` as well. Otherwise nil.
  public var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number as a `Double`; nil for a value of another kind, and for a number beyond its range.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .number(let value): Double(value.description).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}

// MARK: - Writing a value

extension JSONScalar: CustomStringConvertible {
  /// The value as JSON, with the members of objects in the order of their names.
  public var description: String {
    var writer = __JSONWriter()
    writer.writeJSON(_jsonValue)
    return writer.text
  }
}

extension JSONScalar: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number without a fraction.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension JSONScalar: ExpressibleByFloatLiteral, ExpressibleByStringInterpolation {
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONScalar: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// A list.
  public init(arrayLiteral elements: JSONScalar...) { self = .array(elements) }

  /// An object. Of several members with one name, the last one is kept.
  public init(dictionaryLiteral elements: (String, JSONScalar)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
