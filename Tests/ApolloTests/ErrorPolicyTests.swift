import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

/// After what Apollo Client says of `errorPolicy`, in its documentation of error handling and its tests of QueryManager. What
/// holds over every transport is in `NetworkTransportConformance`.
@Suite("Error policies", .everyStyle)
struct ErrorPolicyTests {
  private let nameless =
    #"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero"],"extensions":{"code":"GONE"}}]}"#

  @Test("The error of an operation that may have none says what the server said, to each caller")
  func failure() async throws {
    let (client, _) = FakeServer.client { [nameless] _, _ in nameless }
    let configuration = RequestConfiguration(errorPolicy: .none)
    let error = await #expect(throws: OperationError.self) {
      try await client.fetch(query: HeroQuery(), requestConfiguration: configuration)
    }
    #expect(error?.code == .operationRefused && error?.operationName == "Hero" && error?.path.count == 1)
    let cause = try #require(error?.cause as? ResultError)
    #expect(cause.graphQLErrors.map(\.message) == ["no hero"] && cause.httpStatus == 200)
    let results = Received<String>()
    client.fetch(query: HeroQuery(), requestConfiguration: configuration, queue: .global()) { result in
      if case .failure(let error as OperationError) = result { results.add("\(error.code)") } else { results.add("?") }
    }
    #expect(await results.next() == "operationRefused")
  }

  @Test("An operation's policy takes precedence over the client's; without any, a result has data and errors")
  func precedence() async throws {
    for common in [ErrorPolicy.inherited, .all, .ignore, .none] {
      let (_, server) = FakeServer.client { [nameless] _, _ in nameless }
      let store = ApolloStore()
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          interceptorProvider: server, endpointURL: try #require(URL(string: "http://localhost/graphql"))),
        store: store, defaultRequestConfiguration: RequestConfiguration(errorPolicy: common))
      for own in [ErrorPolicy.inherited, .all, .ignore, .none] {
        let result = try? await client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
          requestConfiguration: RequestConfiguration(errorPolicy: own))
        switch own == .inherited ? common : own {
        case .none: #expect(result == nil, "\(common), \(own)")
        case .ignore: #expect(result?.errors == nil && result?.data != nil, "\(common), \(own)")
        case .all, .inherited: #expect(result?.errors?.count == 1 && result?.data != nil, "\(common), \(own)")
        }
      }
    }
  }

  @Test("The guess of a mutation that may have no errors is taken back, and its update is not run")
  func guess() async throws {
    let answer = hero("R2-D2", field: "rename").dropLast() + #","errors":[{"message":"half done"}]}"#
    let (client, _) = FakeServer.client { operation, _ in operation == "Hero" ? hero("C-3PO") : String(answer) }
    client.store.cacheKeyForObject = { $0["id"] }
    _ = try await client.fetch(query: HeroQuery())
    let updates = Locked(0)
    func name() async -> String? {
      try? await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero?.name
    }
    let expected = try RenameMutation.Data(
      jsonObject: ["rename": ["__typename": "Droid", "id": "2001", "name": "guess", "height": 1.0] as JSONObject])
    func rename(_ policy: ErrorPolicy) async throws -> GraphQLResult<RenameMutation.Data> {
      try await client.perform(
        mutation: RenameMutation(), optimisticData: expected, update: { _, _ in updates.withLock { $0 += 1 } },
        requestConfiguration: RequestConfiguration(errorPolicy: policy))
    }
    await #expect(throws: OperationError.self) { try await rename(.none) }
    #expect(await name() == "C-3PO" && updates.withLock { $0 } == 0)
    #expect(try await rename(.ignore).errors == nil)
    #expect(await name() == "R2-D2" && updates.withLock { $0 } == 1)
  }

  @Test("A watcher goes on after a result that it may not have, and is told of the next one")
  func watcher() async throws {
    let (client, _) = FakeServer.client { [nameless] _, count in count == 2 ? nameless : hero("hero \(count)") }
    let results = Received<String>()
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
      requestConfiguration: RequestConfiguration(errorPolicy: .none), callbackQueue: .global()
    ) { result in
      switch result {
      case .success(let value): results.add(value.data?.hero?.name ?? "nothing")
      case .failure(let error): results.add("\((error as? OperationError)?.code.description ?? "?")")
      }
    }
    #expect(await results.next() == "hero 1")
    watcher.refetch()
    #expect(await results.next() == "operationRefused")
    // What was there before is there still.
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(cached.data?.hero?.name == "hero 1" && cached.errors == nil)
    watcher.refetch()
    #expect(await results.next() == "hero 3")
    watcher.cancel()
  }

  @Test("Where errors are ignored, a watcher is given the data that a fetch is given", arguments: [true, false])
  func ignoredByWatchers(hasPath: Bool) async throws {
    let answer =
      #"{"data":{"hero":null},"errors":[{"message":"no hero"\#(hasPath ? #","path":["hero"]"# : "")}]}"#
    let (client, _) = FakeServer.client { _, count in count == 1 ? hero() : answer }
    let results = Received<String>()
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
      requestConfiguration: RequestConfiguration(errorPolicy: .ignore), callbackQueue: .global()
    ) { result in
      let value = try? result.get()
      results.add("\(value?.data?.hero?.name ?? "no hero"), \(value?.errors?.count ?? 0) errors")
    }
    #expect(await results.next() == "R2-D2, 0 errors")
    watcher.refetch()
    let second = await results.next()
    #expect(second == "no hero, 0 errors")
    watcher.cancel()
  }

  @Test("An event with errors ends a subscription that may have none, and has no errors where they are ignored")
  func subscription() async throws {
    try await serve { _, _ in
      [
        .begin(contentType: "text/event-stream"),
        .write("event: next\ndata: {\"data\":{\"count\":1}}\n\n"),
        .write("event: next\ndata: {\"data\":{\"count\":2},\"errors\":[{\"message\":\"late\"}]}\n\n"),
        .write("event: next\ndata: {\"data\":{\"count\":3}}\n\nevent: complete\ndata:\n\n"), .close,
      ]
    } _: { server async throws in
      for (policy, counts, errors) in [
        (ErrorPolicy.none, [1], 0), (.ignore, [1, 2, 3], 0), (.all, [1, 2, 3], 1),
      ] {
        var seen: [Int] = [], errorCount = 0, hasFailed = false
        do {
          let events = client(server).subscribe(
            to: CountSubscription(), requestConfiguration: RequestConfiguration(errorPolicy: policy))
          for try await event in events {
            seen.append(event.data?.count ?? 0)
            errorCount += event.errors?.count ?? 0
          }
        } catch let error as OperationError {
          hasFailed = error.code == .operationRefused
        }
        #expect(seen == counts && errorCount == errors && hasFailed == (policy == .none), "\(policy)")
      }
    }
  }

  /// Answers with one body after the other, and does not end by itself.
  private final class Bodies: ResponseTransport {
    private let bodies: [String]
    let ends = Received<Bool>()

    init(_ bodies: [String]) { self.bodies = bodies }

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      defer { ends.add(true) }
      for body in bodies { try await receive(TransportResponse(Data(body.utf8))) }
      try await untilCancelled()
    }
  }

  private struct DeferredQuery: GraphQLQuery {
    static let operationName = "Deferred"
    static let operationDocument = OperationDocument("query Deferred { ... @defer { hero { __typename id name } } }")
    typealias Data = HeroQuery.Data
  }

  @Test("What is refused ends an operation with a callback, which is told of it once")
  func refusedOnce() async throws {
    let configuration = RequestConfiguration(errorPolicy: .none), late = #""errors":[{"message":"late"}]"#
    let told = Received<String>()
    let events = Bodies([#"{"data":{"count":1}}"#, #"{"data":{"count":2},\#(late)}"#, #"{"data":{"count":3}}"#])
    let subscribing = ApolloClient(networkTransport: events, store: ApolloStore())
    let subscription = subscribing.subscribe(
      subscription: CountSubscription(), requestConfiguration: configuration, queue: .callbacks
    ) { told.add((try? $0.get()).map { "\($0.data?.count ?? 0)" } ?? "refused") }
    #expect(await told.next() == "1")
    #expect(await told.next() == "refused")
    #expect(await events.ends.next() == true)
    let parts = Bodies([
      #"{"data":{"hero":null},\#(late),"hasNext":true}"#,
      #"{"incremental":[{"path":[],"data":{"a":1}}],"hasNext":true}"#, #"{"hasNext":false}"#,
    ])
    let fetching = ApolloClient(networkTransport: parts, store: ApolloStore())
    let fetch = fetching.fetch(
      query: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration,
      queue: .callbacks
    ) { told.add((try? $0.get()) == nil ? "refused" : "given") }
    #expect(await told.next() == "refused")
    #expect(await parts.ends.next() == true)
    await DispatchQueue.callbacks.drain()
    #expect(told.count == 0)
    withExtendedLifetime((subscribing, subscription, fetching, fetch)) {}
  }
}
