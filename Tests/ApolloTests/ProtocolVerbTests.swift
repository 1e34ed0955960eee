import ApolloConcurrency
import Apollo
import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

/// A stand-in for a client, as apps wrote it for release 1.25. It has the functions with callbacks only.
private final class MockClient: ApolloClientProtocol {
  final class Running: Cancellable {
    let isCancelled = Locked(false)
    func cancel() { isCancelled.withLock { $0 = true } }
  }

  let store = ApolloStore()
  /// The bodies of the results that come, one after the other; or the error.
  var answer: Result<[String], any Error>
  /// Whether handlers are kept, so that more might come.
  var keepsHandlers = false
  /// How often the completion of ``clearCache(callbackQueue:completion:)`` is called.
  var clearingCount = 0
  private(set) var calls: [String] = []
  private(set) var running = Running()
  private var kept: [Any] = []

  init(_ answer: Result<[String], any Error>) { self.answer = answer }

  private func run<Data: SelectionSet>(
    _ call: String, _ queue: DispatchQueue, _ handler: GraphQLResultHandler<Data>?
  ) -> any Cancellable {
    calls.append(call)
    if keepsHandlers { kept.append(handler as Any) }
    do {
      let bodies = try answer.get()
      for (index, body) in bodies.enumerated() {
        let json = try JSONSerializationFormat.deserialize(data: Foundation.Data(body.utf8))
        let source: GraphQLResult<Data>.Source = index < bodies.count - 1 ? .cache : .server
        handler?(
          .success(
            GraphQLResult(
              data: try Data(jsonObject: json as? JSONObject ?? [:]), extensions: nil, errors: nil, source: source,
              dependentKeys: nil)))
      }
    } catch {
      handler?(.failure(error))
    }
    return running
  }

  func clearCache(callbackQueue: DispatchQueue, completion: ((Result<Void, any Error>) -> Void)?) {
    for _ in 0..<clearingCount { completion?(.success(())) }
  }

  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable { run("fetch \(cachePolicy)", queue, resultHandler) }

  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, context: (any RequestContext)?, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    _ = run("watch \(cachePolicy)", callbackQueue, resultHandler)
    return GraphQLQueryWatcher(client: self, query: query, callbackQueue: callbackQueue, resultHandler: resultHandler)
  }

  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable { run("perform \(publishResultToStore)", queue, resultHandler) }

  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable { run("upload", queue, resultHandler) }

  func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable { run("subscribe", queue, resultHandler) }
}

@Suite("Mocks of a client that do nothing, or too much", .timeLimit(.minutes(5)))
struct IdleMockTests {
  @Test("Clearing their cache ends, however often they call the completion", arguments: 0...2)
  func clearing(count: Int) async throws {
    let mock = MockClient(.success([]))
    mock.clearingCount = count
    let client: any ApolloClientProtocol = mock
    try await client.clearCache()
  }
}

/// Members of a response's `data`.
private func data(_ name: String, field: String = "hero") -> String {
  #"{"\#(field)":{"__typename":"Droid","id":"1","name":"\#(name)","height":null}}"#
}

@Suite("The async verbs of any client", .timeLimit(.minutes(5)))
struct ProtocolVerbTests {
  @Test("A mock written for release 1 has async verbs, which call its functions with callbacks")
  func mock() async throws {
    let mock = MockClient(.success([data("R2")]))
    let client: any ApolloClientProtocol = mock
    #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2")
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly).data?.hero?.name == "R2")
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)?.data?.hero?.name == "R2")
    #expect(try await mock.fetch(query: HeroQuery()).data?.hero?.name == "R2")
    mock.answer = .success([data("C3", field: "rename")])
    #expect(try await client.perform(mutation: RenameMutation()).data?.rename.name == "C3")
    try await client.perform(mutation: RenameMutation(), publishResultToStore: false)
    #expect(try await client.upload(operation: RenameMutation(), files: []).data?.rename.name == "C3")
    #expect(
      mock.calls == [
        "fetch returnCacheDataElseFetch", "fetch fetchIgnoringCacheData", "fetch returnCacheDataDontFetch",
        "fetch returnCacheDataElseFetch", "perform true", "perform false", "upload",
      ])
  }

  @Test("A mock's results come as sequences: two of a fetch, those of a watch, and the events of a subscription")
  func sequences() async throws {
    let mock = MockClient(.success([data("R2"), data("C3")]))
    let client: any ApolloClientProtocol = mock
    var names: [String?] = []
    for try await result in try client.fetch(query: HeroQuery(), cachePolicy: .cacheAndNetwork) {
      names.append(result.data?.hero?.name)
    }
    for try await result in try client.fetch(query: HeroQuery(), fetchBehavior: .CacheAndNetwork) {
      names.append(result.data?.hero?.name)
    }
    for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
      names.append(result.data?.hero?.name)
    }
    #expect(names == ["R2", "C3", "R2", "C3", "R2", "C3"])
    #expect(
      try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataAndFetch).data?.hero?.name == "C3")

    mock.answer = .success([data("BB")])
    let watched = client.watch(query: HeroQuery())
    for try await result in watched {
      #expect(result.data?.hero?.name == "BB")
      break
    }
    watched.setQuery(HeroQuery(episode: "JEDI"), cachePolicy: .fetchIgnoringCacheData)
    for try await result in watched {
      #expect(result.data?.hero?.name == "BB")
      break
    }
    #expect(mock.calls.suffix(2) == ["watch returnCacheDataElseFetch", "watch fetchIgnoringCacheData"])

    mock.answer = .success([#"{"count":1}"#, #"{"count":2}"#])
    let events = client.subscribe(to: CountSubscription())
    var counts: [Int?] = []
    for try await event in events { counts.append(event.data?.count) }
    for try await event in try client.subscribe(subscription: CountSubscription()) { counts.append(event.data?.count) }
    #expect(counts == [1, 2, 1, 2])
    guard case .finished(.completed) = events.state else { return #expect(Bool(false), "\(events.state)") }
  }

  @Test("An error of a mock is thrown with the operation's name, and so is the lack of an answer")
  func errors() async throws {
    let client: any ApolloClientProtocol = MockClient(.failure(URLError(.timedOut)))
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
    #expect(error?.cause is URLError && error?.operationName == "Hero")
    let watchError = await #expect(throws: OperationError.self) {
      for try await _ in client.watch(query: HeroQuery()) {}
    }
    #expect(watchError?.cause is URLError)
    let eventError = await #expect(throws: OperationError.self) {
      for try await _ in client.subscribe(to: CountSubscription()) {}
    }
    #expect(eventError?.cause is URLError && eventError?.operationName == "Count")
    let events = client.subscribe(to: CountSubscription())
    var states: [String] = []
    for await state in events.states { states.append(String("\(state)".prefix { $0 != ":" })) }
    #expect(states == ["failed"], "it was never active")
    withExtendedLifetime(events) {}
    let silent: any ApolloClientProtocol = MockClient(.success([]))
    let missing = await #expect(throws: OperationError.self) { try await silent.perform(mutation: RenameMutation()) }
    #expect(missing?.message == "MockClient ended without a result and without an error.")
  }

  @Test("Cancelling the task cancels what a mock runs")
  func cancelling() async throws {
    let mock = MockClient(.success([]))
    mock.keepsHandlers = true
    let client = Handoff(mock as any ApolloClientProtocol), running = mock.running
    let fetch = begin { try await client.value.fetch(query: HeroQuery()) }
    fetch.cancel()
    await #expect(throws: CancellationError.self) { try await fetch.value }
    #expect(running.isCancelled.withLock { $0 })
  }

  @Test("A real client as any client does what it does by itself")
  func realClient() async throws {
    let (real, server) = FakeServer.client { operation, count in
      operation == "Rename" ? hero("\(count)", field: "rename") : hero("\(count)")
    }
    let client: any ApolloClientProtocol = real
    #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "1")
    #expect(try await client.fetch(query: HeroQuery()).source == .cache)
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly).data?.hero?.name == "2")
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)?.data?.hero?.name == "2")
    var names: [String?] = []
    for try await result in try client.fetch(query: HeroQuery(), cachePolicy: .cacheAndNetwork) {
      names.append(result.data?.hero?.name)
    }
    #expect(names == ["2", "3"])
    #expect(try await client.perform(mutation: RenameMutation()).data?.rename.name == "4")
    let watched = client.watch(query: HeroQuery())
    for try await result in watched {
      #expect(result.data?.hero?.name == "4")
      break
    }
    let configuration = RequestConfiguration(requestTimeout: -1)
    await #expect(throws: OperationError.self) {
      try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly, requestConfiguration: configuration)
    }
    #expect(server.count == 4)
    // There is no watcher here that would ask the server for what is missing.
    let empty: any ApolloClientProtocol = FakeServer.client { _, _ in hero() }.client
    #expect(try await empty.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) == nil)
  }
}
