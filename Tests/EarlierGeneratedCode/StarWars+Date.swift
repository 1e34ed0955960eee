// Written once by apollo-codegen, and never again: it is yours to change.

nonisolated extension StarWars {
  /// A day, such as 1977-05-25.
  /// A type of your own has to conform to `CustomScalarType`.
  public typealias Date = String
}
