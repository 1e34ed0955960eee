public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Fails if the server answers with a status that is no success.
///
/// A body that is labelled as a GraphQL response is one whatever the status (GraphQL over HTTP, section 6.4.2).
public struct ResponseCodeInterceptor: AsyncInterceptor {
  public enum ResponseCodeError: ApolloError {
    case invalidResponseCode(response: HTTPURLResponse?, rawData: Data?)

    public var code: ApolloErrorCode { .httpStatus }

    public var httpStatus: Int? {
      switch self {
      case .invalidResponseCode(let response, _): response?.statusCode
      }
    }

    public var message: String {
      switch self {
      case .invalidResponseCode(let response, let data):
        let status = response.map { "HTTP status \($0.statusCode)" } ?? "no response"
        let type = response?.value(forHTTPHeaderField: "Content-Type").map { " (\($0))" } ?? ""
        let excerpt = String(decoding: (data ?? Data()).prefix(120), as: UTF8.self)
          .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "The server answered with \(status)\(type)" + (excerpt.isEmpty ? "." : ": \(excerpt)")
      }
    }
  }

  public init() {}

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else {
      throw ResponseCodeError.invalidResponseCode(response: nil, rawData: nil)
    }
    let type = response.httpResponse.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? ""
    guard (200..<300).contains(response.httpResponse.statusCode) || type.hasPrefix("application/graphql-response+json")
    else {
      throw ResponseCodeError.invalidResponseCode(response: response.httpResponse, rawData: response.rawData)
    }
    return .proceed(response)
  }
}
