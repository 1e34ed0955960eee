public import ApolloCache

extension SQLiteNormalizedCache: ClosableCache {}

extension SQLiteNormalizedCache: UserForgetting {
  /// Removes the files that were put aside, those of other programs too. `ApolloClient.signOut()` calls it when the cache is
  /// empty.
  public func forgetUser() async throws { try await removePutAsideFiles() }
}

extension SQLiteOutboxStorage: UserForgetting {
  /// Removes the files that were put aside, those of other programs too. `ApolloClient.signOut()` calls it when the outbox
  /// is empty.
  public func forgetUser() async throws { try await removePutAsideFiles() }
}
