@testable import Apollo
import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Results that wait to be taken when the user signs out", .everyStyle, .timeLimit(.minutes(5)))
struct WaitingAtSignOutTests {
  /// What a callback was given: a name, or the code of an error.
  private static func text(_ result: Result<GraphQLResult<HeroQuery.Data>, any Error>) -> String {
    switch result {
    case .success(let result): result.data?.hero?.name ?? "nil"
    case .failure(let error): (error as? any ApolloError)?.code.description ?? "\(error)"
    }
  }

  @Test("A sequence gives no result of the former user after a sign-out, though it has come before")
  func waitingResults() async throws {
    let server = HeldServer(.chain), client = server.client
    try await client.store.write(response: ResponseBytes(Array(hero("old").utf8)), for: HeroQuery())
    let watched = client.watch(query: HeroQuery())
    let results = client.results(of: HeroQuery(), cachePolicy: .returnCacheDataElseFetch)
    // Both have their result.
    for _ in 0..<10 { await client.settle() }
    try await client.signOut()
    await #expect {
      for try await _ in watched { Issue.record("a result of the former user") }
    } throws: {
      ($0 as? any ApolloError)?.code == .signedOut
    }
    for try await _ in watched { Issue.record("It goes on.") }
    await #expect {
      for try await _ in results { Issue.record("a result of the former user") }
    } throws: {
      ($0 as? any ApolloError)?.code == .signedOut
    }
  }

  @Test("A callback whose queue does not go on before the sign-out is given the error only")
  func waitingCallbacks() async throws {
    let server = HeldServer(.chain), client = server.client
    try await client.store.write(response: ResponseBytes(Array(hero("old").utf8)), for: HeroQuery())
    let queue = DispatchQueue(label: "suspended"), given = Received<String>(), fragments = Received<String>()
    let held: [any Cancellable]
    queue.suspend()
    do {
      defer { queue.resume() }
      held = [
        client.watch(query: HeroQuery(), callbackQueue: queue) { given.add(Self.text($0)) },
        client.fetch(query: HeroQuery(), queue: queue) { given.add(Self.text($0)) },
        client.watchFragment(Hero.self, withKey: "Droid:2001", callbackQueue: queue) {
          fragments.add($0?.name ?? "nil")
        },
      ]
      for _ in 0..<10 { await client.settle() }
      try await client.signOut()
    }
    #expect(await given.next() == "signedOut")
    #expect(await given.next() == "signedOut")
    #expect(await fragments.next() == "nil")
    await queue.drain()
    #expect(given.count == 0 && fragments.count == 0)
    withExtendedLifetime(held) {}
  }
}
