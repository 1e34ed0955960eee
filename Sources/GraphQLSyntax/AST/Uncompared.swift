/// Keeps a property out of `==` and `hash(into:)`. Syntax trees use it for spans, so that two of them are equal when
/// they say the same thing, wherever it was written.
@propertyWrapper
public struct Uncompared<Value: Sendable>: Sendable, Hashable {
  public var wrappedValue: Value

  @inlinable
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  @inlinable
  public static func == (left: Self, right: Self) -> Bool { true }

  @inlinable
  public func hash(into hasher: inout Hasher) {}
}
