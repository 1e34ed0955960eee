import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server may close a kept connection at any time, also while a request is on its way on it.
///
/// No request here ends by its timeout, which is longer than a test may take.
@Suite("Kept connections that are closed", .timeLimit(.minutes(5)))
struct ConnectionTests {
  static var patient: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 3600
    return configuration
  }

  @Test("Subscriptions that go on do not hold up a query, unless the app has chosen how many connections there are")
  func manySubscriptions() async throws {
    let gate = ScriptedServer.Gate(), begun = Event()
    try await serve { _, request in
      if !request.body.contains("subscription") { return [.respond(hero())] }
      return [.begin(contentType: "text/event-stream"), .tell(begun), .wait(gate)]
    } _: { server async throws in
      let client = client(server, configuration: Self.patient)
      let tasks = (0..<10).map { _ in
        Task { for try await _ in client.subscribe(to: CountSubscription()) {} }
      }
      try await begun.wait(for: tasks.count)
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      #expect(result.data?.hero?.name == "R2-D2")
      for task in tasks { task.cancel() }
      for task in tasks { _ = await task.result }
      gate.open()
    }
    let own = URLSessionConfiguration.ephemeral, usual = own.httpMaximumConnectionsPerHost
    #expect(URLSessionClient(sessionConfiguration: own).session.configuration.httpMaximumConnectionsPerHost == 64)
    #expect(own.httpMaximumConnectionsPerHost == usual)
    own.httpMaximumConnectionsPerHost = 8
    #expect(URLSessionClient(sessionConfiguration: own).session.configuration.httpMaximumConnectionsPerHost == 8)
  }

  struct Repeatable: RequestContextRepeatable {}

  /// Sends a query, and then `body` on the connection that it leaves; so many requests after the first are hung up on.
  private func afterQuery(
    hangUps: Int = 1, options: DefaultInterceptorProvider.Options = .init(),
    _ body: (ApolloClient) async throws -> Void
  ) async throws -> [ScriptedServer.Request] {
    let requests = try await serve { count, request in
      2...(1 + hangUps) ~= count ? [.close] : [.respond(Self.answer(request.body))]
    } _: { server async throws in
      let client = client(server, configuration: Self.patient, provider: options)
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      try await body(client)
    }
    return Array(requests.dropFirst())
  }

  @Test("A query is sent once more, at once, and is answered")
  func query() async throws {
    let requests = try await afterQuery { client async throws in
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      #expect(result.data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 2)
    #expect(requests.first?.body == requests.last?.body)
  }

  @Test("A query is sent once more, and not again and again")
  func once() async throws {
    let requests = try await afterQuery(hangUps: 100) { client async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      }
      #expect(error?.code == .network)
    }
    #expect(requests.count == 2)
  }

  @Test("A mutation, which may have been executed, is an error and is not sent again")
  func mutation() async throws {
    let requests = try await afterQuery { client async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client.perform(mutation: RenameMutation())
      }
      #expect(error?.code == .network)
      #expect(error?.message.contains("The connection broke; the server may have received the request") == true)
      #expect(error?.message.contains("127.0.0.1") == true)
    }
    #expect(requests.count == 1)
  }

  @Test("A mutation whose context says that it may run twice is sent once more")
  func repeatableMutation() async throws {
    let requests = try await afterQuery { client async throws in
      let result = try await client.perform(mutation: RenameMutation(), context: Repeatable())
      #expect(result.data != nil)
    }
    #expect(requests.count == 2)
  }

  @Test("A query with a callback is sent once more, and its handler is called once")
  func callback() async throws {
    let calls = Locked(0)
    let requests = try await afterQuery { client async throws in
      let result: Result<GraphQLResult<HeroQuery.Data>, any Error> = await withCheckedContinuation { continuation in
        client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely, queue: .global()) { result in
          if calls.withLock({
            $0 += 1; return $0
          }) == 1 {
            continuation.resume(returning: result)
          }
        }
      }
      let name = try result.get().data?.hero?.name
      #expect(name == "R2-D2")
    }
    #expect(requests.count == 2)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("An upload from a file, whose context says that it may run twice, arrives whole the second time")
  func upload() async throws {
    let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data(repeating: 65, count: 3_000_000))
    let requests = try await afterQuery { client async throws in
      let result = try await client.upload(operation: UploadFileMutation(), files: [file], context: Repeatable())
      #expect(result.data != nil)
    }
    #expect(requests.count == 2)
    #expect(requests.allSatisfy { $0.body.utf8.count > 3_000_000 })
    #expect(requests.first?.body == requests.last?.body)
  }

  @Test("A batch is sent once more if all of its operations may run twice")
  func batch() async throws {
    for hasMutation in [false, true] {
      var options = DefaultInterceptorProvider.Options()
      options.batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 2)
      let requests = try await afterBatch(options, hasMutation: hasMutation)
      #expect(requests == (hasMutation ? 1 : 2))
    }
  }

  private static func answer(_ body: String) -> String {
    if body.contains("UploadFile") {
      return #"{"data":{"uploadFile":{"name":"a","size":3000000,"contentType":"text/plain","text":null}}}"#
    }
    return body.contains("mutation Rename") ? hero(field: "rename") : hero()
  }

  private func afterBatch(_ options: DefaultInterceptorProvider.Options, hasMutation: Bool) async throws -> Int {
    let requests = try await serve { count, _ in
      count == 2 ? [.close] : [.respond("[\(hero()),\(hero())]")]
    } _: { server async throws in
      let client = client(server, configuration: Self.patient, provider: options)
      async let a = client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      async let b = client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      _ = try await (a, b)
      let first = Task { try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely) }
      if hasMutation {
        await #expect(throws: OperationError.self) { try await client.perform(mutation: RenameMutation()) }
        await #expect(throws: OperationError.self) { _ = try await first.value }
      } else {
        let other = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
        #expect(other.data != nil)
        let data = try await first.value.data
        #expect(data != nil)
      }
    }
    return requests.count - 1
  }
}
