@testable import Apollo
import Foundation
import ScriptedServer
import Testing

@Suite("The configuration of one operation, for every verb and every transport", .timeLimit(.minutes(5)))
struct RequestConfigurationVerbTests {
  // MARK: Bad values

  @Test(
    "A value that no request can be made with is an error that names it, and nothing is sent",
    arguments: [
      (RequestConfiguration(requestTimeout: -1), "'requestTimeout' of its configuration is -1.0 seconds"),
      (RequestConfiguration(requestTimeout: .nan), "'requestTimeout' of its configuration is nan seconds"),
      (RequestConfiguration(deadline: -0.5), "'deadline' of its configuration is -0.5 seconds"),
      (RequestConfiguration(deadline: .nan), "'deadline' of its configuration is nan seconds"),
      (RequestConfiguration(deadline: -.infinity), "'deadline' of its configuration is -inf seconds"),
      (RequestConfiguration(headers: ["X-A": "b\r\nHost: evil"]), "header field 'X-A' has a line break"),
      (RequestConfiguration(headers: ["X\nA": "b"]), "has a line break"),
      (RequestConfiguration(endpointURL: URL(string: "graphql")), "'endpointURL' of its configuration, 'graphql',"),
      (RequestConfiguration(endpointURL: URL(string: "http:///graphql?token=x")), "'http:///graphql',"),
      (RequestConfiguration(endpointURL: URL(string: "file:///etc/hosts")), "'file:///etc/hosts',"),
      (RequestConfiguration(endpointURL: URL(string: "ws://localhost/graphql")), "'ws://localhost/graphql',"),
    ])
  func invalid(_ configuration: RequestConfiguration, _ text: String) async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      let byDefault = ApolloClient(
        url: try #require(URL(string: server.address)), defaultRequestConfiguration: configuration)
      let foreign = ApolloClient(networkTransport: Wrapper(server), store: ApolloStore())
      var errors: [(any Error)?] = []
      for (client, configuration) in [(client, configuration), (byDefault, nil), (foreign, configuration)] {
        errors.append(
          await #expect(throws: OperationError.self) {
            try await client.fetch(query: HeroQuery(), requestConfiguration: configuration)
          })
        errors.append(
          await withCheckedContinuation { continuation in
            client.fetch(query: HeroQuery(), requestConfiguration: configuration, queue: .global()) { result in
              if case .failure(let error) = result { continuation.resume(returning: error) }
            }
          })
      }
      errors.append(
        await #expect(throws: OperationError.self) {
          for try await _ in client.subscribe(to: CountSubscription(), requestConfiguration: configuration) {}
        })
      #expect(errors.count == 7)
      for error in errors {
        let error = error as? OperationError
        #expect(error?.code == .invalidRequest && error?.operationName != nil)
        #expect(error?.message.contains(text) == true, "\(error as Any)")
      }
    }
    #expect(requests.isEmpty)
  }

  // MARK: One member alone

  @Test("Each member counts where it is the only one that the client says")
  func loneDefaults() async throws {
    let lone = [
      RequestConfiguration(requestTimeout: 7), RequestConfiguration(writeResultsToCache: false),
      RequestConfiguration(deadline: 70), RequestConfiguration(headers: ["A": "b"]),
      RequestConfiguration(endpointURL: URL(string: "http://localhost/other")),
      RequestConfiguration(bodyExtensions: ["a": 1]), RequestConfiguration(onError: .halt),
      RequestConfiguration(isRepeatable: false),
      RequestConfiguration(deduplicates: true), RequestConfiguration(batches: false),
      RequestConfiguration(buffering: .newest(3)), RequestConfiguration(onProgress: { _ in }),
      RequestConfiguration(ttlEnforcement: .permissive), RequestConfiguration(maxStale: 5),
      RequestConfiguration(returnsPartialData: true), RequestConfiguration(doNotStore: true),
      RequestConfiguration(memoryOnly: true), RequestConfiguration(writesToCacheAsynchronously: true),
      RequestConfiguration(pollInterval: 5), RequestConfiguration(refetchesOn: [.foreground]),
      RequestConfiguration(failsFastWhenOffline: true), RequestConfiguration(waitsForNetwork: true),
    ]
    // Five of them are in one property.
    #expect(lone.count == Mirror(reflecting: RequestConfiguration()).children.count + 4)
    for configuration in lone {
      let transport = Recorder()
      let client = ApolloClient(
        networkTransport: transport, store: ApolloStore(), defaultRequestConfiguration: configuration)
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(transport.seen.map { "\($0)" } == ["\(configuration)"])
    }
  }

  /// A transport that notes the configuration of each operation.
  final class Recorder: ResponseTransport, @unchecked Sendable {
    // One operation at a time.
    private(set) var seen: [RequestConfiguration] = []

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      seen.append(request.configuration)
      try await receive(TransportResponse(Data(#"{"data": {"hero": null}}"#.utf8)))
    }
  }

  @Test("A time without an end is not a limit")
  func endless() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let configuration = RequestConfiguration(requestTimeout: .infinity, deadline: .infinity)
      let result = try await client(server).fetch(query: HeroQuery(), requestConfiguration: configuration)
      #expect(result.data?.hero != nil)
    }
  }

  // MARK: Every verb, and transports of an app's own

  /// Passes operations on, as a transport of an app does.
  final class Wrapper: UploadingNetworkTransport {
    let inner: RequestChainNetworkTransport

    init(_ server: ScriptedServer) {
      inner = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(store: ApolloStore()), endpointURL: URL(string: server.address)!
      )
    }

    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      // What the app sends on the way, such as a new token, is an operation of its own.
      if Operation.self != PingQuery.self {
        _ = inner.send(
          operation: PingQuery(), cachePolicy: .fetchIgnoringCacheCompletely, callbackQueue: callbackQueue
        ) { _ in }
      }
      return inner.send(
        operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
        callbackQueue: callbackQueue, completionHandler: completionHandler)
    }

    func upload<Operation: GraphQLOperation>(
      operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, callbackQueue: DispatchQueue,
      completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      inner.upload(
        operation: operation, files: files, context: context, callbackQueue: callbackQueue,
        completionHandler: completionHandler)
    }
  }

  struct PingQuery: GraphQLQuery {
    static let operationName = "Ping"
    static let operationDocument = OperationDocument("query Ping { hero { __typename id name height } }")
    typealias Data = HeroQuery.Data
  }

  final class Subclass: RequestChainNetworkTransport, @unchecked Sendable {}

  enum Transport: CaseIterable {
    case plain, subclass, wrapper
  }

  @Test("Every verb takes one, over every transport", arguments: Transport.allCases)
  func everyVerb(_ transport: Transport) async throws {
    let requests = try await serve { _, request in
      if request.body.contains("subscription") { return [.respond(#"{"data":{"count":1}}"#)] }
      return [.respond(hero(field: request.body.contains("rename") ? "rename" : "hero"))]
    } _: { server async throws in
      let networkTransport: any NetworkTransport =
        switch transport {
        case .plain:
          RequestChainNetworkTransport(
            interceptorProvider: DefaultInterceptorProvider(store: ApolloStore()),
            endpointURL: try #require(URL(string: server.address)))
        case .subclass:
          Subclass(
            interceptorProvider: DefaultInterceptorProvider(store: ApolloStore()),
            endpointURL: try #require(URL(string: server.address)))
        case .wrapper: Wrapper(server)
        }
      let client = ApolloClient(networkTransport: networkTransport)
      try await asynchronousVerbs(of: client, RequestConfiguration(headers: ["verb": "async"]))
      try await callbackVerbs(of: client, RequestConfiguration(headers: ["verb": "callback"]))
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    }
    let verbs = requests.filter { !$0.body.contains("query Ping") }.map { $0.headers["verb"] }
    #expect(verbs == Array(repeating: "async", count: 10) + Array(repeating: "callback", count: 9) + [nil])
    #expect(requests.allSatisfy { !$0.body.contains("query Ping") || $0.headers["verb"] == nil })
  }

  private func asynchronousVerbs(of client: ApolloClient, _ configuration: RequestConfiguration) async throws {
    let query = HeroQuery()
    _ = try await client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration)
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly, requestConfiguration: configuration)
    #expect(
      try await client.fetch(query: query, cachePolicy: .cacheOnly, requestConfiguration: configuration)?.data != nil)
    for try await _ in try client.fetch(
      query: query, cachePolicy: .cacheAndNetwork, requestConfiguration: configuration)
    {}
    for try await _ in client.results(
      of: query, cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration)
    {}
    try await client.perform(mutation: RenameMutation(), requestConfiguration: configuration)
    try await client.upload(operation: RenameMutation(), files: [], requestConfiguration: configuration)
    for try await _ in client.subscribe(to: CountSubscription(), requestConfiguration: configuration) {}
    for try await _ in try client.subscribe(subscription: CountSubscription(), requestConfiguration: configuration) {}
    for try await _ in client.watch(
      query: query, cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration)
    { break }
    for try await _ in client.watch(query: query, cachePolicy: .networkOnly, requestConfiguration: configuration) {
      break
    }
  }

  private func callbackVerbs(of client: ApolloClient, _ configuration: RequestConfiguration) async throws {
    let query = HeroQuery()
    let results = Received<Bool>()
    func done<Data>(_ result: Result<GraphQLResult<Data>, any Error>) {
      if case .success(let value) = result, value.source == .server { results.add(value.data != nil) }
      if case .failure = result { results.add(false) }
    }
    let queue = DispatchQueue.global()
    client.fetch(
      query: query, cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration, queue: queue
    ) { done($0) }
    #expect(await results.next() == true)
    client.fetch(query: query, cachePolicy: .networkOnly, requestConfiguration: configuration, queue: queue) {
      done($0)
    }
    #expect(await results.next() == true)
    client.fetch(query: query, cachePolicy: .cacheAndNetwork, requestConfiguration: configuration, queue: queue) {
      done($0)
    }
    #expect(await results.next() == true)
    client.perform(mutation: RenameMutation(), requestConfiguration: configuration, queue: queue) { done($0) }
    #expect(await results.next() == true)
    client.upload(operation: RenameMutation(), files: [], requestConfiguration: configuration, queue: queue) {
      done($0)
    }
    #expect(await results.next() == true)
    let events = client.subscribe(
      subscription: CountSubscription(), requestConfiguration: configuration, queue: queue
    ) { done($0) }
    #expect(await results.next() == true)
    events.cancel()
    let first = client.watch(
      query: query, cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration, callbackQueue: queue
    ) { done($0) }
    #expect(await results.next() == true)
    let second = client.watch(
      query: query, cachePolicy: .networkOnly, requestConfiguration: configuration, callbackQueue: queue
    ) { done($0) }
    #expect(await results.next() == true)
    second.refetch()
    #expect(await results.next() == true)
    first.cancel()
    second.cancel()
  }

  /// Has header fields of its own, and so has them made before the operation's are known.
  final class Signing: RequestChainNetworkTransport, @unchecked Sendable {
    override func constructRequest<Operation: GraphQLOperation>(
      for operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
    ) -> HTTPRequest<Operation> {
      let request = super.constructRequest(
        for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
      request.addHeader(name: "A", value: "subclass")
      request.addHeader(name: "B", value: "subclass")
      return request
    }
  }

  @Test(
    "An operation's header fields win over those of a subclass, whose win over a context's; Accept is the library's")
  func precedence() async throws {
    struct Headers: RequestContextHeaders { let requestHeaders = ["A": "context", "Accept": "text/plain"] }
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let url = try #require(URL(string: server.address)), store = ApolloStore()
      for transport in [
        RequestChainNetworkTransport(interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: url),
        Signing(interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: url),
      ] {
        _ = try await ApolloClient(networkTransport: transport, store: store).fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
          requestConfiguration: RequestConfiguration(headers: ["B": "operation"]), context: Headers())
      }
    }
    #expect(requests.map { $0.headers["a"] } == ["context", "subclass"])
    #expect(requests.map { $0.headers["b"] } == ["operation", "operation"])
    #expect(requests.allSatisfy { $0.headers["accept"]?.contains("application/graphql-response+json") == true })
  }

  @Test("However a policy is written, and whatever other labels a call has, the context reaches the request")
  func contexts() async throws {
    struct Headers: RequestContextHeaders { let requestHeaders = ["A": "context"] }
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server), query = HeroQuery(), context = Headers(), queue = DispatchQueue.global()
      let results = Received<Bool>()
      let handler: GraphQLResultHandler<HeroQuery.Data> = { results.add((try? $0.get()) != nil) }
      let policy = CachePolicy.fetchIgnoringCacheData
      var calls: [() -> any Cancellable] = [
        {
          client.fetch(
            query: query, cachePolicy: .fetchIgnoringCacheData, contextIdentifier: nil, context: context, queue: queue,
            resultHandler: handler)
        },
        {
          client.fetch(
            query: query, cachePolicy: policy, contextIdentifier: nil, context: context, queue: queue,
            resultHandler: handler)
        },
        {
          client.fetch(
            query: query, cachePolicy: .networkOnly, contextIdentifier: nil, context: context, queue: queue,
            resultHandler: handler)
        },
        {
          client.fetch(
            query: query, cachePolicy: .fetchIgnoringCacheData, context: context, queue: queue, resultHandler: handler)
        },
        {
          client.watch(
            query: query, cachePolicy: .fetchIgnoringCacheData, context: context, callbackQueue: queue,
            resultHandler: handler)
        },
        {
          client.watch(
            query: query, cachePolicy: .networkOnly, context: context, callbackQueue: queue, resultHandler: handler)
        },
      ]
      func any(_ client: any ApolloClientProtocol) {
        calls.append {
          client.fetch(
            query: query, cachePolicy: .fetchIgnoringCacheData, contextIdentifier: nil, context: context, queue: queue,
            resultHandler: handler)
        }
        calls.append {
          client.watch(
            query: query, cachePolicy: .fetchIgnoringCacheData, context: context, callbackQueue: queue,
            resultHandler: handler)
        }
      }
      any(client)
      for call in calls {
        let running = call()
        #expect(await results.next() == true)
        running.cancel()
      }
    }
    #expect(requests.map { $0.headers["a"] } == Array(repeating: "context", count: 8))
  }

  @Test("Calls of earlier releases, with all labels or with few, still go to the client")
  func earlierCalls() async throws {
    try await serve { _, request in
      [.respond(hero(field: request.body.contains("rename") ? "rename" : "hero"))]
    } _: { server async throws in
      let client = client(server)
      let results = Received<Bool>()
      func isDone<Data>(_ result: Result<GraphQLResult<Data>, any Error>) { results.add((try? result.get()) != nil) }
      let queue = DispatchQueue.global()
      client.fetch(
        query: HeroQuery(), cachePolicy: .default, contextIdentifier: nil, context: nil, queue: queue
      ) { isDone($0) }
      client.fetch(query: HeroQuery(), queue: queue) { isDone($0) }
      client.perform(
        mutation: RenameMutation(), publishResultToStore: true, contextIdentifier: nil, context: nil, queue: queue
      ) { isDone($0) }
      client.upload(operation: RenameMutation(), files: [], context: nil, queue: queue) { isDone($0) }
      let any: any ApolloClientProtocol = client
      _ = any.fetch(
        query: HeroQuery(), cachePolicy: .default, contextIdentifier: nil, context: nil, queue: queue
      ) { isDone($0) }
      _ = any.perform(
        mutation: RenameMutation(), publishResultToStore: true, contextIdentifier: nil, context: nil, queue: queue
      ) { isDone($0) }
      _ = any.upload(operation: RenameMutation(), files: [], context: nil, queue: queue) { isDone($0) }
      let watcher = any.watch(query: HeroQuery(), cachePolicy: .default, context: nil, callbackQueue: queue) {
        isDone($0)
      }
      for _ in 1...8 { #expect(await results.next() == true) }
      watcher.cancel()
    }
  }
}
