public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Fails if the status of the response is not one of success.
///
/// A body that is labelled as a GraphQL response, and has data or errors, is read whatever the status (GraphQL over
/// HTTP, section 6.4.2).
public struct ResponseCodeInterceptor: ChainStep {
  /// The server answered with a status that is not one of success.
  public enum ResponseCodeError: ApolloError, ErrorWithResponse {
    /// The response and its body; nil if there was none.
    case invalidResponseCode(response: HTTPURLResponse?, rawData: Data?)

    /// The kind of this error: ``ApolloErrorCode/httpStatus``.
    public var code: ApolloErrorCode { .httpStatus }

    /// The status of the response; nil if there was none.
    public var httpStatus: Int? {
      switch self {
      case .invalidResponseCode(let response, _): response?.statusCode
      }
    }

    /// The response, as in Apollo iOS 2. If there was none, it is one with the status 0 and without header fields.
    public var response: HTTPURLResponse {
      switch self {
      case .invalidResponseCode(let response, _): response ?? Self.noResponse
      }
    }

    private static let noResponse = HTTPURLResponse(
      url: URL(fileURLWithPath: "/"), statusCode: 0, httpVersion: nil, headerFields: nil)!

    /// The body, as in Apollo iOS 2; empty if there was none.
    public var chunk: Data {
      switch self {
      case .invalidResponseCode(_, let data): data ?? Data()
      }
    }

    /// The errors in the body, if it is a GraphQL response; otherwise empty.
    public var graphQLErrors: [GraphQLError] {
      switch self {
      case .invalidResponseCode(_, let data): data.flatMap { GraphQLError.all(inBody: $0) } ?? []
      }
    }

    /// An error made of the whole body, if that is a JSON object; otherwise nil. If the body has no `message`, it has that
    /// of the first of ``graphQLErrors``.
    public var graphQLError: GraphQLError? {
      guard case .invalidResponseCode(_, let data?) = self,
        var body = try? ResponseReader.jsonValue(ResponseBytes(data)) as? JSONObject
      else { return nil }
      if body["message"] == nil, let message = graphQLErrors.first?.message { body["message"] = message }
      return GraphQLError(body)
    }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .invalidResponseCode(let response, let data):
        let place = response?.url.map { " (\($0.placeDescription))" } ?? ""
        let status = response.map { "HTTP status \($0.statusCode)" } ?? "no response"
        let type = response?.value(forHTTPHeaderField: "Content-Type").map { ", \($0)" } ?? ""
        let excerpt = graphQLError?.message ?? (data ?? Data()).excerpt
        return "The server answered with \(status)\(type)\(place)" + (excerpt.isEmpty ? "." : ": \(excerpt)")
      }
    }
  }

  private let acceptsErrorsAsJSON: Bool

  /// Makes an interceptor.
  ///
  /// - Parameter acceptsErrorsAsJSON: Whether `application/json` with a list of `errors` is also read as a GraphQL
  ///   response, if the status is not one of success. Servers older than GraphQL over HTTP send that. The default is
  ///   false: it is an error, which has the errors of the body in `graphQLErrors`.
  public init(acceptsErrorsAsJSON: Bool = false) { self.acceptsErrorsAsJSON = acceptsErrorsAsJSON }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response = response?.asHTTP, let status = response.status else {
      throw ResponseCodeError.invalidResponseCode(response: nil, rawData: nil)
    }
    guard status.isSuccess || isGraphQLResponse(response, passage.asHTTP) else {
      throw ResponseCodeError.invalidResponseCode(response: status, rawData: response.rawData)
    }
    return .proceed(response)
  }

  private func isGraphQLResponse<Operation: GraphQLOperation>(
    _ response: HTTPResponse<Operation>, _ request: HTTPRequest<Operation>?
  ) -> Bool {
    guard let type = response.httpResponse.mediaType else { return false }
    if type.isGraphQLResponse { return response.rawData.isGraphQLResponse }
    guard type.isJSON else { return false }
    if acceptsErrorsAsJSON { return !GraphQLError.all(inBody: response.rawData).isEmpty }
    // Servers use various statuses to say that they do not know a persisted query.
    guard request?.asJSON?.autoPersistQueries == true else { return false }
    return GraphQLError.all(inBody: response.rawData).contains { $0.persistedQueryProblem != nil }
  }
}

extension ResponseCodeInterceptor: HTTPInterceptor {
  /// Checks the status of an exchange. A response that says that a persisted query is not known is passed on whatever
  /// its status, because the interceptor that parses it handles it.
  public func intercept(
    request: URLRequest, next: NextHTTPInterceptorFunction
  ) async throws -> ChunkedHTTPResponse {
    let response = try await next(request)
    guard !response.response.isSuccess else { return response }
    let body = try await response.data(), type = response.response.mediaType
    let errors = type?.isJSON == true ? GraphQLError.all(inBody: body) : []
    let isAccepted =
      type?.isGraphQLResponse == true
      ? body.isGraphQLResponse
      : acceptsErrorsAsJSON ? !errors.isEmpty : errors.contains { $0.persistedQueryProblem != nil }
    guard isAccepted else {
      throw ResponseCodeError.invalidResponseCode(response: response.response, rawData: body)
    }
    var whole = response
    whole.body = .whole(body)
    return whole
  }
}

extension Data {
  /// Whether a body has what a GraphQL response must have: data, or at least one error. What a proxy sends may have the
  /// label alone.
  fileprivate var isGraphQLResponse: Bool {
    (try? JSONMembers(ResponseBytes(self)))?.text(of: "data") != nil || !GraphQLError.all(inBody: self).isEmpty
  }
}
