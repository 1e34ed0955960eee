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
/// The credentials take the place of header fields of the client's default configuration, which are sent again where
/// there are no credentials any more.
///
/// A mutation of which a part may have been executed is not sent again, unless it may run twice: the caller gets the
/// data and the error, and the next operation has the new credentials. See ``RequestConfiguration/isRepeatable``.
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
    /// The header fields of the request in whose place those are.
    var replaced: [String: String] = [:]
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
  ///     about one answer more than once. Of an answer to a mutation, it is asked about single errors as well, without
  ///     a status.
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
    let (previous, replaced) = state.withLock { ($0.added, $0.replaced) }
    for (name, value) in previous {
      func isOfName(_ field: String) -> Bool { [field: ""].hasHeader(name) }
      // (A step before this one may have made the field anew.)
      guard request.additionalHeaders.contains(where: { isOfName($0.key) && $0.value == value }) else { continue }
      request.removeHeader(name: name)
      for (name, value) in replaced where isOfName(name) { request.addHeader(name: name, value: value) }
    }
    let others = added.isEmpty ? [:] : request.additionalHeaders.filter { added.hasHeader($0.key) }
    state.withLock { ($0.credentials, $0.added, $0.replaced) = (credentials, added, others) }
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
    // What the server has done of the mutation, it would do twice.
    let isDone =
      Operation.operationType == .mutation && !passage.mayRunTwice
      && mayBeDone(outcome, response?.asHTTP, refusal.errors)
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

  /// Whether a part of a mutation may have been executed. The status and the type of the answer say nothing of that:
  /// they may have made an error of it.
  ///
  /// Nothing was executed where each field was refused. That one was refused says nothing of those after it: servers
  /// may go on, also if the answer has no data then (gqlgen does), and some leave out nulls. A null without an error may
  /// be the value of a field. A field whose error has a longer path was executed: the error is of what it has given.
  private func mayBeDone<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ response: HTTPResponse<Operation>?,
    _ errors: [GraphQLError]
  ) -> Bool {
    var refused: Set<String> = []
    // (Where the status makes an error of the answer, a single error is what was judged with it.)
    let isJudged = if case .failure = outcome { errors.count == 1 } else { false }
    // (An error without a path is one of the whole request.)
    for error in errors where error.hasPath {
      guard let path = error.path, path.count == 1, case .field(let name) = path[0],
        isJudged || isRefusal(Refusal(httpStatus: nil, errors: [error]))
      else { return true }
      refused.insert(name)
    }
    let chunk: Data? =
      if case .failure(let error as ResponseCodeInterceptor.ResponseCodeError) = outcome { error.chunk } else { nil }
    let body = (chunk ?? response?.body).flatMap { try? JSONMembers(ResponseBytes($0)) }
    if let data = body?.value(of: "data") as? JSONObject {
      let fields = data.filter { $0.key != "__typename" }
      if !fields.isEmpty { return fields.contains { !($0.value is JSONNull && refused.contains($0.key)) } }
    } else if let result = try? outcome.get(), result.hasData {
      return true
    }
    if refused.isEmpty { return false }
    return Operation.operationDocument.fieldNames.map { !refused.isSuperset(of: $0) } ?? true
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

  /// Whether it belongs to a field, also if the path is malformed.
  fileprivate var hasPath: Bool {
    guard let path = self["path"], !(path is JSONNull) else { return false }
    return (path as? [JSONValue])?.isEmpty != true
  }
}

extension OperationDocument {
  /// The names that the fields of a mutation have in responses; nil where that is not plain from the text, as where a
  /// fragment is among them.
  fileprivate var fieldNames: Set<String>? {
    let text = operation.description
    guard text.hasPrefix("mutation") else { return nil }
    var names: Set<String> = [], name = "", depth = 0, argumentDepth = 0, isString = false
    // What stands before the name: behind an alias, or the sign of a directive, it is not that of a field.
    var before: Character = "{"
    for character in text {
      if character == "\"" { isString.toggle() }
      if "\\#".contains(character) { return nil }
      if isString { continue }
      let isOfSelection = depth == 1 && argumentDepth == 0
      if isOfSelection, character.isLetter || character.isNumber || character == "_" {
        name.append(character)
        continue
      }
      if !name.isEmpty {
        if name != "__typename", before != ":", before != "@" { names.insert(name) }
        (name, before) = ("", " ")
      }
      if isOfSelection, !character.isWhitespace { before = character }
      switch character {
      case "." where isOfSelection: return nil
      case "(": argumentDepth += 1
      case ")": argumentDepth -= 1
      case "{" where argumentDepth == 0: depth += 1
      case "}" where argumentDepth == 0: depth -= 1
      default: break
      }
      if depth == 0, character == "}", argumentDepth == 0 { return names.isEmpty ? nil : names }
    }
    return nil
  }
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
