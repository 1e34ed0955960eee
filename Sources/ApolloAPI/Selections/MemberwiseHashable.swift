/// A type that compares its members in a method instead of an operator.
///
/// Generated types conform to it. `==` is one name for the whole module: if each generated file declared one, an edit of
/// one `.graphql` file would make the compiler compile all the others again.
public protocol MemberwiseHashable: Hashable {
  func __isEqual(to other: Self) -> Bool
}

extension MemberwiseHashable {
  @inlinable public static func == (a: Self, b: Self) -> Bool { a.__isEqual(to: b) }
}

extension MemberwiseHashable where Self: Identifiable {
  /// Equal objects have equal identifiers.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
