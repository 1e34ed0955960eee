import ApolloCache
package import ApolloTransport
package import ApolloAPI
import Foundation
public import Logging

/// Logs what is sent and received, without secrets.
///
/// In ``ApolloClient/Configuration/logging`` it logs what the client does over every transport, by its
/// ``ApolloClient/events``. In a chain of an app's own it stands directly before the interceptor that fetches, so it sees
/// each attempt. Requests and results are logged at the level `debug`, results with errors at `warning`, and failures at
/// `error`.
public final class LoggingInterceptor: OutcomeStep {
  /// What is logged.
  public struct Configuration: Sendable {
    /// How much of each operation is logged.
    public enum Detail: Int, Comparable, Sendable {
      /// Name, address and duration of the operation, and how it ended.
      case operations
      /// The header fields as well.
      case headers
      /// The header fields and the bodies as well.
      case bodies

      /// Whether one level logs less than another.
      public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// How much of each operation is logged. The default is `operations`.
    public var detail: Detail
    /// The names of header fields whose values are not logged, in lower case.
    ///
    /// The fields of an authenticator are never logged, and neither are fields with `token`, `secret`, `key`, `auth`,
    /// `session`, `cookie` or `password` in their names.
    public var secretHeaders: Set<String> = [
      "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
    ]
    /// The names of variables and fields whose values are not logged, in lower case and without `_` and `-`.
    public var secretMembers: Set<String> = [
      "password", "newpassword", "oldpassword", "token", "accesstoken", "refreshtoken", "idtoken", "secret", "apikey",
      "authorization", "pin", "otp",
    ]
    /// The length in characters after which a body is cut off. The default is 4096.
    public var maximumBodySize = 4096

    /// Makes a configuration.
    ///
    /// - Parameter detail: How much of each operation is logged.
    public init(detail: Detail = .operations) { self.detail = detail }
  }

  let log: EventLog
  private let sentAt = Locked<ContinuousClock.Instant?>(nil)

  /// Makes an interceptor. In a chain it logs one operation: make a new one for each.
  ///
  /// - Parameters:
  ///   - logger: The log.
  ///   - configuration: What is logged.
  public init(logger: Logger, configuration: Configuration = Configuration()) {
    log = EventLog(logger, configuration)
  }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    sentAt.withLock { [now = passage.clock.now] in $0 = now }
    take(.requestSent(ClientEvent.Request(passage, attempt: 1, log.details)), of: passage)
    return .proceed(response)
  }

  package nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    if let response {
      let duration = sentAt.withLock { $0 }.map { passage.clock.now - $0 } ?? .zero
      take(
        .responseReceived(ClientEvent.Response(response.status, response.received, after: duration, log.details)),
        of: passage)
    }
    switch outcome {
    case .success(let result): take(.result(ClientEvent.Result(result)), of: passage)
    case .failure(let error): take(.tryFailed(error), of: passage)
    }
    return .deliver
  }

  private func take<Operation: GraphQLOperation>(_ kind: ClientEvent.Kind, of passage: OperationPassage<Operation>) {
    log.take(
      ClientEvent(
        date: passage.clock.date, instant: passage.clock.now,
        operation: ClientEvent.Operation(id: 0, name: Operation.operationName, type: Operation.operationType),
        kind: kind))
  }
}
