/// What a server does with the error of a field: the member `onError` of a request
/// ([proposal](https://github.com/graphql/graphql-spec/pull/1163)).
public enum ErrorBehavior: String, Hashable, Sendable, CaseIterable {
  /// The field is null, even if the schema says that it is never null. What models do with such a null is as for other
  /// nulls with an error: the nearest value that may be null is nil, or what `@catch` says.
  case null = "NULL"
  /// A field that may not be null makes the object around it null. This is what servers do that do not know the member.
  case propagate = "PROPAGATE"
  /// The first error ends the operation: there is no data.
  case halt = "HALT"
}
