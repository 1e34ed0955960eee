import ApolloAPI
internal import GRDB

// What other processes write to the file, of which the store is told.

extension Storage.State {
  mutating func noteForeignChange() {
    foreignChangeCount += 1
    hasForeignChange = true
  }
}

extension Storage {
  /// Looks whether another process has written since this was last asked. It works in a transaction.
  func noteDataVersion(_ database: Database) throws {
    let version = try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    guard version != state.withLock({ $0.dataVersion }) else { return }
    let isComplete = try !Meta.has(.incomplete, in: database)
    state.withLock { state in
      state.dataVersion = version
      state.isComplete = isComplete
      state.noteForeignChange()
    }
  }

  /// Looks whether another process has written. It works on the queue.
  func lookForOtherProcesses() throws {
    try withFile { file in
      try file.write { database in
        // It reads something, because SQLite notices changes when it reads.
        _ = try Int.fetchOne(database, sql: "SELECT 1 FROM meta LIMIT 1")
        try noteDataVersion(database)
      }
    }
  }

  /// Has the store read its records again if another process has written, and waits for it.
  func readForeignChanges() async throws {
    try await onQueue { try $0.lookForOtherProcesses() }
    guard state.withLock({ $0.hasForeignChange || $0.isReadingAgain }) else { return }
    try await readAgain()
  }

  /// Has the store read its records again, some time later, if another process has written.
  func tellForeignChange() {
    guard state.withLock({ $0.hasForeignChange && $0.onForeignChange != nil }) else { return }
    // (What cannot be read now is read after the next write, or when it is looked for again.)
    Task { try? await self.readAgain() }
  }

  private func readAgain() async throws {
    let body = state.withLock { state in
      state.hasForeignChange = false
      state.isReadingAgain = true
      return state.onForeignChange
    }
    defer { state.withLock { $0.isReadingAgain = false } }
    do { try await body?() } catch {
      state.withLock { $0.hasForeignChange = true }
      throw error
    }
  }
}

extension DatabaseFile {
  /// What changes when another process writes.
  func dataVersion() throws -> Int {
    try write { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }
}
