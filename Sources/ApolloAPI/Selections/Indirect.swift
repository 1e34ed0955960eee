/// Stores an optional value behind one pointer, with value semantics; `nil` allocates nothing.
///
/// Generated selection sets keep their `asDroid`-like members this way: an object that has a member for each of
/// five types would otherwise be as large as all five together.
@propertyWrapper
public struct Indirect<Value> {
  @usableFromInline final class Box {
    @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box?

  @inlinable public init(wrappedValue: Value?) {
    box = wrappedValue.map { Box($0) }
  }

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

// A box is changed only while it is uniquely referenced, so sharing copies between threads is as safe as sharing values.
extension Indirect: @unchecked Sendable where Value: Sendable {}
extension Indirect.Box: @unchecked Sendable where Value: Sendable {}

extension Indirect: Equatable where Value: Equatable {
  @inlinable public static func == (a: Self, b: Self) -> Bool {
    a.box === b.box || a.box?.value == b.box?.value
  }
}

extension Indirect where Value: InlineFragment {
  /// Compares the fields that the selection set around an inline fragment has not: it is stored with those that the selection
  /// set had once.
  @inlinable public func hasEqualFields(as other: Self) -> Bool {
    if box === other.box { return true }
    guard let value = box?.value, let other = other.box?.value else { return false }
    return value.__hasEqualFields(as: other)
  }
}

extension Indirect: Hashable where Value: Hashable {
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(box?.value) }
}

/// Stores a field of an input object whose value may contain another object of its type; what is absent allocates nothing.
public struct IndirectNullable<Wrapped> {
  @usableFromInline var stored: Indirect<GraphQLNullable<Wrapped>>

  @inlinable public init(wrappedValue: GraphQLNullable<Wrapped>) {
    stored = Indirect(wrappedValue: nil)
    self.wrappedValue = wrappedValue
  }

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

extension IndirectNullable: Sendable where Wrapped: Sendable {}
