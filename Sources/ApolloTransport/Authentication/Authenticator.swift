/// Gives requests their credentials, and renews them when a server no longer takes them.
///
/// One object may serve requests over HTTP and connections over WebSockets at the same time, so its functions are
/// called concurrently. ``BearerTokenAuthenticator`` is one for the usual kind of token.
public protocol Authenticator: Sendable {
  /// Gives the header fields that carry the credentials, such as `["Authorization": "Bearer …"]`.
  ///
  /// The client calls it before each request over HTTP and before each WebSocket connection, so this is the place to
  /// renew a token that has expired.
  ///
  /// - Returns: Header fields by name; empty if no user is signed in.
  /// - Throws: The error that fails the request or the connection.
  func credentials() async throws -> [String: String]

  /// Replaces credentials that a server has refused: over HTTP with status 401; over a WebSocket with status 401 or 403
  /// of the handshake, with close code 4401 or 4403, or with `connection_error`.
  ///
  /// - Parameter refused: What ``credentials()`` returned for the attempt that was refused. If ``credentials()``
  ///   returns something else by now, they have been replaced already: return true.
  /// - Returns: True if there are other credentials now. Then the client makes one more attempt.
  /// - Throws: The error that fails the request or the connection.
  func renew(refused: [String: String]) async throws -> Bool

  /// Forgets the credentials, and a renewal that is under way: the user has signed out. The default implementation does
  /// nothing.
  ///
  /// `ApolloClient.signOut()` calls it last, when the outbox and the cache are empty and the cookies are gone. So this is
  /// the place to remove a token from where the app keeps it.
  func forgetCredentials() async
}

extension Authenticator {
  /// Does nothing.
  public func forgetCredentials() async {}
}
