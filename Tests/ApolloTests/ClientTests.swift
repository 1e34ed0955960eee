import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

func client(_ server: ScriptedServer) -> ApolloClient { ApolloClient(url: URL(string: server.address)!) }

@Suite("The client", .everyStyle)
struct ClientTests {
  @Test("A result that is printed shows what it has")
  func printed() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let result = try await client(server).fetch(query: HeroQuery())
      for part in ["data:", "R2-D2", "errors: nil", "source:", "server", "hasNext: false", "cacheInfo:"] {
        #expect("\(result)".contains(part), "\(result)")
      }
    }
  }

  @Test("A query is posted as JSON with its name, document, variables and headers")
  func request() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond(hero())]
    } _: { server async throws in
      let result = try await client(server).fetch(query: HeroQuery(episode: "EMPIRE"))
      #expect(result.data?.hero?.name == "R2-D2")
      #expect(result.source == .server)
    }
    let request = try #require(log.all.first)
    #expect(request.method == "POST")
    #expect(
      request.body
        == #"{"extensions":{"clientLibrary":{"name":"apollo-swift","version":"0.1.0"}},"operationName":"Hero","query":"query Hero($episode: String) { hero(episode: $episode) { __typename id name height } }","variables":{"episode":"EMPIRE"}}"#
    )
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["accept"]?.contains("application/graphql-response+json") == true)
    #expect(request.headers["x-apollo-operation-name"] == "Hero")
    #expect(request.headers["x-apollo-operation-type"] == "query")
    #expect(request.headers["apollographql-client-name"] != nil)
  }

  @Test("A callback is called on the queue it asked for")
  func callback() async throws {
    try await ScriptedServer.with { _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      let queue = DispatchQueue(label: "test")
      let key = DispatchSpecificKey<Bool>()
      queue.setSpecific(key: key, value: true)
      let name: String? = try await withCheckedThrowingContinuation { continuation in
        client.fetch(query: HeroQuery(), queue: queue) { result in
          #expect(DispatchQueue.getSpecific(key: key) == true)
          continuation.resume(with: result.map { $0.data?.hero?.name })
        }
      }
      #expect(name == "R2-D2")
    }
  }

  @Test("Partial data comes with its errors")
  func partial() async throws {
    let body =
      #"{"errors":[{"message":"secret","path":["hero","height"]}],"data":{"hero":{"__typename":"Droid","id":"1","name":"R2","height":null}}}"#
    try await ScriptedServer.with { _ in
      [.respond(body)]
    } _: { server async throws in
      let client = client(server)
      let result = try await client.fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2")
      #expect(result.errors?.first?.message == "secret")
      #expect(result.errors?.first?.path == ["hero", "height"])
      let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
      #expect(cached.errors?.map(\.message) == ["secret"])
      #expect(cached.errors?.first?.path == ["hero", "height"])
      #expect(cached.cacheInfo.isPartial)
    }
  }

  @Test("A response in single bytes is one response")
  func split() async throws {
    let steps: [ScriptedServer.Step] =
      [
        .write(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(hero("Zoë 😀").utf8.count)\r\n\r\n")
      ]
      + hero("Zoë 😀").utf8.flatMap { [.writeBytes([$0]), .pause(milliseconds: 0)] }
    try await ScriptedServer.with { _ in
      steps
    } _: { server async throws in
      #expect(try await client(server).fetch(query: HeroQuery()).data?.hero?.name == "Zoë 😀")
    }
  }

  @Test("Cancelling the task cancels the request", .timeLimit(.minutes(5)))
  func cancel() async throws {
    let log = RequestLog(), never = ScriptedServer.Gate()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.wait(never), .respond(hero())]
    } _: { server async throws in
      let client = client(server)
      let task = Task { try await client.fetch(query: HeroQuery()) }
      try await log.until(count: 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await server.until(connectionCount: 0)
    }
  }

  @Test("A cancelled callback is not called")
  func cancelCallback() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      for _ in 0..<20 {
        let cancellable = client.fetch(query: HeroQuery(), queue: .callbacks) { _ in
          Issue.record("called after cancel")
        }
        cancellable.cancel()
      }
      // By the time that later ones are answered, it would have been.
      for _ in 0..<2 { _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) }
      await DispatchQueue.callbacks.drain()
    }
  }
}

@Suite("Errors of the client", .everyStyle)
struct ErrorTests {
  func error(_ steps: [ScriptedServer.Step]) async throws -> OperationError? {
    try await ScriptedServer.with { _ in
      steps
    } _: { server async throws in
      await #expect(throws: OperationError.self) { try await client(server).fetch(query: HeroQuery()) }
    }
  }

  @Test("A refused connection names the operation and the address")
  func refused() async throws {
    // (No other test can have this port.)
    let client = ApolloClient(url: URL(string: "http://127.0.0.1:1/graphql")!)
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
    #expect(error?.code == .network)
    #expect(error?.operationName == "Hero")
    #expect(error?.description.contains("refuses connections") == true)
    #expect(error?.description.contains("127.0.0.1") == true)
  }

  @Test("HTTP 500 with HTML names operation, status and what came")
  func serverError() async throws {
    let error = try await error([.respond("<html><h1>Oops</h1></html>", status: 500, contentType: "text/html")])
    #expect(error?.code == .httpStatus)
    #expect(error?.httpStatus == 500)
    #expect(error?.operationName == "Hero")
    #expect(error?.message.contains("<h1>Oops") == true)
    #expect(error?.cause is ResponseCodeInterceptor.ResponseCodeError)
  }

  @Test("A GraphQL response is one whatever the status")
  func graphQLStatus() async throws {
    let body = #"{"errors":[{"message":"invalid"}]}"#
    let step = ScriptedServer.Step.respond(
      body, status: 422, contentType: "application/graphql-response+json; charset=utf-8")
    try await ScriptedServer.with { _ in
      [step]
    } _: { server async throws in
      let result = try await client(server).fetch(query: HeroQuery())
      #expect(result.data == nil)
      #expect(result.errors?.first?.message == "invalid")
    }
  }

  @Test("Invalid JSON names the operation", arguments: ["<html>", "", "{\"data\":", "[1]"])
  func invalidJSON(_ body: String) async throws {
    let error = try await error([.respond(body)])
    #expect(error?.code == .invalidResponse)
    #expect(error?.operationName == "Hero")
  }

  @Test("JSON of another shape names operation and path")
  func wrongShape() async throws {
    let error = try await error([.respond(hero().replacing(#""R2-D2""#, with: "[]"))])
    #expect(error?.operationName == "Hero")
    #expect(error?.path == ["hero", "name"])
    #expect(error?.description.contains("Expected a String, found a list") == true)
  }

  @Test("A missing non-null field names operation and path")
  func missingField() async throws {
    let error = try await error([.respond(hero().replacing(#""name":"R2-D2","#, with: ""))])
    #expect(error?.operationName == "Hero")
    #expect(error?.path == ["hero", "name"])
  }

  @Test("A connection that breaks off is an error")
  func dropped() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"data\""
    let error = try await error([.write(head), .pause(milliseconds: 20), .close])
    #expect(error?.code == .network)
    #expect(error?.operationName == "Hero")
  }

  @Test("A callback gets the same errors")
  func callback() async throws {
    try await ScriptedServer.with { _ in
      [.respond("no", status: 503, contentType: "text/plain")]
    } _: { server async throws in
      let client = client(server)
      let error: (any Error)? = await withCheckedContinuation { continuation in
        client.fetch(query: HeroQuery(), queue: .global()) { result in
          if case .failure(let error) = result {
            continuation.resume(returning: error)
          } else {
            continuation.resume(returning: nil)
          }
        }
      }
      #expect((error as? any ApolloError)?.httpStatus == 503)
    }
  }
}

@Suite("Cache policies", .everyStyle)
struct CachePolicyTests {
  /// Fetches with each policy, first with an empty cache and then with a full one, and counts the requests.
  func run(_ policy: CachePolicy) async throws -> (
    empty: [GraphQLResult<HeroQuery.Data>.Source], full: [GraphQLResult<HeroQuery.Data>.Source], requests: Int
  ) {
    let log = RequestLog()
    return try await ScriptedServer.with { request in
      [.respond(hero("\(log.add(request))"))]
    } _: { server async throws in
      let client = client(server)
      func sources() async throws -> [GraphQLResult<HeroQuery.Data>.Source] {
        var sources: [GraphQLResult<HeroQuery.Data>.Source] = []
        for try await result in client.results(of: HeroQuery(), cachePolicy: policy) { sources.append(result.source) }
        return sources
      }
      let empty = (try? await sources()) ?? []
      _ = try await client.store.write(response: ResponseBytes(Array(hero().restyled.utf8)), for: HeroQuery())
      return (empty, try await sources(), log.count)
    }
  }

  @Test("returnCacheDataElseFetch asks the server only on a miss")
  func elseFetch() async throws {
    let (empty, full, requests) = try await run(.returnCacheDataElseFetch)
    #expect(empty == [.server])
    #expect(full == [.cache])
    #expect(requests == 1)
  }

  @Test("fetchIgnoringCacheData always asks the server")
  func ignoring() async throws {
    let (empty, full, requests) = try await run(.fetchIgnoringCacheData)
    #expect(empty == [.server])
    #expect(full == [.server])
    #expect(requests == 2)
  }

  @Test("returnCacheDataDontFetch never asks the server")
  func dontFetch() async throws {
    let (empty, full, requests) = try await run(.returnCacheDataDontFetch)
    #expect(empty == [])
    #expect(full == [.cache])
    #expect(requests == 0)
  }

  @Test("returnCacheDataAndFetch gives both")
  func andFetch() async throws {
    let (empty, full, requests) = try await run(.returnCacheDataAndFetch)
    #expect(empty == [.server])
    #expect(full == [.cache, .server])
    #expect(requests == 2)
  }

  @Test("fetchIgnoringCacheCompletely writes nothing")
  func ignoringCompletely() async throws {
    try await ScriptedServer.with { _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      await #expect(throws: ResponseDecodingError.self) { try await client.store.load(HeroQuery()) }
    }
  }

  @Test("A miss that may not fetch is an error that names operation and field")
  func miss() async throws {
    try await ScriptedServer.with { _ in
      []
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server).fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
      }
      #expect(error?.code == .cacheMiss)
      #expect(error?.operationName == "Hero")
    }
  }
}

@Suite("Watching", .everyStyle, .timeLimit(.minutes(5)))
struct WatchTests {
  @Test("A watcher delivers what another operation changes, and its own result once")
  func mutation() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond(request.body.contains("mutation") ? hero("Artoo", field: "rename") : hero())]
    } _: { server async throws in
      let client = client(server)
      var names: [String?] = []
      for try await result in client.watch(query: HeroQuery()) {
        names.append(result.data?.hero?.name)
        if names.count == 1 { try await client.perform(mutation: RenameMutation()) }
        if names.count == 2 { break }
      }
      #expect(names == ["R2-D2", "Artoo"])
      #expect(log.count == 2)
    }
  }

  @Test("A watcher with a callback watches until it is cancelled")
  func callback() async throws {
    try await ScriptedServer.with { _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      let (names, continuation) = AsyncStream<String?>.makeStream()
      let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) { result in
        continuation.yield(try? result.get().data?.hero?.name)
      }
      var iterator = names.makeAsyncIterator()
      #expect(await iterator.next() == "R2-D2")
      _ = try await client.store.write(response: ResponseBytes(Array(hero("Artoo").restyled.utf8)), for: HeroQuery())
      #expect(await iterator.next() == "Artoo")
      watcher.cancel()
      _ = try await client.store.write(response: ResponseBytes(Array(hero("gone").restyled.utf8)), for: HeroQuery())
      await client.settle()
      continuation.finish()
      #expect(await iterator.next() == nil)
    }
  }

  @Test("A watcher fetches again when the cache no longer has its data")
  func refetch() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      [.respond(hero("\(log.add(request))"))]
    } _: { server async throws in
      let client = client(server)
      var names: [String?] = []
      for try await result in client.watch(query: HeroQuery()) {
        names.append(result.data?.hero?.name)
        if names.count == 1 { try await client.store.clearCache() }
        if names.count == 2 { break }
      }
      #expect(names == ["1", "2"])
    }
  }
}
