import ApolloAPI

extension ApolloStore {
  /// Finds records, for tools and for screens that work on what the cache has.
  ///
  ///     let jedi = try await store.search(type: "Human") { $0["side"] == "light" }
  ///
  /// Records in memory are looked at as they are when the search begins. A backend is looked at as well if it is an
  /// ``EnumerableNormalizedCache``, a thousand records at a time, and each of these as it is at that moment. Writes do not
  /// wait for the search, and what it finds is not loaded into memory.
  ///
  /// - Parameters:
  ///   - type: The name of the object type in the schema. nil, the default: any.
  ///   - isMatch: Whether a record is meant. It may be called from any thread. By default each is.
  /// - Returns: The records, sorted by key.
  /// - Throws: What `isMatch` or the backend throws, and a `CancellationError` if the task is cancelled.
  public func search(
    type: String? = nil, where isMatch: @Sendable (Record) throws -> Bool = { _ in true }
  ) async throws -> [Record] {
    let table = engine.view
    var found: [Record] = []
    func look(at record: Record) throws {
      if let type, record["__typename"] != .string(type) { return }
      if try isMatch(record) { found.append(record) }
    }
    for number in 0..<Int32(table.records.count) {
      if number % Int32(Collector.stepSize) == 0 {
        try Task.checkCancellation()
        await Task.yield()
      }
      // Most records are of another type, and need not be converted.
      if let type, let name = table[number]?.type.name, name != type { continue }
      if let record = table.exported(number) { try look(at: record) }
    }
    if let backend = engine.backend, backend.isEnumerable {
      var last: CacheKey?
      while true {
        try Task.checkCancellation()
        let keys = try await backend.keys(after: last, limit: Collector.stepSize)
        // A backend that gives the same keys again would never come to an end.
        guard let end = keys.last, end != last else { break }
        let others = keys.filter { key in
          let number = table.records.number(of: key)
          guard number.flatMap({ table[$0] }) == nil else { return false }
          // What a guess has removed is still in the backend.
          return !table.isHidden(key) && !(number.map(table.records.isGone) ?? false)
        }
        if !others.isEmpty { for record in try await backend.records(others) { try look(at: record) } }
        last = end
      }
    }
    return found.sorted { $0.key < $1.key }
  }
}
