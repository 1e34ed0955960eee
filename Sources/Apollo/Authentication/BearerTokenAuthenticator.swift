public import Foundation

/// Sends a bearer token (RFC 6750), and gets another one when it has expired or is refused.
///
/// However many requests need a new token at the same time, it is asked for once, while all of them wait.
///
///     let authenticator = BearerTokenAuthenticator(token: saved) { old in
///       try await session.signIn(refreshToken: …)
///     }
public actor BearerTokenAuthenticator: Authenticator {
  public struct Token: Hashable, Sendable {
    public var value: String
    /// When the token ends; nil if that is not known. It is renewed a little before.
    public var expiration: Date?

    public init(_ value: String, expiration: Date? = nil) {
      self.value = value
      self.expiration = expiration
    }
  }

  /// The token is renewed so many seconds early: it has to last until the server has read it.
  private static let margin: TimeInterval = 2

  private var token: Token?
  private var renewal: Task<Token?, any Error>?
  private let renewToken: @Sendable (Token?) async throws -> Token?

  /// - Parameters:
  ///   - token: The one to begin with; without one, the first request asks for one.
  ///   - renew: Gets another token for the one that is no longer good. nil means that there is none: requests then go
  ///     out without one. An error fails the requests that wait for it, and the next one asks again.
  public init(token: Token? = nil, renew: @escaping @Sendable (Token?) async throws -> Token?) {
    self.token = token
    renewToken = renew
  }

  public func credentials() async throws -> [String: String] {
    guard let token, !isExpired(token) else { return fields(of: try await renewed()) }
    return fields(of: token)
  }

  public func renew(refused: [String: String]) async throws -> Bool {
    guard fields(of: token) == refused else { return true }
    return fields(of: try await renewed()) != refused
  }

  private func fields(of token: Token?) -> [String: String] {
    token.map { ["Authorization": "Bearer \($0.value)"] } ?? [:]
  }

  private func isExpired(_ token: Token) -> Bool {
    token.expiration.map { $0.timeIntervalSinceNow < Self.margin } ?? false
  }

  private func renewed() async throws -> Token? {
    if let renewal { return try await renewal.valueUnlessCancelled() }
    // A task of its own: whoever asked first may be cancelled while others wait. It keeps the token before anybody goes on
    // with it, so that nobody is given the old one any more.
    let renewal = Task {
      defer { self.renewal = nil }
      let token = try await renewToken(token)
      self.token = token
      return token
    }
    self.renewal = renewal
    return try await renewal.valueUnlessCancelled()
  }
}
