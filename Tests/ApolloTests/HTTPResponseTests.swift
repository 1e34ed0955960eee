import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

@Suite("Responses over HTTP", .everyStyle)
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

  @Test("Errors without data are a result; with status 500 and no label they are an error that has them")
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
    "What is no GraphQL response is an error that says what came, and from where", .asWritten,
    arguments: [
      (
        "<html>\n <b>Oops</b></html>", 200, "text/html; charset=utf-8",
        "not a JSON object: <html> <b>Oops</b></html> [HTTP status 200, text/html; charset=utf-8, "
      ),
      ("<html>Oops</html>", 502, "text/html", "HTTP status 502, text/html"),
      ("", 200, "application/json", "The response is empty. [HTTP status 200, application/json"),
      ("", 204, nil, "The response is empty. [HTTP status 204"), ("   ", 200, nil, "The response is empty."),
      ("[]", 200, "application/json", "[]"), ("nope", 200, nil, "nope"),
      ("{", 200, "application/json", "not valid JSON"),
      (#"{"data":{"hero":7}}"#, 200, "application/json", "Expected"),
      ("{}", 200, "application/json", "neither data nor errors"),
      ("sorry", 200, "text/plain", "not a JSON object: sorry [HTTP status 200, text/plain"),
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
    let zipped = try await gzip(body)
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
  private func gzip(_ text: String) async throws -> [UInt8] {
    let child = try Child(URL(fileURLWithPath: "/usr/bin/env"), ["gzip", "-c"], input: Data(text.utf8))
    return Array(try await child.ended().output)
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

@Suite("Redirects", .everyStyle)
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

  @Test(
    "A body from a stream is sent once: a redirect that needs it again is an error", .asWritten, .timeLimit(.minutes(5))
  )
  func stream() async throws {
    let requests = try await serve { _, _ in
      [.respond("", status: 307, headers: ["Location": "/elsewhere"])]
    } _: { server async throws in
      let session = URLSessionClient(sessionConfiguration: .ephemeral)
      defer { session.invalidate() }
      var request = URLRequest(url: try #require(URL(string: server.address)))
      request.httpMethod = "POST"
      request.httpBodyStream = InputStream(data: Data("{}".utf8))
      let error = await #expect(throws: URLSessionClient.URLSessionClientError.self) {
        try await session.chunks(for: request)
      }
      #expect((error?.cause as? URLError)?.code == .requestBodyStreamExhausted, "\(String(describing: error))")
      #expect(error?.message.contains("which is a stream: give it as data or as a file (http") == true)
    }
    #expect(requests.first?.path == "/graphql" && !requests.contains { $0.path == "/elsewhere" })
  }

  @Test("Redirects in a loop end with an error that says so", .timeLimit(.minutes(5)))
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

  @Test(
    "A redirect to a relative place leads where it says",
    arguments: [
      ("/graphql/", "/graphql/"), ("/a/b/?x=%2F&y=1#z", "/a/b/?x=%2F&y=1"), ("other", "/other"),
      ("?x=1", "/graphql?x=1"),
      ("./", "/"), ("/a%20b/", "/a%20b/"),
    ], [301, 307])
  func relative(_ place: (location: String, path: String), _ status: Int) async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond("", status: status, headers: ["Location": place.location])] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server).fetch(query: HeroQuery())
    }
    #expect(requests.map(\.path) == ["/graphql", place.path])
  }

  // MARK: Redirects that lose the query

  /// What comes of a query that is redirected to `/elsewhere` with such a status, which answers so.
  static func redirected(
    _ status: Int, _ answer: ScriptedServer.Step, usesGET: Bool = false,
    _ options: DefaultInterceptorProvider.Options = .init()
  ) async throws -> (result: Result<GraphQLResult<HeroQuery.Data>, any Error>, address: String) {
    let outcome = Locked<(Result<GraphQLResult<HeroQuery.Data>, any Error>, String)?>(nil)
    try await serve { _, request in
      request.path.hasPrefix("/elsewhere")
        ? [answer] : [.respond("", status: status, headers: ["Location": "/elsewhere"])]
    } _: { server async throws in
      let client = client(server, provider: options, useGETForQueries: usesGET)
      do {
        let result = try await client.fetch(query: HeroQuery())
        outcome.withLock { $0 = (.success(result), server.address) }
      } catch {
        outcome.withLock { $0 = (.failure(error), server.address) }
      }
    }
    return try #require(outcome.withLock { $0 })
  }

  static let noQuery = #"{"errors": [{"message": "Must provide query string."}]}"#

  @Test(
    "An error behind a redirect that lost the query says so, and what to do",
    arguments: [301, 302, 303],
    [
      ScriptedServer.Step.respond(noQuery, status: 400), .respond(noQuery), .respond("", status: 405, contentType: nil),
      .respond("<!DOCTYPE html>", contentType: "text/html"), .respond("", contentType: nil),
    ])
  func lostQuery(_ status: Int, _ answer: ScriptedServer.Step) async throws {
    let (result, address) = try await Self.redirected(status, answer)
    let error = try #require(#expect(throws: OperationError.self) { try result.get() })
    let elsewhere = address.replacingOccurrences(of: "/graphql", with: "/elsewhere")
    #expect(error.message.contains("lost in a redirect from \(address) to \(elsewhere)"), "\(error)")
    #expect(error.message.contains("with status 307 or 308"), "\(error)")
    let redirect = try #require(error.cause as? NetworkFetchInterceptor.RedirectError)
    #expect(redirect.from.path == "/graphql" && redirect.to.path == "/elsewhere")
    #expect(redirect.cause != nil && redirect.code == error.code)
  }

  @Test("So does the error of each operation of a batch")
  func lostBatch() async throws {
    let batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 1)
    var options = DefaultInterceptorProvider.Options()
    options.batcher = batcher
    for answer in [ScriptedServer.Step.respond(Self.noQuery, status: 400), .respond(Self.noQuery)] {
      let (result, _) = try await Self.redirected(302, answer, options)
      let error = #expect(throws: OperationError.self) { try result.get() }
      #expect(error?.message.contains("lost in a redirect") == true, "\(error as Any)")
    }
  }

  @Test("Data that is found behind such a redirect is the result")
  func foundElsewhere() async throws {
    let (result, _) = try await Self.redirected(303, .respond(hero()))
    #expect(try result.get().data?.hero?.name == "R2-D2")
  }

  @Test("A request that lost its body says nothing of one")
  func noContentType() async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond("", status: 302, headers: ["Location": "/elsewhere"])] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server).fetch(query: HeroQuery())
    }
    #expect(requests.map(\.method) == ["POST", "GET"])
    #expect(requests.map { $0.headers["content-type"] } == ["application/json", nil])
  }

  @Test(
    "A redirect that lost nothing is not blamed", arguments: [(307, false), (308, false), (302, true), (301, true)])
  func nothingLost(_ status: Int, _ usesGET: Bool) async throws {
    let (result, _) = try await Self.redirected(status, .respond(Self.noQuery, status: 400), usesGET: usesGET)
    let error = #expect(throws: OperationError.self) { try result.get() }
    #expect(error?.httpStatus == 400)
    #expect(error?.message.contains("redirect") == false, "\(error as Any)")
  }
}
