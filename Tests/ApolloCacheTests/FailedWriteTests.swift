@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

/// A backend that fails in the middle of a write: it removes records, and then cannot merge them.
private final class HalfWriting: NormalizedCache, Sendable {
  struct Failure: Error {}

  let records = Locked(RecordSet())
  let fails = Locked(false)

  func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    records.withLock { records in records.storage.filter { keys.contains($0.key) } }
  }
  func merge(records new: RecordSet) throws -> Set<CacheKey> {
    if fails.withLock({ $0 }) { throw Failure() }
    return records.withLock { $0.merge(records: new) }
  }
  func removeRecord(for key: CacheKey) { records.withLock { $0.removeRecord(for: key) } }
  func removeRecords(matching pattern: CacheKey) { records.withLock { $0.removeRecords(matching: pattern) } }
  func clear() { records.withLock { $0.clear() } }
}

@Suite("Writes that a backend fails to keep")
struct FailedWriteTests {
  @Test("A record that the backend has lost in the middle of a write is there again after the next one")
  func half() async throws {
    for isFlush in [false, true] {
      let backend = HalfWriting(), store = ApolloStore(cache: backend)
      try await store.publish(records: ["A": ["x": 1, "y": 1], "B": ["x": 1]])
      backend.fails.withLock { $0 = true }
      await #expect(throws: HalfWriting.Failure.self) {
        try await store.withinReadWriteTransaction { try $0.removeField("x", of: "A") }
      }
      #expect(backend.loadRecords(forKeys: ["A"]).isEmpty)
      backend.fails.withLock { $0 = false }
      if isFlush { try await store.flush() } else { try await store.publish(records: ["B": ["x": 2]]) }
      #expect(backend.loadRecords(forKeys: ["A"])["A"]?.fields == ["x": 1, "y": 1])
    }
  }

  @Test("A record that was removed, and could not be, goes when the app removes it again")
  func removal() async throws {
    let backend = HalfWriting(), store = ApolloStore(cache: backend)
    try await store.publish(records: ["A": ["x": 1, "y": 1], "B": ["x": 1, "y": 1]])
    backend.fails.withLock { $0 = true }
    await #expect(throws: HalfWriting.Failure.self) {
      try await store.withinReadWriteTransaction {
        try $0.removeObject(for: "A")
        try $0.removeField("x", of: "B")
      }
    }
    backend.fails.withLock { $0 = false }
    try await store.remove("A")
    #expect(backend.loadRecords(forKeys: ["A", "B"]).mapValues(\.fields) == ["B": ["x": 1, "y": 1]])
  }

  @Test("A guess ends with the answer, also if the records that an interceptor has made of it cannot be kept")
  func guess() async throws {
    for isLoaded in [false, true] {
      let backend = TextCache()
      try await ApolloStore(cache: backend).publish(records: ["A": ["x": 1], "B": ["x": 1]])
      let store = ApolloStore(cache: backend),
        update = OptimisticUpdate(id: "g", asked: .current) {
          try $0.cache.merge(records: ["A": ["x": 2]])
        }
      try await store.begin(update)
      #expect(store.optimisticUpdates == ["g"])
      if isLoaded { try await store.publish(records: ["B": ["x": 2]]) }
      backend.fail()
      let error = await store.publish(
        .own(["B": ["x": 5]]), origin: nil, leavesOutNulls: false, lifetime: nil,
        completing: store.completion(of: update, nil), sent: nil)
      #expect(error is TextCache.Failure)
      #expect(store.optimisticUpdates == [])
      backend.fail(false)
      try await store.publish(records: ["A": ["y": 1]])
      #expect(try backend.loadRecords(forKeys: ["A"])["A"]?.fields == ["x": 1, "y": 1])
    }
  }
}
