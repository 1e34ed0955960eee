import ApolloAPI
internal import GRDB

// What other processes write to the file, and the loss of the file, of which the store is told.

extension Storage.State {
  struct News: OptionSet, Sendable {
    let rawValue: Int

    /// Another process has written to the file.
    static let foreignChange = News(rawValue: 1)
    /// The file was lost, and nothing is in the new one but what waited.
    static let loss = News(rawValue: 2)
  }

  mutating func noteForeignChange() {
    foreignChangeCount += 1
    news.insert(.foreignChange)
  }

  mutating func noteLoss() {
    lossCount += 1
    news.insert(.loss)
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
    guard state.withLock({ !$0.news.isEmpty || !$0.toldNow.isEmpty }) else { return }
    try await tell()
  }

  /// Tells the store, some time later. It reads its records again if another process has written, and writes them again
  /// if the file was lost.
  func tellNews() {
    guard state.withLock({ !$0.news.isEmpty && $0.onForeignChange != nil }) else { return }
    // (What cannot be done now is done after the next write, or when it is looked for again.)
    Task { try? await self.tell() }
  }

  /// Tells the store, and waits until it has done what it has to. What another caller is telling it is told again: that
  /// waits for the other. So it never reads a new file before it has written its records to it.
  private func tell() async throws {
    let (news, onLoss, onForeignChange) = state.withLock { state in
      state.toldNow.formUnion(state.news)
      state.news = []
      return (state.toldNow, state.onLoss, state.onForeignChange)
    }
    defer { state.withLock { $0.toldNow.subtract(news) } }
    var untold = news
    do {
      if news.contains(.loss) { try await onLoss?() }
      untold.remove(.loss)
      if news.contains(.foreignChange) { try await onForeignChange?() }
    } catch {
      state.withLock { $0.news.formUnion(untold) }
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
