import Apollo
import Foundation
import ScriptedServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests over HTTP")
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

  @Test("E21: the URL's own query comes first, null is null, keys are sorted, + is %2B and & is %26")
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

  @Test("E23: the transport says what it accepts, and keeps the user's other fields, whatever the operation")
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
    #expect(requests[2].headers["accept"]?.hasPrefix("multipart/mixed;subscriptionSpec=1.0,text/event-stream") == true)
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
      count == 1 ? [.respond(hero())] : [.pause(milliseconds: 5000), .respond(hero())]
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

@Suite("Automatic persisted queries")
struct PersistedQueryTests {
  static let notFound =
    #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#

  @Test(
    "E22: the hash is sent first, and with the whole document if the server does not know it",
    arguments: [
      notFound, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
      #"{"errors":[{"message":"what?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}],"data":null}"#,
    ])
  func registers(_ answer: String) async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? answer : hero())]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      #expect(try await client.fetch(query: IdentifiedQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.map(\.method) == ["POST", "POST"])
    let hash = #""persistedQuery":{"sha256Hash":"abc123","version":1}"#
    #expect(requests.allSatisfy { $0.body.contains(hash) })
    #expect(!requests[0].body.contains("query Hero"))
    #expect(requests[1].body.contains("query Hero"))
  }

  @Test("The error is understood whatever the status it comes with", arguments: [200, 400, 404])
  func status(_ status: Int) async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond(Self.notFound, status: status)] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, autoPersistQueries: true).fetch(query: IdentifiedQuery())
    }
    #expect(requests.count == 2)
  }

  @Test("A hash the server knows is enough; a mutation's goes by POST, a subscription has none")
  func known() async throws {
    let requests = try await serve { count, _ in
      [.respond([hero(), hero(field: "rename"), #"{"data":{"count":1}}"#][count - 1])]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true, useGETForQueries: true)
      _ = try await client.fetch(query: IdentifiedQuery())
      _ = try await client.perform(mutation: IdentifiedMutation())
      for try await _ in client.subscribe(to: CountSubscription()) {}
    }
    #expect(requests.map(\.method) == ["GET", "POST", "POST"])
    #expect(requests[0].path.contains("persistedQuery") && !requests[0].path.contains("query="))
    #expect(requests[1].body.contains("def456"))
    #expect(!requests[2].body.contains("persistedQuery"))
  }

  @Test(
    "E22: GET is used as its two flags say",
    arguments: [
      (false, false, ["POST", "POST"]), (true, false, ["GET", "POST"]), (false, true, ["GET", "GET"]),
      (true, true, ["GET", "GET"]),
    ])
  func methods(_ queries: Bool, _ retry: Bool, _ methods: [String]) async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? Self.notFound : hero())]
    } _: { server async throws in
      let client = client(
        server, autoPersistQueries: true, useGETForQueries: queries, useGETForPersistedQueryRetry: retry)
      _ = try await client.fetch(query: IdentifiedQuery())
    }
    #expect(requests.map(\.method) == methods)
  }

  @Test("A server that never learns ends it after the second time")
  func noLoop() async throws {
    let requests = try await serve { _, _ in
      [.respond(Self.notFound)]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server, autoPersistQueries: true).fetch(query: IdentifiedQuery())
      }
      #expect(
        error?.cause as? AutomaticPersistedQueryInterceptor.APQError
          == .persistedQueryRetryFailed(operationName: "Hero"))
    }
    #expect(requests.count == 2)
  }

  @Test("A server that supports no hashes gets whole documents from then on")
  func notSupported() async throws {
    let answer = #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? answer : hero())]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      _ = try await client.fetch(query: IdentifiedQuery())
      _ = try await client.fetch(query: IdentifiedQuery(), cachePolicy: .fetchIgnoringCacheData)
    }
    #expect(requests.count == 3)
    for request in requests.dropFirst() {
      #expect(request.body.contains("query Hero"))
      #expect(!request.body.contains("persistedQuery"))
    }
  }

  @Test("Code without identifiers says what to do")
  func noIdentifier() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server, autoPersistQueries: true).fetch(query: HeroQuery())
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("generate the code with operation identifiers") == true)
    }
    #expect(requests.isEmpty)
  }
}

@Suite("Responses over HTTP")
struct HTTPResponseTests {
  @Test(
    "A GraphQL response is one whatever the status, if it is labelled so",
    arguments: [200, 294, 400, 401, 422, 500, 503])
  func labelled(_ status: Int) async throws {
    let answer = #"{"errors":[{"message":"no"}],"data":null}"#
    try await serve { _, _ in
      [.respond(answer, status: status, contentType: "Application/GraphQL-Response+JSON; charset=utf-8")]
    } _: { server async throws in
      let result = try await client(server).fetch(query: HeroQuery())
      #expect(result.data == nil)
      #expect(result.errors?.first?.message == "no")
    }
  }

  @Test("E6: errors without data are a result; with status 500 and no label they are an error that has them")
  func errorsAlone() async throws {
    for body in [#"{"data":null,"errors":[{"message":"a"}]}"#, #"{"errors":[{"message":"a"}]}"#] {
      try await serve { _, _ in
        [.respond(body)]
      } _: { server async throws in
        let result = try await client(server).fetch(query: HeroQuery())
        #expect(result.data == nil)
        #expect(result.errors?.map(\.message) == ["a"])
      }
      let error = try #require(try await failure([.respond(body, status: 500)]))
      #expect(error.httpStatus == 500)
      #expect(error.message.contains("HTTP status 500") && error.message.hasSuffix(": a"), "\(error)")
      let cause = try #require(error.cause as? ResponseCodeInterceptor.ResponseCodeError)
      #expect(cause.graphQLErrors.map(\.message) == ["a"])
    }
  }

  @Test("Servers older than the specification may be told to be trusted with plain JSON")
  func olderServers() async throws {
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    try await serve { _, _ in
      [.respond(#"{"errors":[{"message":"a"}]}"#, status: 400)]
    } _: { server async throws in
      let result = try await client(server, provider: options).fetch(query: HeroQuery())
      #expect(result.errors?.first?.message == "a")
    }
    let error = try await failure([.respond(#"{"error":"a"}"#, status: 400)], options)
    #expect(error?.httpStatus == 400)
  }

  @Test(
    "What is no GraphQL response is an error that says what came, and from where",
    arguments: [
      (
        "<html>\n <b>Oops</b></html>", 200, "text/html; charset=utf-8",
        "with text/html, not with JSON: <html> <b>Oops</b>"
      ),
      ("<html>Oops</html>", 502, "text/html", "HTTP status 502, text/html"),
      ("", 200, "application/json", "empty body"),
      ("", 204, nil, "HTTP status 204 and an empty body"), ("   ", 200, nil, "empty body"),
      ("[]", 200, "application/json", "[]"), ("nope", 200, nil, "nope"),
      ("{", 200, "application/json", "not valid JSON"),
      (#"{"data":{"hero":7}}"#, 200, "application/json", "Expected"),
      ("{}", 200, "application/json", "neither data nor errors"),
      ("sorry", 200, "text/plain", "with text/plain, not with JSON: sorry"),
    ] as [(String, Int, String?, String)])
  func noResponse(_ body: String, _ status: Int, _ type: String?, _ text: String) async throws {
    let steps: [ScriptedServer.Step] =
      status == 204 ? [.write("HTTP/1.1 204 No\r\n\r\n")] : [.respond(body, status: status, contentType: type)]
    let error = try #require(try await failure(steps))
    #expect(error.message.contains(text), "\(error)")
    #expect(error.message.contains("127.0.0.1"), "\(error)")
    #expect(error.httpStatus == status)
    #expect(error.operationName == "Hero")
  }

  @Test("JSON that is labelled as text, or not at all, is read")
  func mislabelled() async throws {
    for type in ["text/plain", "application/octet-stream", nil] {
      try await serve { _, _ in
        [.respond(hero(), contentType: type)]
      } _: { server async throws in
        let result = try await client(server).fetch(query: HeroQuery())
        #expect(result.data?.hero?.name == "R2-D2")
      }
    }
  }

  @Test("Text in another charset than UTF-8 is an error that says so")
  func charset() async throws {
    let latin1 = Array(hero("Zo").utf8).split(separator: Array("Zo".utf8)).joined(separator: Array("Zo".utf8) + [0xeb])
    let error = try await failure([.respond(Array(latin1), contentType: "application/json; charset=ISO-8859-1")])
    #expect(error?.message.contains("UTF-8") == true, "\(String(describing: error))")
  }

  @Test("A compressed response is read; one that is cut off is a network error")
  func compression() async throws {
    let body = hero(String(repeating: "compressed ", count: 100))
    let zipped = try gzip(body)
    let headers = ["Content-Encoding": "gzip"]
    let requests = try await serve { _, _ in
      [.respond(zipped, headers: headers)]
    } _: { server async throws in
      let result = try await client(server).fetch(query: HeroQuery())
      #expect(result.data?.hero?.name.hasPrefix("compressed") == true)
    }
    #expect(requests[0].headers["accept-encoding"]?.contains("gzip") == true)
    let error = try #require(
      try await failure([.respond(Array(zipped.prefix(60)), headers: headers), .close]))
    #expect(error.code == .network || error.code == .invalidResponse, "\(error)")
  }

  /// The bytes of a text as `gzip` writes them.
  private func gzip(_ text: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-c"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(data)
  }

  @Test("A connection that drops in the middle of a body is a network error that says what had come")
  func dropped() async throws {
    let error = try #require(
      try await failure([
        .write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"data\":{"),
        .pause(milliseconds: 50), .close,
      ]))
    #expect(error.code == .network)
    #expect(error.message.contains("9 bytes had come: {\"data\":{"), "\(error)")
  }

  @Test("A connection that drops before the response is a network error")
  func droppedAtOnce() async throws {
    let error = try await failure([.close])
    #expect(error?.code == .network)
  }

  @Test("What is no HTTP at all is a network error")
  func noHTTP() async throws {
    let error = try await failure([.write("SSH-2.0-OpenSSH\r\n"), .close])
    #expect(error?.code == .network)
  }
}

@Suite("Redirects")
struct RedirectTests {
  @Test("A redirect to the same server keeps who asks, one to another server does not")
  func secrets() async throws {
    let other = RequestLog()
    try await ScriptedServer.with { request in
      _ = other.add(request)
      return [.respond(hero())]
    } _: { target async throws in
      let requests = try await serve { count, _ in
        count == 1
          ? [.respond("", status: 308, headers: ["Location": "/elsewhere"])]
          : [.respond("", status: 307, headers: ["Location": target.address])]
      } _: { server async throws in
        let headers = ["Authorization": "Bearer secret", "Cookie": "session=1", "X-Own": "y"]
        _ = try await client(server, headers: headers).fetch(query: HeroQuery())
      }
      #expect(requests.map { $0.headers["authorization"] } == ["Bearer secret", "Bearer secret"])
      #expect(requests.last?.path == "/elsewhere")
      #expect(requests.last?.body.contains("query Hero") == true, "\(requests.last?.headers ?? [:])")
    }
    let request = try #require(other.all.first)
    #expect(request.method == "POST")
    #expect(request.body.contains("query Hero"), "\(request.headers)")
    #expect(request.headers["authorization"] == nil)
    #expect(request.headers["cookie"] == nil)
    #expect(request.headers["x-own"] == "y")
  }

  @Test("Redirects in a loop end with an error that says so", .timeLimit(.minutes(1)))
  func loop() async throws {
    let requests = try await serve { _, _ in
      [.respond("", status: 307, headers: ["Location": "/graphql"])]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) { try await client(server).fetch(query: HeroQuery()) }
      #expect(error?.code == .network)
      #expect(error?.message.contains("redirects in a loop") == true, "\(String(describing: error))")
    }
    #expect(requests.count <= 17)
  }
}

@Suite("Time limits")
struct DeadlineTests {
  struct Deadline: RequestContextDeadlineConfigurable {
    var requestDeadline: TimeInterval?
  }

  @Test("A deadline ends an operation whose bytes keep coming", .timeLimit(.minutes(1)))
  func perOperation() async throws {
    let drip = (0..<400).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
    try await serve { _, _ in
      [.begin(contentType: "application/json")] + drip
    } _: { server async throws in
      let client = client(server)
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), context: Deadline(requestDeadline: 0.3))
      }
      #expect(error?.code == .network)
      #expect(error?.message.contains("deadline of 0.3 seconds") == true)
      let result: Result<GraphQLResult<HeroQuery.Data>, any Error> = await withCheckedContinuation { continuation in
        client.fetch(query: HeroQuery(), context: Deadline(requestDeadline: 0.2), queue: .global()) {
          continuation.resume(returning: $0)
        }
      }
      #expect(throws: OperationError.self) { try result.get() }
    }
  }

  @Test("The session's limit for whole requests holds, also where Foundation ignores it", .timeLimit(.minutes(1)))
  func session() async throws {
    let drip = (0..<400).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
    try await serve { _, _ in
      [.begin(contentType: "application/json")] + drip
    } _: { server async throws in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = 0.3
      let error = await #expect(throws: OperationError.self) {
        try await client(server, configuration: configuration).fetch(query: HeroQuery())
      }
      #expect(error?.message.contains("did not answer in time") == true, "\(String(describing: error))")
    }
  }
}
