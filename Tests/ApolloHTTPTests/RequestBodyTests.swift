import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Code that was generated with identifiers only.
private struct TextlessQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("", operationIdentifier: "abc123")
  typealias Data = HeroQuery.Data
}

@Suite("What a request says of its operation", .everyStyle)
struct RequestBodyTests {
  private func json<Operation: GraphQLOperation>(
    _ operation: Operation, _ creator: any RequestBodyCreator = ApolloRequestBodyCreator()
  ) throws -> String {
    let request = JSONRequest(
      operation: operation, graphQLEndpoint: URL(string: "http://localhost:1")!, clientName: "a", clientVersion: "b",
      requestBodyCreator: creator, sendEnhancedClientAwareness: false)
    return String(decoding: try request.toURLRequest().httpBody ?? Data(), as: UTF8.self)
  }

  struct OwnCreator: RequestBodyCreator {}

  @Test("Variables are sent if the operation declares any, also where none has a value")
  func variables() throws {
    for creator in [ApolloRequestBodyCreator(), OwnCreator()] as [any RequestBodyCreator] {
      #expect(try json(HeroQuery(), creator).hasSuffix(#","variables":{}}"#))
      #expect(try json(HeroQuery(episode: .null), creator).hasSuffix(#","variables":{"episode":null}}"#))
      #expect(try !json(RenameMutation(), creator).contains("variables"))
      #expect(try !json(CountSubscription(), creator).contains("variables"))
    }
    #expect(
      try json(IdentifiedQuery(), PersistedDocumentBodyCreator())
        == #"{"documentId":"sha256:abc123","operationName":"Hero","variables":{}}"#)
    #expect(try !json(TextlessQuery(), PersistedDocumentBodyCreator()).contains("variables"))
  }

  /// Sends variables of its own.
  private struct TenantCreator: RequestBodyCreator {
    func requestBody<Operation: GraphQLOperation>(
      for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
    ) -> JSONEncodableDictionary {
      var body = ApolloRequestBodyCreator().requestBody(
        for: operation, sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
      body["variables"] = ["file": "a.txt", "tenant": "7"] as JSONObject
      return body
    }
  }

  @Test("Variables of a body creator are sent with files as without, but for those of the files")
  func variablesWithFiles() throws {
    #expect(try json(RenameMutation(), TenantCreator()).hasSuffix(#","variables":{"file":"a.txt","tenant":"7"}}"#))
    let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("A".utf8))
    let upload = UploadRequest(
      graphQLEndpoint: URL(string: "http://localhost:1")!, operation: RenameMutation(), clientName: "a",
      clientVersion: "b", files: [file], requestBodyCreator: TenantCreator())
    let form = String(decoding: try upload.requestMultipartFormData().encode(), as: UTF8.self)
    #expect(form.contains(#""variables":{"file":null,"tenant":"7"}"#), "\(form)")
  }

  /// The forms in which an operation may begin.
  private struct Documents {
    static let all: [(OperationDocument, Bool)] = [
      (OperationDocument("query Q($a: Int) { a }"), true), (OperationDocument("query ($a: Int) { a }"), true),
      (OperationDocument("mutation M\n  (\n $a: Int) { a }"), true), (OperationDocument("{ a(b: 1) }"), false),
      (OperationDocument("query Q { a(b: 1) }"), false), (OperationDocument("query Q @live(if: true) { a }"), false),
      (OperationDocument(""), false),
    ]
  }

  @Test("A list of variables is found by where it stands, and arguments are none")
  func declarations() {
    struct Query: GraphQLQuery {
      static let operationName = "Q"
      static var operationDocument: OperationDocument { Self.document.withLock { $0 } }
      static let document = Locked(OperationDocument(""))
      typealias Data = HeroQuery.Data
    }
    for (document, hasVariables) in Documents.all {
      Query.document.withLock { $0 = document }
      let body = ApolloRequestBodyCreator().requestBody(for: Query(), sendQueryDocument: false)
      #expect(
        Set(body.keys) == (hasVariables ? ["operationName", "variables"] : ["operationName"]), "\(document.text)")
    }
  }

  @Test("A GET has the same members, by its document or by its hash")
  func get() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, useGETForQueries: true).fetch(query: HeroQuery())
      _ = try await client(server, autoPersistQueries: true, useGETForQueries: true).fetch(query: IdentifiedQuery())
    }
    #expect(requests.map(\.method) == ["GET", "GET"])
    #expect(requests[0].path.hasSuffix("&variables=%7B%7D"))
    #expect(requests[1].path.hasSuffix("&operationName=Hero&variables=%7B%7D"), "\(requests[1].path)")
  }

  @Test(
    "An operation without an identifier is not sent to a server that knows identifiers only, and the error says why")
  func noIdentifier() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      for usesGET in [true, false] {
        let client = client(server, useGETForQueries: usesGET, bodies: PersistedDocumentBodyCreator())
        let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.operationName == "Hero")
        #expect(error?.message.contains("operationDocumentFormat") == true, "\(error as Any)")
      }
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data([65]))
      let client = client(server, bodies: PersistedDocumentBodyCreator())
      await #expect(throws: OperationError.self) {
        try await client.upload(operation: RenameMutation(), files: [file])
      }
      let legacy = HTTPNetworkTransport(url: URL(string: server.address)!, sendOperationIdentifiers: true)
      await #expect(throws: OperationError.self) {
        try await ApolloClient(networkTransport: legacy).fetch(query: HeroQuery())
      }
    }
    #expect(requests.isEmpty)
  }

  @Test("An operation without text is sent by its identifier only")
  func noText() async throws {
    for creator in [ApolloRequestBodyCreator(), OwnCreator()] as [any RequestBodyCreator] {
      let error = #expect(throws: OperationError.self) { try json(TextlessQuery(), creator) }
      #expect(error?.message.contains("PersistedDocumentBodyCreator") == true, "\(error as Any)")
    }
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, autoPersistQueries: true).fetch(query: TextlessQuery())
      _ = try await client(server, bodies: PersistedDocumentBodyCreator()).fetch(query: TextlessQuery())
    }
    #expect(requests[0].body.contains(#""sha256Hash":"abc123""#))
    #expect(requests[1].body.contains(#""documentId":"sha256:abc123""#))
    #expect(requests.allSatisfy { !$0.body.contains(#""query""#) })
  }

  @Test("The app's creator may identify operations in a way of its own")
  func ownIdentification() throws {
    struct ByName: RequestBodyCreator {
      func requestBody<Operation: GraphQLOperation>(
        for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
      ) -> JSONEncodableDictionary { ["operationName": Operation.operationName] }
    }
    #expect(try json(HeroQuery(), ByName()) == #"{"operationName":"Hero"}"#)
  }
}

@Suite("Names of header fields", .everyStyle)
struct HeaderNameTests {
  @Test("A field replaces one that is spelled in other letters, wherever it comes from")
  func merges() async throws {
    final class Delegate: HTTPNetworkTransportPreflightDelegate, Sendable {
      func networkTransport(_ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest) -> Bool { true }
      func networkTransport(_ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest) {
        request.setValue("text/own", forHTTPHeaderField: "content-TYPE")
      }
    }
    let requests = try await serve { count, _ in
      [.respond(hero(field: count == 2 ? "rename" : "hero"))]
    } _: { server async throws in
      let headers = ["content-type": "x", "ACCEPT": "x", "APOLLO-require-preflight": "x", "authorization": "old"]
      struct Context: RequestContextHeaders { let requestHeaders = ["Authorization": "new"] }
      _ = try await client(server, useGETForQueries: true, headers: headers)
        .fetch(query: HeroQuery(), context: Context())
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data([65]))
      _ = try await client(server, headers: headers).upload(
        operation: RenameMutation(), files: [file], context: Context())
      let transport = HTTPNetworkTransport(url: URL(string: server.address)!)
      let delegate = Delegate()
      transport.delegate = delegate
      _ = try await ApolloClient(networkTransport: transport).fetch(query: HeroQuery())
      withExtendedLifetime(delegate) {}
    }
    #expect(requests[0].headers["content-type"] == nil)
    #expect(requests[0].headers["apollo-require-preflight"] == "true")
    #expect(requests[1].headers["content-type"]?.hasPrefix("multipart/form-data") == true)
    #expect(requests[1].headers["apollo-require-preflight"] == "true")
    for request in requests[..<2] {
      #expect(request.headers["authorization"] == "new")
      #expect(request.headers["accept"]?.hasPrefix("application/graphql-response+json") == true)
    }
    #expect(requests[2].headers["content-type"] == "text/own")
  }

  @Test("Whatever is set in whatever spelling: there is one field of a name, the last that was set")
  func properties() {
    var random = SystemRandomNumberGenerator()
    let request = JSONRequest(
      operation: HeroQuery(), graphQLEndpoint: URL(string: "http://localhost:1")!, clientName: "a", clientVersion: "b")
    var expected = Dictionary(uniqueKeysWithValues: request.additionalHeaders.map { ($0.lowercased(), $1) })
    for step in 0..<2_000 {
      let name = ["accept", "x-a", "content-type", "x-b_c~", "x-apollo-operation-name"].randomElement(using: &random)!
      let spelled = String(name.map { Bool.random() ? Character($0.uppercased()) : $0 })
      if step % 7 == 0 {
        request.removeHeader(name: spelled)
        expected[name] = nil
      } else {
        request.addHeader(name: spelled, value: "\(step)")
        expected[name] = "\(step)"
      }
      #expect(request.additionalHeaders.count == expected.count)
      #expect(Dictionary(request.additionalHeaders.map { ($0.lowercased(), $1) }) { $1 } == expected)
    }
  }
}
