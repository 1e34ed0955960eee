import ApolloAPI

/// Keeps records in memory, for as long as the process lives.
///
/// It is the store's own form of records, so nothing is copied between the two.
public final class InMemoryNormalizedCache: NormalizedCache, Sendable {
  let engine: RecordEngine

  /// - Parameters:
  ///   - records: What is there from the start.
  ///   - sizeLimit: How many bytes the records may take, by an estimate; nil for no limit. Above it, the records that
  ///     were used least recently are forgotten, those that somebody watches last. Reading them is a miss then.
  public init(records: RecordSet = RecordSet(), sizeLimit: Int? = nil) {
    engine = RecordEngine(backend: nil, sizeLimit: sizeLimit)
    if !records.isEmpty { merge(records: records) }
  }

  public func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    let table = engine.table
    return Dictionary(
      uniqueKeysWithValues: keys.compactMap { key in
        table.records.number(of: key).flatMap { table.exported($0) }.map { (key, $0) }
      })
  }

  @discardableResult public func merge(records: RecordSet) -> Set<CacheKey> {
    engine.onQueue {
      let changes = (try? engine.publish(records)) ?? ChangeSet()
      return Set(changes.names(in: engine.table.records))
    }
  }

  public func removeRecord(for key: CacheKey) {
    engine.onQueue { _ = try? engine.runTransaction { try $0.removeObject(for: key) } }
  }

  public func removeRecords(matching pattern: CacheKey) {
    engine.onQueue { _ = try? engine.runTransaction { try $0.removeObjects(matching: pattern) } }
  }

  public func clear() { engine.onQueue { try? engine.clear() } }
}
