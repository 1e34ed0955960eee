import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What a result tells", .everyStyle)
struct ResultTests {
  @Test("Status and header fields of the response come with a result of the server, and with no other")
  func httpResponse() async throws {
    try await serve { count, _ in
      [.respond(count < 3 ? hero() : hero(field: "rename"), status: 202, headers: ["X-Request-Id": "17"])]
    } _: { server async throws in
      let client = client(server)
      let result = try await client.fetch(query: HeroQuery())
      #expect(result.httpResponse?.statusCode == 202)
      #expect(result.httpResponse?.value(forHTTPHeaderField: "x-request-id") == "17")
      #expect(try await client.fetch(query: HeroQuery()).httpResponse == nil)
      for try await watched in client.watch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) {
        #expect(watched.httpResponse?.statusCode == 202)
        break
      }
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data("a".utf8))
      #expect(try await client.upload(operation: RenameMutation(), files: [file]).httpResponse?.statusCode == 202)
    }
  }

  @Test("Every event of a subscription over HTTP has the response that it is a part of")
  func events() async throws {
    try await serve { _, _ in
      [
        .begin(contentType: "text/event-stream", headers: ["X-Request-Id": "18"]),
        .write("event: next\ndata: {\"data\":{\"count\":1}}\n\nevent: next\ndata: {\"data\":{\"count\":2}}\n\n"),
        .write("event: complete\ndata:\n\n"), .close,
      ]
    } _: { server async throws in
      var ids: [String?] = []
      for try await event in client(server).subscribe(to: CountSubscription()) {
        ids.append(event.httpResponse?.value(forHTTPHeaderField: "X-Request-Id"))
      }
      #expect(ids == ["18", "18"])
    }
  }

  @Test("It depends on the fields of the records that it was read from, from the server and from the cache")
  func dependentKeys() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      client.store.cacheKeyForObject = { $0["id"] }
      let query = HeroQuery(episode: .some("JEDI"))
      let expected: Set<CacheKey> = [
        #"QUERY_ROOT.hero(episode:"JEDI")"#, "2001.__typename", "2001.id", "2001.name", "2001.height",
      ]
      for source in [GraphQLResult<HeroQuery.Data>.Source.server, .cache] {
        let result = try await client.fetch(query: query)
        #expect(result.source == source && result.dependentKeys == expected, "\(result.dependentKeys as Any)")
      }
      // They are what the store tells of a change.
      var changes = client.store.changes.makeAsyncIterator()
      try await client.store.withinReadWriteTransaction { try $0.removeObject(for: "2001") }
      let change = try #require(await changes.next())
      let changed = Set(change.changedKeys.map(\.description))
      #expect(!changed.isDisjoint(with: expected) && changed.isSubset(of: expected), "\(changed)")
    }
    #expect(GraphQLResult<HeroQuery.Data>(data: nil, source: .server).dependentKeys == nil)
  }

  @Test("The data, or an error that says what the server says")
  func dataOrThrow() async throws {
    let partial = #"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero"]},{"message":"b"}]}"#
    let answers = [hero(), partial, #"{"data":null,"errors":[{"message":"nothing"}]}"#]
    try await serve { count, _ in
      [.respond(answers[count - 1])]
    } _: { server async throws in
      let client = client(server)
      func result() async throws -> GraphQLResult<HeroQuery.Data> {
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      }
      let first = try await result().dataOrThrow()
      #expect(first.hero?.name == "R2-D2")
      let second = try await result()
      let error = #expect(throws: ResultError.self) { try second.dataOrThrow() }
      #expect(error?.message.contains("no hero") == true && error?.message.hasSuffix("(and one more error)") == true)
      #expect(error?.graphQLErrors.count == 2 && error?.httpStatus == 200 && error?.code == .operationRefused)
      #expect(try second.dataOrThrow(allowsErrors: true).hero == nil)
      let third = try await result()
      #expect(throws: ResultError.self) { try third.dataOrThrow(allowsErrors: true) }
    }
    let empty = #expect(throws: ResultError.self) {
      try GraphQLResult<HeroQuery.Data>(data: nil, source: .server).dataOrThrow()
    }
    #expect(empty?.message == "The response has no data.")
  }

  @Test("A change of one result is not seen by its copies")
  func copies() async throws {
    let first = GraphQLResult<HeroQuery.Data>(data: nil, extensions: ["a": 1], source: .server)
    var second = first
    second.extensions = ["a": 2]
    second.errors = [GraphQLError(["message": "m"])]
    #expect(first.extensions?["a"] as? Int == 1 && first.errors == nil)
    #expect(second.extensions?["a"] as? Int == 2 && second.errors?.count == 1)
  }
}

@Suite("A watched query as a sequence", .everyStyle)
struct WatchedResultTests {
  /// Answers with the episode and the number of the request.
  private func serveHeroes(
    _ script: @escaping @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step]? = { _, _ in nil },
    _ body: (ApolloClient) async throws -> Void
  ) async throws {
    try await serve { count, request in
      let episode = request.body.contains("JEDI") ? "Luke" : request.body.contains("EMPIRE") ? "Vader" : "R2-D2"
      return script(count, request) ?? [.respond(hero("\(episode) \(count)", id: episode))]
    } _: { server async throws in
      let client = client(server)
      client.store.cacheKeyForObject = { $0["id"] }
      try await body(client)
    }
  }

  @Test("It asks the server again, and goes on with other variables, without starting again")
  func refetchAndVariables() async throws {
    try await serveHeroes { client async throws in
      let heroes = client.watch(query: HeroQuery())
      var names: [String?] = []
      for try await result in heroes {
        names.append(result.data?.hero?.name)
        switch names.count {
        case 1: heroes.refetch()
        case 2: heroes.setQuery(HeroQuery(episode: .some("JEDI")))
        case 3: _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
        default: break
        }
        // What was watched before is watched no longer; what is watched now is.
        if names.count == 3 {
          _ = try await client.fetch(
            query: HeroQuery(episode: .some("JEDI")), cachePolicy: .fetchIgnoringCacheData)
        }
        if names.count == 4 { break }
      }
      #expect(names == ["R2-D2 1", "R2-D2 2", "Luke 3", "Luke 5"])
      #expect(heroes.query == HeroQuery(episode: .some("JEDI")))
    }
  }

  @Test("Of variables that follow each other fast, only the last ones' results come")
  func fastVariables() async throws {
    let first = ScriptedServer.Gate()
    try await serveHeroes({ _, request in
      request.body.contains("EMPIRE") ? [.wait(first), .respond(hero("Vader", id: "v"))] : nil
    }) { client async throws in
      let heroes = client.watch(query: HeroQuery(episode: .some("EMPIRE")))
      heroes.setQuery(HeroQuery(episode: .some("JEDI")))
      let iterator = heroes.makeAsyncIterator()
      #expect(try await iterator.next()?.data?.hero?.name.hasPrefix("Luke") == true)
      first.open()
      heroes.refetch()
      #expect(try await iterator.next()?.data?.hero?.name.hasPrefix("Luke") == true)
      heroes.cancel()
      #expect(try await iterator.next() == nil)
    }
  }

  @Test("An error does not end the watch: callbacks and sequences go on with what comes next")
  func errors() async throws {
    try await serveHeroes({ count, _ in count == 1 ? [.respond("no", status: 500)] : nil }) { client async throws in
      let log = Awaited<[String]>([])
      let watcher = client.watch(query: HeroQuery(), callbackQueue: .global()) { result in
        let line = (try? result.get().data?.hero?.name) ?? "error"
        log.change { $0.append(line) }
      }
      try await log.until { $0.count == 1 }
      watcher.refetch()
      try await log.until { $0.count == 2 }
      watcher.cancel()
      #expect(log.value == ["error", "R2-D2 2"])
    }
    try await serveHeroes({ count, _ in count == 1 ? [.respond("no", status: 500)] : nil }) { client async throws in
      let heroes = client.watch(query: HeroQuery())
      let error = await #expect(throws: OperationError.self) { for try await _ in heroes {} }
      #expect(error?.httpStatus == 500 && error?.operationName == "Hero")
      heroes.refetch()
      for try await result in heroes {
        #expect(result.data?.hero?.name == "R2-D2 2")
        break
      }
    }
  }

  @Test("The cache's result is not lost behind the error of the server that follows it at once")
  func resultBeforeError() async throws {
    try await serveHeroes({ count, _ in count == 2 ? [.respond("no", status: 500)] : nil }) { client async throws in
      _ = try await client.fetch(query: HeroQuery())
      let heroes = client.watch(query: HeroQuery(), cachePolicy: .returnCacheDataAndFetch)
      await client.settle()
      let iterator = heroes.makeAsyncIterator()
      #expect(try await iterator.next()?.data?.hero?.name == "R2-D2 1")
      await #expect(throws: OperationError.self) { try await iterator.next() }
    }
  }

  @Test("It is over when nothing holds it: also while its request is under way")
  func release() async throws {
    try await serve { _, _ in
      [.wait(.init())]
    } _: { server async throws in
      let client = client(server)
      do {
        let heroes = client.watch(query: HeroQuery())
        try await server.until(connectionCount: 1)
        _ = heroes.query
      }
      try await server.until(connectionCount: 0)
      let task = Task { for try await _ in client.watch(query: HeroQuery()) {} }
      try await server.until(connectionCount: 1)
      task.cancel()
      try await task.value
      try await server.until(connectionCount: 0)
    }
  }

  @Test("A request of a watcher may be configured by itself")
  func configuration() async throws {
    let requests = try await serve { count, _ in
      [.respond(hero("R2-D\(count)"))]
    } _: { server async throws in
      let client = client(server)
      let heroes = client.watch(query: HeroQuery(), requestConfiguration: RequestConfiguration(headers: ["X-A": "1"]))
      let iterator = heroes.makeAsyncIterator()
      _ = try await iterator.next()
      heroes.refetch(requestConfiguration: RequestConfiguration(headers: ["X-A": "2"]))
      _ = try await iterator.next()
      heroes.refetch()
      _ = try await iterator.next()
    }
    #expect(requests.map { $0.headers["x-a"] } == ["1", "2", "1"])
  }
}
