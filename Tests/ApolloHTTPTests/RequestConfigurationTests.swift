@testable import ApolloHTTP
@testable import ApolloConcurrency
@testable import ApolloRequestChain
@testable import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server, or the caller, sees of each member of a `RequestConfiguration`, and of the context that says the same.
@Suite("The configuration of one operation", .timeLimit(.minutes(5)))
struct RequestConfigurationTests {
  /// A context that says all that contexts can say.
  struct Context: RequestContextTimeoutConfigurable, RequestContextDeadlineConfigurable, RequestContextHeaders,
    ResendableRequestContext, ResultBufferingRequestContext
  {
    var requestTimeout: TimeInterval = 3600
    var requestDeadline: TimeInterval?
    var requestHeaders: [String: String] = [:]
    var isResendable = false
    var buffering = RequestConfiguration.ResultBuffering.unlimited
  }

  enum Way: CaseIterable {
    case configuration, context, both
  }

  /// A configuration and a context: the one way or the other, and one that says something else which does not count.
  func ways(
    _ way: Way, _ configuration: RequestConfiguration, _ context: Context, other: Context = Context()
  ) -> (RequestConfiguration?, (any RequestContext)?) {
    switch way {
    case .configuration: (configuration, nil)
    case .context: (nil, context)
    case .both: (configuration, other)
    }
  }

  @Test("Header fields are those of the operation, then of its context, of the client, and of the transport")
  func headers() async throws {
    struct Headers: RequestContextHeaders { let requestHeaders: [String: String] }
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      var settings = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      settings.http.additionalHeaders = ["A": "transport", "B": "transport", "C": "transport", "D": "transport"]
      settings.defaultRequestConfiguration.headers = ["b": "client", "c": "client", "d": "client"]
      let client = ApolloClient(configuration: settings)
      _ = try await client.fetch(
        query: HeroQuery(), requestConfiguration: RequestConfiguration(headers: ["D": "operation"]),
        context: Headers(requestHeaders: ["C": "context", "D": "context"]))
    }
    let fields = try #require(requests.first?.headers)
    #expect(["a", "b", "c", "d"].map { fields[$0] } == ["transport", "client", "context", "operation"])
  }

  @Test(
    "A timeout ends a request that nothing comes for; without one the request is waited for", arguments: Way.allCases)
  func timeout(_ way: Way) async throws {
    // (The time itself is what is tested. Nothing but its end can end the first request; the second takes longer.)
    try await serve { count, _ in
      count == 1 ? [.wait(.init())] : [.pause(milliseconds: 1500), .respond(hero())]
    } _: { server async throws in
      let (configuration, context) = ways(
        way, RequestConfiguration(requestTimeout: 0.3), Context(requestTimeout: 0.3))
      let client = client(server)
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), requestConfiguration: configuration, context: context)
      }
      #expect(error?.message.contains("did not answer in time") == true, "\(error as Any)")
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
  }

  @Test("A deadline ends an operation whose bytes keep coming", arguments: Way.allCases)
  func deadline(_ way: Way) async throws {
    let drip = (0..<4000).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
    try await serve { _, _ in
      [.begin(contentType: "application/json")] + drip
    } _: { server async throws in
      let (configuration, context) = ways(
        way, RequestConfiguration(deadline: 0.3), Context(requestDeadline: 0.3), other: Context(requestDeadline: 3600))
      let error = await #expect(throws: OperationError.self) {
        try await client(server).fetch(query: HeroQuery(), requestConfiguration: configuration, context: context)
      }
      #expect(error?.message.contains("deadline of 0.3 seconds (\(server.address))") == true, "\(error as Any)")
    }
  }

  @Test("One operation goes to another address, the next one to the client's again")
  func endpoint() async throws {
    let requests = try await serve { _, request in
      [.respond(hero(field: request.body.contains("Rename") ? "rename" : "hero"))]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      let elsewhere = RequestConfiguration(endpointURL: URL(string: server.address + "/elsewhere"))
      _ = try await client.fetch(query: IdentifiedQuery(), requestConfiguration: elsewhere)
      _ = try await client.upload(
        operation: RenameMutation(), files: [], requestConfiguration: elsewhere)
      _ = try await client.perform(mutation: IdentifiedMutation())
    }
    #expect(requests.map(\.path) == ["/graphql/elsewhere", "/graphql/elsewhere", "/graphql"])
  }

  @Test("An address that knows no persisted queries says nothing of the client's")
  func persistedQueriesElsewhere() async throws {
    let requests = try await serve { _, request in
      let isRefused = request.path.hasSuffix("elsewhere") && !request.body.contains("query Hero")
      return [.respond(isRefused ? #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"# : hero())]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      for url in [URL(string: server.address + "/elsewhere"), nil] {
        _ = try await client.fetch(
          query: IdentifiedQuery(), cachePolicy: .fetchIgnoringCacheData,
          requestConfiguration: RequestConfiguration(endpointURL: url))
      }
    }
    #expect(requests.map(\.path) == ["/graphql/elsewhere", "/graphql/elsewhere", "/graphql"])
    #expect(requests.last?.body.contains("abc123") == true)
    #expect(requests.last?.body.contains("query Hero") == false)
  }

  @Test("Members are added to the extensions of a body: by POST, by GET, beside a hash, and with files")
  func bodyExtensions() async throws {
    let configuration = RequestConfiguration(bodyExtensions: ["trace": "7"])
    let requests = try await serve { _, request in
      [.respond(hero(field: request.body.contains("rename") ? "rename" : "hero"))]
    } _: { server async throws in
      for client in [
        client(server), client(server, useGETForQueries: true), client(server, autoPersistQueries: true),
      ] { _ = try await client.fetch(query: IdentifiedQuery(), requestConfiguration: configuration) }
      _ = try await client(server).upload(
        operation: RenameMutation(), files: [], requestConfiguration: configuration)
      _ = try await client(server).fetch(query: IdentifiedQuery())
    }
    let texts = requests.map { ($0.body + $0.path).removingPercentEncoding ?? "" }
    #expect(texts.map { $0.contains(#""trace":"7""#) } == [true, true, true, true, false])
    #expect(texts.allSatisfy { $0.contains(#""clientLibrary":{"#) })
    #expect(texts[2].contains(#""sha256Hash":"abc123""#))
  }

  @Test(
    "What a server does with errors is a member of the body: by POST, by GET, beside a hash, and with files",
    arguments: ErrorBehavior.allCases)
  func onError(_ behavior: ErrorBehavior) async throws {
    let configuration = RequestConfiguration(onError: behavior)
    let requests = try await serve { _, request in
      [.respond(hero(field: request.body.contains("rename") ? "rename" : "hero"))]
    } _: { server async throws in
      for client in [
        client(server), client(server, useGETForQueries: true), client(server, autoPersistQueries: true),
      ] { _ = try await client.fetch(query: IdentifiedQuery(), requestConfiguration: configuration) }
      _ = try await client(server).upload(
        operation: RenameMutation(), files: [], requestConfiguration: configuration)
      _ = try await client(server).fetch(query: IdentifiedQuery())
    }
    let texts = requests.map { ($0.body + $0.path).removingPercentEncoding ?? "" }
    #expect(texts[0].contains("\"onError\":\"\(behavior.rawValue)\""))
    #expect(texts[1].contains("&onError=\(behavior.rawValue)&"))
    #expect(texts.map { $0.contains("onError") } == [true, true, true, true, false])
  }

  @Test("A mutation that may run twice is tried again, and a query that may not is not", arguments: Way.allCases)
  func repeatable(_ way: Way) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.retry = MaxRetryInterceptor.Configuration(maxRetries: 1, retryRule: .transientFailures)
    func count(
      _ isRepeatable: Bool?, _ send: (ApolloClient, RequestConfiguration?, (any RequestContext)?) async throws -> Void
    )
      async throws -> Int
    {
      try await serve { _, _ in
        [.respond("busy", status: 503)]
      } _: { server async throws in
        let (configuration, context) = ways(
          way, RequestConfiguration(isRepeatable: isRepeatable), Context(isResendable: isRepeatable ?? false),
          other: Context(isResendable: isRepeatable != true))
        let client = client(server, provider: options)
        await #expect(throws: OperationError.self) {
          try await send(client, isRepeatable == nil ? nil : configuration, isRepeatable == nil ? nil : context)
        }
      }.count
    }
    func mutate(_ client: ApolloClient, _ configuration: RequestConfiguration?, _ context: (any RequestContext)?)
      async throws
    {
      try await client.perform(mutation: RenameMutation(), requestConfiguration: configuration, context: context)
    }
    func query(_ client: ApolloClient, _ configuration: RequestConfiguration?, _ context: (any RequestContext)?)
      async throws
    {
      _ = try await client.fetch(query: HeroQuery(), requestConfiguration: configuration, context: context)
    }
    #expect(try await count(true, mutate) == 2)
    #expect(try await count(nil, mutate) == 1)
    #expect(try await count(false, query) == 1)
    #expect(try await count(nil, query) == 2)
  }

  @Test(
    "Identical queries are sent once, or twice, as the operation says; twice if one is to be told of its transfer",
    arguments: [true, false], [true, false])
  func deduplicates(_ isOn: Bool, _ isTold: Bool) async throws {
    let gate = ScriptedServer.Gate(), arrivals = Event()
    let requests = try await serve { _, _ in
      [.tell(arrivals), .wait(gate), .respond(hero())]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.deduplicatesQueries = !isOn
      let store = ApolloStore()
      let provider = DefaultInterceptorProvider(
        client: URLSessionClient(sessionConfiguration: .ephemeral), store: store, options: options)
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          interceptorProvider: provider, endpointURL: try #require(URL(string: server.address))), store: store)
      let configuration = RequestConfiguration(deduplicates: isOn)
      var told = configuration
      if isTold { told.onProgress = { _ in } }
      async let a = client.fetch(query: HeroQuery(), requestConfiguration: told)
      async let b = client.fetch(query: HeroQuery(), requestConfiguration: configuration)
      // The second has joined the first, or asks by itself and shows that it did not join.
      try await eventually { provider.deduplicator.requests.callerCount == 2 || arrivals.value == 2 }
      gate.open()
      _ = try await (a, b)
    }
    #expect(requests.count == (isOn && !isTold ? 1 : 2))
  }

  @Test("An operation goes in a list, or by itself, as it says", arguments: [true, false])
  func batches(_ isOn: Bool) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.batcher = isOn ? nil : RequestChainNetworkTransport.RequestBatcher(maximumSize: 1)
    let requests = try await serve { _, request in
      [.respond(request.body.hasPrefix("[") ? "[" + hero() + "]" : hero())]
    } _: { server async throws in
      let client = client(server, provider: options)
      _ = try await client.fetch(
        query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
        requestConfiguration: RequestConfiguration(batches: isOn, onError: .halt))
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    }
    #expect(requests.map { $0.body.hasPrefix("[") } == [isOn, !isOn])
    #expect(requests.map { $0.body.contains(#""onError":"HALT""#) } == [true, false])
  }

  @Test("Events over HTTP that the app does not take end a subscription with a limit, and wait without one")
  func buffering() async throws {
    for way in Way.allCases + [nil] {
      let part = "\r\n\r\n{\"payload\":{\"data\":{\"count\":1}}}\r\n--b"
      try await serve { _, _ in
        [
          .begin(contentType: "multipart/mixed;boundary=b;subscriptionSpec=1.0"),
          .write("--b" + part + part + part + "--"), .close,
        ]
      } _: { server async throws in
        let limit = RequestConfiguration.ResultBuffering.failing(limit: 2)
        let (configuration, context) =
          way.map { ways($0, RequestConfiguration(buffering: limit), Context(buffering: limit)) } ?? (nil, nil)
        let events = client(server).subscribe(
          to: CountSubscription(), requestConfiguration: configuration, context: context)
        try await eventually { if case .finished = events.state { true } else { false } }
        var count = 0
        do {
          for try await _ in events { count += 1 }
          #expect(way == nil && count == 3)
        } catch let error as OperationError {
          #expect(way != nil && count == 2)
          #expect(error.message.contains("More than 2 results wait"), "\(error)")
          #expect(error.operationName == "Count")
        }
      }
    }
  }

  @Test("Results are kept out of the cache, which is still read")
  func writeResultsToCache() async throws {
    let requests = try await serve { count, request in
      let name = "number \(count)"
      return [.respond(hero(name, field: request.body.contains("rename") ? "rename" : "hero"))]
    } _: { server async throws in
      let client = client(server)
      let aside = RequestConfiguration(writeResultsToCache: false)
      _ = try await client.fetch(query: HeroQuery(), requestConfiguration: aside)
      #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) == nil)
      _ = try await client.fetch(query: HeroQuery())
      #expect(try await client.fetch(query: HeroQuery(), requestConfiguration: aside).source == .cache)
      _ = try await client.perform(mutation: RenameMutation(), requestConfiguration: aside)
      _ = try await client.upload(operation: RenameMutation(), files: [], requestConfiguration: aside)
      let cached1 = try await client.store.load(HeroQuery()).hero?.name
      #expect(cached1 == "number 2")
      for try await result in client.watch(
        query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, requestConfiguration: aside)
      {
        #expect(result.data?.hero?.name == "number 5", "the server's, and not what the cache has")
        break
      }
      let cached2 = try await client.store.load(HeroQuery()).hero?.name
      #expect(cached2 == "number 2")
    }
    #expect(requests.count == 5)
  }
}
