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
    "A body that is not a GraphQL response is an error that says what came, and from where", .asWritten,
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

  @Test("An answer that is not HTTP is a network error")
  func noHTTP() async throws {
    let error = try await failure([.write("SSH-2.0-OpenSSH\r\n"), .close])
    #expect(error?.code == .network)
  }
}
