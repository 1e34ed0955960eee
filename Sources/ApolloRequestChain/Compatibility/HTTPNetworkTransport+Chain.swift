import ApolloHTTP
import ApolloOperations
public import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Makes the chains of an ``HTTPNetworkTransport``.
final class DelegateInterceptorProvider: InterceptorProvider, @unchecked Sendable {
  // Sendable: it is written once, by the transport that makes this, before another thread has either of them.
  weak var transport: HTTPNetworkTransport?

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    transport?.makeInterceptors() ?? []
  }

  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? {
    transport.map { RetryDelegateInterceptor(transport: $0) }
  }
}

/// Asks the delegate before it sends, and tells it what came.
struct DelegatedFetchInterceptor: HTTPStep, StepInterceptor {
  let transport: HTTPNetworkTransport
  let client: URLSessionClient

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    var urlRequest = try request.toURLRequest()
    if let delegate = transport.delegate as? any HTTPNetworkTransportPreflightDelegate {
      guard delegate.networkTransport(transport, shouldSend: urlRequest) else {
        throw GraphQLHTTPRequestError.cancelledByDelegate
      }
      delegate.networkTransport(transport, willSend: &urlRequest)
      urlRequest = try urlRequest.checked(of: Operation.operationName)
    }
    request.sentRequest = urlRequest
    do {
      let response = try await client.answer(to: urlRequest, of: request)
      report(urlRequest, data: response.rawData, response: response.httpResponse, error: nil)
      return .proceed(response)
    } catch {
      report(urlRequest, failure: error)
      throw error
    }
  }

  private func report(_ request: URLRequest, failure: any Error) {
    if let error = failure as? URLSessionClient.URLSessionClientError {
      guard case .networkError(let data, let response, let underlying) = error else { return }
      report(request, data: data, response: response, error: underlying)
    } else if failure is any ApolloError {
      report(request, data: nil, response: nil, error: failure)
    }
  }

  private func report(_ request: URLRequest, data: Data?, response: URLResponse?, error: (any Error)?) {
    (transport.delegate as? any HTTPNetworkTransportTaskCompletedDelegate)?.networkTransport(
      transport, didCompleteRawTaskForRequest: request, withData: data, response: response, error: error)
  }
}

/// Asks the delegate about responses with errors.
struct GraphQLErrorDelegateInterceptor: HTTPStep, StepInterceptor {
  let transport: HTTPNetworkTransport

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let errors = response?.parsedResponse?.errors, !errors.isEmpty,
      let delegate = transport.delegate as? any HTTPNetworkTransportGraphQLErrorDelegate
    else { return .proceed(response) }
    // A stream is used because it ends when the waiting task is cancelled.
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    delegate.networkTransport(transport, receivedGraphQLErrors: errors) { answer.yield($0) }
    let shouldRetry = await answers.first { _ in true } ?? false
    return shouldRetry ? .retry : .proceed(response)
  }
}

/// Asks the delegate about failures.
struct RetryDelegateInterceptor: ApolloErrorInterceptor {
  let transport: HTTPNetworkTransport

  func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let error = GraphQLHTTPResponseError(error, response?.httpResponse) ?? error
    guard !(error is GraphQLHTTPRequestError),
      let delegate = transport.delegate as? any HTTPNetworkTransportRetryDelegate,
      let urlRequest = request.sentRequest
    else { return completion(.failure(error)) }
    let answer = FirstAnswer<HTTPNetworkTransport.ContinueAction> { action in
      switch action {
      case .retry: chain.retry(request: request, completion: completion)
      case .fail(let error): completion(.failure(error))
      }
    }
    delegate.networkTransport(
      transport, receivedError: error, for: urlRequest, response: response?.httpResponse
    ) { answer.take($0) }
  }
}

/// Passes on the first answer, and ignores all others.
private final class FirstAnswer<Answer>: @unchecked Sendable {
  // The closure is called once, by the thread that takes it out of the lock.
  private let action: Locked<Handoff<(Answer) -> Void>?>

  init(_ action: @escaping (Answer) -> Void) { self.action = Locked(Handoff(action)) }

  func take(_ answer: Answer) {
    let action = action.withLock { action in
      let taken = action
      action = nil
      return taken
    }
    action?.value(answer)
  }
}

/// The server answered, but not with a GraphQL response.
public struct GraphQLHTTPResponseError: ApolloError {
  /// What is wrong with the response.
  public enum ErrorKind: Hashable, Sendable, CustomStringConvertible {
    /// The status is not a status of success.
    case errorResponse
    /// The body is not a GraphQL response.
    case invalidResponse
    /// The server does not know the hash of a persisted query.
    case persistedQueryNotFound
    /// The server supports no persisted queries.
    case persistedQueryNotSupported

    /// The kind in English, such as `Received error response`.
    public var description: String {
      switch self {
      case .errorResponse: "Received error response"
      case .invalidResponse: "Received invalid response"
      case .persistedQueryNotFound: "Persisted query not found"
      case .persistedQueryNotSupported: "Persisted queries not supported"
      }
    }
  }

  /// The body of the response; nil if there was none.
  public let body: Data?
  /// Status and header fields of the response.
  public let response: HTTPURLResponse
  /// What is wrong with the response.
  public let kind: ErrorKind

  /// Makes an error for a response.
  ///
  /// - Parameters:
  ///   - body: The body of the response. nil, the default: there was none.
  ///   - response: Status and header fields.
  ///   - kind: What is wrong with the response.
  public init(body: Data? = nil, response: HTTPURLResponse, kind: ErrorKind) {
    self.body = body
    self.response = response
    self.kind = kind
  }

  /// The form of release 0.27 for an error of the chain; nil for one that it passes on as it is. That is so for a body
  /// that is not JSON at all.
  init?(_ error: any Error, _ response: HTTPURLResponse?) {
    switch error {
    case ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(let response?, let body):
      self.init(body: body, response: response, kind: .errorResponse)
    case JSONResponseParsingInterceptor.JSONResponseParsingError.couldNotParseToJSON(let body):
      guard let response, (try? ResponseReader.jsonValue(ResponseBytes(body))) != nil else { return nil }
      self.init(body: body, response: response, kind: .invalidResponse)
    default: return nil
    }
  }

  /// The errors in the body; nil if it is not a GraphQL response, or has none.
  public var graphQLErrors: [GraphQLError]? {
    let errors = body.map { GraphQLError.all(inBody: $0) } ?? []
    return errors.isEmpty ? nil : errors
  }

  /// The body as text, or `Empty response body`.
  public var bodyDescription: String { body.map { String(decoding: $0, as: UTF8.self) } ?? "Empty response body" }

  /// The kind of this error: ``ApolloErrorCode/httpStatus``, or ``ApolloErrorCode/invalidResponse`` for a body that is not
  /// a GraphQL response.
  public var code: ApolloErrorCode { kind == .invalidResponse ? .invalidResponse : .httpStatus }
  /// The status code of the response.
  public var httpStatus: Int? { response.statusCode }

  /// One sentence that says what went wrong.
  public var message: String {
    "\(kind) (\(response.statusCode)): " + (graphQLErrors?.first?.description ?? (body ?? Data()).excerpt)
  }
}
