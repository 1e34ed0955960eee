import ApolloCache
public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Adds credentials to each request. If the server refuses them, it has them renewed, and tries the operation one more
/// time.
///
/// Credentials are sent to the client's own origins only: see ``OriginPolicy``. An operation for another origin is sent
/// without them. A header field that an operation has itself (``RequestConfiguration/headers``) stays in place of the
/// credentials' one. If it has all of them, the server's refusal is not one of the credentials, and nothing is renewed.
/// The credentials take the place of header fields of the client's default configuration.
///
/// A mutation that the server has executed in part is not sent again, unless it may run twice: the caller gets the data
/// and the error, and the next operation has the new credentials. See ``RequestConfiguration/isRepeatable``.
///
/// In a chain, it comes before the interceptor that fetches. If several operations are refused at a time, the
/// authenticator decides how often it renews; ``BearerTokenAuthenticator`` renews once.
public final class AuthenticationInterceptor: OutcomeStep {
  /// An answer of a server that may mean that the credentials are missing or no longer valid.
  public struct Refusal: Sendable {
    /// The status of the response, which may be a GraphQL response with errors; nil if it has none.
    public let httpStatus: Int?
    /// The errors of the response.
    public let errors: [GraphQLError]

    /// True for HTTP status 401, and for an error whose `extensions.code` is `UNAUTHENTICATED`.
    public var isUnauthenticated: Bool {
      httpStatus == 401 || errors.contains(where: \.isUnauthenticated)
    }
  }

  private struct State {
    /// What the authenticator gave for the request.
    var credentials: [String: String] = [:]
    /// Those of them that the request has: without the header fields that the operation has itself.
    var added: [String: String] = [:]
    /// When credentials were last renewed for this operation; nil: they were not.
    var renewedAt: ContinuousClock.Instant?
  }

  private let authenticator: any Authenticator
  private let isRefusal: @Sendable (Refusal) -> Bool
  private let state = Locked(State())

  /// Makes an interceptor.
  ///
  /// - Parameters:
  ///   - authenticator: Gives and renews the credentials.
  ///   - isRefusal: Tells which answers mean that the credentials are refused. By default those for which
  ///     ``Refusal/isUnauthenticated`` is true. In a part of a chain that code of the app surrounds, it may be asked
  ///     about one answer more than once.
  public init(
    authenticator: any Authenticator,
    isRefusal: @escaping @Sendable (Refusal) -> Bool = { $0.isUnauthenticated }
  ) {
    self.authenticator = authenticator
    self.isRefusal = isRefusal
  }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let request = try passage.overHTTP(for: Self.self)
    let isOwn = request.isForOwnOrigin(request.graphQLEndpoint)
    let credentials: [String: String]
    do { credentials = isOwn ? try await authenticator.credentials() : [:] } catch {
      throw Self.described(error, in: passage)
    }
    let own = request.ownHeaders
    let added = own.isEmpty ? credentials : credentials.filter { !own.hasHeader($0.key) }
    let previous = state.withLock { state in
      defer { (state.credentials, state.added) = (credentials, added) }
      return state.added
    }
    for name in previous.keys { request.removeHeader(name: name) }
    for (name, value) in added { request.addHeader(name: name, value: value) }
    request.credentials = added
    return .proceed(response)
  }

  package nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    guard let refusal = Refusal(outcome, response?.asHTTP), isRefusal(refusal), let request = passage.asHTTP,
      request.isForOwnOrigin(request.graphQLEndpoint)
    else { return .deliver }
    let now = passage.clock.now
    let (refused, mayRenew) = state.withLock { state in
      // The server has seen those of the operation only.
      if state.added.isEmpty, !state.credentials.isEmpty { return (state.credentials, false) }
      let mayRenew = state.renewedAt.map { renewed in
        // A subscription may outlive many credentials. A server that refuses at once will go on to do so.
        Operation.operationType == .subscription && now - renewed > .seconds(60)
      }
      if mayRenew != false { state.renewedAt = now }
      return (state.credentials, mayRenew ?? true)
    }
    guard mayRenew else { return .deliver }
    // The server has done a part of the mutation, and would do it twice.
    let isDone =
      Operation.operationType == .mutation && !passage.mayRunTwice && Self.hasData(outcome, response?.asHTTP)
    do {
      guard try await authenticator.renew(refused: refused), !isDone else { return .deliver }
      let own = request.ownHeaders
      if !own.isEmpty {
        // The same request would be sent once more. (Credentials without header fields may be cookies.)
        let names = try await authenticator.credentials().keys
        if !names.isEmpty, names.allSatisfy(own.hasHeader) { return .deliver }
      }
    } catch {
      if isDone { return .deliver }
      throw Self.described(error, in: passage)
    }
    passage.nextStartIsUncounted = true
    return .retry
  }

  /// Whether a field of the answer has a value, also where the status or the type of the answer made an error of it.
  private static func hasData<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ response: HTTPResponse<Operation>?
  ) -> Bool {
    let result = try? outcome.get()
    let chunk: Data? =
      if case .failure(let error as ResponseCodeInterceptor.ResponseCodeError) = outcome { error.chunk } else { nil }
    let body = (chunk ?? response?.body).flatMap { try? JSONMembers(ResponseBytes($0)) }
    guard let data = body?.value(of: "data") else { return result?.hasData ?? false }
    return (data as? JSONObject)?.contains { name, value in name != "__typename" && !(value is JSONNull) } ?? false
  }

  /// What is thrown when the authenticator has thrown an error. For a mutation of an outbox, which has a key, it says so:
  /// no server has refused the mutation, so it is tried again.
  private static func described<Operation: GraphQLOperation>(
    _ error: any Error, in passage: OperationPassage<Operation>
  ) -> any Error {
    let isQueued = passage.requestConfiguration.bodyExtensions["idempotencyKey"] != nil
    guard isQueued, !error.isNetworkFailure, !Task.isCancelled else { return error }
    return OperationError(
      ApolloErrorCode("credentials"), "The authenticator has no credentials: \(error)",
      operationName: Operation.operationName, cause: error)
  }
}

extension GraphQLError {
  /// Whether the server says that the credentials are missing or no longer valid.
  var isUnauthenticated: Bool { extensions?["code"] as? String == "UNAUTHENTICATED" }
}

extension AuthenticationInterceptor.Refusal {
  fileprivate init?<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ response: HTTPResponse<Operation>?
  ) {
    switch outcome {
    case .success(let result):
      guard result.source == .server else { return nil }
      let status = result.httpResponse?.statusCode, errors = result.errors ?? []
      // (In a batch, the status may be that of another operation.)
      guard !errors.isEmpty || status == 401 && !result.hasData else { return nil }
      self.init(httpStatus: status, errors: errors)
    case .failure(let error as ResponseCodeInterceptor.ResponseCodeError):
      self.init(httpStatus: error.httpStatus, errors: error.graphQLErrors)
    case .failure(MultipartResponseParsingInterceptor.ParsingError.irrecoverableError):
      guard let response else { return nil }
      self.init(httpStatus: response.httpResponse.statusCode, errors: GraphQLError.all(inBody: response.rawData))
    case .failure: return nil
    }
  }
}
