// Names of errors in earlier versions of Apollo iOS.

extension GraphQLError {
  /// A component of ``path``, under its name in Apollo iOS 1.
  public typealias PathEntry = PathComponent
}
