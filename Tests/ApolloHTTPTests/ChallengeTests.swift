import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// On Linux, Foundation asks for credentials when it has the response, and never ends the task if there are none.
@Suite("Servers that ask for a name and a password", .timeLimit(.minutes(10)))
struct ChallengeTests {
  /// A response with such header fields.
  static func refusal(_ fields: [String], status: Int = 401, body: String = "who are you?") -> ScriptedServer.Step {
    .write(
      "HTTP/1.1 \(status) No\r\n" + fields.map { $0 + "\r\n" }.joined()
        + "Content-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  @Test(
    "A 401 is the response, with its body, whatever it asks for",
    arguments: [
      [#"WWW-Authenticate: Basic realm="api""#], [#"www-authenticate: basic realm="api""#],
      [#"WWW-AUTHENTICATE: BASIC REALM="API""#], [#"WWW-Authenticate: Basic realm="a, Digest \"b\"", charset="UTF-8""#],
      [#"WWW-Authenticate: Bearer realm="x", error="invalid_token", Basic realm="api""#],
      [#"WWW-Authenticate: Bearer"#, #"WWW-Authenticate: Basic realm="api""#],
      [#"WWW-Authenticate: Basic realm="one""#, #"WWW-Authenticate: Basic realm="two""#],
      [#"WWW-Authenticate: Digest realm="api", nonce="abc", qop="auth""#],
      [#"WWW-Authenticate: Negotiate"#, #"WWW-Authenticate: NTLM"#, #"WWW-Authenticate: Basic realm="api""#],
      ["WWW-Authenticate: Negotiate", "WWW-Authenticate: NTLM"], ["WWW-Authenticate: Basic"], ["WWW-Authenticate:"],
      [],
    ])
  func refused(_ fields: [String]) async throws {
    for usesGET in [false, true] {
      let requests = try await serve { _, _ in
        [Self.refusal(fields)]
      } _: { server async throws in
        let error = await #expect(throws: OperationError.self) {
          try await client(server, useGETForQueries: usesGET).fetch(query: HeroQuery())
        }
        #expect(error?.httpStatus == 401)
        #expect(error?.message.hasSuffix(": who are you?") == true, "\(error as Any)")
      }
      #expect(requests.count == 1)
    }
  }

  @Test("So is a 407 of a server that is a proxy's mouth, and a 401 without a body")
  func others() async throws {
    let proxy = try await failure([Self.refusal([#"Proxy-Authenticate: Basic realm="proxy""#], status: 407)])
    #expect(proxy?.httpStatus == 407)
    #expect(proxy?.message.hasSuffix(": who are you?") == true)
    let empty = try await failure([Self.refusal([#"WWW-Authenticate: Basic realm="api""#], body: "")])
    #expect(empty?.httpStatus == 401)
  }

  @Test("Connections, and the session, go on after it, and nothing of the task is left")
  func again() async throws {
    let requests = try await serve { count, _ in
      count % 2 == 1 ? [Self.refusal([#"WWW-Authenticate: Basic realm="api""#])] : [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      for _ in 1...20 {
        await #expect(throws: OperationError.self) {
          try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
        }
        _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
      try await eventually { server.connectionCount <= 2 }
    }
    #expect(requests.count == 40)
  }

  @Test("An authenticator sees it, renews its token and tries again")
  func authenticator() async throws {
    var options = DefaultInterceptorProvider.Options()
    options.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in .init("new") }
    let requests = try await serve { _, request in
      request.headers["authorization"] == "Bearer new"
        ? [.respond(hero())]
        : [Self.refusal([#"WWW-Authenticate: Bearer realm="api", Basic realm="api""#])]
    } _: { server async throws in
      #expect(try await client(server, provider: options).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
  }

  // MARK: Apps that answer

  /// Answers challenges as it is told, and counts them.
  final class Answering: URLSessionClient, @unchecked Sendable {
    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)
    let answer: Answer
    let challenges = Locked<[Int]>([])

    init(_ answer: Answer) {
      self.answer = answer
      super.init(sessionConfiguration: .ephemeral)
    }

    override func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      challenges.withLock { $0.append(challenge.previousFailureCount) }
      let isFirst = challenge.previousFailureCount == 0
      completionHandler(isFirst ? answer.0 : .performDefaultHandling, isFirst ? answer.1 : nil)
    }
  }

  /// The result with a server that wants `user` and `pass`, and how often it was asked.
  static func fetch(
    with session: URLSessionClient
  ) async throws -> (result: Result<GraphQLResult<HeroQuery.Data>, any Error>, requests: [ScriptedServer.Request]) {
    let outcome = Locked<Result<GraphQLResult<HeroQuery.Data>, any Error>?>(nil)
    let requests = try await serve { _, request in
      request.headers["authorization"] == "Basic dXNlcjpwYXNz"
        ? [.respond(hero())] : [refusal([#"WWW-Authenticate: Basic realm="api""#])]
    } _: { server async throws in
      let url = try #require(URL(string: server.address))
      let transport = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(client: session, store: ApolloStore()), endpointURL: url)
      let client = ApolloClient(networkTransport: transport)
      do {
        let result = try await client.fetch(query: HeroQuery())
        outcome.withLock { $0 = .success(result) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    return (try #require(outcome.withLock { $0 }), requests)
  }

  @Test("A subclass gives the credentials, and the response to them is the result, without what came before")
  func credentials() async throws {
    let session = Answering((.useCredential, URLCredential(user: "user", password: "pass", persistence: .none)))
    let (result, requests) = try await Self.fetch(with: session)
    #expect(try result.get().data?.hero?.name == "R2-D2")
    #expect(session.challenges.withLock { $0 } == [0])
    #expect(requests.count == 2)
    #expect(requests.allSatisfy { $0.body.contains("query Hero") })
  }

  @Test("Credentials that are wrong are asked for again, and then the 401 is the response")
  func wrong() async throws {
    let session = Answering((.useCredential, URLCredential(user: "user", password: "no", persistence: .none)))
    let (result, requests) = try await Self.fetch(with: session)
    let error = #expect(throws: OperationError.self) { try result.get() }
    #expect(error?.httpStatus == 401)
    #expect(error?.message.hasSuffix(": who are you?") == true, "\(error as Any)")
    #expect(session.challenges.withLock { $0 } == [0, 1])
    #expect(requests.count == 2)
  }

  @Test(
    "A subclass that has no credentials gets the 401",
    arguments: [URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace])
  func noCredentials(_ disposition: URLSession.AuthChallengeDisposition) async throws {
    let (result, requests) = try await Self.fetch(with: Answering((disposition, nil)))
    #expect(#expect(throws: OperationError.self) { try result.get() }?.httpStatus == 401)
    #expect(requests.count == 1)
  }

  @Test("A subclass that cancels the challenge cancels the request")
  func cancelled() async throws {
    let (result, requests) = try await Self.fetch(with: Answering((.cancelAuthenticationChallenge, nil)))
    #expect(#expect(throws: OperationError.self) { try result.get() }?.code == .cancelled)
    #expect(requests.count == 1)
  }

  /// Has the same credentials for all servers. (That of Foundation on Linux never finds what was put into it.)
  final class Storage: URLCredentialStorage, @unchecked Sendable {
    let credential: URLCredential

    init(password: String) {
      credential = URLCredential(user: "user", password: password, persistence: .none)
      super.init()
    }

    override func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? { ["user": credential] }
    override func defaultCredential(for space: URLProtectionSpace) -> URLCredential? { credential }
  }

  @Test("Credentials that the session's storage has are sent, once")
  func storage() async throws {
    for (password, status) in [("pass", nil), ("no", 401)] as [(String, Int?)] {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = Storage(password: password)
      let (result, requests) = try await Self.fetch(with: URLSessionClient(sessionConfiguration: configuration))
      if let status {
        #expect(#expect(throws: OperationError.self) { try result.get() }?.httpStatus == status)
      } else {
        #expect(try result.get().data?.hero?.name == "R2-D2")
      }
      #expect(requests.count == 2)
    }
  }
}
