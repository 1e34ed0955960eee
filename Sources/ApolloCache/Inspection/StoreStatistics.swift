import ApolloAPI

extension ApolloStore {
  /// What a store holds, and how often it was of use.
  public struct Statistics: Hashable, Sendable {
    /// The records in memory.
    public let recordCount: Int
    /// How many bytes they take, by estimate.
    public let byteCount: Int
    /// How many reads found everything.
    public let hits: Int
    /// How many reads did not.
    public let misses: Int
    /// How many records were forgotten to keep the size within its limit.
    public let evictions: Int

    struct Counters {
      var hits = 0, misses = 0, evictions = 0
    }
  }
}

extension ApolloStore {
  /// What the store holds now, and how often reads found what they needed. It looks at every record.
  public var statistics: ApolloStore.Statistics {
    let (table, counters) = engine.state.withLock { ($0.table, $0.counters) }
    let numbers = table.numbers
    let byteCount =
      table.byteCount
      ?? numbers.reduce(0) { sum, number in
        sum + (table[number].map { table.records.size(of: $0, number) } ?? 0)
      }
    return ApolloStore.Statistics(
      recordCount: numbers.count, byteCount: byteCount, hits: counters.hits, misses: counters.misses,
      evictions: counters.evictions)
  }

  /// All records in memory as text, for a debugger or a bug report: sorted by key, and their fields by name.
  ///
  ///     Human:1000
  ///       __typename: "Human"
  ///       friends(first:2): [→ Droid:2001, → Human:1002]
  ///       name: "Luke Skywalker"
  ///     QUERY_ROOT
  ///       hero: → Human:1000
  public func dump() -> String {
    let table = engine.view
    return table.numbers.compactMap { table.exported($0) }.sorted { $0.key < $1.key }.map { record in
      ([record.key] + record.fields.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" })
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// How many keys have a number.
  var keyCount: Int { engine.table.records.keyCount }

  /// The keys of all records in memory, sorted.
  var keys: [CacheKey] {
    let table = engine.table
    return table.numbers.compactMap(table.records.key).sorted()
  }
}
