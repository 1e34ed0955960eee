@testable import ApolloHTTP
import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Operations that share a batch", .timeLimit(.minutes(5)))
struct BatchedOperationTests {
  func configuration(_ address: String, _ size: Int = 2) throws -> ApolloClient.Configuration {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: address)))
    configuration.batching = .init(interval: .seconds(600), maximumSize: size)
    return configuration
  }

  @Test("Where the server refuses one of them, that one is sent again, and none that was answered beside it")
  func refusedNeighbour() async throws {
    let refusal = #"{"data":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let renewed = Event()
    let requests = try await serve { _, request in
      let isKnown = request.headers["authorization"] == "Bearer new"
      let bodies = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [[String: Any]] ?? []
      let answers = bodies.map { body in
        let name = body["operationName"] as? String, variables = body["variables"] as? [String: Any]
        if name == "Rename" { return hero("new", field: "rename") }
        return isKnown || variables?["episode"] as? String == "open" ? hero() : refusal
      }
      return [.respond("[" + answers.joined(separator: ",") + "]", status: isKnown ? 200 : 401)]
    } _: { server async throws in
      var configuration = try configuration(server.address, 3)
      configuration.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in
        renewed.happen()
        return .init("new")
      }
      let client = ApolloClient(configuration: configuration)
      async let mutation = client.perform(mutation: RenameMutation())
      func fetch(_ episode: String) async throws {
        let result = try await client.fetch(
          query: HeroQuery(episode: .some(episode)), cachePolicy: .fetchIgnoringCacheCompletely)
        #expect(result.data?.hero?.name == "R2-D2" && result.errors == nil)
      }
      async let open: Void = fetch("open")
      async let secret: Void = fetch("secret")
      // The refused one needs two others to fill its second batch.
      try await renewed.wait()
      async let third: Void = fetch("third")
      async let fourth: Void = fetch("fourth")
      let changed = try await mutation
      #expect(changed.data?.rename.name == "new" && changed.errors == nil)
      _ = try await (open, secret, third, fourth)
    }
    #expect(requests.map { $0.body.contains("rename") } == [true, false])
    #expect(renewed.value == 1)
  }

  @Test("One object with errors, with a status of success, is the answer to each operation: credentials are renewed")
  func refusedBatch() async throws {
    let refusal = #"{"errors":[{"message":"JWTExpired","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let requests = try await serve { _, request in
      let isKnown = request.headers["authorization"] == "Bearer new"
      return [.respond(isKnown ? "[\(hero()),\(hero())]" : refusal)]
    } _: { server async throws in
      var configuration = try configuration(server.address)
      configuration.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in .init("new") }
      let client = ApolloClient(configuration: configuration)
      func fetch(_ episode: String) async throws -> String? {
        try await client.fetch(
          query: HeroQuery(episode: .some(episode)), cachePolicy: .fetchIgnoringCacheCompletely
        ).data?.hero?.name
      }
      async let one = fetch("one")
      async let other = fetch("other")
      #expect(try await [one, other] == ["R2-D2", "R2-D2"])
    }
    #expect(requests.count == 2)
  }

  @Test("A status 401 is that of the operations whose errors say so, and not of a mutation that has failed beside them")
  func failedNeighbour() async throws {
    let refusal = #"{"data":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let failure = #"{"data":null,"errors":[{"message":"paid","path":["rename"],"extensions":{"code":"OTHER"}}]}"#
    let renewed = Event()
    let requests = try await serve { _, request in
      let isKnown = request.headers["authorization"] == "Bearer new"
      let bodies = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [[String: Any]] ?? []
      let answers = bodies.map { $0["operationName"] as? String == "Rename" ? failure : isKnown ? hero() : refusal }
      return [.respond("[" + answers.joined(separator: ",") + "]", status: isKnown ? 200 : 401)]
    } _: { server async throws in
      var configuration = try configuration(server.address)
      configuration.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in
        renewed.happen()
        return .init("new")
      }
      let client = ApolloClient(configuration: configuration)
      func fetch(_ episode: String) async throws {
        let result = try await client.fetch(
          query: HeroQuery(episode: .some(episode)), cachePolicy: .fetchIgnoringCacheCompletely)
        #expect(result.data?.hero?.name == "R2-D2" && result.errors == nil)
      }
      async let mutation = client.perform(mutation: RenameMutation())
      async let secret: Void = fetch("secret")
      try await renewed.wait()
      // The refused one needs another one to fill its second batch.
      async let second: Void = fetch("second")
      let result = try await mutation
      #expect(result.data == nil && result.errors?.map(\.message) == ["paid"])
      _ = try await (secret, second)
    }
    #expect(requests.map { $0.body.contains("rename") } == [true, false])
    #expect(renewed.value == 1)
  }

  /// Tells of two pieces, and waits between them.
  private struct ToldEngine: HTTPEngine {
    let begun = Event(), goesOn = Event()

    func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse {
      exchange.onProgress?(.init(.download, completed: 1, total: nil))
      begun.happen()
      try await goesOn.wait()
      exchange.onProgress?(.init(.download, completed: 7, total: nil))
      let url = try #require(exchange.request.url)
      let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
      return FetchedResponse(response: try #require(response), body: .whole(Data("[{},{},{}]".utf8)))
    }
  }

  @Test("Each of them is told how far their transfer is, as long as it waits")
  func progress() async throws {
    let batcher = RequestBatcher(interval: .seconds(600), maximumSize: 3), engine = ToldEngine()
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/")))
    let told = (0..<2).map { _ in Locked<[Int64]>([]) }
    let listeners: [(@Sendable (RequestConfiguration.TransferProgress) -> Void)?] = [
      { progress in told[0].withLock { $0.append(progress.completed) } },
      { progress in told[1].withLock { $0.append(progress.completed) } }, nil,
    ]
    let tasks = listeners.map { onProgress in
      Task {
        _ = try await batcher.fetch(
          request, body: Data("{}".utf8), mayRepeat: false, with: engine, ExchangeRules(), .system,
          onProgress: onProgress)
      }
    }
    try await engine.begun.wait()
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    engine.goesOn.happen()
    for task in tasks.dropFirst() { try await task.value }
    #expect(told.map { $0.withLock { $0 } } == [[1], [1, 7]])
  }

  /// Notes what it sends.
  private final class NotingEngine: HTTPEngine {
    let sent = Locked<[String]>([])
    var identity: ObjectIdentifier { ObjectIdentifier(self) }

    func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse {
      let body = String(decoding: exchange.request.httpBody ?? Data(), as: UTF8.self)
      sent.withLock { $0.append(body) }
      let url = try #require(exchange.request.url)
      let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
      return FetchedResponse(response: try #require(response), body: .whole(Data("[{},{}]".utf8)))
    }
  }

  @Test("Operations over two sessions, or with different limits, are not sent together")
  func sessions() async throws {
    let batcher = RequestBatcher(interval: .seconds(600), maximumSize: 2)
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/")))
    let first = NotingEngine(), second = NotingEngine()
    var limits = ResponseLimits()
    limits.parts = 7
    let groups = [
      (engine: first, rules: ExchangeRules(), body: "1"), (engine: second, rules: ExchangeRules(), body: "2"),
      (engine: first, rules: ExchangeRules(limits: limits), body: "3"),
    ]
    let tasks = (groups + groups).map { group in
      Task {
        _ = try await batcher.fetch(
          request, body: Data(group.body.utf8), mayRepeat: false, with: group.engine, group.rules, .system)
      }
    }
    for task in tasks { try await task.value }
    #expect(first.sent.withLock { $0.sorted() } == ["[1,1]", "[3,3]"])
    #expect(second.sent.withLock { $0 } == ["[2,2]"])
  }

  /// Packs bodies, and gives one to a request whose body it does not see.
  private struct PackingInterceptor: HTTPInterceptor {
    func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
      var request = request
      request.httpBody = Data("packed:\(request.value(forHTTPHeaderField: "X-APOLLO-OPERATION-NAME") ?? "")".utf8)
      request.setValue("packed", forHTTPHeaderField: "Content-Encoding")
      return try await next(request)
    }
  }

  @Test("One whose body an interceptor has changed is sent by itself, with that body")
  func changedBody() async throws {
    let requests = try await serve { _, request in
      [.respond(hero(field: request.body.hasSuffix("Rename") ? "rename" : "hero"))]
    } _: { server async throws in
      var configuration = try configuration(server.address)
      configuration.http.interceptors = [PackingInterceptor()]
      let client = ApolloClient(configuration: configuration)
      let result = try await client.fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2-D2")
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data("text".utf8))
      let uploaded = try await client.upload(operation: RenameMutation(), files: [file])
      #expect(uploaded.data?.rename.name == "R2-D2")
    }
    #expect(requests.map(\.body) == ["packed:Hero", "packed:Rename"])
    #expect(requests.allSatisfy { $0.headers["content-encoding"] == "packed" })
  }
}
