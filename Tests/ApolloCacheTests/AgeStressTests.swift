@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

/// What ages need, all at once: lifetimes, a clock that is set, expiry, retentions, schedules, collections and removals.
/// `APOLLO_STRESS_SECONDS` says for how long; `make test-tsan` runs it under Thread Sanitizer.
///
/// The clock says how much work is done, and the sleeps how much of each kind. No expectation rests on either.
@Suite("Sixteen tasks with values that grow old", .timeLimit(.minutes(10)))
struct AgeStressTests {
  private let duration = Double(ProcessInfo.processInfo.environment["APOLLO_STRESS_SECONDS"] ?? "") ?? 1

  private enum Schema: SchemaMetadata {
    enum Configuration: SchemaConfiguration {}

    static let configuration: any SchemaConfiguration.Type = Configuration.self

    static func objectType(forTypename typename: String) -> Object? {
      Object(typename: typename, cascadingFields: ["friends"])
    }
  }

  private static func write(_ object: Int, _ value: Int, _ lifetime: Lifetime?, to store: ApolloStore) async {
    let query = StressTests.query(object)
    let contents = try? ResponseReader.read(
      HeroQuery.Data.self, from: bytes(StressTests.json(object, value)), variables: query.variables,
      rootKey: "QUERY_ROOT", identity: store.identity)
    if let records = contents?.records { await store.publish(records, lifetime: lifetime) }
  }

  @Test("see whole states; what is retained stays, however old it is", arguments: [false, true])
  func stress(_ hasBackend: Bool) async throws {
    let store = hasBackend ? ApolloStore(cache: TextCache(), memoryLimit: 50_000) : ApolloStore()
    let time = Locked(1_000_000.0), end = ContinuousClock.now + .seconds(duration / 2)
    store.clock = { Date(timeIntervalSince1970: time.withLock { $0 }) }
    store.register(Schema.self)
    @Sendable func isOver() -> Bool { ContinuousClock.now >= end }
    // This one is not removed.
    await Self.write(100, 0, .seconds(1), to: store)
    let retention = store.retain(StressTests.query(100))
    let schedule = store.collects(every: 0.1)
    let expiries = Locked(0)

    await withTaskGroup(of: Void.self) { group in
      for object in 0..<3 {
        group.addTask {
          var value = 0
          while !isOver() {
            value += 1
            let lifetimes: [Lifetime?] = [nil, .seconds(2), .seconds(0), .inMemory, .notStored]
            await Self.write(object, value, lifetimes[value % lifetimes.count], to: store)
          }
        }
        group.addTask {
          while !isOver() {
            let reading = await store.read(StressTests.query(object), .permissive)
            // The friend may have been removed.
            if let hero = try? reading.data.get().hero, let friend = hero.friends?.first, let name = friend?.name {
              #expect(hero.name == name, "half of a write was seen")
            }
            _ = try? await store.load(StressTests.query(object), returnsPartialData: true)
            await Task.yield()
          }
        }
        group.addTask {
          while !isOver() {
            let observer = store.addObserver(ignoring: UUID(), onExpiry: { expiries.withLock { $0 += 1 } }) { _ in }
            await withCheckedContinuation { done in
              store.observe(StressTests.query(object), for: observer) { _ in done.resume() }
            }
            try? await Task.sleep(for: .milliseconds(5))
            store.removeObserver(observer)
          }
        }
        group.addTask {
          while !isOver() {
            try? await store.remove("Droid:\(object)", cascade: object == 0)
            store.retain(StressTests.query(object)).release()
            try? await Task.sleep(for: .milliseconds(2))
          }
        }
      }
      group.addTask {
        var round = 0
        while !isOver() {
          round += 1
          time.withLock { $0 += round % 7 == 0 ? -5 : 1 }
          store.defaultMaxAge = round % 3 == 0 ? nil : Double(round % 5)
          store.maxAgeProvider = round % 2 == 0 ? nil : ApolloStore.SchemaCoordinatesMaxAgeProvider(["Droid": 3])
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
      group.addTask {
        while !isOver() {
          _ = try? await store.collectGarbage(maxStale: 1)
          try? await store.flush()
        }
      }
      group.addTask {
        while !isOver() {
          let reading = await store.read(StressTests.query(100), .permissive)
          #expect((try? reading.data.get().hero?.name) == "0")
          await Task.yield()
        }
      }
      group.addTask {
        while !isOver() {
          _ = try? await store.withinReadWriteTransaction { try $0.removeField("name", of: "Human:friend1") }
          _ = store.dump()
          try? await Task.sleep(for: .milliseconds(7))
        }
      }
    }
    schedule.cancel()
    retention.release()
    store.releaseBufferSize = 0
    try await store.removeDanglingReferences()
    try await store.removeUnreachable()
    print("stress: expired \(expiries.withLock { $0 }) times")
  }
}
