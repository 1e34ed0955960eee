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
  /// - Parameter value: The JSON value, or one of `JSONSerialization`.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value that has no form in JSON.
  public init(_jsonValue value: JSONValue) throws {
    // An NSNumber of 1 can be cast to a Bool and to any number. So the type is compared.
    let kind = type(of: value)
    switch value {
    case is JSONNull: self = .null
    case let value as JSONScalar: self = value
    case let value as Bool where kind == Bool.self: self = .bool(value)
    case let value as Int where kind == Int.self: self = .int(value)
    case let value as Double where kind == Double.self: self = .double(value)
    case let value as JSONNumber: self = .number(value)
    case let value as String: self = .string(value)
    case let value as [JSONValue]: self = .array(try value.map(Self.init(_jsonValue:)))
    case let value as JSONObject: self = .object(try value.mapValues(Self.init(_jsonValue:)))
    default:
      // A number of Foundation, or of another size.
      var writer = __JSONWriter()
      writer.writeJSON(value)
      if writer.failure != nil { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
      self = try Self(_jsonValue: ResponseReader.jsonValue(ResponseBytes(writer.bytes)))
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

// MARK: - Comparing values

extension JSONScalar {
  /// Compares two values. Numbers are compared by what they are, not by how they are spelled: `1` and `1.0` are equal.
  public static func == (a: JSONScalar, b: JSONScalar) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Double(exactly: a) == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Feeds the value into a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    // (A number that a Double does not hold is not equal to one.)
    case .int(let value): if let value = Double(exactly: value) { hasher.combine(value) } else { hasher.combine(value) }
    case .double(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
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

extension JSONScalar: _InitializableByArrayLiteralElements, _InitializableByDictionaryLiteralElements {
  /// A list.
  public init(_ array: [JSONScalar]) { self = .array(array) }
  /// A list.
  public init(arrayLiteral elements: JSONScalar...) { self = .array(elements) }

  /// An object. Of several members with one name, the last one is kept.
  public init(_ elements: [(String, JSONScalar)]) { self = .object(Dictionary(elements)) }
  /// An object. Of several members with one name, the last one is kept.
  public init(dictionaryLiteral elements: (String, JSONScalar)...) { self.init(elements) }
}
