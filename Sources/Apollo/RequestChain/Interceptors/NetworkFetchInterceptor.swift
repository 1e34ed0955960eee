public import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the request and waits for the response.
public final class NetworkFetchInterceptor: AsyncInterceptor {
  private let client: URLSessionClient

  public init(client: URLSessionClient) { self.client = client }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let (data, response) = try await client.data(
      for: try request.toURLRequest(), description: "\(Operation.operationType) \(Operation.operationName)")
    return .proceed(HTTPResponse(response: response, rawData: data, parsedResponse: nil))
  }
}
