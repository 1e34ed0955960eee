import Apollo
import AppPieces
import AppPiecesInSwift5
import Fixture0001
import Foundation
import ScriptedServer
import Testing

@Suite("Interceptors of earlier releases")
struct OlderInterceptorTests {
  @Test("Two structs of one type, without an id, are both called, once each")
  func structs() async throws {
    let fields = Locked<[[String?]]>([])
    try await serve { request in
      fields.withLock { $0.append([request.headers["x-app"], request.headers["x-language"]]) }
      return reviews(request)
    } _: { url in
      let store = ApolloStore()
      let providers: [any InterceptorProvider] = [
        AppPieces.FieldProvider(store: store), AppPiecesInSwift5.FieldProvider(store: store),
      ]
      for provider in providers {
        let transport = RequestChainNetworkTransport(interceptorProvider: provider, endpointURL: url)
        let client = ApolloClient(networkTransport: transport, store: store)
        let result = try await client.fetch(query: ReviewsQuery(), cachePolicy: .networkOnly)
        #expect(result.data?.latest.map(\.stars) == [5])
      }
    }
    #expect(fields.withLock { $0 } == [["pieces", "sv"], ["pieces", "sv"]])
  }

  @Test(
    "What one sets of a request of release 2 is what is sent: without a hash, which the query has not, and with GET")
  func setsMembers() async throws {
    let methods = Locked<[String]>([])
    try await serve { request in
      methods.withLock { $0.append(request.method) }
      return reviews(request)
    } _: { url in
      let interceptors: [any GraphQLInterceptor] = [
        AppPieces.PlainQueryInterceptor(), AppPiecesInSwift5.PlainQueryInterceptor(),
      ]
      for interceptor in interceptors {
        var configuration = ApolloClient.Configuration(url: url)
        configuration.http.autoPersistQueries = true
        configuration.http.graphQLInterceptors = [interceptor]
        let result = try await ApolloClient(configuration: configuration).fetch(query: ReviewsQuery())
        #expect(result.data?.latest.map(\.stars) == [5])
      }
    }
    #expect(methods.withLock { $0 } == ["GET", "GET"])
  }
}
