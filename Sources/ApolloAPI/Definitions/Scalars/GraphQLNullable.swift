/// A nullable argument or input field, which may also be absent. GraphQL distinguishes `null` from absent
/// (specification, section 2.9.5).
///
/// It can be written as a literal: `HeroQuery(episode: nil)` leaves the variable out, `HeroQuery(episode: .null)` sends
/// `null`.
@dynamicMemberLookup
@frozen public enum GraphQLNullable<Wrapped> {
  /// Absent: nothing is sent, and the server applies its default.
  case none
  /// `null` is sent.
  case null
  /// A value is sent.
  case some(Wrapped)

  /// The value; nil if it is absent or null.
  @inlinable public var unwrapped: Wrapped? {
    if case .some(let value) = self { return value }
    return nil
  }

  /// A member of the value; nil if the value is absent or null.
  @inlinable public subscript<T>(dynamicMember path: KeyPath<Wrapped, T>) -> T? {
    unwrapped?[keyPath: path]
  }

  /// Makes a value of an enum's case.
  @inlinable public init<T: EnumType>(_ caseValue: T) where Wrapped == GraphQLEnum<T> { self = .some(.case(caseValue)) }
  /// Makes a value of an input object.
  @inlinable public init(_ object: Wrapped) where Wrapped: InputObject { self = .some(object) }
}

extension GraphQLNullable {
  /// Makes a value of an optional. nil is absent. For operations with the initializers of Apollo iOS 0.x.
  @inlinable public init(absentIfNil value: Wrapped?) {
    if let value { self = .some(value) } else { self = .none }
  }

  /// Makes a value of a doubly optional value. nil is absent, and `.some(nil)` is null. For input objects with the
  /// initializers of Apollo iOS 0.x.
  @inlinable public init(doublyOptional value: Wrapped??) {
    switch value {
    case .none: self = .none
    case .some(.none): self = .null
    case .some(.some(let value)): self = .some(value)
    }
  }
}

extension GraphQLNullable: Equatable where Wrapped: Equatable {}
extension GraphQLNullable: Hashable where Wrapped: Hashable {}
extension GraphQLNullable: Sendable where Wrapped: Sendable {}

/// Makes a value of an optional, and says what is sent if it is nil: `name ?? .none` or `name ?? .null`.
@_disfavoredOverload
@inlinable public func ?? <T>(value: T?, otherwise: @autoclosure () -> GraphQLNullable<T>) -> GraphQLNullable<T> {
  if let value { return .some(value) }
  return otherwise()
}

// MARK: - Literals

extension GraphQLNullable: ExpressibleByNilLiteral {
  /// Absent, as in `episode: nil`.
  @inlinable public init(nilLiteral: ()) { self = .none }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral where Wrapped: ExpressibleByUnicodeScalarLiteral {
  /// A value, written as a literal.
  @inlinable public init(unicodeScalarLiteral value: Wrapped.UnicodeScalarLiteralType) {
    self = .some(Wrapped(unicodeScalarLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral
where Wrapped: ExpressibleByExtendedGraphemeClusterLiteral {
  /// A value, written as a literal.
  @inlinable public init(extendedGraphemeClusterLiteral value: Wrapped.ExtendedGraphemeClusterLiteralType) {
    self = .some(Wrapped(extendedGraphemeClusterLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Wrapped: ExpressibleByStringLiteral {
  /// A value, written as a string literal.
  @inlinable public init(stringLiteral value: Wrapped.StringLiteralType) { self = .some(Wrapped(stringLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Wrapped: ExpressibleByIntegerLiteral {
  /// A value, written as an integer literal.
  @inlinable public init(integerLiteral value: Wrapped.IntegerLiteralType) {
    self = .some(Wrapped(integerLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Wrapped: ExpressibleByFloatLiteral {
  /// A value, written as a floating-point literal.
  @inlinable public init(floatLiteral value: Wrapped.FloatLiteralType) { self = .some(Wrapped(floatLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Wrapped: ExpressibleByBooleanLiteral {
  /// A value, written as `true` or `false`.
  @inlinable public init(booleanLiteral value: Wrapped.BooleanLiteralType) {
    self = .some(Wrapped(booleanLiteral: value))
  }
}

/// A collection that can be made of the elements of an array literal. It makes array literals work for
/// `GraphQLNullable`.
public protocol _InitializableByArrayLiteralElements: ExpressibleByArrayLiteral {
  /// Makes a collection of elements.
  init(_ array: [ArrayLiteralElement])
}

extension Array: _InitializableByArrayLiteralElements {}

extension GraphQLNullable: ExpressibleByArrayLiteral where Wrapped: _InitializableByArrayLiteralElements {
  /// A list, written as an array literal.
  @inlinable public init(arrayLiteral elements: Wrapped.ArrayLiteralElement...) { self = .some(Wrapped(elements)) }
}

/// A collection that can be made of the elements of a dictionary literal. It makes dictionary literals work for
/// `GraphQLNullable`.
public protocol _InitializableByDictionaryLiteralElements: ExpressibleByDictionaryLiteral {
  /// Makes a collection of keys and their values.
  init(_ elements: [(Key, Value)])
}

extension Dictionary: _InitializableByDictionaryLiteralElements {
  /// Makes a dictionary of keys and their values. Of several values with one key, the last one is kept.
  @inlinable public init(_ elements: [(Key, Value)]) { self.init(elements) { _, last in last } }
}

extension GraphQLNullable: ExpressibleByDictionaryLiteral where Wrapped: _InitializableByDictionaryLiteralElements {
  /// An object, written as a dictionary literal.
  @inlinable public init(dictionaryLiteral elements: (Wrapped.Key, Wrapped.Value)...) {
    self = .some(Wrapped(elements))
  }
}
