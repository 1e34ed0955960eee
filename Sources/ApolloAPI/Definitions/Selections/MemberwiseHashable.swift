/// A type that compares its members in a method instead of an operator.
///
/// Generated types conform to it. If each generated file declared `==`, which is one name for the whole module, an edit
/// of one `.graphql` file would make the compiler compile all the other files again.
public protocol __MemberwiseHashable: Hashable {
  /// Whether all members are equal.
  func __isEqual(to other: Self) -> Bool
}

extension __MemberwiseHashable {
  /// Calls ``__isEqual(to:)``.
  @inlinable public static func == (a: Self, b: Self) -> Bool { a.__isEqual(to: b) }
}

extension __MemberwiseHashable where Self: Identifiable {
  /// Feeds the identifier into a hasher, because equal objects have equal identifiers.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
