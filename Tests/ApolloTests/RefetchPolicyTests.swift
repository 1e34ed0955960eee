import Apollo
import Foundation
import StyledTests
import Testing

@Suite("When a watcher asks the server after a change", .everyStyle, .timeLimit(.minutes(5)))
struct RefetchPolicyTests {
  @Test("After a change the server is asked never, when something is missing, or each time")
  func refetchPolicy() async throws {
    for (policy, afterChange, afterLoss) in [
      (ApolloClient.WatchRefetchPolicy.never, 0, 0), (.onMiss, 0, 1), (.always, 1, 2),
    ] {
      let (client, server) = FakeServer.client { _, count in hero("R2-D2 \(count)") }
      let received = Received<Result<GraphQLResult<HeroQuery.Data>, any Error>>()
      let watcher = client.watch(query: HeroQuery(), refetchPolicy: policy, callbackQueue: .callbacks) {
        received.add($0)
      }
      #expect(watcher.refetchOnFailedUpdates == (policy != .never))
      #expect(try await received.next()?.get().data?.hero?.name == "R2-D2 1")
      try await client.store.publish(records: ["Droid:2001": ["name": "Artoo"]])
      #expect(try await received.next()?.get().data?.hero?.name == "Artoo")
      if afterChange > 0 { #expect(try await received.next()?.get().data?.hero?.name == "R2-D2 2") }
      #expect(await received.isQuiet(after: client))
      #expect(server.count == 1 + afterChange, "\(policy)")
      try await client.store.withinReadWriteTransaction { try $0.removeField("name", of: "Droid:2001") }
      if afterLoss > afterChange { #expect(try await received.next()?.get().source == .server) }
      #expect(await received.isQuiet(after: client))
      #expect(server.count == 1 + afterLoss, "\(policy)")
      watcher.cancel()
    }
  }

  @Test("The old label means the same, in each form of a watch")
  func oldLabel() async throws {
    let (client, _) = FakeServer.client { _, _ in hero() }
    for refetches in [true, false] {
      let watcher = GraphQLQueryWatcher(
        client: client, query: HeroQuery(), refetchOnFailedUpdates: refetches, callbackQueue: .callbacks
      ) { _ in }
      #expect(watcher.refetchPolicy == (refetches ? .onMiss : .never))
    }
    let all: [ApolloClient.WatchedResults<HeroQuery>] = [
      client.watch(query: HeroQuery(), refetchPolicy: .always),
      client.watch(query: HeroQuery(), refetchOnFailedUpdates: false),
      client.watch(query: HeroQuery(), cachePolicy: .cacheFirst, refetchPolicy: .never),
      client.watch(query: HeroQuery(), cachePolicy: .cacheAndNetwork, refetchOnFailedUpdates: false),
    ]
    for results in all {
      for try await result in results {
        #expect(result.data?.hero?.name == "R2-D2")
        break
      }
    }
  }
}
