/// A property wrapper that keeps a property out of `==` and `hash(into:)`. Syntax trees use it for spans, so that two
/// trees are equal if they have equal contents at different places.
@propertyWrapper
public struct Uncompared<Value: Sendable>: Sendable, Hashable {
  /// The value of the property.
  public var wrappedValue: Value

  /// Stores a value.
  @inlinable
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// True: the values are not compared.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool { true }

  /// Does nothing: the value is not hashed.
  @inlinable
  public func hash(into hasher: inout Hasher) {}
}
