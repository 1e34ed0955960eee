@testable import ApolloRequestChain
import ApolloConcurrency
import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TrickyRequestTests {
  /// Has one of the library's interceptors do its work.
  final class WrappingInterceptor: ApolloInterceptor, Sendable {
    let inner = JSONResponseParsingInterceptor()

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) { inner.interceptAsync(chain: chain, request: request, response: response, completion: completion) }
  }

  /// Gives a response without a network.
  struct RespondingInterceptor: HTTPStep, StepInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      guard
        let head = HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)
      else { return .proceed(response) }
      return .proceed(HTTPResponse(response: head, rawData: Data(hero().utf8), parsedResponse: nil))
    }
  }

  @Test("An interceptor that wraps one of the library's is followed by the one behind it")
  func wrapping() async throws {
    let counter = PassingInterceptor(names: true)
    let result = try await outcome(of: [RespondingInterceptor(), WrappingInterceptor(), counter]).get()
    #expect(result.data?.hero?.name == "R2-D2")
    #expect(counter.count.withLock { $0 } == 1)
  }
}
