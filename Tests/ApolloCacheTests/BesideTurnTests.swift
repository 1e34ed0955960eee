import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing
import Waiting

@Suite("What is changed beside a turn of the store")
struct BesideTurnTests {
  @Test("A guess that a transaction makes fail is told once, also if the cache is changed beside the transaction")
  func failedGuess() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["x": 1]]), store = ApolloStore(cache: cache)
    let reports = Locked<[String]>([])
    store.onOptimisticFailure = { id, _ in reports.withLock { $0.append(id) } }
    try await store.applyOptimisticUpdate(id: "a") { try Guess(transaction: $0).add(1, to: "x") }
    try await store.withinReadWriteTransaction { transaction in
      try await transaction.removeField("x", of: "A:1")
      // (A thread of its own does not hold the turn of this body.)
      try await onOwnThread { _ = try cache.merge(records: ["B:1": ["x": 1]]) }
    }
    #expect(reports.withLock { $0 } == ["a"])
    #expect(cache.loadRecords(forKeys: ["B:1"])["B:1"]?.fields == ["x": 1])
    // It is left out, and told no more.
    try await store.publish(records: ["B:1": ["x": 2]])
    #expect(store.optimisticUpdates == ["a"] && reports.withLock { $0 } == ["a"])
  }

  @Test("A guess that what is changed beside a transaction makes fail is told once as well")
  func guessThatFailsBeside() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["x": 1, "y": 1]]), store = ApolloStore(cache: cache)
    let reports = Locked<[String]>([])
    store.onOptimisticFailure = { id, _ in reports.withLock { $0.append(id) } }
    try await store.applyOptimisticUpdate(id: "a") { try Guess(transaction: $0).add(1, to: "x") }
    try await store.withinReadWriteTransaction { transaction in
      try await transaction.removeField("y", of: "A:1")
      try await onOwnThread { _ = try cache.merge(records: ["A:1": ["x": "text"]]) }
    }
    #expect(reports.withLock { $0 } == ["a"])
  }

  @Test("A guess that what is changed beside a transaction makes possible again has not failed")
  func guessThatRecovers() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["x": 1]]), store = ApolloStore(cache: cache)
    let reports = Locked(0)
    store.onOptimisticFailure = { _, _ in reports.withLock { $0 += 1 } }
    try await store.applyOptimisticUpdate(id: "a") { try Guess(transaction: $0).add(1, to: "x") }
    try await store.withinReadWriteTransaction { transaction in
      try await transaction.removeField("x", of: "A:1")
      try await onOwnThread { _ = try cache.merge(records: ["A:1": ["x": 5]]) }
    }
    #expect(try await store.withinReadTransaction { try Guess.int("x", of: "A:1", in: $0) } == 6)
    #expect(reports.withLock { $0 } == 0)
  }

  @Test("A collection is told of what is changed beside one of its steps, and not of what the step has changed")
  func collection() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["x": 1, "y": 1], "B:1": ["x": 1]])
    let store = ApolloStore(cache: cache)
    let told: [String] = try await store.engine.collect("test") { collector in
      try await collector.step { step in
        let number = step.table.number(for: "A:1")
        step.changes.formUnion(step.table.remove([.forName("x")], from: number))
        try cache.merge(records: ["QUERY_ROOT": ["b": .reference("B:1")]])
      }
      return try await collector.step { step in
        let records = step.table.records
        return step.changed.map { "\(records.key(of: $0.record) ?? "").\(records.text(of: $0.key))" }
      }
    }
    #expect(told == ["QUERY_ROOT.b"])
    #expect(cache.loadRecords(forKeys: ["A:1"])["A:1"]?.fields == ["y": 1])
  }
}
