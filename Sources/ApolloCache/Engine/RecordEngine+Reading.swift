import ApolloAPI

extension RecordEngine {
  /// Reads an object from the table, with what it needs from the backend.
  func read<Data: SelectionSet>(_ read: RecordRead<Data>) async -> RecordReading<Data> {
    guard let backend else { return readFromMemory(read) }
    // While nobody writes to the backend, what comes from there fits the table. Else the read begins anew.
    for _ in 0..<3 {
      let (table, generation, isPersisting) = state.withLock { ($0.table, $0.generation, $0.isPersisting) }
      let reading = await self.read(read, in: table, backend) { numbers, table in
        self.state.withLock { state in
          guard !isPersisting, !state.isPersisting, state.generation == generation else { return false }
          state.table.takeLoaded(numbers, from: table)
          return true
        }
      }
      if let reading { return reading }
    }
    // Writers have been faster each time. In a turn, none of them comes in between.
    if let conflict = HeldTurn.conflict(of: "load(_:)", in: self) {
      var reading = readFromMemory(read)
      reading.backendError = conflict
      return reading
    }
    await turns.take()
    defer { turns.release() }
    let reading = await self.read(read, in: table, backend) { numbers, table in
      self.state.withLock { $0.table.takeLoaded(numbers, from: table) }
      return true
    }
    return reading ?? readFromMemory(read)
  }

  func readFromMemory<Data: SelectionSet>(_ read: RecordRead<Data>) -> RecordReading<Data> {
    let table = table
    let reading = read.run(in: table)
    note(reading, in: table)
    return reading
  }

  /// - Parameter keep: Keeps what was loaded for others. False if it does not fit the table.
  /// - Returns: nil if it did not.
  private func read<Data: SelectionSet>(
    _ read: RecordRead<Data>, in start: RecordTable, _ backend: BackendCalls,
    keep: (Set<Int32>, RecordTable) -> Bool
  ) async -> RecordReading<Data>? {
    var table = start
    while true {
      var reading = read.run(in: table)
      let missing = reading.missing(in: table)
      guard !missing.isEmpty else {
        note(reading, in: table)
        return reading
      }
      do {
        try await table.fill(missing, from: backend)
      } catch {
        reading.backendError = error
        return reading
      }
      guard keep(missing, table) else { return nil }
    }
  }

  /// Counts, and notes what was used, where the size is limited.
  func note<Data>(_ reading: RecordReading<Data>, in table: RecordTable) {
    state.withLock { state in
      if case .success = reading.data { state.counters.hits += 1 } else { state.counters.misses += 1 }
      if sizeLimit != nil, state.table.records.keys === table.records.keys {
        state.uses.note(reading.dependencies.reads.lazy.map(\.record))
      }
    }
  }
}
