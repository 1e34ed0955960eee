import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Redirects", .everyStyle)
struct RedirectTests {
  static let secrets = [
    "Authorization": "Bearer secret", "Cookie": "session=1", "X-API-Key": "key", "X-Hasura-Admin-Secret": "admin",
    "X-Own": "y", "Proxy-Authorization": "Basic x",
  ]

  /// What comes of a query that one server redirects to another one, which answers it; and what the other one was asked.
  static func elsewhere(
    _ status: Int, usesGET: Bool = false, origins: (URL) -> OriginPolicy
  ) async throws -> (result: Result<GraphQLResult<HeroQuery.Data>, any Error>, asked: [ScriptedServer.Request], URL) {
    let other = RequestLog()
    let result = Locked<Result<GraphQLResult<HeroQuery.Data>, any Error>?>(nil), address = Locked<URL?>(nil)
    try await ScriptedServer.with { request in
      _ = other.add(request)
      return [.respond(hero())]
    } _: { target async throws -> Void in
      let place = try #require(URL(string: target.address + "/there"))
      address.withLock { $0 = place }
      let policy = origins(place)
      try await serve { _, _ in
        [.respond("", status: status, headers: ["Location": place.absoluteString])]
      } _: { server async throws in
        let client = client(server, useGETForQueries: usesGET, headers: secrets, origins: policy)
        do {
          let fetched = try await client.fetch(query: HeroQuery())
          result.withLock { $0 = .success(fetched) }
        } catch {
          result.withLock { $0 = .failure(error) }
          // What another server says is in no cache.
          let cached = try? await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
          #expect(cached == nil)
        }
      }
    }
    return (try #require(result.withLock { $0 }), other.all, try #require(address.withLock { $0 }))
  }

  @Test(
    "One to another origin is not followed, and the error names the address and what allows it",
    arguments: [301, 302, 303, 307, 308], [false, true])
  func otherOrigin(_ status: Int, _ usesGET: Bool) async throws {
    let (result, asked, place) = try await Self.elsewhere(status, usesGET: usesGET) { _ in OriginPolicy() }
    #expect(asked.isEmpty)
    let error = try #require(#expect(throws: OperationError.self) { try result.get() })
    #expect(error.code == .httpStatus && error.httpStatus == status, "\(error)")
    #expect(error.message.contains(" to \(place), which is another origin"), "\(error)")
    let origin = "http://127.0.0.1:\(try #require(place.port))"
    #expect(error.message.contains("OriginPolicy(allowed: [URL(string: \"\(origin)\")!])"), "\(error)")
    let redirect = try #require(error.cause as? NetworkFetchInterceptor.RedirectError)
    #expect(redirect.reason == .notAllowed && redirect.to == place && redirect.from.path == "/graphql")
  }

  @Test("To an origin that is allowed, nothing goes along that may be a secret", arguments: [307, 308])
  func allowed(_ status: Int) async throws {
    let (result, asked, _) = try await Self.elsewhere(status) { OriginPolicy(allowed: [$0]) }
    #expect(try result.get().data?.hero?.name == "R2-D2")
    let request = try #require(asked.first)
    #expect(request.method == "POST" && request.path == "/graphql/there")
    #expect(request.body.contains("query Hero"), "\(request.headers)")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["accept"]?.contains("application/graphql-response+json") == true)
    for name in Self.secrets.keys { #expect(request.headers[name.lowercased()] == nil, "\(name)") }
    #expect(request.headers["apollographql-client-name"] == nil)
  }

  @Test(
    "To an origin that is trusted, everything does; without a body if the request has none",
    arguments: [301, 302, 303, 307])
  func trusted(_ status: Int) async throws {
    let (result, asked, _) = try await Self.elsewhere(status, usesGET: true) { OriginPolicy(trusted: [$0]) }
    #expect(try result.get().data?.hero?.name == "R2-D2")
    let request = try #require(asked.first)
    #expect(request.method == "GET" && request.path.hasPrefix("/graphql/there?"))
    for (name, value) in Self.secrets { #expect(request.headers[name.lowercased()] == value, "\(name)") }
  }

  @Test("If every redirect is followed, three fields stay behind, as they always did")
  func everyRedirect() async throws {
    let (result, asked, _) = try await Self.elsewhere(307) { _ in .everyRedirect }
    #expect(try result.get().data?.hero?.name == "R2-D2")
    let headers = try #require(asked.first?.headers)
    #expect(headers["authorization"] == nil && headers["cookie"] == nil && headers["proxy-authorization"] == nil)
    #expect(headers["x-own"] == "y" && headers["x-api-key"] == "key")
  }

  @Test("One within the origin keeps who asks, and how")
  func sameOrigin() async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond("", status: 308, headers: ["Location": "/elsewhere"])] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, headers: Self.secrets).fetch(query: HeroQuery())
    }
    #expect(requests.map(\.path) == ["/graphql", "/elsewhere"])
    #expect(requests[1].method == "POST" && requests[1].body == requests[0].body)
    for (name, value) in Self.secrets { #expect(requests[1].headers[name.lowercased()] == value, "\(name)") }
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
      #expect(error?.message.contains("redirects too often, perhaps in a loop") == true, "\(String(describing: error))")
    }
    #expect(requests.count <= 17)
  }

  @Test(
    "One to a relative place leads where it says",
    arguments: [
      ("/graphql/", "/graphql/"), ("/a/b/?x=%2F&y=1#z", "/a/b/?x=%2F&y=1"), ("other", "/other"),
      ("?x=1", "/graphql?x=1"),
      ("./", "/"), ("/a%20b/", "/a%20b/"),
    ])
  func relative(_ place: (location: String, path: String)) async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond("", status: 307, headers: ["Location": place.location])] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server).fetch(query: HeroQuery())
    }
    #expect(requests.map(\.path) == ["/graphql", place.path])
  }

  // MARK: Operations in the address, and in the body

  @Test(
    "An operation in the address stays there, unless the redirect names a query itself",
    arguments: [301, 302, 303, 307, 308],
    [("/graphql/", "/graphql/?"), ("/other?x=1", "/other?x=1")])
  func keepsQuery(_ status: Int, _ place: (location: String, path: String)) async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond("", status: status, headers: ["Location": place.location])] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, useGETForQueries: true).fetch(query: HeroQuery())
    }
    #expect(requests.map(\.method) == ["GET", "GET"])
    let query = requests[0].path.split(separator: "?")[1]
    let expected = place.path.hasSuffix("?") ? place.path + query : place.path
    #expect(requests[1].path == expected)
  }

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
        let cached = try? await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
        #expect(cached == nil)
      }
    }
    return try #require(outcome.withLock { $0 })
  }

  static let noQuery = #"{"errors": [{"message": "Must provide query string."}]}"#

  @Test(
    "One that loses the query is an error that says so, and what to do, whatever is there",
    arguments: [301, 302, 303],
    [
      ScriptedServer.Step.respond(noQuery, status: 400), .respond(noQuery), .respond(hero()),
      .respond("<!DOCTYPE html>", contentType: "text/html"),
    ])
  func lostQuery(_ status: Int, _ answer: ScriptedServer.Step) async throws {
    let (result, address) = try await Self.redirected(status, answer)
    let error = try #require(#expect(throws: OperationError.self) { try result.get() })
    let elsewhere = address.replacingOccurrences(of: "/graphql", with: "/elsewhere")
    #expect(error.message.contains("lost in a redirect from \(address) to \(elsewhere)"), "\(error)")
    #expect(error.message.contains("with status 307 or 308"), "\(error)")
    let redirect = try #require(error.cause as? NetworkFetchInterceptor.RedirectError)
    #expect(redirect.from.path == "/graphql" && redirect.to.path == "/elsewhere")
    #expect(redirect.reason == .lostOperation && error.httpStatus == status)
  }

  @Test("So does the error of each operation of a batch")
  func lostBatch() async throws {
    let batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 1)
    var options = DefaultInterceptorProvider.Options()
    options.batcher = batcher
    for answer in [ScriptedServer.Step.respond(Self.noQuery, status: 400), .respond("[\(hero())]")] {
      let (result, _) = try await Self.redirected(302, answer, options)
      let error = #expect(throws: OperationError.self) { try result.get() }
      #expect(error?.message.contains("lost in a redirect") == true, "\(error as Any)")
    }
  }

  @Test("One that lost nothing is not blamed", arguments: [(307, false), (308, false), (302, true), (301, true)])
  func nothingLost(_ status: Int, _ usesGET: Bool) async throws {
    let (result, _) = try await Self.redirected(status, .respond(Self.noQuery, status: 400), usesGET: usesGET)
    let error = #expect(throws: OperationError.self) { try result.get() }
    #expect(error?.httpStatus == 400)
    #expect(error?.message.contains("redirect") == false, "\(error as Any)")
  }
}
