public import Apollo
public import Foundation

/// What every transport has to do, for callers of every style, as checks that any test framework can run.
///
/// A check has no server of its own: the test says how its server answers with given bytes, by a ``TransportSubject``.
///
///     @Test(arguments: NetworkTransportConformance.allChecks, CallerStyle.allCases)
///     func conformance(check: NetworkTransportConformance, style: CallerStyle) async throws {
///       for failure in await check.run(style, over: MySubject()) { Issue.record("\(failure)") }
///     }
public struct NetworkTransportConformance: Sendable, CustomStringConvertible {
  /// What the check claims.
  public let description: String
  /// What a transport has to be able to do for it.
  public let needs: Set<TransportAbility>
  let body: @Sendable (TransportTrial) async throws -> Void

  init(
    _ description: String, needs: Set<TransportAbility> = [],
    _ body: @escaping @Sendable (TransportTrial) async throws -> Void
  ) {
    self.description = description
    self.needs = needs
    self.body = body
  }

  /// Runs the check.
  ///
  /// - Returns: What the transport did not do: nothing if it conforms, or if it need not, for one of its
  ///   ``TransportSubject/inabilities``.
  public func run(_ style: CallerStyle, over subject: any TransportSubject) async -> [Failure] {
    guard needs.isDisjoint(with: subject.inabilities.keys) else { return [] }
    let trial = TransportTrial(style: style, subject: subject)
    do {
      try await body(trial)
    } catch let failure as Failure {
      return [failure]
    } catch {
      return [Failure(description: "It threw \(error).")]
    }
    return []
  }

  /// What a transport did not do.
  public struct Failure: LocalizedError, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
  }

  /// All checks. None of them needs another to have run before.
  public static let allChecks: [NetworkTransportConformance] =
    responses + failures + policies + identity + endings + setups
}

/// A transport to check, and a server that it talks to.
public protocol TransportSubject: Sendable {
  /// What the transport cannot do, and why: a protocol has no such thing, or the transport does not see the operation.
  var inabilities: [TransportAbility: String] { get }

  /// Starts a server, makes a transport that sends to it, and stops the server when `body` is over.
  ///
  /// - Parameters:
  ///   - setup: What the transport is asked to do beyond sending.
  ///   - store: The cache that results belong to. A transport that learns its client's store need not be given it.
  ///   - answer: How the server answers an operation: the first one gets number 1.
  func withTransport(
    _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (_ number: Int) -> ServerAnswer,
    _ body: (any NetworkTransport) async throws -> Void
  ) async throws
}

/// How a server answers an operation.
public enum ServerAnswer: Sendable {
  /// A GraphQL response, as JSON.
  case response(String)
  /// Some responses, one after the other: the parts of one, or the events of a subscription.
  case parts([String])
  /// Events that come until nothing listens any more.
  case endless(String)
  /// A status that is no success.
  case status(Int, body: String)
  /// So many bytes of a response, and then the connection ends.
  case brokenOff(String, after: Int)
  /// Nothing, for as long as the connection is there.
  case never
}

/// What a transport is asked to do beyond sending.
public struct TransportSetup: Sendable {
  /// Queries are sent again after failures that may pass.
  public var retries = false
  /// Identical queries that are under way at the same time are sent once.
  public var deduplicatesQueries = false
  /// Gives credentials, and renews those that are refused.
  public var authenticator: (any Authenticator)?

  public init() {}
}

/// What some transports cannot do.
public enum TransportAbility: String, Hashable, Sendable, CaseIterable {
  /// The protocol has a status for each response.
  case statuses
  /// A response may come in parts.
  case parts
  /// The policies of the cache hold, and results are written to it.
  case cache
  /// The keys of objects follow the store's rules.
  case identity
  /// Failures that may pass are retried.
  case retries
  /// An operation with refused credentials is sent again with others.
  case credentials
  /// Identical queries are sent once.
  case deduplication
  /// A consumer that leaves ends the operation on the server.
  case stopping
  /// It carries subscriptions.
  case subscriptions
}

/// How an app asks for an operation.
public enum CallerStyle: String, Hashable, Sendable, CaseIterable {
  /// `try await client.fetch(query:)`
  case awaited
  /// `client.fetch(query:) { result in … }`
  case callback
  /// `for try await result in client.results(of:)`
  case sequence
  /// `client.watch(query:) { result in … }`
  case watcher
  /// `for try await result in client.watch(query:)`
  case watchedSequence
}
