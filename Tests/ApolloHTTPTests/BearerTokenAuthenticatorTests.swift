import Apollo
import Foundation
import StyledTests
import Testing

@Suite("Bearer tokens", .everyStyle)
struct BearerTokenAuthenticatorTests {
  private typealias Token = BearerTokenAuthenticator.Token

  /// Each token is the next number; asking takes a moment.
  private static func counting(
    _ count: Locked<Int>, from token: BearerTokenAuthenticator.Token? = nil
  ) -> BearerTokenAuthenticator {
    BearerTokenAuthenticator(token: token) { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      for _ in 0..<100 { await Task.yield() }
      return Token("\(number)")
    }
  }

  @Test("A token that is there is sent as it is")
  func present() async throws {
    let authenticator = BearerTokenAuthenticator(token: Token("a", expiration: .distantFuture)) { _ in nil }
    #expect(try await authenticator.credentials() == ["Authorization": "Bearer a"])
  }

  @Test("Without a token, or with one that has expired, many requests ask for another one, once")
  func singleFlight() async throws {
    for token in [nil, Token("old", expiration: Date(timeIntervalSinceNow: 1))] {
      let count = Locked(0)
      let authenticator = Self.counting(count, from: token)
      try await withThrowingTaskGroup(of: [String: String].self) { group in
        for _ in 1...20 { group.addTask { try await authenticator.credentials() } }
        for try await fields in group { #expect(fields == ["Authorization": "Bearer 1"]) }
      }
      #expect(count.withLock { $0 } == 1)
    }
  }

  @Test("Many requests that are refused with one token renew it once; a late refusal of an older one renews nothing")
  func refusals() async throws {
    for _ in 1...20 {
      let count = Locked(0)
      let authenticator = Self.counting(count, from: Token("old"))
      let refused = try await authenticator.credentials()
      try await withThrowingTaskGroup(of: [String: String].self) { group in
        for _ in 1...20 {
          group.addTask {
            #expect(try await authenticator.renew(refused: refused))
            // The caller that is told first must not be given the old one once more.
            return try await authenticator.credentials()
          }
        }
        for try await fields in group { #expect(fields == ["Authorization": "Bearer 1"]) }
      }
      #expect(try await authenticator.renew(refused: refused))
      #expect(count.withLock { $0 } == 1)
    }
  }

  @Test("While a refused token is renewed, nothing is sent with it", .timeLimit(.minutes(5)))
  func refusedMeanwhile() async throws {
    let (asked, asks) = AsyncStream<Void>.makeStream()
    let (answered, answer) = AsyncStream<Void>.makeStream()
    let authenticator = BearerTokenAuthenticator(token: Token("old")) { _ in
      asks.yield()
      for await _ in answered { break }
      return Token("new")
    }
    let refused = try await authenticator.credentials()
    let renewal = Task { try await authenticator.renew(refused: refused) }
    for await _ in asked { break }
    let later = Task { try await authenticator.credentials() }
    // A moment in which it begins.
    for _ in 0..<100 { await Task.yield() }
    answer.yield()
    #expect(try await later.value == ["Authorization": "Bearer new"])
    #expect(try await renewal.value)
  }

  /// A clock on which each wait is over at once.
  private struct HastyClock: ClientClock {
    var date: Date { Date() }
    var now: ContinuousClock.Instant { .now }
    func sleep(until deadline: ContinuousClock.Instant) async throws {}
  }

  @Test("A renewal that takes long may wait for an operation, which goes out with the refused token then")
  func longRenewal() async throws {
    let (asked, asks) = AsyncStream<Void>.makeStream()
    let (answered, answer) = AsyncStream<Void>.makeStream()
    let authenticator = BearerTokenAuthenticator(token: Token("old")) { _ in
      asks.yield()
      for await _ in answered { break }
      return Token("new")
    }
    authenticator.use(HastyClock())
    let refused = try await authenticator.credentials()
    let renewal = Task { try await authenticator.renew(refused: refused) }
    for await _ in asked { break }
    #expect(try await authenticator.credentials() == refused)
    answer.yield()
    #expect(try await renewal.value)
    #expect(try await authenticator.credentials() == ["Authorization": "Bearer new"])
  }

  @Test("Nothing new, or nothing at all, is no reason for another attempt")
  func nothingNew() async throws {
    let same = BearerTokenAuthenticator(token: Token("a")) { old in old }
    #expect(try await same.renew(refused: same.credentials()) == false)
    let none = BearerTokenAuthenticator { _ in nil }
    #expect(try await none.credentials() == [:])
    #expect(try await none.renew(refused: [:]) == false)
  }

  struct SignInFailed: Error {}

  @Test("An error fails those who wait for it, and the next request asks again")
  func failure() async throws {
    let isDown = Locked(true)
    let authenticator = BearerTokenAuthenticator { _ in
      if isDown.withLock({ $0 }) { throw SignInFailed() }
      return Token("a")
    }
    await #expect(throws: SignInFailed.self) { try await authenticator.credentials() }
    isDown.withLock { $0 = false }
    #expect(try await authenticator.credentials() == ["Authorization": "Bearer a"])
  }

  @Test("A caller that is cancelled does not wait for the new token, and the others get it", .timeLimit(.minutes(5)))
  func cancelled() async throws {
    let (asked, asks) = AsyncStream<Void>.makeStream()
    let (answered, answer) = AsyncStream<Void>.makeStream()
    let authenticator = BearerTokenAuthenticator { _ in
      asks.yield()
      for await _ in answered { break }
      return Token("new")
    }
    let first = Task { try await authenticator.credentials() }
    for await _ in asked { break }
    let second = Task { try await authenticator.credentials() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    answer.yield()
    #expect(try await second.value == ["Authorization": "Bearer new"])
  }
}
