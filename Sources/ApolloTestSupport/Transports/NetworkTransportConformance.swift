public import Apollo
public import Foundation

/// A check that every transport should pass, for every style of caller. Any test framework can run the checks.
///
/// A check has no server. The test provides one, and a transport for it, with a ``TransportSubject``.
///
///     @Test(arguments: NetworkTransportConformance.allChecks, CallerStyle.allCases)
///     func conformance(check: NetworkTransportConformance, style: CallerStyle) async throws {
///       for failure in await check.run(style, over: MySubject()) { Issue.record("\(failure)") }
///     }
public struct NetworkTransportConformance: Sendable, CustomStringConvertible {
  /// What the check claims, in words.
  public let description: String
  /// The abilities that a transport needs for this check.
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

  /// Runs the check. A check that takes over three minutes counts as failed, and so does one whose task is cancelled.
  ///
  /// - Parameters:
  ///   - style: How the operation is asked for.
  ///   - subject: The transport and its server.
  ///   - store: The cache for the results, which is empty. By default one in memory.
  /// - Returns: What the transport does not do. It is empty if the transport conforms, or lacks an ability for the
  ///   check; see ``TransportSubject/inabilities``.
  public func run(
    _ style: CallerStyle, over subject: any TransportSubject, store: ApolloStore = ApolloStore()
  ) async -> [Failure] {
    guard needs.isDisjoint(with: subject.inabilities.keys) else { return [] }
    let trial = TransportTrial(style: style, subject: subject, store: store)
    let (ends, continuation) = AsyncStream<Failure?>.makeStream()
    let running = Task {
      do {
        try await body(trial)
        continuation.yield(nil)
      } catch let failure as Failure {
        continuation.yield(failure)
      } catch {
        continuation.yield(Failure(description: "It threw \(error)."))
      }
    }
    let limit = Task {
      try await Task.sleep(for: Self.timeLimit)
      continuation.yield(Failure(description: "It did not end within \(Self.timeLimit)."))
    }
    defer {
      limit.cancel()
      running.cancel()
    }
    // (Not a task group, which would wait for a check that never ends.)
    for await end in ends { return end.map { [$0] } ?? [] }
    return [Failure(description: "It was cancelled.")]
  }

  /// How long a check may take. What waits inside of a check waits for a minute at most.
  private static let timeLimit = Duration.seconds(180)

  /// The error for something that a transport does not do.
  public struct Failure: LocalizedError, CustomStringConvertible {
    /// What the transport does not do, in words.
    public let description: String
    /// What the transport does not do, in words.
    public var errorDescription: String? { description }
  }

  /// All checks. They are independent of each other.
  public static let allChecks: [NetworkTransportConformance] =
    responses + failures + policies + identity + endings + setups
}

/// A transport to check, and the server that it sends to.
public protocol TransportSubject: Sendable {
  /// The abilities that the transport lacks, with the reason: its protocol does not have them, for example.
  var inabilities: [TransportAbility: String] { get }
  /// Whether its server can send ``TransportSetup/retryAfter``. By default it cannot.
  var sendsRetryAfter: Bool { get }

  /// Starts a server, makes a transport that sends to it, calls `body`, and stops the server when `body` has returned.
  ///
  /// - Parameters:
  ///   - setup: What the transport is asked to do beyond sending.
  ///   - store: The cache for the results. A transport that is told the store of its client need not be given it.
  ///   - answer: How the server answers an operation. The first operation has number 1.
  ///   - body: To be called with the transport.
  /// - Throws: What `body` throws, or why there is no server or transport.
  func withTransport(
    _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (_ number: Int) -> ServerAnswer,
    _ body: (any NetworkTransport) async throws -> Void
  ) async throws
}

extension TransportSubject {
  /// The server sends no `Retry-After`.
  public var sendsRetryAfter: Bool { false }
}

/// How a server answers an operation.
public enum ServerAnswer: Sendable {
  /// A GraphQL response, as JSON.
  case response(String)
  /// Several responses, one after the other: the parts of a response, or the events of a subscription.
  case parts([String])
  /// An event that is sent again and again until the client stops listening.
  case endless(String)
  /// A status that is not one of success. If the test has asked for it, the field ``TransportSetup/retryAfter`` is sent
  /// as well.
  case status(Int, body: String)
  /// The beginning of a response, as many bytes as given; then the connection ends.
  case brokenOff(String, after: Int)
  /// No answer, until the connection ends.
  case never
}

/// What a transport is asked to do beyond sending.
public struct TransportSetup: Sendable {
  /// Whether queries are sent again after failures that may pass. The default is false.
  public var retries = false
  /// Whether identical queries that are under way at a time are sent once. The default is false.
  public var deduplicatesQueries = false
  /// Gives credentials, and renews those that are refused. nil, the default: none.
  public var authenticator: (any Authenticator)?
  /// The header field `Retry-After` of each answer with a status that is not one of success. nil, the default: none. Only
  /// a subject that has ``TransportSubject/sendsRetryAfter`` is asked for it.
  public var retryAfter: String?

  /// Asks for sending only.
  public init() {}
}

/// An ability that some transports lack.
public enum TransportAbility: String, Hashable, Sendable, CaseIterable {
  /// A status for each response.
  case statuses
  /// Responses in parts.
  case parts
  /// Cache policies, and writing results to the cache.
  case cache
  /// Cache keys by the rules of the store.
  case identity
  /// Retrying failures that may pass.
  case retries
  /// Sending an operation again with other credentials after the server has refused them.
  case credentials
  /// Sending identical queries once.
  case deduplication
  /// Ending the operation on the server when the client stops listening.
  case stopping
  /// Subscriptions.
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
