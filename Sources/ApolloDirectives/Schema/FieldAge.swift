/// How old the value of a field may be when it is read from the cache, and whether it is for one user, as `@cacheControl`
/// says.
public struct FieldAge: Sendable, Hashable {
  /// Where an age comes from.
  public enum Mark: Sendable, Hashable {
    /// The field's own age, in seconds.
    case own(Int)
    /// The age of the type of the objects that the field leads to, in seconds.
    case type(Int)
    /// The objects that the field leads to have the age of the object that has the field.
    case inherited
  }

  /// What is said of the field, or of the objects that it leads to; nil if nothing is. Then a leaf has the age of its
  /// object, and an object has none.
  public var mark: Mark?
  /// The age that counts for a field with the age of its object, as far as types tell it: that of the type that the
  /// field is selected on. nil if that type has none, or if the field has an age of its own.
  public var parent: Int?
  /// Whether the value may be for one user, so that a cache which users share does not keep it.
  public var isPrivate = false

  /// Makes an age. By default nothing is said.
  package init(mark: Mark? = nil, parent: Int? = nil, isPrivate: Bool = false) {
    self.mark = mark
    self.parent = parent
    self.isPrivate = isPrivate
  }
}
