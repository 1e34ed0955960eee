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
}
