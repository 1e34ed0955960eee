import ApolloAPI
@testable import ApolloCache
import ApolloSQLite
import DiskCaches
import Foundation
import Testing

/// A store with records that lead to each other, in memory or over a backend, and what a listener is told of it.
struct GuessedStore: Sendable {
  let store: ApolloStore
  let backend: TextCache?
  private let disk: DiskCache?
  /// What a listener was told, write after write, as sorted names of fields.
  private let told = Locked<[[String]]>([])

  /// - Parameters:
  ///   - place: Where the records are.
  ///   - records: The records.
  init(_ place: Collected.Place, _ records: RecordSet = [:]) async throws {
    let collected = try await Collected(place, records)
    store = collected.store
    backend = collected.backend
    disk = collected.disk
  }

  /// All fields that reads see, as `record.field = value`, sorted.
  var seen: [String] {
    get async throws {
      try await fields {
        try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: Self.keys) }
      }
    }
  }

  /// All fields that a backend has, or that are there without the guesses.
  var kept: [String] {
    get async throws {
      try await fields {
        if let disk { return try await disk.cache.loadRecords(forKeys: Self.keys) }
        if let backend { return try backend.loadRecords(forKeys: Self.keys) }
        return (store.cache as? InMemoryNormalizedCache)?.loadRecords(forKeys: Self.keys) ?? [:]
      }
    }
  }

  private static let keys: Set<CacheKey> = ["QUERY_ROOT", "A:1", "A:2", "A:3", "A:4", "A:5"]

  private func fields(_ records: () async throws -> [CacheKey: Record]) async rethrows -> [String] {
    try await records().values.flatMap { record in record.fields.map { "\(record.key).\($0) = \($1)" } }.sorted()
  }

  /// Listens to the changes of the store from now on.
  func listen() {
    _ = store.engine.subscribe(nil) { [told] change in
      told.withLock {
        $0.append((change.changedKeys.map(\.description) + change.removedRecords.map { "-\($0)" }).sorted())
      }
    }
  }

  func set(_ name: String, _ value: Int, of key: CacheKey = "A:1") async throws {
    try await store.publish(records: RecordSet(records: [Record(key: key, [name: .int(value)])]))
  }

  func guess(_ id: String, _ change: @escaping @Sendable (Guess) throws -> Void) async throws {
    try await store.applyOptimisticUpdate(id: id) { try change(Guess(transaction: $0)) }
  }

  /// What was told since this was last called, when everything is told that has happened.
  func takeTold() async -> [[String]] {
    await store.waitUntilTold()
    return told.withLock { told in
      defer { told = [] }
      return told
    }
  }
}

/// What a test's guess does with the records.
struct Guess {
  struct Failure: Error, Equatable {}

  let transaction: ApolloStore.ReadWriteTransaction

  func int(_ name: String, of key: CacheKey = "A:1") throws -> Int {
    guard case .int(let value)? = try transaction.cache.loadRecords(forKeys: [key])[key]?.fields[name] else {
      throw Failure()
    }
    return value
  }

  func set(_ name: String, _ value: Int, of key: CacheKey = "A:1") throws {
    try transaction.cache.merge(records: RecordSet(records: [Record(key: key, [name: .int(value)])]))
  }

  func add(_ difference: Int, to name: String, of key: CacheKey = "A:1") throws {
    try set(name, int(name, of: key) + difference, of: key)
  }

  func refer(_ name: String, to keys: [CacheKey], of key: CacheKey = "QUERY_ROOT") throws {
    try transaction.cache.merge(
      records: RecordSet(records: [Record(key: key, [name: .list(keys.map { .reference($0) })])]))
  }
}
