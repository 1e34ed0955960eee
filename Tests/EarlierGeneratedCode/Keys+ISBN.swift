// Written once by apollo-codegen, and never again: it is yours to change.

nonisolated extension Keys {
  /// A type of your own has to conform to `CustomScalarType`.
  public typealias ISBN = String
}
