import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Names of earlier releases", .everyStyle)
struct EarlierNameTests {
  private func heroData(_ name: String = "R2-D2") throws -> HeroQuery.Data {
    let hero: JSONObject = ["__typename": "Droid", "id": "2001", "name": name, "height": 0.96]
    return try HeroQuery.Data(jsonObject: ["hero": hero])
  }

  @Test("A client is told that requests do not say which library they come from", arguments: [true, false])
  func clientAwareness(isOn: Bool) async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let store = ApolloStore()
      let transport = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: URL(string: server.address)!)
      let client = ApolloClient(networkTransport: transport, store: store, sendEnhancedClientAwareness: isOn)
      _ = try await client.fetch(query: HeroQuery())
      #expect(transport.sendEnhancedClientAwareness == isOn)
    }
    #expect(requests[0].body.contains("clientLibrary") == isOn)
  }

  @Test(
    "What requests say of the app and of the library, as in Apollo iOS 2",
    arguments: [
      ClientAwarenessMetadata.none, ClientAwarenessMetadata(), .enabledWithDefaults,
      ClientAwarenessMetadata(clientApplicationName: "shop", includeApolloLibraryAwareness: false),
      ClientAwarenessMetadata(clientApplicationName: "shop", clientApplicationVersion: "2"),
    ], [false, true])
  func clientAwarenessMetadata(metadata: ClientAwarenessMetadata, ownsTransport: Bool) async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let url = try #require(URL(string: server.address)), store = ApolloStore()
      let transport = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: url)
      let client =
        ownsTransport
        ? ApolloClient(networkTransport: transport, store: store, clientAwarenessMetadata: metadata)
        : ApolloClient(url: url, clientAwarenessMetadata: metadata)
      _ = try await client.fetch(query: HeroQuery())
    }
    #expect(requests[0].headers["apollographql-client-name"] == metadata.clientApplicationName)
    #expect(requests[0].headers["apollographql-client-version"] == metadata.clientApplicationVersion)
    #expect(requests[0].body.contains("clientLibrary") == metadata.includeApolloLibraryAwareness)
    var request = URLRequest(url: try #require(URL(string: "http://localhost/")))
    metadata.applyHeaders(to: &request)
    #expect(
      request.value(forHTTPHeaderField: "apollographql-client-name") == metadata.clientApplicationName
        && request.value(forHTTPHeaderField: "apollographql-client-version") == metadata.clientApplicationVersion)
  }

  @Test("A document of an operation that was written by hand for Apollo iOS 1")
  func documents() {
    struct Details: Fragment {
      static let fragmentDefinition: StaticString = "fragment Details on Hero { name }"
      static let __fields = __FieldTable(version: 0, "")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {}
      func __writeFields(to writer: inout __JSONWriter) {}
    }
    let plain = OperationDocument(operationIdentifier: "abc", definition: .init("query Q { a }"))
    #expect(plain.text == "query Q { a }" && plain.operationIdentifier == "abc")
    let document = OperationDocument(definition: .init("query Q { hero { ...Details } }", fragments: [Details.self]))
    #expect(document.text == "query Q { hero { ...Details } }\nfragment Details on Hero { name }")
    #expect(document.operationIdentifier == nil)
  }

  @Test("Two forms are equal if their boundary and their parts are")
  func forms() throws {
    func form(_ text: String, boundary: String = "b") throws -> MultipartFormData {
      let form = MultipartFormData(boundary: boundary)
      try form.appendPart(string: text, name: "text")
      form.appendPart(data: Data([1, 2]), name: "data", contentType: "image/png", filename: "a.png")
      return form
    }
    #expect(try form("a") == form("a"))
    #expect(try Set([form("a"), form("a"), form("b"), form("a", boundary: "c")]).count == 3)
    let stream = InputStream(data: Data([1]))
    let (first, second) = (try form("a"), try form("a"))
    first.appendPart(inputStream: stream, contentLength: 1, name: "s")
    #expect(first != second)
    second.appendPart(inputStream: stream, contentLength: 1, name: "s")
    #expect(first == second)
    second.appendPart(inputStream: InputStream(data: Data([1])), contentLength: 1, name: "s")
    #expect(first != second)
  }

  @Test("A client's cacheKeyForObject is its store's")
  func cacheKeyForObject() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    client.cacheKeyForObject = { $0["id"] }
    #expect(client.store.cacheKeyForObject?(["id": "7"]) as? String == "7")
    #expect(client.cacheKeyForObject?(["id": "7"]) as? String == "7")
    client.cacheKeyForObject = nil
    #expect(client.store.cacheKeyForObject == nil)
  }

  @Test("A result is made with dependent keys, and is equal to one that tells the same")
  func results() throws {
    func result(
      _ name: String = "R2-D2", extensions: JSONObject? = ["cost": 1], keys: Set<CacheKey>? = ["QUERY_ROOT.hero"],
      source: GraphQLResult<HeroQuery.Data>.Source = .server
    ) throws -> GraphQLResult<HeroQuery.Data> {
      GraphQLResult(
        data: try heroData(name), extensions: extensions, errors: [GraphQLError("no height")], source: source,
        dependentKeys: keys)
    }
    let some = try result()
    #expect(some.dependentKeys == ["QUERY_ROOT.hero"])
    #expect(try some == result())
    #expect(try some.hashValue == result().hashValue)
    #expect(try some != result("C-3PO"))
    #expect(try some != result(extensions: ["cost": 2]))
    #expect(try some != result(extensions: nil))
    #expect(try some != result(keys: nil))
    #expect(try some != result(source: .cache))
    var other = some
    other.cacheInfo.error = URLError(.unknown)
    #expect(other == some)
    #expect(other.dependentKeys == ["QUERY_ROOT.hero"])
  }

  @Test("A result is a dictionary as a server would send it")
  func dictionary() throws {
    let result = GraphQLResult<HeroQuery.Data>(
      data: try heroData(), extensions: ["cost": 1], errors: [GraphQLError("no height")], source: .server,
      dependentKeys: nil)
    let object = result.asJSONDictionary()
    let hero = (object["data"] as? JSONObject)?["hero"] as? JSONObject
    #expect(hero?["name"] as? String == "R2-D2")
    #expect((object["errors"] as? [JSONObject])?.first?["message"] as? String == "no height")
    #expect((object["extensions"] as? JSONObject)?["cost"] as? Int == 1)
    let empty = GraphQLResult<HeroQuery.Data>(data: nil, source: .cache).asJSONDictionary()
    #expect(empty.isEmpty)
  }

  @Test("That dictionary is one for JSONSerialization, whatever the server has sent")
  func dictionaryOfNulls() throws {
    let more: JSONObject = ["a": [JSONNull()] as [JSONValue]]
    let sent: JSONObject = ["message": "m", "path": JSONNull(), "extensions": more]
    let result = GraphQLResult<HeroQuery.Data>(
      data: try heroData(), extensions: ["cost": JSONNull()], errors: [GraphQLError(sent)], source: .server)
    let object = result.asJSONDictionary()
    #expect(JSONSerialization.isValidJSONObject(object))
    let error = try #require((object["errors"] as? [JSONObject])?.first)
    #expect(error["path"].map { type(of: $0) == NSNull.self } == true)
    #expect((object["extensions"] as? JSONObject)?["cost"].map { type(of: $0) == NSNull.self } == true)
  }

  @Test("Records with references are published with a callback")
  func publish() async throws {
    let store = ApolloStore()
    let records: RecordSet = [
      "QUERY_ROOT": ["hero": CacheReference("Droid:2001")],
      "Droid:2001": ["__typename": "Droid", "id": "2001", "name": "R2-D2", "height": 0.96],
    ]
    #expect(records["QUERY_ROOT"]?["hero"]?.referencedKey == "Droid:2001")
    #expect(records["Droid:2001"]?["name"]?.referencedKey == nil)
    #expect(CacheReference.rootCacheReference(for: .query) == CacheReference.RootQuery)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      store.publish(records: records, identifier: UUID(), callbackQueue: .global()) { continuation.resume(with: $0) }
    }
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    let loaded = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<GraphQLResult<HeroQuery.Data>, any Error>) in
      store.load(query: HeroQuery()) { continuation.resume(with: $0) }
    }
    #expect(loaded.source == .cache)
  }

  @Test("A transaction writes the data of a query, and an object, under the labels of 0.x")
  func transaction() async throws {
    let store = ApolloStore()
    let data = try heroData("Artoo")
    try await store.withinReadWriteTransaction { try $0.write(data: data, forQuery: HeroQuery()) }
    #expect(try await store.load(HeroQuery()).hero?.name == "Artoo")
    let hero = try #require(try heroData("R2-D2").hero)
    try await store.withinReadWriteTransaction { try $0.write(object: hero, withKey: "Droid:2001") }
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
  }

  @Test("The interceptor for operations with @defer reads bodies, and has errors of its own")
  func incrementalInterceptor() async throws {
    let request = JSONRequest(
      operation: HeroQuery(), graphQLEndpoint: URL(string: "http://localhost")!, clientName: "", clientVersion: "")
    let status = try #require(
      HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil))
    let interceptor = IncrementalJSONResponseParsingInterceptor()
    let response = HTTPResponse<HeroQuery>(response: status, rawData: Data(hero().utf8), parsedResponse: nil)
    _ = try await interceptor.intercept(request, response)
    #expect(response.parsedResponse?.data?.hero?.name == "R2-D2")
    let none = await #expect(throws: IncrementalJSONResponseParsingInterceptor.ParsingError.self) {
      _ = try await interceptor.intercept(request, nil)
    }
    #expect(none?.code == .configuration)
    let html = HTTPResponse<HeroQuery>(response: status, rawData: Data("<html>".utf8), parsedResponse: nil)
    let error = await #expect(throws: IncrementalJSONResponseParsingInterceptor.ParsingError.self) {
      _ = try await interceptor.intercept(request, html)
    }
    guard case .couldNotParseToJSON(Data("<html>".utf8))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
