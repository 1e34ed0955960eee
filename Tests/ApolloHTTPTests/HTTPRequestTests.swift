import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests over HTTP", .everyStyle)
struct HTTPRequestTests {
  @Test("A query may be a GET, whose URL escapes what servers take for something else")
  func get() async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? hero() : hero(field: "rename"))]
    } _: { server async throws in
      let client = client(server, useGETForQueries: true)
      _ = try await client.fetch(query: HeroQuery(episode: .some("a+b&c;d=e 😀#?/\"'%")))
      _ = try await client.perform(mutation: RenameMutation())
    }
    let request = requests[0]
    #expect(request.method == "GET")
    #expect(request.body == "")
    #expect(request.headers["content-type"] == nil)
    #expect(request.headers["apollo-require-preflight"] == "true")
    #expect(request.headers["x-apollo-operation-name"] == "Hero")
    let query = try #require(request.path.split(separator: "?", maxSplits: 1).last)
    #expect(
      query.hasSuffix(
        "&variables=%7B%22episode%22:%22a%2Bb%26c%3Bd%3De%20%F0%9F%98%80%23?/%5C%22'%25%22%7D"), "\(query)")
    let items = URLComponents(string: "?" + query)?.queryItems
    #expect(items?.map(\.name) == ["extensions", "operationName", "query", "variables"])
    #expect(items?.last?.value == #"{"episode":"a+b&c;d=e 😀#?/\"'%"}"#)
    #expect(requests[1].method == "POST", "mutations are never sent by GET")
  }

  @Test("What is sent is the request's body, however that came to be", arguments: [true, false])
  func sentBody(sendsAwareness: Bool) throws {
    struct OwnCreator: RequestBodyCreator {}
    func json<Operation: GraphQLOperation>(_ operation: Operation, _ creator: any RequestBodyCreator) throws -> String {
      let request = JSONRequest(
        operation: operation, graphQLEndpoint: URL(string: "http://localhost:1")!, clientName: "a", clientVersion: "b",
        requestBodyCreator: creator, sendEnhancedClientAwareness: sendsAwareness)
      let sent = try request.toURLRequest().httpBody ?? Data()
      #expect(try sent == Data(RequestBody.json(request.body)))
      return String(decoding: sent, as: UTF8.self)
    }
    let query = HeroQuery(episode: .some("a\"b"))
    let sent = try json(query, ApolloRequestBodyCreator())
    #expect(try sent == json(query, OwnCreator()))
    #expect(sent.contains(#""variables":{"episode":"a\"b"}"#))
    #expect(sent.contains("clientLibrary") == sendsAwareness)
    _ = try json(HeroQuery(), ApolloRequestBodyCreator())
    _ = try json(RenameMutation(), ApolloRequestBodyCreator())
  }

  @Test("Header fields are the same in letters of whatever case: the library's own, then the context's, win")
  func headerNames() throws {
    struct Headers: RequestContextHeaders { let requestHeaders: [String: String] }
    let request = JSONRequest(
      operation: HeroQuery(), graphQLEndpoint: URL(string: "http://localhost:1")!, clientName: "a", clientVersion: "b",
      additionalHeaders: ["content-type": "text/plain", "X-Own": "1", "apolloGraphQL-Client-Name": "other"],
      context: Headers(requestHeaders: ["x-own": "2", "APOLLOGRAPHQL-CLIENT-VERSION": "c"]))
    #expect(
      request.additionalHeaders == [
        "Content-Type": "application/json", "X-APOLLO-OPERATION-NAME": "Hero", "X-APOLLO-OPERATION-TYPE": "query",
        "apollographql-client-name": "a", "x-own": "2", "APOLLOGRAPHQL-CLIENT-VERSION": "c",
      ])
    request.removeHeader(name: "X-OWN")
    request.updateContentType(to: "application/x")
    #expect(request.additionalHeaders["x-own"] == nil)
    #expect(request.additionalHeaders["Content-Type"] == "application/x")
  }

  #if !canImport(Darwin)
    private final class CountingCache: URLCache, @unchecked Sendable {
      let asked = Locked<[String]>([])

      override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
      ) {
        Issue.record(
          "Foundation would answer on another thread, and stop the process if the task is cancelled meanwhile.")
        super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
      }

      override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        asked.withLock { $0.append(request.httpMethod ?? "") }
        return super.cachedResponse(for: request)
      }
    }

    @Test("The cache of the session is asked at once for what it may answer, and not for a POST")
    func sessionCache() async throws {
      let configuration = URLSessionConfiguration.default
      let cache = CountingCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      configuration.urlCache = cache
      let requests = try await serve { count, _ in
        [.respond(count == 2 ? hero(field: "rename") : hero())]
      } _: { server async throws in
        let store = ApolloStore()
        let provider = DefaultInterceptorProvider(
          client: URLSessionClient(sessionConfiguration: configuration), store: store)
        let transport = RequestChainNetworkTransport(
          interceptorProvider: provider, endpointURL: URL(string: server.address)!, useGETForQueries: true)
        let client = ApolloClient(networkTransport: transport, store: store)
        _ = try await client.fetch(query: HeroQuery())
        _ = try await client.perform(mutation: RenameMutation())
      }
      #expect(requests.map(\.method) == ["GET", "POST"])
      #expect(cache.asked.withLock { $0 } == ["GET"])
      #expect(configuration.urlCache === cache, "the app's own configuration is as it was")
      #expect(cache.memoryCapacity == 1 << 20, "and so is its cache")
    }
  #endif

  @Test("The URL's own query comes first, null is null, keys are sorted, + is %2B and & is %26")
  func getTransformer() {
    let body: JSONObject = [
      "operationName": "Q", "query": "query Q { a }", "variables": ["param": JSONNull(), "b": "+&;"] as JSONObject,
    ]
    let url = GraphQLGETTransformer(body: body, url: URL(string: "http://localhost:8080/graphql?zalgo=bar")!)
      .createGetURL()
    #expect(
      url?.absoluteString
        == "http://localhost:8080/graphql?zalgo=bar&operationName=Q&query=query%20Q%20%7B%20a%20%7D&variables=%7B%22b%22:%22%2B%26%3B%22,%22param%22:null%7D"
    )
  }

  @Test("The transport says what it accepts, and keeps the user's other fields, whatever the operation")
  func accept() async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? hero() : count == 2 ? hero(field: "rename") : #"{"data":{"count":1}}"#)]
    } _: { server async throws in
      let client = client(server, headers: ["accept": "x", "X-User": "y"])
      _ = try await client.fetch(query: HeroQuery())
      _ = try await client.perform(mutation: RenameMutation())
      for try await _ in client.subscribe(to: CountSubscription()) {}
    }
    #expect(requests.count == 3)
    for request in requests {
      #expect(request.headers["accept"]?.contains("application/graphql-response+json") == true)
      #expect(request.headers["x-user"] == "y")
    }
    let plain = "application/graphql-response+json,application/json"
    #expect(
      requests.map { $0.headers["accept"] } == [
        plain, plain, "multipart/mixed;subscriptionSpec=1.0,text/event-stream," + plain,
      ])
  }

  @Test("Requests name their client and the library, unless that is turned off")
  func clientAwareness() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server).fetch(query: HeroQuery())
      let quiet = ApolloClient(url: URL(string: server.address)!, sendEnhancedClientAwareness: false)
      _ = try await quiet.fetch(query: HeroQuery())
    }
    #expect(requests[0].body.contains(#""extensions":{"clientLibrary":{"name":"apollo-swift""#))
    #expect(!requests[1].body.contains("extensions"))
    #expect(requests.allSatisfy { $0.headers["apollographql-client-version"] != nil })
  }

  struct Headers: RequestContextHeaders {
    var requestHeaders = ["x-trace": "7", "AUTHORIZATION": "mine"]
  }

  struct Timeout: RequestContextTimeoutConfigurable {
    var requestTimeout: TimeInterval = 0.2
  }

  @Test("A context adds header fields to one request, and limits how long it waits")
  func context() async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond(hero())] : [.wait(.init()), .respond(hero())]
    } _: { server async throws in
      let client = client(server, headers: ["Authorization": "everybody's"])
      _ = try await client.fetch(query: HeroQuery(), context: Headers())
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, context: Timeout())
      }
      #expect(error?.code == .network)
      #expect(error?.message.contains("did not answer in time") == true)
    }
    #expect(requests[0].headers["x-trace"] == "7")
    #expect(requests[0].headers["authorization"] == "mine")
  }

  @Test("A header field with a line break, as a token from a file may have, is an error that names it, and is not sent")
  func lineBreaks() async throws {
    for (name, value) in [
      ("Authorization", "Bearer abc\n"), ("X-A", "b\r\nHost: evil"), ("X\nB", "c"), ("X-C", "a\0b"),
    ] {
      let requests = try await serve { _, _ in
        [.respond(hero())]
      } _: { server async throws in
        let error = await #expect(throws: OperationError.self) {
          try await client(server, headers: [name: value]).fetch(query: HeroQuery())
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("'\(name)' has a line break or") == true)
      }
      #expect(requests.isEmpty)
    }
  }

  @Test("Only the identifier of a document is sent to servers that know all documents")
  func documentIdentifier() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, bodies: PersistedDocumentBodyCreator()).fetch(query: IdentifiedQuery())
    }
    #expect(requests[0].body.contains(#""documentId":"sha256:abc123""#))
    #expect(!requests[0].body.contains("query"))
  }
}
