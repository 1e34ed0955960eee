import ApolloConcurrency
package import ApolloCache
public import Foundation

/// Sends a bearer token (RFC 6750), and gets another one when it has expired or is refused.
///
/// However many requests need a new token at the same time, it is asked for once, while all of them wait.
///
///     let authenticator = BearerTokenAuthenticator(token: saved) { old in
///       try await session.signIn(refreshToken: …)
///     }
///
/// The closure may send an operation over HTTP by the client that has this authenticator, such as a mutation that gives
/// the new token. That operation is sent without a token, because it cannot wait for the one that it gets.
///
/// It is known by its task: the one that the closure runs in, or one that this has started and that is not detached.
/// What the closure sends in another way, such as from a queue or from a method of a delegate, is an operation like all
/// others. While a refused token is renewed, it waits for ten seconds, and goes out with that token. If there is no
/// token, or one that has expired, it waits for itself without end: send it by a client without this authenticator.
public actor BearerTokenAuthenticator: Authenticator {
  /// A bearer token, and when it expires.
  public struct Token: Hashable, Sendable {
    /// The token itself, without the word `Bearer`.
    public var value: String
    /// When the token expires; nil if that is not known. The token is renewed two seconds earlier.
    public var expiration: Date?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - value: The token itself, without the word `Bearer`.
    ///   - expiration: When the token expires. nil, the default: it is used until a server refuses it.
    public init(_ value: String, expiration: Date? = nil) {
      self.value = value
      self.expiration = expiration
    }
  }

  /// In seconds. The token is renewed this much earlier than it expires, because it must last until the server has read
  /// it.
  private static let margin: TimeInterval = 2
  /// How long an operation waits for another token in place of one that a server has refused.
  private static let patience = Duration.seconds(10)

  private var token: Token?
  /// The renewal that is under way.
  private var renewal: (id: UUID, task: Task<Token?, any Error>)?
  /// The renewals in whose closures the current task runs.
  @TaskLocal private static var renewals: Set<UUID> = []
  /// How often the token was forgotten. What a renewal of before that brings is not taken.
  private var forgottenCount = 0
  private let renewToken: @Sendable (Token?) async throws -> Token?
  /// The clock of the client.
  private let clock = Locked<any ClientClock>(.system)

  /// Makes an authenticator.
  ///
  /// - Parameters:
  ///   - token: The token to begin with. nil, the default: the first request asks `renew` for one.
  ///   - renew: Gets a token in place of the one that it is called with. If it returns nil, requests are sent without a
  ///     token. If it throws, the requests that wait for the token fail with that error, and the next request calls it
  ///     again.
  public init(token: Token? = nil, renew: @escaping @Sendable (Token?) async throws -> Token?) {
    self.token = token
    renewToken = renew
  }

  /// Gives the `Authorization` header field of the current token. If the token has expired, it waits for the next one.
  /// If it was refused and is being renewed, it waits as well, but no longer than ten seconds.
  ///
  /// - Returns: One header field, or none if there is no token. None as well for an operation of the closure `renew`.
  /// - Throws: The error that the closure `renew` threw.
  public func credentials() async throws -> [String: String] {
    if isCalledByRenewal { return [:] }
    guard let token, !isExpired(token) else { return fields(of: try await renewed()) }
    guard let renewal else { return fields(of: token) }
    // (While the token is renewed, it is known to be refused.)
    return fields(of: try await Self.value(of: renewal.task, or: token, by: clock.withLock { $0 }))
  }

  /// The token that a renewal brings; the refused one if that takes long, because the renewal may wait for the
  /// operation that asks.
  private static func value(
    of renewal: Task<Token?, any Error>, or refused: Token, by clock: any ClientClock
  ) async throws -> Token? {
    try await withThrowingTaskGroup(of: Token?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await renewal.valueUnlessCancelled() }
      group.addTask {
        try await clock.sleep(until: clock.now + patience)
        return refused
      }
      return try await group.next() ?? refused
    }
  }

  /// Renews the token that a server has refused, unless another request has renewed it already.
  ///
  /// - Parameter refused: The header fields that the refused attempt was sent with.
  /// - Returns: True if there is another token now. False for an operation of the closure `renew`.
  /// - Throws: The error that the closure `renew` threw.
  public func renew(refused: [String: String]) async throws -> Bool {
    if isCalledByRenewal { return false }
    guard fields(of: token) == refused else { return true }
    return fields(of: try await renewed()) != refused
  }

  /// Forgets the token. What a renewal brings that is under way is not used; it is cancelled. The next request calls the
  /// closure `renew` with nil.
  public func forgetCredentials() {
    token = nil
    forgottenCount += 1
    renewal?.task.cancel()
    renewal = nil
  }

  private func fields(of token: Token?) -> [String: String] {
    token.map { ["Authorization": "Bearer \($0.value)"] } ?? [:]
  }

  private func isExpired(_ token: Token) -> Bool {
    token.expiration.map { clock.withLock { $0 }.seconds(until: $0) < Self.margin } ?? false
  }

  /// Whether it is asked by the closure of the renewal that is under way, which would wait for itself.
  private var isCalledByRenewal: Bool { renewal.map { Self.renewals.contains($0.id) } ?? false }

  private func renewed() async throws -> Token? {
    if let renewal { return try await renewal.task.valueUnlessCancelled() }
    // An unstructured task, because the request that started it may be cancelled while others wait. It stores the new
    // token before any of them continues, so none of them sends the old one.
    let id = UUID()
    let task = Task { [forgottenCount] in
      defer { if forgottenCount == self.forgottenCount { self.renewal = nil } }
      let old = self.token
      let new = try await Self.$renewals.withValue(Self.renewals.union([id])) { try await renewToken(old) }
      guard forgottenCount == self.forgottenCount else { throw CancellationError() }
      self.token = new
      return new
    }
    renewal = (id, task)
    return try await task.valueUnlessCancelled()
  }
}

extension BearerTokenAuthenticator: ClockUsing {
  package nonisolated func use(_ clock: any ClientClock) { self.clock.withLock { $0 = clock } }
}
