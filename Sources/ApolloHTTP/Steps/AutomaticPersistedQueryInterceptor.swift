public import ApolloOperations
public import ApolloTransport
package import ApolloAPI
import Foundation

/// Sends the whole document if the server does not know its hash (automatic persisted queries).
///
/// It stands after the interceptor that parses, or before all others, where it is told the outcome of the operation.
/// The transport's `autoPersistQueries` turns persisted queries on.
public struct AutomaticPersistedQueryInterceptor: OutcomeStep {
  /// Why a persisted query failed.
  public enum APQError: ApolloError, Equatable {
    /// No interceptor before this one has parsed the response.
    case noParsedResponse
    /// The server does not know the document, and the generated code has only its identifier.
    case persistedQueryNotFoundForPersistedOnlyQuery(operationName: String)
    /// The server was sent the document with its hash, and still says that it does not know the hash.
    case persistedQueryRetryFailed(operationName: String)

    /// The kind of this error: ``ApolloErrorCode/configuration`` or ``ApolloErrorCode/operationRefused``.
    public var code: ApolloErrorCode { self == .noParsedResponse ? .configuration : .operationRefused }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .noParsedResponse: "There is no parsed response: an interceptor that parses must come before."
      case .persistedQueryNotFoundForPersistedOnlyQuery:
        "The server does not know the document, and there is only its identifier to send."
      case .persistedQueryRetryFailed: "The server did not learn the persisted query from its whole document."
      }
    }

    /// The name of the operation that failed; nil if it is not known.
    public var operationName: String? {
      switch self {
      case .noParsedResponse: nil
      case .persistedQueryNotFoundForPersistedOnlyQuery(let name), .persistedQueryRetryFailed(let name): name
      }
    }
  }

  /// Makes an interceptor.
  public init() {}

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response, let request = passage.asHTTP?.asJSON, request.autoPersistQueries else {
      return .proceed(response)
    }
    guard let result = response.parsedResponse else { throw APQError.noParsedResponse }
    return try needsDocument(request, result) ? .retry : .proceed(response)
  }

  /// Called if this interceptor comes before the one that parses, and if none parses.
  package nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    if case .failure(let error) = outcome, (error as? any ChainFailure)?.isWithoutResult == true,
      response?.parsedResponse == nil,
      passage.asHTTP?.asJSON?.autoPersistQueries == true
    {
      throw APQError.noParsedResponse
    }
    guard case .success(let result) = outcome, result.errors != nil,
      let request = passage.asHTTP?.asJSON, request.autoPersistQueries
    else { return .deliver }
    return try needsDocument(request, result) ? .retry : .deliver
  }

  /// Whether the request has to be sent again with its document.
  private func needsDocument<Operation: GraphQLOperation>(
    _ request: JSONRequest<Operation>, _ result: GraphQLResult<Operation.Data>
  ) throws -> Bool {
    guard let problem = result.errors?.lazy.compactMap(\.persistedQueryProblem).first else { return false }
    guard !Operation.operationDocument.text.isEmpty else {
      throw APQError.persistedQueryNotFoundForPersistedOnlyQuery(operationName: Operation.operationName)
    }
    guard !request.isPersistedQueryRetry else {
      throw APQError.persistedQueryRetryFailed(operationName: Operation.operationName)
    }
    if problem == .notSupported { request.noteNoSupport() }
    request.isPersistedQueryRetry = true
    request.nextStartIsUncounted = true
    return true
  }
}

enum PersistedQueryProblem {
  case notFound, notSupported
}

extension GraphQLError {
  /// What the server says about a persisted query, by the code or the message of the error; nil if it says nothing.
  var persistedQueryProblem: PersistedQueryProblem? {
    switch extensions?["code"] as? String {
    case "PERSISTED_QUERY_NOT_FOUND": return .notFound
    case "PERSISTED_QUERY_NOT_SUPPORTED": return .notSupported
    default: break
    }
    switch message?.lowercased() {
    case "persistedquerynotfound", "persisted query not found": return .notFound
    case "persistedquerynotsupported", "persisted query not supported": return .notSupported
    default: return nil
    }
  }
}
