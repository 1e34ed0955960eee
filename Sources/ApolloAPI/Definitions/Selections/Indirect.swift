/// Stores an optional value behind one pointer. It has the semantics of a value; `nil` allocates nothing.
///
/// Generated models keep members such as `asDroid` in it. Otherwise an object with a member for each of five types
/// would be as large as all five together.
@propertyWrapper
public struct __Indirect<Value> {
  @usableFromInline final class Box {
    @exclusivity(unchecked) @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box?

  /// Stores a value.
  ///
  /// - Parameter wrappedValue: The value; nil allocates nothing.
  @inlinable public init(wrappedValue: Value?) {
    box = wrappedValue.map { Box($0) }
  }

  /// The stored value; nil if there is none.
  @inlinable public var wrappedValue: Value? {
    get { box?.value }
    set {
      if let newValue, box != nil, isKnownUniquelyReferenced(&box) {
        box?.value = newValue
      } else {
        box = newValue.map { Box($0) }
      }
    }
  }
}

// A box is changed only while it is uniquely referenced, so sharing copies between threads is as safe as sharing the
// values.
extension __Indirect: @unchecked Sendable where Value: Sendable {}
extension __Indirect.Box: @unchecked Sendable where Value: Sendable {}

extension __Indirect: Equatable where Value: Equatable {
  /// Compares the values.
  @inlinable public static func == (a: Self, b: Self) -> Bool {
    a.box === b.box || a.box?.value == b.box?.value
  }
}

extension __Indirect: CustomStringConvertible {
  /// The value as it is printed, or `nil`: a model that is printed shows no boxes.
  public var description: String { box.map { String(describing: $0.value) } ?? "nil" }
}

extension __Indirect where Value: InlineFragment {
  /// Compares the fields that an inline fragment adds to the selection set around it. The other fields are compared by
  /// that selection set.
  @inlinable public func hasEqualFields(as other: Self) -> Bool {
    if box === other.box { return true }
    guard let value = box?.value, let other = other.box?.value else { return false }
    return value.__hasEqualFields(as: other)
  }

  /// Feeds the fields into a hasher that an inline fragment adds to the selection set around it. The other fields are
  /// hashed by that selection set.
  ///
  /// It is not inlined, because generated code has a call of it for each inline fragment.
  public func hashFields(into hasher: inout Hasher) {
    hasher.combine(box != nil)
    box?.value.__hashFields(into: &hasher)
  }
}

extension __Indirect: Hashable where Value: Hashable {
  /// Feeds the value into a hasher.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(box?.value) }
}

/// Stores a field of an input object whose value may contain another object of its type. An absent value allocates
/// nothing.
public struct __IndirectNullable<Wrapped> {
  @usableFromInline var stored: __Indirect<GraphQLNullable<Wrapped>>

  /// Stores a value.
  ///
  /// - Parameter wrappedValue: The value; `.none` allocates nothing.
  @inlinable public init(wrappedValue: GraphQLNullable<Wrapped>) {
    stored = __Indirect(wrappedValue: nil)
    self.wrappedValue = wrappedValue
  }

  /// The stored value; `.none` if there is none.
  @inlinable public var wrappedValue: GraphQLNullable<Wrapped> {
    get {
      if let value = stored.wrappedValue { return value }
      return .none
    }
    set {
      if case .none = newValue { stored.wrappedValue = nil } else { stored.wrappedValue = newValue }
    }
  }
}

extension __IndirectNullable: CustomStringConvertible {
  /// The value as it is printed.
  public var description: String { String(describing: wrappedValue) }
}

extension __IndirectNullable: Sendable where Wrapped: Sendable {}
