import ApolloAPI

/// Work that is done once for all calls that come while it is done.
///
/// It has a task of its own, because it may cancel the task of a call.
final class SharedWork: Sendable {
  private let state = Locked<(task: Task<Void, any Error>?, number: Int)>((nil, 0))

  func join(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = state.withLock { state in
      if let task = state.task { return task }
      state.number += 1
      let task = Task { [number = state.number] in
        defer { end(number) }
        try await body()
      }
      state.task = task
      return task
    }
    try await task.value
  }

  private func end(_ number: Int) {
    state.withLock { state in
      if state.number == number { state.task = nil }
    }
  }
}
