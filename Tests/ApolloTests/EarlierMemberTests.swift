import Apollo
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// As a subclass of an app makes its own body.
private final class ReviewRequest: JSONRequest<HeroQuery>, @unchecked Sendable {
  override func toURLRequest() throws -> URLRequest {
    var request = try super.toURLRequest()
    request.httpBody = try serializationFormat.serialize(value: ["own": true] as JSONObject)
    return request
  }
}

@Suite("Members and conformances of earlier releases")
struct EarlierMemberTests {
  private let url = URL(string: "http://localhost/graphql")!

  @Test("A store loads any operation with a callback on a queue of the app's, under the label of 0.x")
  func load() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    _ = try await client.fetch(query: HeroQuery())
    let key = DispatchSpecificKey<String>(), queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: "own")
    let (name, isOnQueue) = await withCheckedContinuation {
      (continuation: CheckedContinuation<(String?, Bool), Never>) in
      client.store.load(query: HeroQuery(), callbackQueue: queue) { result in
        let name = (try? result.get())?.data?.hero?.name
        continuation.resume(returning: (name, DispatchQueue.getSpecific(key: key) == "own"))
      }
    }
    #expect(name == "R2-D2" && isOnQueue)
    let isFound = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      client.store.load(query: RenameMutation()) { continuation.resume(returning: (try? $0.get()) != nil) }
    }
    #expect(!isFound)
  }

  @Test("A watcher tells whether it was cancelled")
  func cancelled() {
    let (client, _) = FakeServer.client { _, _ in hero() }
    let watcher = GraphQLQueryWatcher(client: client, query: HeroQuery()) { _ in }
    #expect(!watcher.cancelled)
    watcher.cancel()
    #expect(watcher.cancelled)
  }

  @Test("A result is made with dependent keys and without extensions")
  func result() {
    let result = GraphQLResult<HeroQuery.Data>(
      data: nil, errors: [GraphQLError("lost")], source: .server, dependentKeys: ["QUERY_ROOT.hero"])
    #expect(result.dependentKeys == ["QUERY_ROOT.hero"])
    #expect(result.extensions == nil && result.errors?.map(\.message) == ["lost"])
  }

  @Test("A transport tells how it persists queries")
  func persistedQueries() {
    let transport = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(store: ApolloStore()), endpointURL: url,
      autoPersistQueries: true, useGETForPersistedQueryRetry: true)
    let expected = AutoPersistedQueryConfiguration(autoPersistQueries: true, useGETForPersistedQueryRetry: true)
    #expect(transport.apqConfig == expected)
  }

  @Test("Responses are equal if status, body and result are")
  func responses() throws {
    func response(_ body: String = "a", status: Int = 200, isParsed: Bool = false) throws -> HTTPResponse<HeroQuery> {
      let head = try #require(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: ["X-Body": body]))
      return HTTPResponse(
        response: head, rawData: Data(body.utf8),
        parsedResponse: isParsed ? GraphQLResult(data: nil, source: .server) : nil)
    }
    #expect(try response() == response())
    let others = [try response("b"), try response(status: 400), try response(isParsed: true)]
    #expect(try Set([response(), response()] + others).count == 4)
  }

  @Test("Transformers for GET are equal if they make the same address")
  func transformers() {
    func transformer(_ name: String) -> GraphQLGETTransformer {
      GraphQLGETTransformer(body: ["operationName": name], url: url)
    }
    #expect(Set([transformer("a"), transformer("a"), transformer("b")]).count == 2)
  }

  @Test("A request of the app's writes its body with the format of its class")
  func format() throws {
    let request = ReviewRequest(operation: HeroQuery(), graphQLEndpoint: url, clientName: "", clientVersion: "")
    #expect(try request.toURLRequest().httpBody == Data(#"{"own":true}"#.utf8))
    let upload = UploadRequest(
      graphQLEndpoint: url, operation: RenameMutation(), clientName: "", clientVersion: "", files: [])
    #expect(upload.serializationFormat == JSONSerializationFormat.self)
  }
}
