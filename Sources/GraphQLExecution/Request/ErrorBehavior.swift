/// What the error of a field does to the response — [proposal](https://github.com/graphql/graphql-spec/pull/1163)
public enum ErrorBehavior: String, Sendable, Hashable, CaseIterable {
  /// The field is null, even if its type is not nullable.
  case null = "NULL"
  /// A field whose type is not nullable makes the object around it null.
  case propagate = "PROPAGATE"
  /// The operation ends: there is no data, and no other error. A subscription goes on with its next event.
  case halt = "HALT"
}
