// Names of errors in earlier releases.

extension GraphQLError {
  /// A component of ``path``, by its name in releases 1.x of Apollo iOS.
  public typealias PathEntry = PathComponent
}
