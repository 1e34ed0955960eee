import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

/// Guesses, results, writes, reads, watchers, removals and collections, all at once. `APOLLO_STRESS_SECONDS` says for how
/// long; `make test-tsan` runs it under Thread Sanitizer.
@Suite("Tasks with guesses", .timeLimit(.minutes(10)))
struct GuessStressTests {
  private let duration = Double(ProcessInfo.processInfo.environment["APOLLO_STRESS_SECONDS"] ?? "") ?? 1

  private static func set(_ value: Int, of key: CacheKey) -> RecordSet {
    RecordSet(records: [Record(key: key, ["x": .int(value), "y": .int(value)])])
  }

  private static func pair(of key: CacheKey, in store: ApolloStore) async throws -> (x: Record.Value?, y: Record.Value?)
  {
    let fields = try await store.withinReadTransaction {
      try $0.readOnlyCache.loadRecords(forKeys: [key])[key]?.fields
    }
    return (fields?["x"], fields?["y"])
  }

  @Test("see each guess whole, and in the end none", arguments: [false, true])
  func stress(hasBackend: Bool) async throws {
    let store = hasBackend ? ApolloStore(cache: TextCache(), memoryLimit: 20_000) : ApolloStore()
    let end = ContinuousClock.now + .seconds(duration / 2), told = Locked(0)
    // On a slow machine it takes longer until anything was told.
    @Sendable func isOver() -> Bool {
      let now = ContinuousClock.now
      return now >= end && (told.withLock { $0 } > 10 || now >= end + .seconds(120))
    }
    _ = store.engine.subscribe(nil) { change in
      #expect(!change.changedKeys.isEmpty || !change.removedRecords.isEmpty)
      told.withLock { $0 += 1 }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        let key = "A:\(number)"
        group.addTask {
          var value = 0
          while !isOver() {
            value += 1
            try? await store.publish(records: Self.set(value, of: key))
            await Task.yield()
          }
        }
        for guesser in 0..<2 {
          group.addTask {
            var count = 0
            while !isOver() {
              count += 1
              let update = OptimisticUpdate(id: guesser == 0 ? nil : "same", asked: nil) { transaction in
                let guess = Guess(transaction: transaction)
                try guess.add(1, to: "x", of: key)
                try guess.add(1, to: "y", of: key)
              }
              try? await store.begin(update)
              if count % 3 == 0 {
                await store.revert(update)
              } else {
                _ = await store.complete(
                  store.completion(of: update) { transaction in
                    let guess = Guess(transaction: transaction)
                    try guess.add(10, to: "x", of: key)
                    try guess.add(10, to: "y", of: key)
                  }, asked: nil)
              }
            }
          }
        }
        group.addTask {
          while !isOver() {
            if let pair = try? await Self.pair(of: key, in: store) {
              #expect(pair.x == pair.y, "half of a guess was seen")
            }
            await Task.yield()
          }
        }
      }
      group.addTask {
        while !isOver() {
          try? await store.remove("A:3")
          _ = try? await store.collectGarbage()
          for number in 0..<50 { try? await store.publish(records: Self.set(number, of: "B:\(number)")) }
        }
      }
    }
    #expect(store.optimisticUpdates.isEmpty)
    await store.waitUntilTold()
    #expect(told.withLock { $0 } > 10)
    for number in 1...3 {
      let pair = try await Self.pair(of: "A:\(number)", in: store)
      #expect(pair.x == pair.y)
    }
  }
}
