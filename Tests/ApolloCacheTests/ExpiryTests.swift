import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing
import Waiting

@Suite("Observers that are told when something is too old", .timeLimit(.minutes(5)))
struct ExpiryTests {
  @Test("One whose answer was confirmed without an age is not told, until it was confirmed with one")
  func confirmed() async throws {
    let store = ApolloStore(), first = #"hero(episode:"A")"#, second = #"hero(episode:"B")"#
    store.clock = { Collected.start }
    try await store.publish(
      records: .received(
        ["QUERY_ROOT": [first: nil, second: nil]],
        expiring: ["QUERY_ROOT.\(first)": 2, "QUERY_ROOT.\(second)": 3]))
    let told = Locked(0), isFirstTold = Event(), isSecondTold = Event()
    let observers = [
      store.addObserver(
        ignoring: UUID(),
        onExpiry: {
          told.withLock { $0 += 1 }
          isFirstTold.happen()
        }
      ) { _ in },
      store.addObserver(ignoring: UUID(), onExpiry: { isSecondTold.happen() }) { _ in },
    ]
    for (observer, episode) in zip(observers, ["A", "B"]) {
      await withCheckedContinuation { done in
        store.observe(HeroQuery(episode: .some(episode)), for: observer) { _ in done.resume() }
      }
    }
    try await store.publish(records: .received(["QUERY_ROOT": [first: nil]]))
    store.clock = { Collected.start.addingTimeInterval(10) }
    // They are told in the order in which their answers have become too old.
    try await isSecondTold.wait()
    #expect(told.withLock { $0 } == 0)
    // Another response gives it an age again.
    try await store.publish(
      records: .received(
        ["QUERY_ROOT": [first: nil]], at: Collected.start.addingTimeInterval(10), expiring: ["QUERY_ROOT.\(first)": 2]))
    store.clock = { Collected.start.addingTimeInterval(3600) }
    try await isFirstTold.wait()
    #expect(told.withLock { $0 } == 1)
    for observer in observers { store.removeObserver(observer) }
  }
}
