/// Something that keeps data of the user of an app, and can forget it.
///
/// `ApolloClient.signOut()` asks each object that its client was made of and that is one, in this order: the storage of the
/// outbox, the backend of the cache, the session, and the provider of the interceptors. A transport of the app takes the
/// place of the last two. The outbox and the cache themselves are empty by then, so a backend removes what else it has, such
/// as files that it has put aside.
public protocol UserForgetting {
  /// Removes everything that is the user's. It returns when that is gone, also from the disk.
  ///
  /// - Throws: Why something may be left. The sign-out goes on, and throws the error at its end.
  func forgetUser() async throws
}
