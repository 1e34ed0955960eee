extension ApolloErrorCode {
  /// The user has signed out: see ``ApolloClient/signOut()``.
  public static let signedOut = Self("signedOut")
}

extension Error {
  /// Whether it is the error of a sign-out.
  package var isSignOut: Bool { (self as? any ApolloError)?.code == .signedOut }
}
