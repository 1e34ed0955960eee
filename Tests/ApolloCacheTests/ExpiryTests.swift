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

  /// Notes each sleep, which ends only when it is cancelled.
  private struct NotingClock: ClientClock {
    let date = Collected.start
    let now = ContinuousClock.now
    let sleeps = Awaited<[Duration]>([])
    let isAsleep = DispatchSemaphore(value: 0)

    func sleep(until deadline: ContinuousClock.Instant) async throws {
      sleeps.change { $0.append(deadline - now) }
      isAsleep.signal()
      try await untilCancelled()
    }
  }

  @Test("A time that is found while another task takes the place of the one that has looked for it is not forgotten")
  func meanwhile() async throws {
    let timer = ExpiryTimer(), clock = NotingClock()
    timer.clock = clock
    let ids = (1...3).map { ObserverID(rawValue: $0) }
    timer.set(
      ids[0],
      ExpiryTimer.Wait(
        expiry: 100,
        read: {
          // The task for an earlier time goes on to sleep until the latest one.
          timer.set(ids[1], ExpiryTimer.Wait(expiry: 500, read: { 500 }, onExpiry: {}), now: { 100 })
          timer.set(ids[2], ExpiryTimer.Wait(expiry: 90, read: { 90 }, onExpiry: {}), now: { 100 })
          clock.isAsleep.wait()
          return 160
        }, onExpiry: {}), now: { 100 })
    try await clock.sleeps.until { $0 == [.seconds(400), .seconds(60)] }
    for id in ids { timer.remove(id) }
  }
}
