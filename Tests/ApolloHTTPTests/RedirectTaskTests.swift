import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What holds for Foundation's engine alone.
@Suite("Redirects of tasks of a URLSession", .timeLimit(.minutes(5)))
struct RedirectTaskTests {
  @Test("A cookie that a redirect sets is sent to where it leads", arguments: [301, 302, 303, 307])
  func cookie(_ status: Int) async throws {
    let requests = try await serve { count, _ in
      count > 1
        ? [.respond(hero())]
        : [.respond("", status: status, headers: ["Location": "/graphql", "Set-Cookie": "s=1; Path=/"])]
    } _: { server async throws in
      let client = client(server, useGETForQueries: true)
      for _ in 1...2 { _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely) }
    }
    #expect(requests.map { $0.headers["cookie"] } == [nil, "s=1", "s=1"])
  }

  #if canImport(FoundationNetworking)
    /// Notes the methods of its requests.
    private final class Counting: URLSessionClient, @unchecked Sendable {
      let methods = Locked<[String?]>([])

      override func sendRequest(
        _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
        completion: @escaping Completion
      ) -> URLSessionTask {
        methods.withLock { $0.append(request.httpMethod) }
        return super.sendRequest(
          request, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler,
          completion: completion)
      }
    }

    @Test("On Linux each is followed by a new task, as Foundation may stop the process when it follows one itself")
    func newTask() async throws {
      for status in [301, 302, 303, 307, 308] {
        let session = Counting(sessionConfiguration: .ephemeral)
        defer { session.invalidate() }
        try await serve { count, _ in
          count > 1 ? [.respond(hero())] : [.respond("", status: status, headers: ["Location": "/elsewhere"])]
        } _: { server async throws in
          let (_, response) = try await session.chunks(for: URLRequest(url: URL(string: server.address)!))
          #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        #expect(session.methods.withLock { $0 } == ["GET", "GET"])
      }
    }

    /// Adds a signature to the address.
    private final class Signing: URLSessionClient, @unchecked Sendable {
      override func sendRequest(
        _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
        completion: @escaping Completion
      ) -> URLSessionTask {
        var request = request
        request.url = request.url.flatMap { URL(string: $0.absoluteString + "?sig=1") }
        return super.sendRequest(
          request, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler,
          completion: completion)
      }
    }

    @Test(
      "On Linux one is followed by a new task also where an override has changed the address", arguments: [302, 307])
    func changedAddress(status: Int) async throws {
      let session = Signing(sessionConfiguration: .ephemeral)
      defer { session.invalidate() }
      let requests = try await serve { count, _ in
        count > 1 ? [.respond(hero())] : [.respond("", status: status, headers: ["Location": "/elsewhere"])]
      } _: { server async throws in
        let (_, response) = try await session.chunks(for: URLRequest(url: URL(string: server.address)!))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
      }
      // (Foundation follows the one with 302, as it does on Apple's systems.)
      let place = try #require(requests.map(\.path).last)
      #expect(status == 302 ? place.hasPrefix("/elsewhere") : place == "/elsewhere?sig=1")
      #expect(requests.count == 2)
    }

    /// Asks for a token with each request.
    private final class Authorizing: URLSessionClient, @unchecked Sendable {
      /// The statuses of the answers with tokens.
      let statuses = Awaited<[Int]>([])

      override func sendRequest(
        _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
        completion: @escaping Completion
      ) -> URLSessionTask {
        if let address = URL(string: "/token", relativeTo: request.url)?.absoluteURL {
          let statuses = statuses
          super.sendRequest(URLRequest(url: address), taskDescription: nil, rawTaskCompletionHandler: nil) { result in
            statuses.change { $0.append((try? result.get().1.statusCode) ?? 0) }
          }
        }
        return super.sendRequest(
          request, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler,
          completion: completion)
      }
    }

    @Test("On Linux a redirect of another request that an override sends is followed as well")
    func otherRequest() async throws {
      let session = Authorizing(sessionConfiguration: .ephemeral)
      defer { session.invalidate() }
      try await serve { _, request in
        request.path == "/token"
          ? [.respond("", status: 302, headers: ["Location": "/given", "Connection": "close"])] : [.respond(hero())]
      } _: { server async throws in
        let (_, response) = try await session.chunks(for: URLRequest(url: URL(string: server.address)!))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        try await session.statuses.until { !$0.isEmpty }
      }
      #expect(session.statuses.value == [200])
    }
  #endif
}
