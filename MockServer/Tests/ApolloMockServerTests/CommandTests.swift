import Foundation
import Testing

@testable import apollo_mock_server

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The command of the mock server")
struct CommandTests {
  private func request(_ address: String, body: String? = nil) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = body == nil ? "GET" : "POST"
    request.httpBody = body.map { Data($0.utf8) }
    return request
  }

  @Test(
    "An operation is told by its name, or by its beginning on one line",
    arguments: [
      (#"{"query":"query Hero($id: ID) { a }","variables":{"id":"3"}}"#, #"query Hero {"id":"3"}"#),
      (#"{"query":"query A { a } query B { b }","operationName":"B"}"#, "B"),
      (#"{"query":"{\n  hero { name }\n}"}"#, "hero"),
      (#"{"query":"{\n  a\n  b\n}"}"#, "a b"), ("[{},{}]", "2 operations"),
    ])
  func operation(_ body: String, _ shown: String) throws {
    #expect(LoggingSession.operation(of: try request("http://127.0.0.1/graphql", body: body)) == shown)
  }

  @Test("What a page in a browser sends commands no terminal")
  func hostileName() throws {
    let address = "http://127.0.0.1/graphql?query=%7Ba%7D&operationName=%1B%5D0;x%07%0A%C2%9B2J%E2%80%AEend"
    let line = LoggingSession.operation(of: try request(address)).shownOnOneLine
    #expect(line == #"\u{1B}]0;x\u{07}\n\u{009B}2J\u{202E}end"#)
    #expect("Ключ é 🚀 200".shownOnOneLine == "Ключ é 🚀 200")
  }

  @Test(
    "The query of the server's address stays, whatever the request has",
    arguments: [
      ("https://example.com/graphql?key=1", "http://127.0.0.1/graphql?query=%7Ba%7D", "key=1&query=%7Ba%7D"),
      ("https://example.com/graphql?key=1", "http://127.0.0.1/graphql", "key=1"),
      ("https://example.com/graphql", "http://127.0.0.1/graphql?query=a+b", "query=a+b"),
      ("https://example.com/graphql", "http://127.0.0.1/graphql", nil),
    ] as [(String, String, String?)])
  func forwarding(_ server: String, _ asked: String, _ query: String?) throws {
    let session = ForwardingSession(url: try #require(URL(string: server)))
    let forwarded = session.forwarded(try request(asked))
    #expect(forwarded.url?.host == "example.com" && forwarded.url?.path == "/graphql")
    #expect(forwarded.url?.query == query)
  }
}
