import ApolloAPI

extension RecordEngine {
  /// Reads an object from the table, after loading what it needs from the backend.
  func read<Data: SelectionSet>(_ read: ReadRequest<Data>) async -> ReadResult<Data> {
    guard let backend else { return readFromMemory(read) }
    // As long as nothing is written to the backend, what is loaded from it fits the table. Otherwise the read begins
    // again.
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
    // Writes have been faster each time. In a turn, none can happen in between.
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

  func readFromMemory<Data: SelectionSet>(_ read: ReadRequest<Data>) -> ReadResult<Data> {
    let (table, ages) = state.withLock { ($0.table, $0.ages) }
    let reading = read.run(in: table, ages)
    note(reading, in: table)
    return reading
  }

  /// Reads an object, and loads what is missing from the backend until nothing is missing.
  ///
  /// - Parameters:
  ///   - read: What to read.
  ///   - start: The table to begin with.
  ///   - backend: The backend.
  ///   - keep: Keeps what was loaded for later reads. False if it does not fit the table any more.
  /// - Returns: The object; nil if `keep` returned false.
  private func read<Data: SelectionSet>(
    _ read: ReadRequest<Data>, in start: RecordTable, _ backend: BackendCalls,
    keep: (Set<Int32>, RecordTable) -> Bool
  ) async -> ReadResult<Data>? {
    var table = start
    let ages = ages, start = ages.seconds
    while true {
      var reading = read.run(in: table, ages)
      reading.times?.start = start
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

  /// Counts a read, and, if memory is limited, notes which records were used. A miss of an operation is told to the app
  /// if it wants to know.
  func note<Data>(_ reading: ReadResult<Data>, in table: RecordTable) {
    schemas.insert(Data.schema)
    note(isHit: reading.isHit, used: notesUses ? reading.dependencies.reads : [], in: table)
    if !reading.isHit, let name = reading.operationName, let tell = onMiss.withLock({ $0 }),
      let miss = reading.firstMiss
    {
      tell(name, miss)
    }
  }

  private func note(isHit: Bool, used reads: [Dependencies.Read], in table: RecordTable) {
    let time = reads.isEmpty ? nil : useTime
    state.withLock { state in
      if isHit { state.counters.hits += 1 } else { state.counters.misses += 1 }
      if !reads.isEmpty, state.table.records.keys === table.records.keys {
        state.noteUses(of: reads.lazy.map(\.record), at: time)
      }
    }
    // What was not there has got a key all the same, so that a watcher can wait for it.
    if !isHit && table.needsCompaction || backend != nil && exceedsSizeLimit { reclaimIfFree() }
  }
}
