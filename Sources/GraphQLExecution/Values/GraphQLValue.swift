import GraphQLSyntax

/// A value that resolvers receive and return: anything that JSON can express, and Swift values for other resolvers.
///
/// It can be written as a literal: `["name": "Luke", "appearsIn": ["JEDI"], "height": 1.72, "home": nil]`. Enum values
/// are strings.
public enum GraphQLValue: Sendable {
  /// Null.
  case null
  /// A Boolean.
  case bool(Bool)
  /// An integer.
  case int(Int)
  /// A number with a fraction.
  case double(Double)
  /// A string, or the name of an enum value.
  case string(String)
  /// A list.
  case list([GraphQLValue])
  /// An object.
  case object(Object)
  /// A Swift value for the resolvers of the fields on it. If it is an `Error`, it counts as thrown at its place, so
  /// that a single field or list element can fail without a resolver.
  case opaque(any Sendable)
}

// MARK: - Looking inside

extension GraphQLValue {
  /// Whether the value is null.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The Boolean; nil for other kinds of value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer; nil for other kinds of value.
  public var int: Int? { if case .int(let value) = self { value } else { nil } }

  /// The number, with or without a fraction; nil for other kinds of value.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The string; nil for other kinds of value.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements of a list; nil for other kinds of value.
  public var list: [GraphQLValue]? { if case .list(let value) = self { value } else { nil } }

  /// The members of an object; nil for other kinds of value.
  public var object: Object? { if case .object(let value) = self { value } else { nil } }

  /// The member of an object with a key; nil if there is none, or if the value is not an object. Setting a member makes
  /// the value an object.
  public subscript(key: String) -> GraphQLValue? {
    get { object?[key] }
    set {
      var members = object ?? Object()
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The element of a list at an index; nil if there is none, or if the value is not a list.
  public subscript(index: Int) -> GraphQLValue? {
    guard case .list(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

// MARK: - Literals

extension GraphQLValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A list.
  public init(arrayLiteral elements: GraphQLValue...) { self = .list(elements) }
  /// An object.
  public init(dictionaryLiteral elements: (String, GraphQLValue)...) { self = .object(Object(elements)) }
}

// MARK: - Equality

extension GraphQLValue: Equatable {
  /// Numbers are equal by value, including `1` and `1.0`, strings code point by code point, and objects whatever the
  /// order of their members. Opaque values are equal if they are one instance, or are `Equatable` and equal.
  public static func == (left: GraphQLValue, right: GraphQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.int, .double), (.double, .int), (.double, .double): left.double == right.double
    case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.opaque(let left), .opaque(let right)): areEqual(left, right)
    default: false
    }
  }

  private static func areEqual(_ left: any Sendable, _ right: any Sendable) -> Bool {
    func isEqual<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
    if let left = left as? any Equatable { return isEqual(left) }
    guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return left as AnyObject === right as AnyObject
  }
}
