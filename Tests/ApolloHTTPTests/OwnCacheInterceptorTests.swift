import Apollo
import Foundation
import ScriptedServer
import Testing

/// Does what the interceptor of the library does, as an interceptor of an app.
private struct OwnCacheInterceptor: CacheInterceptor {
  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    try await DefaultCacheInterceptor().readCacheData(from: store, request: request)
  }

  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {
    try await DefaultCacheInterceptor().writeCacheData(to: store, request: request, response: response)
  }
}

private struct OwnCacheProvider: InterceptorProvider {
  func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor] {
    DefaultInterceptorProvider.shared.graphQLInterceptors(for: operation)
  }
  func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor {
    OwnCacheInterceptor()
  }
  func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    DefaultInterceptorProvider.shared.httpInterceptors(for: operation)
  }
  func responseParser<Operation: GraphQLOperation>(for operation: Operation) -> any ResponseParsingInterceptor {
    JSONResponseParsingInterceptor()
  }
}

@Suite("A cache interceptor of an app", .timeLimit(.minutes(5)))
struct OwnCacheInterceptorTests {
  @Test("A subscription behind it begins with the last event if its policy says so, and ends with a sign-out")
  func subscription() async throws {
    let event = #"{"payload":{"data":{"count":1}}}"#
    try await ScriptedServer.with { _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write("\r\n--graphql\r\ncontent-type: application/json\r\n\r\n\(event)\r\n--graphql"), .wait(.init()),
      ]
    } _: { server async throws in
      let store = ApolloStore(), url = try #require(URL(string: server.address))
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          urlSession: URLSessionClient(sessionConfiguration: .ephemeral), interceptorProvider: OwnCacheProvider(),
          store: store, endpointURL: url), store: store)
      var first = try client.subscribe(subscription: CountSubscription()).makeAsyncIterator()
      #expect(try await first.next()?.source == .server)
      var second = try client.subscribe(subscription: CountSubscription()).makeAsyncIterator()
      #expect(try await second.next()?.source == .cache)
      var third = try client.subscribe(subscription: CountSubscription(), cachePolicy: .networkOnly).makeAsyncIterator()
      #expect(try await third.next()?.source == .server)
      try await client.signOut()
      for index in 0..<3 {
        do {
          while let event = try await (index == 0 ? first.next() : index == 1 ? second.next() : third.next()) {
            #expect(event.source == .server)
          }
          Issue.record("A sign-out is an error.")
        } catch {
          #expect((error as? OperationError)?.code == .signedOut, "\(error)")
        }
      }
    }
  }
}
