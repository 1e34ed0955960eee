/// Proof that a value has passed validation. What needs a valid document asks for one of these, so that a document
/// cannot reach it unchecked.
public struct Validated<Value: Sendable>: Sendable {
  public let value: Value

  init(value: Value) { self.value = value }

  /// Takes someone's word for it. For documents that were validated elsewhere, such as before they were stored.
  public static func assumeValid(_ value: Value) -> Validated { Validated(value: value) }
}

extension Validated: Equatable where Value: Equatable {}
extension Validated: Hashable where Value: Hashable {}
