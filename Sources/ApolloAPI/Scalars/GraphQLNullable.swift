/// A nullable argument or input field, which may also be left out: GraphQL tells `null` from absent.
///
/// Literals work: `HeroQuery(episode: nil)` leaves the variable out, `HeroQuery(episode: .null)` sends `null`.
@dynamicMemberLookup
@frozen public enum GraphQLNullable<Wrapped> {
  /// Absent: the server applies its default.
  case none
  case null
  case some(Wrapped)

  /// The value; nil where it is absent or null.
  @inlinable public var unwrapped: Wrapped? {
    if case .some(let value) = self { return value }
    return nil
  }

  @inlinable public subscript<T>(dynamicMember path: KeyPath<Wrapped, T>) -> T? {
    unwrapped?[keyPath: path]
  }

  @inlinable public init<T: EnumType>(_ caseValue: T) where Wrapped == GraphQLEnum<T> { self = .some(.case(caseValue)) }
  @inlinable public init(_ object: Wrapped) where Wrapped: InputObject { self = .some(object) }
}

extension GraphQLNullable {
  /// For initializers as releases 0.x of Apollo iOS have them for operations: absent where the value is nil.
  @inlinable public init(absentIfNil value: Wrapped?) {
    if let value { self = .some(value) } else { self = .none }
  }

  /// For initializers as releases 0.x of Apollo iOS have them for input objects: absent where the value is nil, and null where
  /// it is `.some(nil)`, as a nil variable is.
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

/// Passes an optional on, with a choice of what to send where there is no value: `name ?? .none` or `name ?? .null`.
@_disfavoredOverload
@inlinable public func ?? <T>(value: T?, otherwise: @autoclosure () -> GraphQLNullable<T>) -> GraphQLNullable<T> {
  if let value { return .some(value) }
  return otherwise()
}

// MARK: - Literals

extension GraphQLNullable: ExpressibleByNilLiteral {
  @inlinable public init(nilLiteral: ()) { self = .none }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral where Wrapped: ExpressibleByUnicodeScalarLiteral {
  @inlinable public init(unicodeScalarLiteral value: Wrapped.UnicodeScalarLiteralType) {
    self = .some(Wrapped(unicodeScalarLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral
where Wrapped: ExpressibleByExtendedGraphemeClusterLiteral {
  @inlinable public init(extendedGraphemeClusterLiteral value: Wrapped.ExtendedGraphemeClusterLiteralType) {
    self = .some(Wrapped(extendedGraphemeClusterLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Wrapped: ExpressibleByStringLiteral {
  @inlinable public init(stringLiteral value: Wrapped.StringLiteralType) { self = .some(Wrapped(stringLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Wrapped: ExpressibleByIntegerLiteral {
  @inlinable public init(integerLiteral value: Wrapped.IntegerLiteralType) {
    self = .some(Wrapped(integerLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Wrapped: ExpressibleByFloatLiteral {
  @inlinable public init(floatLiteral value: Wrapped.FloatLiteralType) { self = .some(Wrapped(floatLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Wrapped: ExpressibleByBooleanLiteral {
  @inlinable public init(booleanLiteral value: Wrapped.BooleanLiteralType) {
    self = .some(Wrapped(booleanLiteral: value))
  }
}

/// A collection that can be made from the elements of a literal, for `GraphQLNullable` of it.
public protocol _InitializableByArrayLiteralElements: ExpressibleByArrayLiteral {
  init(_ array: [ArrayLiteralElement])
}

extension Array: _InitializableByArrayLiteralElements {}

extension GraphQLNullable: ExpressibleByArrayLiteral where Wrapped: _InitializableByArrayLiteralElements {
  @inlinable public init(arrayLiteral elements: Wrapped.ArrayLiteralElement...) { self = .some(Wrapped(elements)) }
}
