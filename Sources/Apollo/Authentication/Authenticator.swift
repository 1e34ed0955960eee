/// Gives requests their credentials, and renews them when a server no longer takes them.
///
/// One object may serve requests over HTTP and connections over WebSockets at the same time, so its functions are
/// called concurrently. ``BearerTokenAuthenticator`` is one for the usual kind of token.
public protocol Authenticator: Sendable {
  /// Header fields that say who asks, such as `["Authorization": "Bearer …"]`; none for somebody unknown.
  ///
  /// Asked before each request and each connection, so an expired token is best renewed here.
  func credentials() async throws -> [String: String]

  /// Called after a server has refused credentials: HTTP status 401, or a WebSocket's close code 4401 or 4403.
  ///
  /// - Parameter refused: What ``credentials()`` returned for that attempt. If it returns something else by now, the
  ///   attempt was merely late, and nothing is to be renewed.
  /// - Returns: True if there are other credentials now. Then one more attempt is made.
  func renew(refused: [String: String]) async throws -> Bool
}
