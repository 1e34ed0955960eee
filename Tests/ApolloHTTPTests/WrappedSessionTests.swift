import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of an app that signs each request, and sends it over another session.
private struct SigningSession: ApolloURLSession {
  let session: any ApolloURLSession

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    var request = request
    request.setValue("7", forHTTPHeaderField: "X-Signature")
    return try await session.chunks(for: request)
  }
}

@Suite("Sessions of an app that send over another one")
struct WrappedSessionTests {
  private func client(
    _ session: any ApolloURLSession, at address: String, origins: [String] = []
  ) throws -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: address)))
    configuration.http.session = SigningSession(session: session)
    configuration.http.origins = OriginPolicy(allowed: try origins.map { try #require(URL(string: $0)) })
    configuration.http.limits = ResponseLimits()
    return ApolloClient(configuration: configuration)
  }

  @Test("Redirects go where the client allows it", arguments: [false, true])
  func redirects(isClient: Bool) async throws {
    let session: any ApolloURLSession =
      isClient ? URLSessionClient(sessionConfiguration: .ephemeral) : URLSession(configuration: .ephemeral)
    try await serve { _, _ in
      [.respond(hero())]
    } _: { target async throws in
      let address = target.address
      let requests = try await serve { _, _ in
        [.respond("", status: 307, headers: ["Location": address])]
      } _: { server async throws in
        let allowing = try client(session, at: server.address, origins: [address])
        #expect(try await allowing.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
        let error = await #expect(throws: OperationError.self) {
          try await client(session, at: server.address).fetch(query: HeroQuery())
        }
        #expect((error?.cause as? NetworkFetchInterceptor.RedirectError)?.reason == .notAllowed, "\(error as Any)")
      }
      #expect(requests.map { $0.headers["x-signature"] } == ["7", "7"])
    }
  }

  @Test("The limits of the client take precedence over those of the other session")
  func limits() async throws {
    let session = URLSessionClient(sessionConfiguration: .ephemeral)
    session.limits = ResponseLimits(responseSize: 10)
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      #expect(try await client(session, at: server.address).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
  }

  private func fetch(_ session: any ApolloURLSession, from server: ScriptedServer) async throws {
    let result = try await client(session, at: server.address)
      .fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
    #expect(result.data?.hero?.name == "R2-D2")
  }

  @Test("Operations over one URLSession keep its connection", .timeLimit(.minutes(5)))
  func oneConnection() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let session = URLSession(configuration: .ephemeral)
      for _ in 1...20 { try await fetch(session, from: server) }
      #expect(server.openedConnectionCount == 1)
    }
  }

  @Test("The connections of a URLSession that is gone are closed when another one is used", .timeLimit(.minutes(5)))
  func sessionGone() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      try await fetch(URLSession(configuration: .ephemeral), from: server)
      let session = URLSession(configuration: .ephemeral)
      try await eventually {
        try await fetch(session, from: server)
        return server.connectionCount == 1
      }
    }
  }
}
