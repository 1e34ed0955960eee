import Apollo
import Foundation
import ScriptedServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Signs what is sent, and may replace the body.
private final class SignedUpload<Operation: GraphQLOperation>: UploadRequest<Operation>, @unchecked Sendable {
  // It never changes after it was made.
  var ownBody: String?

  override func toURLRequest() throws -> URLRequest {
    var request = try super.toURLRequest()
    request.setValue("signed", forHTTPHeaderField: "X-Signature")
    if let ownBody { request.httpBody = Data(ownBody.utf8) }
    return request
  }
}

private final class SigningTransport: RequestChainNetworkTransport, @unchecked Sendable {
  // It never changes after it was made.
  var ownBody: String?

  override func constructUploadRequest<Operation: GraphQLOperation>(
    for operation: Operation, with files: [GraphQLFile], context: (any RequestContext)? = nil,
    manualBoundary: String? = nil
  ) -> HTTPRequest<Operation> {
    let request = SignedUpload(
      graphQLEndpoint: endpointURL, operation: operation, clientName: "", clientVersion: "", files: files,
      manualBoundary: manualBoundary, context: context)
    request.ownBody = ownBody
    return request
  }
}

@Suite("Requests for uploads that an app makes", .timeLimit(.minutes(5)))
struct UploadSubclassTests {
  @Test(
    "What an override changes in the request is sent, also if the body is too large for memory, and is its own",
    arguments: [10_000, 2_000_000], [nil, "own"])
  func overridden(size: Int, ownBody: String?) async throws {
    let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data(repeating: 65, count: size))
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      let store = ApolloStore()
      let transport = SigningTransport(
        interceptorProvider: DefaultInterceptorProvider(store: store),
        endpointURL: try #require(URL(string: server.address)))
      transport.ownBody = ownBody
      let client = ApolloClient(networkTransport: transport, store: store)
      let result = try await client.upload(operation: RenameMutation(), files: [file])
      #expect(result.data?.rename.name == "R2-D2")
    }
    #expect(requests.count == 1)
    #expect(requests.first?.headers["x-signature"] == "signed")
    let body = try #require(requests.first?.body)
    #expect(ownBody.map { body == $0 } ?? (body.utf8.count > size))
    #expect(requests.first?.headers["content-length"] == String(body.utf8.count))
  }
}
