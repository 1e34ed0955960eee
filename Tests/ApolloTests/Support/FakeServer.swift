@testable import ApolloRequestChain
import Apollo
import Foundation
import StyledTests

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers requests without a network, and counts them.
final class FakeServer: InterceptorProvider, Sendable {
  typealias Answer = @Sendable (_ operation: String, _ count: Int) async throws -> String

  private let answer: Answer
  private let store: ApolloStore
  private let style = ResponseStyle.current
  private let state = Locked(0)

  init(store: ApolloStore, _ answer: @escaping Answer) {
    self.store = store
    self.answer = answer
  }

  /// How many requests there were.
  var count: Int { state.withLock { $0 } }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    [
      CacheReadInterceptor(store: store), Fetch(server: self), JSONResponseParsingInterceptor(),
      CacheWriteInterceptor(store: store),
    ]
  }

  private struct Fetch: HTTPStep, StepInterceptor {
    let server: FakeServer

    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      let number = server.state.withLock {
        $0 += 1
        return $0
      }
      let answer = try await server.answer(Operation.operationName, number)
      let body = server.style?.restyle(answer) ?? answer
      let status = HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)!
      return .proceed(HTTPResponse(response: status, rawData: Data(body.utf8), parsedResponse: nil))
    }
  }

  /// A client whose requests come here.
  static func client(
    cache: any NormalizedCache = InMemoryNormalizedCache(), _ answer: @escaping Answer
  ) -> (client: ApolloClient, server: FakeServer) {
    let store = ApolloStore(cache: cache)
    let server = FakeServer(store: store, answer)
    let transport = RequestChainNetworkTransport(
      interceptorProvider: server, endpointURL: URL(string: "http://localhost/graphql")!)
    return (ApolloClient(networkTransport: transport, store: store), server)
  }
}
