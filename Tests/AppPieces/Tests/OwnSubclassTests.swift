import Apollo
import AppPieces
import AppPiecesInSwift5
import Fixture0001
import Foundation
import ScriptedServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Subclasses of apps that override an initializer")
struct OwnSubclassTests {
  @Test("Each form of it, in all releases, is the one that is called")
  func initializers() async throws {
    try await serve { request in
      request.headers["x-app"] == "pieces" ? reviews(request) : [.respond("{}", status: 400)]
    } _: { url in
      let store = ApolloStore()
      let session = AppPiecesInSwift5.DescribedSessionClient()
      #expect(session.session?.sessionDescription == "pieces")
      let providers: [any InterceptorProvider] = [
        AppPieces.LoggedProvider(store: store), AppPieces.OlderProvider(store: store),
        AppPiecesInSwift5.LoggedProvider(client: session, store: store),
      ]
      for provider in providers {
        let transport = AppPieces.NamedTransport(interceptorProvider: provider, endpointURL: url)
        #expect(!transport.autoPersistQueries && transport.sendEnhancedClientAwareness)
        let client = ApolloClient(networkTransport: transport, store: store)
        let result = try await client.fetch(query: ReviewsQuery(), cachePolicy: .networkOnly)
        #expect(result.data?.latest.map(\.stars) == [5])
      }
    }
  }

  @Test("A request of the app's own begins with address, header fields and timeout")
  func requests() throws {
    let url = try #require(URL(string: "http://localhost/graphql"))
    var request = AppPieces.PlainRequest(ReviewsQuery(), graphQLEndpoint: url)
    request.addHeader(name: "X-App", value: "a")
    request.addHeaders(["x-app": "pieces", "Broken": "a\r\nb"])
    request.requestTimeout = 5
    let sent = try request.toURLRequest()
    #expect(sent.url == url && sent.httpMethod == "POST" && sent.timeoutInterval == 5)
    #expect(sent.value(forHTTPHeaderField: "X-App") == "pieces" && sent.value(forHTTPHeaderField: "Broken") == nil)
    let known = JSONRequest(
      operation: ReviewsQuery(), graphQLEndpoint: url, clientName: "", clientVersion: "", autoPersistQueries: true)
    #expect(known.apqConfig == AutoPersistedQueryConfiguration(autoPersistQueries: true))
  }
}
