public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Fails if the server answers with a status that is no success.
///
/// A body that is labelled as a GraphQL response is one whatever the status (GraphQL over HTTP, section 6.4.2).
public struct ResponseCodeInterceptor: ChainStep {
  public enum ResponseCodeError: ApolloError {
    case invalidResponseCode(response: HTTPURLResponse?, rawData: Data?)

    public var code: ApolloErrorCode { .httpStatus }

    public var httpStatus: Int? {
      switch self {
      case .invalidResponseCode(let response, _): response?.statusCode
      }
    }

    /// The errors in the body, if it is a GraphQL response all the same.
    public var graphQLErrors: [GraphQLError] {
      switch self {
      case .invalidResponseCode(_, let data): data.flatMap(GraphQLErrors.inBody) ?? []
      }
    }

    /// The first of ``graphQLErrors``; the whole body if it is a JSON object without any.
    public var graphQLError: GraphQLError? {
      switch self {
      case .invalidResponseCode(_, let data):
        graphQLErrors.first
          ?? data.flatMap { try? ResponseReader.jsonValue(ResponseBytes($0)) as? JSONObject }.map(GraphQLError.init)
      }
    }

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

  /// - Parameter acceptsErrorsAsJSON: Take `application/json` with a list of `errors` for a GraphQL response as well, as
  ///   servers send that are older than GraphQL over HTTP. By default it is an error whose `graphQLErrors` it has.
  public init(acceptsErrorsAsJSON: Bool = false) { self.acceptsErrorsAsJSON = acceptsErrorsAsJSON }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else {
      throw ResponseCodeError.invalidResponseCode(response: nil, rawData: nil)
    }
    guard response.httpResponse.isSuccess || isGraphQLResponse(response, request) else {
      throw ResponseCodeError.invalidResponseCode(response: response.httpResponse, rawData: response.rawData)
    }
    return .proceed(response)
  }

  private func isGraphQLResponse<Operation: GraphQLOperation>(
    _ response: HTTPResponse<Operation>, _ request: HTTPRequest<Operation>
  ) -> Bool {
    guard let type = response.httpResponse.mediaType else { return false }
    if type.isGraphQLResponse { return true }
    guard type.isJSON else { return false }
    if acceptsErrorsAsJSON { return !GraphQLErrors.inBody(response.rawData).isEmpty }
    // Servers answer with one status or another that they do not know a persisted query.
    guard (request as? JSONRequest<Operation>)?.autoPersistQueries == true else { return false }
    return GraphQLErrors.inBody(response.rawData).contains { $0.persistedQueryProblem != nil }
  }
}

extension ResponseCodeInterceptor: HTTPInterceptor {
  /// Checks the status around the exchange. A persisted query that the server does not know, with a status that is no success,
  /// is left to what reads the body.
  public func intercept(
    request: URLRequest, next: NextHTTPInterceptorFunction
  ) async throws -> ChunkedHTTPResponse {
    let response = try await next(request)
    guard !response.response.isSuccess, response.response.mediaType?.isGraphQLResponse != true else { return response }
    let body = try await response.data()
    let errors = response.response.mediaType?.isJSON == true ? GraphQLErrors.inBody(body) : []
    guard acceptsErrorsAsJSON ? !errors.isEmpty : errors.contains(where: { $0.persistedQueryProblem != nil }) else {
      throw ResponseCodeError.invalidResponseCode(response: response.response, rawData: body)
    }
    var whole = response
    whole.body = .whole(body)
    return whole
  }
}

/// Finds the errors in a body without knowing what data it may have.
enum GraphQLErrors {
  static func inBody(_ data: Data) -> [GraphQLError] {
    guard let members = try? JSONMembers(ResponseBytes(data)),
      let list = members.value(of: "errors") as? [JSONValue]
    else { return [] }
    return list.map { GraphQLError(anyValue: $0) }
  }
}
