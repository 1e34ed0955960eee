import Apollo
import ApolloMocks
import ApolloTestSupport
import Fixture0001
import Foundation
import Testing

@Suite("A transport by a schema")
struct SchemaTransportTests {
  @Test("Schemas", arguments: schemas)
  func schema(_ claim: Claim) async throws { try await claim.check() }

  static let schemas: [Claim] = [
    Claim("A schema answers a query, through the parser and the cache") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library))
      #expect(
        try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "name of User 3")
      #expect(
        try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .returnCacheDataDontFetch).source == .cache)
    },
    Claim("A watcher sees what a mutation has changed") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library))
      var names: [String?] = []
      for try await result in client.watch(query: UserQuery(id: "1")) {
        names.append(result.data?.user?.name)
        if names.count == 1 { _ = try await client.perform(mutation: RenameMutation()) } else { break }
      }
      #expect(names == ["name of User 1", "Bea"])
    },
    Claim("The errors of a schema are errors of the result") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library).failing("User.name", message: "down"))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.errors?.map(\.message) == ["down"])
    },
    Claim("An operation that does not fit the schema has its errors") { () async throws in
      let client = ApolloClient.preview(try MockSchema("type Query { other: Int }"))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.data == nil && result.errors?.contains { $0.message?.contains("user") == true } == true)
    },
    Claim("Expectations win over the schema") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library))), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("expected")))
      #expect(
        try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "expected")
      #expect(
        try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "name of User 2")
    },
    Claim("An expectation may be answered by a schema") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.schema(try MockSchema(library)))
      #expect(
        try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "name of User 2")
    },
    Claim("A subscription emits what is published, and goes on") { () async throws in
      for settings in [StreamProtocol.any, .multipart, .eventStream] {
        let schema = try MockSchema(library), transport = MockNetworkTransport(.schema(schema))
        var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
        configuration.http.session = transport.session
        configuration.http.streamProtocol = settings
        let client = ApolloClient(configuration: configuration)
        let (names, continuation) = AsyncStream<String?>.makeStream()
        let subscription = client.subscribe(subscription: ChangedSubscription(), queue: .global()) {
          continuation.yield(try? $0.get().data?.user?.name)
        }
        var iterator = names.makeAsyncIterator()
        try await schema.store.untilSubscribed("userChanged")
        #expect(try schema.store.publish("userChanged", ["id": "4"]) == 1)
        #expect(await iterator.next() == "name of User 4")
        #expect(try schema.store.publish("userChanged", ["id": "4", "name": "Four"]) == 1)
        #expect(await iterator.next() == "Four")
        #expect(try schema.store.publish("userChanged", nil) == 1)
        #expect(await iterator.next() == .some(nil))
        subscription.cancel()
        #expect(await schema.json("{ user(id: 4) { name } }") == #"{"user":{"name":"Four"}}"#)
      }
    },
    Claim("An event is for the subscriptions with its arguments") { () async throws in
      let schema = try MockSchema(library)
      let request = ExecutionRequest(query: "subscription { userChanged(id: 4) { id } }")
      guard case .stream(let stream) = await schema.respond(to: request) else { return #expect(Bool(false)) }
      #expect(try schema.store.publish("userChanged", ["id": "5"], arguments: ["id": "5"]) == 0)
      #expect(try schema.store.publish("userChanged", ["id": "4"], arguments: ["id": "4"]) == 1)
      for await result in stream {
        #expect(String(decoding: result.json, as: UTF8.self) == #"{"data":{"userChanged":{"id":"4"}}}"#)
        break
      }
    },
    Claim("A subscription emits by itself, by the clock, each time something else") { () async throws in
      let clock = TestClock()
      let schema = try MockSchema(library).emitting("Subscription.tick", every: .seconds(10))
      let request = ExecutionRequest(query: "subscription { tick }")
      guard case .stream(let stream) = await schema.respond(to: request, clock: clock) else {
        return #expect(Bool(false))
      }
      var iterator = stream.makeAsyncIterator(), events: [[UInt8]] = []
      for _ in 0..<3 {
        await clock.advanceToNext()
        events.append(await iterator.next()?.json ?? [])
      }
      #expect(Set(events).count == 3)
    },
    Claim("A published event goes before what is said of its field; one that is emitted by itself does not") {
      () async throws in
      let clock = TestClock()
      let schema = try MockSchema(library).emitting("Subscription.tick", every: .seconds(10))
        .resolving("Subscription.tick") { _ in 5 }
      let request = ExecutionRequest(query: "subscription { tick }")
      guard case .stream(let stream) = await schema.respond(to: request, clock: clock) else {
        return #expect(Bool(false))
      }
      var iterator = stream.makeAsyncIterator(), events: [GraphQLValue] = []
      for isSet in [false, true] {
        if isSet { try schema.store.set("Subscription", ["tick": 7]) }
        try schema.store.publish("tick", 1)
        events.append(await iterator.next()?.data?["tick"] ?? .null)
        await clock.advanceToNext()
        events.append(await iterator.next()?.data?["tick"] ?? .null)
      }
      #expect(events == [1, 5, 1, 7])
    },
    Claim("Latency passes by the clock of the client") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library).latency(.seconds(3))))
      let clock = TestClock(), client = makeClient(transport, clock)
      let fetch = Task {
        try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
      }
      await clock.untilWaiting()
      #expect(clock.waits.contains(.seconds(3)))
      await clock.advance(by: .seconds(3))
      #expect(try await fetch.value == "name of User 3")
    },
    Claim("A deferred fragment comes later") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library))
      var results: [(String?, Bool)] = []
      for try await result in client.results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) {
        results.append((result.data?.user?.name, result.hasNext))
      }
      #expect(results.map(\.0) == [nil, "name of User 1"])
      #expect(results.map(\.1) == [true, false])
    },
    Claim("An error in a deferred fragment leaves the part before as it is") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library).failing("User.name"))
      var results: [(id: String?, errors: Int, hasNext: Bool)] = []
      for try await result in client.results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) {
        results.append((result.data?.user?.id, result.errors?.count ?? 0, result.hasNext))
      }
      #expect(results.map(\.id) == ["1", "1"])
      #expect(results.map(\.errors) == [0, 1])
      #expect(results.map(\.hasNext) == [true, false])
    },
    Claim("An error outside of a deferred fragment leaves nothing to come for its object") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library).failing("User.id")))
      var results: [(isNull: Bool, errors: Int, hasNext: Bool)] = []
      for try await result in makeClient(transport).results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) {
        results.append((result.data?.user == nil, result.errors?.count ?? 0, result.hasNext))
      }
      #expect(results.map(\.isNull) == [true] && results.map(\.errors) == [1] && results.map(\.hasNext) == [false])
    },
    Claim("An answer of several lines is one event of a stream") { () async throws in
      let transport = MockNetworkTransport()
      transport.expect(ChangedSubscription.self).respond(
        .parts(["{\n\"data\": {\r\n\n\"user\": {\"__typename\": \"User\", \"id\": \"1\", \"name\": \"A\"}}}"]))
      var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
      configuration.http.session = transport.session
      configuration.http.streamProtocol = .eventStream
      var names: [String?] = []
      for try await result in ApolloClient(configuration: configuration).subscribe(to: ChangedSubscription()) {
        names.append(result.data?.user?.name)
      }
      #expect(names == ["A"])
    },
    Claim("Data is made up for an operation, and changed") { () async throws in
      let schema = try MockSchema(library)
      let data = try await UserQuery(id: "6").fake(schema) { $0.user?.name = "changed" }
      #expect(data.user?.id == "6" && data.user?.name == "changed")
      let text = await message { _ = try await UserQuery().fake(schema.failing("User.name")) }
      #expect(text.contains("User has no data"), "\(text)")
    },
    Claim("A client for a preview has one answer") { () async throws in
      let client = ApolloClient.preview(UserQuery.self, data: UserQuery.Data(user: UserQuery.User(id: "1", name: "P")))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "P")
    },
    Claim("Generated code reads what a schema answers") { () async throws in
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ApolloCodegenLibTests/Fixtures/0001_StarWars/schema.graphqls")
      for seed in 1...20 as ClosedRange<UInt64> {
        let client = ApolloClient.preview(try MockSchema(contentsOf: file, seed: seed))
        let hero = try await client.fetch(query: HeroDetailsQuery(full: true)).data?.hero
        #expect(hero?.characterCard.name.isEmpty == false)
        #expect(try await client.fetch(query: SearchQuery(skipShips: false)).data?.search?.count == 2)
        #expect(try await client.fetch(query: ReviewsQuery()).data?.latest.count == 2)
      }
    },
  ]
}
