import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// Notes what it is asked, and answers as it is told.
final class TransportDelegate: HTTPNetworkTransportPreflightDelegate, HTTPNetworkTransportTaskCompletedDelegate,
  HTTPNetworkTransportRetryDelegate, HTTPNetworkTransportGraphQLErrorDelegate, @unchecked Sendable
{
  // Written before the first request; the notes are behind a lock.
  let notes = Locked<[String]>([])
  var sends = true
  var retries = 0

  func note(_ text: String) { notes.withLock { $0.append(text) } }

  func networkTransport(_ transport: HTTPNetworkTransport, shouldSend request: URLRequest) -> Bool {
    note("should send")
    return sends
  }

  func networkTransport(_ transport: HTTPNetworkTransport, willSend request: inout URLRequest) {
    note("will send")
    request.setValue("mine", forHTTPHeaderField: "Authorization")
  }

  func networkTransport(
    _ transport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest, withData data: Data?,
    response: URLResponse?, error: (any Error)?
  ) {
    note("complete \((response as? HTTPURLResponse)?.statusCode ?? 0) \(data?.count ?? -1) \(error != nil)")
  }

  func networkTransport(
    _ transport: HTTPNetworkTransport, receivedError error: any Error, for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping (HTTPNetworkTransport.ContinueAction) -> Void
  ) {
    note("error \(request.value(forHTTPHeaderField: "Authorization") ?? "")")
    retries += 1
    continueHandler(retries <= 2 ? .retry : .fail(error))
    continueHandler(.fail(URLError(.badURL)))
  }

  func networkTransport(
    _ transport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
    retryHandler: @escaping (Bool) -> Void
  ) {
    note("errors \(errors.map(\.description))")
    retryHandler(errors.first?.message == "again")
  }
}

/// Asks, and never gets an answer.
private final class UndecidedDelegate: HTTPNetworkTransportGraphQLErrorDelegate {
  let asked: AsyncStream<Void>.Continuation
  var handlers: [(Bool) -> Void] = []

  init(asked: AsyncStream<Void>.Continuation) { self.asked = asked }

  func networkTransport(
    _ transport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
    retryHandler: @escaping (Bool) -> Void
  ) {
    handlers.append(retryHandler)
    asked.yield()
  }
}

@Suite("The transport with a delegate", .everyStyle)
struct HTTPNetworkTransportTests {
  @Test("A caller that cancels does not wait for a delegate that does not answer", .timeLimit(.minutes(5)))
  func undecided() async throws {
    let (questions, asked) = AsyncStream<Void>.makeStream()
    try await serve { _, _ in
      [.respond(#"{"data":null,"errors":[{"message":"no"}]}"#)]
    } _: { server async throws in
      let delegate = UndecidedDelegate(asked: asked)
      let transport = HTTPNetworkTransport(url: URL(string: server.address)!)
      transport.delegate = delegate
      let client = ApolloClient(networkTransport: transport)
      let task = Task { try await client.fetch(query: HeroQuery()) }
      for await _ in questions { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      withExtendedLifetime(delegate) {}
    }
  }

  func run(
    _ delegate: TransportDelegate, _ script: @escaping @Sendable (Int) -> [ScriptedServer.Step]
  ) async throws -> (requests: [ScriptedServer.Request], result: Result<GraphQLResult<HeroQuery.Data>, any Error>) {
    var result: Result<GraphQLResult<HeroQuery.Data>, any Error> = .failure(CancellationError())
    let requests = try await serve { count, _ in
      script(count)
    } _: { server async throws in
      let transport = HTTPNetworkTransport(url: URL(string: server.address)!)
      transport.delegate = delegate
      let client = ApolloClient(networkTransport: transport)
      result = await withCheckedContinuation { continuation in
        client.fetch(query: HeroQuery()) { continuation.resume(returning: $0) }
      }
      if case .success(let value) = result, value.errors == nil {
        let cached = try await client.store.load(HeroQuery())
        #expect(cached == value.data, "the client's own store is used")
      }
    }
    return (requests, result)
  }

  @Test("The delegate is asked, may change the request, and sees the raw response", .asWritten)
  func preflight() async throws {
    let delegate = TransportDelegate()
    let (requests, result) = try await run(delegate) { _ in [.respond(hero())] }
    #expect(try result.get().data?.hero?.name == "R2-D2")
    #expect(requests.map { $0.headers["authorization"] } == ["mine"])
    #expect(delegate.notes.withLock { $0 } == ["should send", "will send", "complete 200 \(hero().utf8.count) false"])
  }

  @Test("A delegate that does not want the request sent has its way, and is not asked to retry")
  func refused() async throws {
    let delegate = TransportDelegate()
    delegate.sends = false
    let (requests, result) = try await run(delegate) { _ in [.respond(hero())] }
    #expect(throws: GraphQLHTTPRequestError.cancelledByDelegate) { try result.get() }
    #expect(requests.isEmpty)
    #expect(delegate.notes.withLock { $0 } == ["should send"])
  }

  @Test("The delegate decides about another try; preflight runs again, and only its first answer counts")
  func retry() async throws {
    let delegate = TransportDelegate()
    let (requests, result) = try await run(delegate) { count in
      count == 1 ? [.close] : count == 2 ? [.respond("no", status: 500)] : [.respond(hero())]
    }
    #expect(try result.get().data?.hero?.name == "R2-D2")
    #expect(requests.count == 3)
    let notes = delegate.notes.withLock { $0 }
    #expect(notes.filter { $0 == "should send" }.count == 3)
    #expect(notes.contains("complete 500 2 false"))
    #expect(notes.filter { $0 == "error mine" }.count == 2)
    #expect(notes.contains { $0.hasPrefix("complete") && $0.hasSuffix("true") })
  }

  @Test("A status that is not a success is the error of that release")
  func status() async throws {
    let delegate = TransportDelegate()
    delegate.retries = 2
    let (_, result) = try await run(delegate) { _ in [.respond(#"{"errors":[{"message":"a"}]}"#, status: 500)] }
    let error = #expect(throws: GraphQLHTTPResponseError.self) { try result.get() }
    #expect(error?.kind == .errorResponse)
    #expect(error?.response.statusCode == 500)
    #expect(error?.graphQLErrors?.map(\.message) == ["a"])
  }

  @Test("JSON that is not an object is an invalid response, and text that is not JSON the error of the parser")
  func invalidResponse() async throws {
    for (body, isJSON) in [("[]", true), ("true", true), ("<html>", false)] {
      let delegate = TransportDelegate()
      delegate.retries = 1
      let (_, result) = try await run(delegate) { _ in [.respond(body)] }
      let error = #expect(throws: (any Error).self) { try result.get() }
      let ofRelease = error as? GraphQLHTTPResponseError
      #expect(ofRelease?.kind == (isJSON ? .invalidResponse : nil), "\(body)")
      #expect(ofRelease?.bodyDescription == (isJSON ? body.restyled : nil))
    }
  }

  @Test("The delegate decides about responses with errors")
  func graphQLErrors() async throws {
    let delegate = TransportDelegate()
    let (requests, result) = try await run(delegate) { count in
      [.respond(#"{"data":null,"errors":[{"message":"\#(count == 1 ? "again" : "enough")"}]}"#)]
    }
    #expect(try result.get().errors?.map(\.message) == ["enough"])
    #expect(requests.count == 2)
  }

  @Test("A transport is kept until what it sends has ended, though its client is not")
  func kept() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let url = try #require(URL(string: server.address)), names = Received<String?>()
      func fetch() {
        let client = ApolloClient(networkTransport: HTTPNetworkTransport(url: url))
        client.fetch(query: HeroQuery(), queue: .callbacks) { names.add((try? $0.get())?.data?.hero?.name) }
      }
      fetch()
      #expect(await names.next() == "R2-D2")
    }
  }

  @Test("Operation identifiers may stand for documents")
  func identifiers() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let transport = HTTPNetworkTransport(url: URL(string: server.address)!, sendOperationIdentifiers: true)
      _ = try await ApolloClient(networkTransport: transport).fetch(query: IdentifiedQuery())
    }
    #expect(requests[0].body.contains(#""id":"abc123""#))
    #expect(!requests[0].body.contains("query"))
  }
}

@Suite("Names of earlier releases", .everyStyle)
struct LegacyNameTests {
  @Test("The legacy provider and the label requestCreator work as their successors do")
  func legacyProvider() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let store = ApolloStore()
      let transport = RequestChainNetworkTransport(
        interceptorProvider: LegacyInterceptorProvider(store: store), endpointURL: URL(string: server.address)!,
        requestCreator: ApolloRequestCreator())
      let client = ApolloClient(networkTransport: transport)
      #expect(client.store === store, "the client finds the provider's store")
      let result = try await client.fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2-D2")
      let cached = try await store.load(HeroQuery())
      #expect(cached.hero?.name == "R2-D2")
    }
  }
}
