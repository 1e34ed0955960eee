@testable import ApolloAPI
@testable import ApolloCache
import DiskCaches
import Foundation
import Testing

/// A store with records, in memory or over a backend.
struct Collected: Sendable {
  enum Place: CaseIterable {
    case memory
    /// The store has written the records itself, so they are in its memory as well.
    case backend
    /// Another store has written them.
    case reopened
    /// As `reopened`, and the backend cannot list its keys. A query has been read.
    case unlisted
    /// As `backend`, in a file.
    case disk
    /// As `reopened`, in a file that was closed in between.
    case reopenedDisk

    var isOnDisk: Bool { self == .disk || self == .reopenedDisk }
  }

  let store: ApolloStore
  let backend: TextCache?
  let disk: DiskCache?
  private let clock = Locked(1_000_000.0)

  static let start = Date(timeIntervalSince1970: 1_000_000)

  init(_ place: Place, _ records: RecordSet) async throws {
    backend = place == .memory || place.isOnDisk ? nil : TextCache()
    disk = place.isOnDisk ? try DiskCache() : nil
    let cache: (any NormalizedCache)? = backend ?? disk?.cache
    var store = cache.map { ApolloStore(cache: $0) } ?? ApolloStore()
    try await store.publish(records: records)
    if let disk, place == .reopenedDisk {
      try await disk.reopen()
      store = ApolloStore(cache: disk.cache)
    }
    if let backend, place == .reopened { store = ApolloStore(cache: backend) }
    if let backend, place == .unlisted { store = ApolloStore(cache: Unlisted(backend)) }
    self.store = store
    store.clock = { [clock] in Date(timeIntervalSince1970: clock.withLock { $0 }) }
  }

  func wait(_ seconds: Double) { clock.withLock { $0 += seconds } }

  /// All records that there are.
  var records: [CacheKey: Record.Fields] {
    if let disk { return (try? disk.records.storage.mapValues(\.fields)) ?? [:] }
    guard let backend else {
      return store.engine.table.numbers.reduce(into: [:]) { all, number in
        if let record = store.engine.table.exported(number) { all[record.key] = record.fields }
      }
    }
    return backend.state.withLock { state in
      state.texts.keys.reduce(into: [:]) { all, key in all[key] = (try? state.record(key))?.fields }
    }
  }

  /// A backend that does not list its keys.
  private final class Unlisted: NormalizedCache {
    let inner: TextCache
    init(_ inner: TextCache) { self.inner = inner }
    func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] { try inner.loadRecords(forKeys: keys) }
    func merge(records: RecordSet) throws -> Set<CacheKey> { try inner.merge(records: records) }
    func removeRecord(for key: CacheKey) throws { try inner.removeRecord(for: key) }
    func removeRecords(matching pattern: CacheKey) throws { try inner.removeRecords(matching: pattern) }
    func clear() throws { try inner.clear() }
  }
}

extension RecordSet {
  /// Records that a server has sent at a time.
  static func received(
    _ records: [CacheKey: Record.Fields], at date: Date = Collected.start, expiring: [CacheKey: TimeInterval] = [:]
  ) -> RecordSet {
    RecordSet(
      records: records.map { key, fields in
        var record = Record(key: key, fields, receivedAt: date)
        for field in fields.keys {
          record.expirations[field] = expiring["\(key).\(field)"].map { date.addingTimeInterval($0) }
        }
        return record
      })
  }
}

/// Watches an object until it is cancelled.
func watch<Object: SelectionSet>(_ type: Object.Type, _ key: CacheKey, in store: ApolloStore) async -> ObserverID {
  let observer = store.addObserver(ignoring: UUID()) { _ in }
  await withCheckedContinuation { done in
    let isFirst = Locked(true)
    store.whenTold { state in
      await state.observe(type, withKey: key, variables: .none, for: observer) { _ in
        let isDone = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if isDone { done.resume() }
      }
    }
  }
  return observer
}
