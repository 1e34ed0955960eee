import ApolloAPI

extension RecordEngine {
  /// Reads an object from the table, after loading what it needs from the backend.
  func read<Data: SelectionSet>(_ read: ReadRequest<Data>) async -> ReadResult<Data> {
    if hasOpenCalls { await waitForOpenCalls() }
    guard let backend else { return readFromMemory(read) }
    return await self.read(read, beside: backend)
  }

  /// (A function of its own, so that its frame is made only where something may be waited for.)
  @inline(never) private func read<Data: SelectionSet>(
    _ read: ReadRequest<Data>, beside backend: BackendCalls
  ) async -> ReadResult<Data> {
    // Records that are loaded fit the table as long as nothing is written to the backend. Otherwise the read begins
    // again.
    for _ in 0..<3 {
      let (tables, generation, isPersisting) = state.withLock { (Tables($0), $0.generation, $0.isPersisting) }
      let reading = await self.read(read, in: tables, backend) { numbers, table in
        self.state.withLock { state in
          guard !isPersisting, !state.isPersisting, state.generation == generation else { return false }
          state.takeLoaded(numbers, from: table)
          return true
        }
      }
      if let reading { return reading }
    }
    // A write came in between each time. During a turn there can be none.
    if let conflict = conflict(of: "load(_:)") {
      var reading = readFromMemory(read)
      reading.backendError = conflict
      return reading
    }
    await turns.take()
    defer { turns.release() }
    let reading = await self.read(read, in: state.withLock { Tables($0) }, backend) { numbers, table in
      self.state.withLock { $0.takeLoaded(numbers, from: table) }
      return true
    }
    return reading ?? readFromMemory(read)
  }

  func readFromMemory<Data: SelectionSet>(_ read: ReadRequest<Data>) -> ReadResult<Data> {
    let (table, ages) = state.withLock { ($0.view, $0.ages) }
    let reading = read.run(in: table, ages)
    note(reading, in: table)
    return reading
  }

  /// Reads an object from the table, without a look at the backend.
  ///
  /// - Returns: The object, or why it cannot be read; nil if the backend may have what is missing, or if the memory is
  ///   about to be cleared.
  func readIfInMemory<Data: SelectionSet>(_ read: ReadRequest<Data>) -> ReadResult<Data>? {
    let (table, ages, isReady) = state.withLock { ($0.view, $0.ages, $0.openClearings == 0) }
    guard isReady else { return nil }
    let reading = read.run(in: table, ages)
    guard backend == nil || reading.missing(in: table).isEmpty else { return nil }
    note(reading, in: table)
    return reading
  }

  /// Reads an object, and loads what is missing from the backend until nothing is missing.
  ///
  /// - Parameters:
  ///   - read: What to read.
  ///   - start: The tables to begin with.
  ///   - backend: The backend.
  ///   - keep: Puts the records that were loaded into the table of the store, for later reads. It is given their numbers
  ///     and the table that has them. Returns false if they no longer fit.
  /// - Returns: The object; nil if `keep` returned false.
  private func read<Data: SelectionSet>(
    _ read: ReadRequest<Data>, in start: Tables, _ backend: BackendCalls,
    keep: (Set<Int32>, RecordTable) -> Bool
  ) async -> ReadResult<Data>? {
    var tables = start
    let ages = ages, beginning = ages.seconds
    while true {
      let view = tables.view ?? tables.base
      var reading = read.run(in: view, ages)
      reading.times?.start = beginning
      let missing = reading.missing(in: view)
      guard !missing.isEmpty else {
        note(reading, in: view)
        return reading
      }
      do {
        try await tables.base.fill(missing, from: backend)
        tables.view?.takeLoaded(missing, from: tables.base)
      } catch {
        reading.backendError = error
        return reading
      }
      guard keep(missing, tables.base) else { return nil }
    }
  }

  /// The records that a read begins with.
  private struct Tables {
    var base: RecordTable
    /// The base with the changes of layers; nil if there are no layers.
    var view: RecordTable?

    init(_ state: State) {
      base = state.table
      view = state.layers.view
    }
  }

  /// Counts a read, and, if memory is limited, notes which records were used. If the app has set `onMiss`, it is called
  /// for an operation of which something is missing.
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
    // A record that is missing has a number all the same, so that a watcher can wait for it.
    if !isHit && table.needsCompaction || backend != nil && exceedsSizeLimit { reclaimIfFree() }
  }
}
