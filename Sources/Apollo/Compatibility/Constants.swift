import ApolloVersion

/// Name and version of this library, by their names in releases 1.x of Apollo iOS.
public enum Constants {
  /// The name of this library.
  public static let ApolloClientName = "apollo-swift"
  /// The version of this library.
  public static let ApolloClientVersion = apolloVersion
  /// The version of this library.
  public static let ApolloVersion = ApolloClientVersion
}
