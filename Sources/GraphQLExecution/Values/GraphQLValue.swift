/// A value that resolvers take and give: what JSON can hold, and any Swift value that only resolvers look into.
///
/// Literals write it: `["name": "Luke", "appearsIn": ["JEDI"], "height": 1.72, "home": nil]`. Enum values are strings.
public enum GraphQLValue: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case list([GraphQLValue])
  case object(Object)
  /// A Swift value for the resolvers of its fields. One that is an `Error` counts as thrown where it stands, so that
  /// a single field or list element can fail without a resolver of its own.
  case opaque(any Sendable)
}

// MARK: - Looking inside

extension GraphQLValue {
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The Boolean, or `nil` for every other kind of value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer, or `nil` for every other kind of value.
  public var int: Int? { if case .int(let value) = self { value } else { nil } }

  /// The number, integer or not, or `nil` for every other kind of value.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The string, or `nil` for every other kind of value.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, or `nil` for every other kind of value.
  public var list: [GraphQLValue]? { if case .list(let value) = self { value } else { nil } }

  /// The members, or `nil` for every other kind of value.
  public var object: Object? { if case .object(let value) = self { value } else { nil } }

  /// The member with this key; `nil` when there is none, or this is no object. Setting one turns what is no object into
  /// one.
  public subscript(key: String) -> GraphQLValue? {
    get { object?[key] }
    set {
      var members = object ?? Object()
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The element at this index; `nil` when there is none, or this is no list.
  public subscript(index: Int) -> GraphQLValue? {
    guard case .list(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

// MARK: - Literals

extension GraphQLValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: GraphQLValue...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, GraphQLValue)...) { self = .object(Object(elements)) }
}

// MARK: - Equality

extension GraphQLValue: Equatable {
  /// Numbers are equal by value, `1` and `1.0` too, and objects whatever the order of their members. Opaque values are
  /// equal when they are one instance, or `Equatable` and equal.
  public static func == (left: GraphQLValue, right: GraphQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.int, .double), (.double, .int), (.double, .double): left.double == right.double
    case (.string(let left), .string(let right)): left == right
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
