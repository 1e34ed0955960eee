/// A value that has been validated. Functions that need a valid document take one of these, so that they cannot be
/// given a document that was not checked.
public struct Validated<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  init(value: Value) { self.value = value }

  /// Takes a value as valid without checking it, for documents that were validated elsewhere, such as before they were
  /// stored.
  public static func assumeValid(_ value: Value) -> Validated { Validated(value: value) }
}

extension Validated: Equatable where Value: Equatable {}
extension Validated: Hashable where Value: Hashable {}
