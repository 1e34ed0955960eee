@testable import Apollo
import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Events and sign-outs around watchers", .timeLimit(.minutes(5)))
struct UnsharedAnswerTests {
  private static func watch(
    _ client: ApolloClient, _ configuration: RequestConfiguration?
  ) -> (names: Received<String?>, watcher: GraphQLQueryWatcher<HeroQuery>) {
    let names = Received<String?>()
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, requestConfiguration: configuration,
      callbackQueue: .callbacks
    ) { names.add((try? $0.get())?.data?.hero?.name) }
    return (names, watcher)
  }

  @Test("Of equal queries, one is sent for those that share the cache, and one for each that does not write to it")
  func unshared() async throws {
    let (client, server) = FakeServer.client { _, count in hero("name \(count)") }
    let (own, a) = Self.watch(client, RequestConfiguration(writeResultsToCache: false))
    #expect(await own.next() == "name 1")
    let (shared, b) = Self.watch(client, nil)
    #expect(await shared.next() == "name 2")
    #expect(await client.refetch(matching: .watched) == 2)
    let name = await shared.next()
    #expect(name == "name 3" || name == "name 4")
    #expect(server.count == 4)
    a.cancel()
    b.cancel()
  }

  @Test("A watcher does not share answers as long as what it shows is kept out of the cache")
  func stillApart() async throws {
    let (client, server) = FakeServer.client { _, count in
      count == 2 ? #"{"data":null,"errors":[{"message":"no"}]}"# : hero("name \(count)")
    }
    let (own, a) = Self.watch(client, RequestConfiguration(writeResultsToCache: false))
    #expect(await own.next() == "name 1")
    a.refetch(requestConfiguration: RequestConfiguration())
    // (The failure is told without data.)
    #expect(await own.next() == .some(nil))
    let (shared, b) = Self.watch(client, nil)
    #expect(await shared.next() == "name 3")
    #expect(await client.refetch(matching: .watched) == 2)
    let name = await own.next()
    #expect(name == "name 4" || name == "name 5")
    #expect(server.count == 5)
    a.cancel()
    b.cancel()
  }

  @Test("What listens without a watcher notes the events that it was told to, and knows at once that the user goes")
  func listener() async throws {
    let (client, _) = FakeServer.client { _, _ in hero("R2-D2") }
    let listener = SignOutListener(client, refetchesOn: [.foreground]) {}
    #expect(client.post("other") == 0 && !listener.hasMissedEvent)
    #expect(client.post(.foreground) == 0 && listener.hasMissedEvent && !listener.isOver)
    try await client.signOut()
    #expect(listener.isOver && !client.isSigningOut)
  }
}
