@testable import ApolloHTTP
import Foundation
import ScriptedServer
import Testing

@testable import Apollo

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Origins")
struct OriginPolicyTests {
  static let addresses = [
    "http://a.test/graphql", "http://a.test:80/x?y=1", "http://A.TEST/graphql/", "https://a.test/graphql",
    "https://a.test:8443/graphql", "http://a.test:8080/", "http://b.test/graphql", "https://b.test/",
    "https://a.test.b.test/", "https://[::1]/", "http://127.0.0.1/", "https://user:password@a.test/",
  ]

  /// What may happen, by the words of the documentation.
  private static func expected(_ from: URL, _ to: URL, _ policy: OriginPolicy) -> Set<String>? {
    func port(_ url: URL) -> Int { url.port ?? (url.scheme == "https" ? 443 : 80) }
    func same(_ a: URL, _ b: URL) -> Bool {
      a.scheme == b.scheme && a.host?.lowercased() == b.host?.lowercased() && port(a) == port(b)
    }
    let isUpgrade =
      from.scheme == "http" && to.scheme == "https" && from.host?.lowercased() == to.host?.lowercased()
    if same(from, to) || isUpgrade || policy.trusted.contains(where: { same($0, to) }) {
      return ["Accept", "Content-Type", "X-Key", "Authorization", "Cookie"]
    }
    if policy.allowed.contains(where: { same($0, to) }) { return ["Accept", "Content-Type"] }
    return policy.followsEveryRedirect ? ["Accept", "Content-Type", "X-Key"] : nil
  }

  @Test("What goes along with a redirect is what the policy says, for each pair of addresses")
  func pairs() throws {
    let urls = try Self.addresses.map { try #require(URL(string: $0)) }
    let one = try #require(URL(string: "https://B.test/any/path"))
    for policy in [
      OriginPolicy(), OriginPolicy(allowed: [one]), OriginPolicy(trusted: [one]),
      OriginPolicy(allowed: [one], trusted: [one]),
      .everyRedirect, OriginPolicy(allowed: [one], followsEveryRedirect: true),
    ] {
      for from in urls {
        for to in urls {
          var request = URLRequest(url: from)
          request.httpMethod = "POST"
          for name in ["Accept", "Content-Type", "X-Key", "Authorization", "Cookie"] {
            request.setValue("x", forHTTPHeaderField: name)
          }
          let response = try #require(
            HTTPURLResponse(url: from, statusCode: 307, httpVersion: nil, headerFields: ["Location": to.absoluteString])
          )
          let next = try? policy.redirected(request, by: response)
          let fields = next.map { Set(($0.allHTTPHeaderFields ?? [:]).keys) }
          #expect(fields == Self.expected(from, to, policy), "\(from) → \(to), \(policy)")
        }
      }
    }
  }

  @Test(
    "An address that is not one of HTTP is never followed",
    arguments: ["file:///etc/hosts", "ftp://a.test/", "ws://a.test/", ""])
  func otherSchemes(_ place: String) throws {
    let url = try #require(URL(string: "http://a.test/graphql"))
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 307, httpVersion: nil, headerFields: ["Location": place]))
    let next = try OriginPolicy.everyRedirect.redirected(URLRequest(url: url), by: response)
    #expect(next == nil || place.isEmpty)
  }

  @Test("From https to http, the error says that it is not encrypted")
  func downgrade() throws {
    let from = try #require(URL(string: "https://a.test/graphql"))
    let response = try #require(
      HTTPURLResponse(url: from, statusCode: 308, httpVersion: nil, headerFields: ["Location": "http://a.test/graphql"])
    )
    let error = #expect(throws: NetworkFetchInterceptor.RedirectError.self) {
      try OriginPolicy().redirected(URLRequest(url: from), by: response)
    }
    #expect(error?.message.contains("which is not encrypted") == true, "\(error as Any)")
  }

  // MARK: Credentials

  private struct Keys: Authenticator {
    func credentials() async throws -> [String: String] { ["X-Token": "secret", "Authorization": "Bearer secret"] }
    func renew(refused: [String: String]) async throws -> Bool {
      Issue.record("The credentials are not asked for: they were not sent.")
      return false
    }
  }

  /// Sends every request to another address, with something of its own.
  private struct Rerouting: HTTPInterceptor {
    let url: URL

    func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
      var request = request
      request.url = url
      request.setValue("own", forHTTPHeaderField: "X-Interceptor")
      return try await next(request)
    }
  }

  /// What a second server is asked, if an operation is sent there.
  private func asked(
    status: Int = 200, _ change: (inout ApolloClient.Configuration, URL) -> Void, endpoint: Bool = true
  ) async throws -> ScriptedServer.Request? {
    let other = RequestLog()
    try await ScriptedServer.with { request in
      _ = other.add(request)
      return [.respond(hero(), status: status)]
    } _: { target async throws -> Void in
      try await serve { _, _ in
        [.respond(hero())]
      } _: { server async throws in
        let url = try #require(URL(string: target.address))
        var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
        configuration.authenticator = Keys()
        configuration.http.additionalHeaders = ["X-App": "app"]
        change(&configuration, url)
        let client = ApolloClient(configuration: configuration)
        _ = try? await client.fetch(
          query: HeroQuery(), requestConfiguration: endpoint ? RequestConfiguration(endpointURL: url) : nil)
      }
    }
    return other.all.first
  }

  @Test("An authenticator's credentials are not sent to an address that one operation names", arguments: [200, 401])
  func endpoint(_ status: Int) async throws {
    let request = try #require(try await asked(status: status) { _, _ in })
    #expect(request.headers["x-token"] == nil && request.headers["authorization"] == nil)
    #expect(request.headers["x-app"] == "app")
  }

  @Test("They are if the origin is trusted, or if the client does as earlier releases did")
  func trusted() async throws {
    for everywhere in [false, true] {
      let request = try await asked { configuration, url in
        configuration.http.origins = everywhere ? .everyRedirect : OriginPolicy(trusted: [url])
      }
      #expect(request?.headers["x-token"] == "secret" && request?.headers["authorization"] == "Bearer secret")
    }
  }

  @Test("They do not follow an interceptor that sends the request elsewhere; what it adds itself goes there")
  func rerouted() async throws {
    let request = try #require(
      try await asked(
        { configuration, url in configuration.http.interceptors = [Rerouting(url: url)] }, endpoint: false))
    #expect(request.headers["x-token"] == nil && request.headers["authorization"] == nil)
    #expect(request.headers["x-interceptor"] == "own" && request.headers["x-app"] == "app")
  }

  @Test("Credentials without encryption are worth a warning, unless they stay on this machine")
  func plainHTTP() throws {
    func warning(_ address: String, _ fields: [String: String], _ credentials: [String: String] = [:]) throws -> String?
    {
      var request = URLRequest(url: try #require(URL(string: address)))
      for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
      return request.plainCredentials(credentials)
    }
    let token = ["Authorization": "Bearer secret"]
    for local in [
      "http://localhost/", "http://127.0.0.1:8080/", "http://[::1]/", "http://api.localhost/", "https://a.test/",
    ] {
      #expect(try warning(local, token) == nil, "\(local)")
    }
    for remote in ["http://a.test/", "HTTP://127.0.0.1.a.test/", "http://10.0.0.1/"] {
      let text = try #require(try warning(remote, token))
      #expect(text.contains("Authorization is sent to") && !text.contains("secret"), "\(text)")
    }
    #expect(try warning("http://a.test/", ["X-Own": "1"]) == nil)
    #expect(try warning("http://a.test/", ["X-Own": "1"], ["x-own": "1"]) != nil)
  }
}
