public import Foundation

// A collection looks at 500 records at a time. Other writes go on between two such steps. If the task is cancelled, it
// ends after the current step with a `CancellationError`. Each function waits until no other collection is under way.

extension ApolloStore {
  /// What a collection has removed.
  public struct CollectedGarbage: Hashable, Sendable {
    /// The fields that were removed, as `record.field`. Of lists without an element, and of objects without a key, it is
    /// the path of what was removed, such as `Droid:2001.friends.0`. Fields of ``removedRecords`` are here only if they
    /// were removed before the record was.
    public internal(set) var removedFields: [String] = []
    /// The keys of the records that were removed.
    public internal(set) var removedRecords: [CacheKey] = []

    /// Whether nothing was removed.
    public var isEmpty: Bool { removedFields.isEmpty && removedRecords.isEmpty }

    init() {}

    /// Joins what steps have removed. A step itself adds to no list that grows with the store.
    init(joining parts: [CollectedGarbage]) {
      removedFields = parts.flatMap(\.removedFields)
      removedRecords = parts.flatMap(\.removedRecords)
    }
  }

  /// Removes what is of no use any more: ``removeStaleFields(maxStale:)``, ``removeDanglingReferences()`` and
  /// ``removeUnreachable()``, in this order. What is watched or retained stays; see ``retain(_:)``.
  ///
  /// With a backend, all of its records are looked at if it is an ``EnumerableNormalizedCache``, and otherwise those that
  /// are in memory. Records that are loaded for that do not stay in memory.
  ///
  /// - Parameter maxStale: How many seconds longer than it may be used a field stays. The default is 0.
  /// - Returns: What was removed.
  /// - Throws: What a backend throws; then the step that failed has changed nothing, and those before it have happened.
  ///   ``Error/isWithinTransaction(call:transaction:)`` in the body of a transaction.
  @discardableResult
  public func collectGarbage(maxStale: TimeInterval = 0) async throws -> CollectedGarbage {
    let limit = StaleLimit(.strict, maxStale: maxStale).seconds
    return try await engine.collect("collectGarbage(maxStale:)") { collector in
      CollectedGarbage(joining: [
        try await collector.removeStaleFields(limit), try await collector.removeDanglingReferences(),
        try await collector.removeUnreachable(),
      ])
    }
  }

  /// Removes the fields that are older than they may be. Fields that a server does not let be stored are removed at any
  /// age. What is watched or retained stays.
  ///
  /// A record that has lost all of its fields stays with its type as long as something leads to it. If it was removed,
  /// lists would say that the object is gone, when only the values are too old.
  ///
  /// How old a field may be, the server has said, ``maxAgeProvider``, the schema, or ``defaultMaxAge``. The store knows a
  /// schema from the first time that it reads or writes an operation of it; see ``register(_:)``. What operations declare
  /// is not known here. An object without a key is as old as the field that holds it. For records in a backend, see
  /// ``collectGarbage(maxStale:)``.
  ///
  /// - Parameter maxStale: How many seconds longer than it may be used a field stays. The default is 0.
  /// - Returns: What was removed.
  /// - Throws: As ``collectGarbage(maxStale:)`` does.
  @discardableResult
  public func removeStaleFields(maxStale: TimeInterval = 0) async throws -> CollectedGarbage {
    let limit = StaleLimit(.strict, maxStale: maxStale).seconds
    return try await engine.collect("removeStaleFields(maxStale:)") { try await $0.removeStaleFields(limit) }
  }

  /// Removes references to records that were removed: a field that is such a reference is removed, and in a list null
  /// takes its place. Records that a limit of memory has dropped are not meant: they may come again.
  ///
  /// For records in a backend, see ``collectGarbage(maxStale:)``.
  ///
  /// - Returns: What was removed.
  /// - Throws: As ``collectGarbage(maxStale:)`` does.
  @discardableResult
  public func removeDanglingReferences() async throws -> CollectedGarbage {
    try await engine.collect("removeDanglingReferences()") { try await $0.removeDanglingReferences() }
  }

  /// Removes the records that no field leads to any more, from the roots or from what is watched or retained. Before that, it
  /// removes the fields of the root of mutations that are not watched or retained: their callers have the answers.
  ///
  /// For records in a backend, see ``collectGarbage(maxStale:)``.
  ///
  /// - Returns: How many records were removed.
  /// - Throws: As ``collectGarbage(maxStale:)`` does.
  @discardableResult
  public func removeUnreachable() async throws -> Int {
    try await engine.collect("removeUnreachable()") { try await $0.removeUnreachable().removedRecords.count }
  }
}
