@testable import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Sequences of a query that is watched", .everyStyle, .timeLimit(.minutes(5)))
struct WatchedSequenceTests {
  @Test("They end with their client, after its error")
  func closing() async throws {
    let server = HeldServer(.chain), client = server.client, names = Received<String?>()
    let watched = client.watch(query: HeroQuery())
    let first = Task { for try await result in watched { names.add(result.data?.hero?.name) } }
    try await server.answer("Hero", hero())
    #expect(await names.next() == "R2-D2")
    try await client.close()
    let error = await #expect(throws: OperationError.self) { try await first.value }
    #expect(error?.code == .cancelled)
    // The error was the end.
    for try await _ in watched { Issue.record("It goes on.") }
  }

  @Test("Of two queries that are set at one time, the later one is kept, with the policy of its own")
  func twoQueries() async throws {
    let server = HeldServer(.chain), client = server.client
    let own = Locked<Watch<HeroQuery>?>(nil)
    let watch = Watch(
      isStartedWhenMade: false, HeroQuery(), CachePolicy.returnCacheDataDontFetch
    ) { query, _, handler in
      // While the watcher of the earlier query is made, another thread sets the later one.
      if query.episode == .some("earlier") {
        let current = own.withLock { $0 }
        current?.setQuery(HeroQuery(episode: "later"), CachePolicy.fetchIgnoringCacheData)
      }
      return GraphQLQueryWatcher(client: client, query: query, queue: nil, resultHandler: handler)
    }
    own.withLock { $0 = watch }
    watch.setQuery(HeroQuery(episode: "earlier"), CachePolicy.returnCacheDataDontFetch)
    #expect(watch.query.episode == .some("later"))
    async let answered: Void = server.answer("Hero", hero("later"))
    let name = try await watch.next()?.get().data?.hero?.name
    #expect(name == "later")
    try await answered
    own.withLock { $0 = nil }
    watch.cancel()
  }
}
