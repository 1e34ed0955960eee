import ApolloVersion

/// The name and the version of this library, under the names of Apollo iOS 1.
public enum Constants {
  /// The name of this library.
  public static let ApolloClientName = "apollo-swift"
  /// The version of this library.
  public static let ApolloClientVersion = apolloVersion
  /// The version of this library.
  public static let ApolloVersion = ApolloClientVersion
}
