import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("networkFirst", .everyStyle)
struct NetworkFirstTests {
  private struct Offline: Error {}

  @Test("The server answers where it can, although the cache has the data, and the cache takes what it says")
  func server() async throws {
    let (client, server) = FakeServer.client { _, count in hero("\(count)") }
    for count in 1...2 {
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      #expect(result.source == .server)
      #expect(result.data?.hero?.name == "\(count)")
      #expect(result.cacheInfo.fetchError == nil)
    }
    #expect(server.count == 2)
    #expect(try await client.store.load(HeroQuery()).hero?.name == "2")
  }

  @Test("The cache answers an operation that fails, and the result says why it came to that")
  func cache() async throws {
    let (client, server) = FakeServer.client { _, count in
      if count > 1 { throw Offline() }
      return hero()
    }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    let result = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    #expect(result.source == .cache)
    #expect(result.data?.hero?.name == "R2-D2")
    #expect(result.cacheInfo.isHit)
    #expect(result.cacheInfo.fetchError is Offline)
    #expect(server.count == 2)
  }

  @Test("Where the cache has no answer either, the error is that of the server")
  func neither() async throws {
    let (client, _) = FakeServer.client { _, _ in throw Offline() }
    let error = await #expect(throws: OperationError.self) {
      try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    }
    #expect(error?.cause is Offline)
  }

  @Test("Errors that the server reports for fields are its answer")
  func fieldErrors() async throws {
    let (client, _) = FakeServer.client { _, count in
      count == 1 ? hero() : #"{"data":{"hero":null},"errors":[{"message":"gone","path":["hero"]}]}"#
    }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    let result = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
    #expect(result.source == .server)
    #expect(result.errors?.map(\.message) == ["gone"])
  }

  @Test("Statuses count as failures, and all retries come before the cache")
  func retries() async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond(hero())] : [.respond("busy", status: 503)]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.retry = .init(maxRetries: 2, retryRule: .transientFailures)
      let client = client(server, provider: options)
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      #expect(result.source == .cache)
      #expect((result.cacheInfo.fetchError as? any ApolloError)?.httpStatus == 503)
    }
    #expect(requests.count == 4)
  }

  @Test("A watcher gets what the cache has while the server is away, and watches on")
  func watching() async throws {
    let (client, _) = FakeServer.client { _, count in
      if count > 1 { throw Offline() }
      return hero()
    }
    _ = try await client.fetch(query: HeroQuery())
    let names = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), cachePolicy: .networkFirst, callbackQueue: .global()) { result in
      names.add(try? result.get().data?.hero?.name)
    }
    #expect(await names.next() == "R2-D2")
    try await client.store.withinReadWriteTransaction {
      try $0.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = "Artoo" }
    }
    #expect(await names.next() == "Artoo")
    watcher.cancel()
  }
}
